"""`graphmem demo`: two shipped conversations remembered and asked about, or a file of your own.

The shipped answers are checked against `expect` in `demo_data/*.toml`; a wrong one makes the exit code 1.
"""

from __future__ import annotations

import sys
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem.errors import ConfigurationError, NotFound

from .common import NO_OPTIONS, Common, load_settings, open_memory
from .demo_text import holds, show_answer, show_replaced, summary
from .output import Bar, stdout
from .serve import addresses, check_host, listen, serve_memory

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.config import Settings
    from graphmem.ingest.readers import Document
    from graphmem.memory import Memory
    from graphmem.models.episode import Extraction, RememberRequest
    from graphmem.models.fact import Fact, HistoryEntry, RememberResult

LANGUAGES = ("en", "ja")
BATCH = 25
"""Messages of one remember call of a file."""


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question of the shipped conversation; `expect` is what the first memory must say."""

    text: str
    about: str
    expect: tuple[str, ...]
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """A shipped conversation and its questions."""

    language: str
    store: str
    actor: str
    document: Document
    questions: tuple[DemoQuestion, ...]


async def demo(
    *,
    file: Annotated[Path | None, Parameter(help="Your own text, Markdown, JSONL chat or LoCoMo conversation.")] = None,
    question: Annotated[list[str] | None, Parameter(help="What to ask about the file; may be repeated.")] = None,
    serve: Annotated[bool | None, Parameter(help="Keep serving; default: on a terminal.")] = None,
    common: Common = NO_OPTIONS,
) -> int:
    """Remember two shipped conversations, or your own file, and ask about them."""
    from .demo_file import load_file, show_file

    settings = load_settings(common)
    check_host(settings)
    own = load_file(file, question) if file is not None else None
    async with open_memory(settings) as memory:
        if own is None:
            wrong = await show_stories(memory)
        else:
            wrong = await show_file(memory, own)
        await _finish(settings, memory, sys.stdout.isatty() if serve is None else serve)
    return int(wrong > 0)


async def show_stories(memory: Memory) -> int:
    """Remember the shipped conversations and ask about them; the number of wrong answers."""
    console = stdout()
    wrong = 0
    for language in LANGUAGES:
        story = load_story(language)
        console.rule(f"{story.language}: {story.store}")
        await _fresh_store(memory, story.store)
        results = await remember_document(
            memory, story.store, story.actor, story.document, "offline", title=f"remember ({language})"
        )
        console.print(summary(results))
        for asked in story.questions:
            wrong += not await _ask(console, memory, story, asked)
        await _show_one_replaced(console, memory, story, results)
    total = sum(len(load_story(language).questions) for language in LANGUAGES)
    console.rule()
    console.print(f"{total - wrong} of {total} answers are right")
    return wrong


def load_story(language: str) -> Story:
    """The shipped conversation of a language."""
    from graphmem.ingest.readers import read_file

    data = files("graphmem.cli") / "demo_data"
    spec = tomllib.loads((data / f"{language}.toml").read_text(encoding="utf-8"))
    with as_file(data / f"{language}.jsonl") as path:
        document = read_file(path)
    questions = tuple(
        DemoQuestion(q["text"], q["about"], tuple(q["expect"]), q.get("as_of")) for q in spec["questions"]
    )
    return Story(spec["language"], spec["store"], spec["actor"], document, questions)


async def _fresh_store(memory: Memory, store: str) -> None:
    from graphmem.models.manage import StoreIn

    with suppress(NotFound):
        await memory.delete_store(store)
    await memory.create_store(StoreIn(id=store, description="Made by graphmem demo; remade at every run."))


async def remember_document(
    memory: Memory,
    store: str,
    actor: str,
    document: Document,
    extraction: Extraction,
    *,
    title: str,
) -> list[RememberResult]:
    """Remember a document in batches, with a bar that counts messages."""
    results = []
    requests = document_requests(actor, document, extraction)
    with Bar(title, len(document.messages)) as bar:
        async for result in memory.remember_all(store, requests):
            results.append(result)
            bar.advance(len(result.episodes))
    return results


def document_requests(actor: str, document: Document, extraction: Extraction) -> list[RememberRequest]:
    """A document's messages as remember calls, in order; no call spans two sessions."""
    from graphmem.models.episode import RememberRequest
    from graphmem.models.scope import Scope

    return [
        RememberRequest(
            scope=Scope(actor_id=actor, session_id=session.id),
            messages=session.messages[start : start + BATCH],
            extraction=extraction,
        )
        for session in document.sessions
        for start in range(0, len(session.messages), BATCH)
    ]


async def _ask(console: Console, memory: Memory, story: Story, asked: DemoQuestion) -> bool:
    from graphmem.models.recall import RecallRequest
    from graphmem.models.scope import ReadScope

    from .common import parse_time

    request = RecallRequest(
        scope=ReadScope(actor_id=story.actor), query=asked.text, as_of=parse_time("as_of", asked.as_of)
    )
    result = await memory.recall(story.store, request)
    show_answer(console, asked.text, result, as_of=asked.as_of)
    right = holds(result.items[0] if result.items else None, asked.expect)
    mark, style = ("✓", "green") if right else ("✗", "red")
    console.print(f"{mark}  expected: {' '.join(asked.expect)}   ({asked.about})", style=style)
    return right


async def _show_one_replaced(console: Console, memory: Memory, story: Story, results: list[RememberResult]) -> None:
    """Show a fact that a later one replaced, with the reason; a change in the world before a correction."""
    replaced = dict.fromkeys(old for r in results for decision in r.facts for old in decision.superseded)
    shown: tuple[Fact, tuple[HistoryEntry, ...]] | None = None
    for fact_id in replaced:
        fact = await memory.get_fact(story.store, story.actor, fact_id)
        history = await memory.fact_history(story.store, story.actor, fact_id)
        shown = shown or (fact, history)
        if any(entry.event == "superseded" for entry in history):
            shown = (fact, history)
            break
    if shown:
        console.print("\nA fact that was replaced, and why", style="bold")
        show_replaced(console, *shown)


async def _finish(settings: Settings, memory: Memory, serving: bool) -> None:
    """Print the addresses; keep serving when asked to."""
    console = stdout()
    console.print()
    if not serving:
        for line in addresses(settings, memory, settings.port):
            console.print(str(line))
        console.print("`graphmem serve` starts the API there.")
        return
    with _any_port(settings) as listener:
        for line in addresses(settings, memory, listener.getsockname()[1]):
            console.print(str(line))
        console.print("Serving; Ctrl-C ends it.")
        await serve_memory(settings, memory, listener)


def _any_port(settings: Settings) -> socket:
    try:
        return listen(settings.host, settings.port)
    except ConfigurationError:
        return listen(settings.host, 0)
