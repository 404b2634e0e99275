"""`graphmem demo --file`: the user's own text remembered with a bar, then asked about."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import AlreadyExists

from .demo_text import show_answer, summary
from .output import clean, shorten, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.ingest.readers import Document, Question
    from graphmem.memory import Memory
    from graphmem.models.recall import RecallResult

STORE = "demo-file"
SHOWN = 10
"""Message ids that are shown beside the evidence of a LoCoMo question."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that was read, and what is asked about it."""

    name: str
    actor: str
    document: Document
    questions: tuple[Question, ...]


def load_file(path: Path, questions: list[str] | None) -> OwnFile:
    """Read the file before anything is started. Errors: InvalidInput, TooLarge."""
    from graphmem.ingest.readers import Question, read_file

    document = read_file(path)
    asked = tuple(Question(text, "", ()) for text in questions or ())
    return OwnFile(path.name, _actor(path), document, asked or document.questions)


def _actor(path: Path) -> str:
    """The actor that owns the memories of a file: its name, so that two files do not mix."""
    return clean(path.stem)[:200].strip() or "file"


async def show_file(memory: Memory, own: OwnFile) -> int:
    """Remember the file, answer its questions or those that are typed; 1 when a message failed, else 0."""
    from .demo import remember_document

    console = stdout()
    await _ensure_store(memory)
    sessions = len(own.document.sessions)
    count = len(own.document.messages)
    console.print(f"{own.name}: {own.document.kind}, {count} messages, {sessions} session(s)")
    results = await remember_document(memory, STORE, own.actor, own.document, "auto", title="remember")
    console.print(summary(results))
    for question in own.questions:
        await _answer(console, memory, own.actor, question)
    if not own.questions and sys.stdin.isatty():
        await _prompt(console, memory, own.actor)
    failed = any(e.status == "failed" for result in results for e in result.episodes)
    return int(failed)


async def _ensure_store(memory: Memory) -> None:
    from contextlib import suppress

    from graphmem.models.manage import StoreIn

    with suppress(AlreadyExists):
        await memory.create_store(StoreIn(id=STORE, description="Files given to graphmem demo --file."))


async def _recall(memory: Memory, actor: str, query: str) -> RecallResult:
    from graphmem.models.recall import RecallRequest
    from graphmem.models.scope import ReadScope

    return await memory.recall(STORE, RecallRequest(scope=ReadScope(actor_id=actor), query=query))


async def _answer(console: Console, memory: Memory, actor: str, question: Question) -> None:
    result = await _recall(memory, actor, question.text)
    show_answer(console, question.text, result)
    if not question.evidence:
        return
    found = dict.fromkeys(s.source_id for item in result.items for s in item.sources if s.source_id)
    hit = any(evidence in found for evidence in question.evidence)
    console.print(f"   answer of the file: {shorten(question.answer)}")
    mark, style = ("✓", "green") if hit else ("✗", "red")
    shown = ", ".join(list(found)[:SHOWN])
    console.print(f"{mark}  evidence {', '.join(question.evidence)}; found {shown}", style=style)


async def _prompt(console: Console, memory: Memory, actor: str) -> None:
    """Answer typed questions until an empty line or the end of input."""
    import asyncio

    console.print("\nAsk about it; an empty line ends.")
    while True:
        try:
            query = (await asyncio.to_thread(input, "? ")).strip()
        except EOFError:
            return
        if not query:
            return
        show_answer(console, query, await _recall(memory, actor, query))
