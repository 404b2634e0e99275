"""Does a long queue slow recall down? Two stores with the same facts; one of them has many episodes pending."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING

from graphmem.ingest.pipeline import claim_parameters
from graphmem.models.base import Model
from graphmem.models.ids import owner_key, scope_token
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope

from .progress import Progress, p95, silent
from .stores import temporary_store
from .workload import ACTOR, batches, questions, texts

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.store.driver import Transaction

GOAL = 1.5
"""Recall may take this many times as long beside the queue."""
_FACTS, _ROWS, _WARM_UP, _CLAIMS = 500, 1_000, 10, 5
_LEASE = timedelta(minutes=1)


class Load(Model):
    """Milliseconds of recall in both stores, by turns, and of the worker's queries."""

    pending: int
    facts: int
    recalls: int
    without_p50: float
    without_p95: float
    with_p50: float
    with_p95: float
    before_p50: float
    """In the store of the queue, before there was one."""
    ratio: float
    """p50 with the queue over p50 without, by turns."""
    claim_ms: float
    """Median of choosing the next jobs of the queue."""
    count_ms: float
    """Median of counting what is pending."""
    goal: float = GOAL
    reached: bool


class _Undo(Exception):
    """Ends a transaction whose changes are not wanted."""


async def measure(memory: Memory, pending: int, recalls: int, progress: Progress = silent) -> Load:
    """Measure in two stores made for it; `memory` must not work on the queue (`Memory.open(work=False)`)."""
    async with temporary_store(memory) as plain, temporary_store(memory) as queued:
        for store in (plain, queued):
            progress("remember", None)
            for request in batches(_FACTS, _FACTS):
                await memory.remember(store, request)
        before = await _recalls(memory, (queued,), recalls, progress)
        await _fill(memory, queued, pending, progress)
        counts = [await _timed_count(memory) for _ in range(_CLAIMS)]
        claims = [await _timed_claim(memory) for _ in range(_CLAIMS)]
        without, beside = await _recalls(memory, (plain, queued), recalls, progress)
    ratio = median(beside) / median(without)
    return Load(
        pending=pending, facts=_FACTS, recalls=recalls, without_p50=median(without), without_p95=p95(without),
        with_p50=median(beside), with_p95=p95(beside), before_p50=median(before[0]), ratio=ratio,
        claim_ms=median(claims), count_ms=median(counts), reached=ratio <= GOAL,
    )  # fmt: skip


async def _fill(memory: Memory, store: str, pending: int, progress: Progress) -> None:
    owner = owner_key(store, ACTOR)
    shared = {"store_id": store, "owner_key": owner, "actor_id": ACTOR, "tokens": scope_token("o", owner)}
    rows = [{"n": n, "text": text} for n, text in enumerate(texts(pending))]
    for start in range(0, pending, _ROWS):
        progress("filling the queue", start / pending)
        given = shared | {"rows": rows[start : start + _ROWS], "now": datetime.now(UTC)}
        await memory.database.run("eval/fill_queue", given)


async def _recalls(memory: Memory, stores: tuple[str, ...], count: int, progress: Progress) -> list[list[float]]:
    """Milliseconds of each recall in each store, the stores by turns."""
    taken: list[list[float]] = [[] for _ in stores]
    for number, question in enumerate(questions(count + _WARM_UP)):
        progress("recall", number / (count + _WARM_UP))
        request = RecallRequest(scope=ReadScope(actor_id=ACTOR), query=question)
        for index, store in enumerate(stores):
            begin = time.perf_counter()
            await memory.recall(store, request)
            if number >= _WARM_UP:
                taken[index].append((time.perf_counter() - begin) * 1000)
    return taken


async def _timed_count(memory: Memory) -> float:
    begin = time.perf_counter()
    await memory.database.run("ingest/pending", {})
    return (time.perf_counter() - begin) * 1000


async def _timed_claim(memory: Memory) -> float:
    """Claim the next jobs and take that back."""
    taken = 0.0

    async def work(transaction: Transaction) -> None:
        nonlocal taken
        begin = time.perf_counter()
        await transaction.run("ingest/claim_jobs", claim_parameters(datetime.now(UTC), _LEASE))
        taken = (time.perf_counter() - begin) * 1000
        raise _Undo

    try:
        await memory.database.write(work)
    except _Undo:
        return taken
    raise AssertionError
