"""The documents of a data set into a store, and its queries, several at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from graphmem.models.episode import Message, RememberRequest
from graphmem.models.scope import Scope

from .progress import Progress

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.models.episode import Extraction

    from .dataset import Dataset, Document

_STORED = ("ADD", "UPDATE")
"""Decisions after which there is a fact that was not there before."""
_BATCH = 100
"""Messages of one remember call."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading a data set came to."""

    facts: int = 0
    llm_calls: int = 0
    tokens: int = 0


async def load(memory: Memory, store: str, data: Dataset, extraction: Extraction, progress: Progress) -> Loaded:
    """Remember every document as an episode with its source id, session, time and speaker. Errors: of `remember`."""
    done = facts = calls = tokens = 0
    progress("remember", 0.0)
    async for result in memory.remember_all(store, list(_requests(data, extraction))):
        done += len(result.episodes)
        facts += sum(decision.event in _STORED for decision in result.facts)
        calls += result.usage.llm_calls
        tokens += result.usage.prompt_tokens + result.usage.completion_tokens
        progress("remember", done / len(data.documents))
    return Loaded(facts, calls, tokens)


def _requests(data: Dataset, extraction: Extraction) -> Iterator[RememberRequest]:
    """The documents of each session, in order; one of no session by itself, for messages beside it are its context."""
    for documents in data.by_actor.values():
        for session, group in groupby(documents, key=lambda document: document.session):
            members = list(group)
            size = 1 if session is None else _BATCH
            for start in range(0, len(members), size):
                yield _request(members[start : start + size], session, extraction)


def _request(documents: Sequence[Document], session: str | None, extraction: Extraction) -> RememberRequest:
    return RememberRequest(
        scope=Scope(actor_id=documents[0].actor, session_id=session),
        messages=tuple(Message(id=d.id, name=d.name, content=d.text, occurred_at=d.occurred_at) for d in documents),
        extraction=extraction,
    )


async def at_once(
    count: int, workers: int, work: Callable[[int], Awaitable[None]], stage: str, progress: Progress
) -> None:
    """Run the work for every index below `count`, `workers` at once. Errors: the first of the work's."""
    waiting = iter(range(count))
    done = 0
    progress(stage, 0.0)

    async def worker() -> None:
        nonlocal done
        for index in waiting:
            await work(index)
            done += 1
            progress(stage, done / count)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, count)):
                group.create_task(worker())
    except ExceptionGroup as errors:
        first = errors.exceptions[0]
        raise first from first.__cause__
