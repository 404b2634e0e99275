"""How fast a conversation is remembered, and where the time goes: every query, reading, embedding, waiting."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from graphmem.models.base import Model

from .ledger import Ledger, Part, cpu_of
from .progress import Progress, silent
from .stores import temporary_store

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory
    from graphmem.models.episode import RememberRequest
    from graphmem.models.fact import RememberResult

GOAL = 25.0
"""Turns a second, on two cores, embeddings included."""


class Pace(Model):
    """Result of one run."""

    turns: int
    calls: int
    facts: int
    seconds: float
    turns_per_second: float
    first_seconds: float
    """Of the first call, in which models are loaded and queries are planned."""
    cpu_seconds: float
    """Of this process."""
    neo4j_cpu_seconds: float | None
    """Of the server, where it runs here as the managed one."""
    parts: tuple[Part, ...]
    other_seconds: float
    """Neither in a query, nor reading, nor embedding."""
    goal: float = GOAL
    reached: bool


async def measure(
    settings: Settings, requests: Sequence[RememberRequest], progress: Progress = silent, *, one_by_one: bool = False
) -> Pace:
    """Remember the calls in a store made for it. `one_by_one` reads no call before the last one is written.

    Errors: those of `Memory`.
    """
    from graphmem.memory import Memory

    ledger = Ledger()
    async with (
        Memory.open(settings, progress=progress, observer=ledger.add) as memory,
        temporary_store(memory) as store,
    ):
        ledger.clear()
        return await _timed(memory, store, requests, ledger, progress, one_by_one=one_by_one)


async def _timed(
    memory: Memory,
    store: str,
    requests: Sequence[RememberRequest],
    ledger: Ledger,
    progress: Progress,
    *,
    one_by_one: bool,
) -> Pace:
    info = memory.server_info()
    pid = info.pid if info else None
    turns = sum(len(request.messages or ()) for request in requests)
    done = facts = 0
    first = 0.0
    cpu, server, began = time.process_time(), cpu_of(pid), time.perf_counter()
    async for result in _each(memory, store, requests, one_by_one=one_by_one):
        first = first or time.perf_counter() - began
        done += len(result.episodes)
        facts += len(result.facts)
        progress("remember", done / turns)
    seconds = time.perf_counter() - began
    used = cpu_of(pid)
    return Pace(
        turns=turns, calls=len(requests), facts=facts, seconds=seconds, turns_per_second=turns / seconds,
        first_seconds=first, cpu_seconds=time.process_time() - cpu,
        neo4j_cpu_seconds=None if used is None or server is None else used - server,
        parts=ledger.parts(seconds), other_seconds=max(0.0, seconds - ledger.covered()),
        reached=turns / seconds >= GOAL,
    )  # fmt: skip


async def _each(
    memory: Memory, store: str, requests: Sequence[RememberRequest], *, one_by_one: bool
) -> AsyncIterator[RememberResult]:
    if one_by_one:
        for request in requests:
            yield await memory.remember(store, request)
        return
    async for result in memory.remember_all(store, requests):
        yield result
