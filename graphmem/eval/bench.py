"""What graphmem adds to Neo4j: recall and remember beside the bare driver, on one engine, in one run.

Both sides of each comparison take turns, so that a busy machine slows both alike, and medians are compared.
Embeddings are made beforehand and given to both sides.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError
from graphmem.models.base import Model
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope
from graphmem.providers import make_embedder
from graphmem.store.catalog import query

from .given import GivenVectors, recorded
from .progress import Progress, silent
from .snapshot import Snapshot, snapshot
from .stores import temporary_store
from .workload import ACTOR, batches, questions

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory
    from graphmem.models.episode import RememberRequest
    from graphmem.store.driver import Database, Row


RECALL_GOAL = 1.5
"""Recall may take this many times the time of the bare query."""
SEARCH = "retrieve/recall"
"""The query file that recall runs."""
REMEMBER_GOAL = 0.5
"""Remembering reaches at least this share of the rate of a bare load."""


class Comparison(Model):
    """Medians of both sides and their ratio, graphmem over bare."""

    unit: str
    graphmem: float
    bare: float
    ratio: float
    goal: str
    reached: bool


class Report(Model):
    """Result of one run."""

    facts: int
    nodes: int
    relationships: int
    recalls: int
    recall: Comparison
    remember: Comparison


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    facts: int = 1000
    batch: int = 250
    rounds: int = 5
    recalls: int = 60
    warm_up: int = 10
    """Recalls before the measured ones."""


async def run(settings: Settings, plan: Plan, progress: Progress = silent) -> Report:
    """Measure on stores made for it and deleted afterwards. Errors: those of `Memory`."""
    from graphmem.memory import Memory

    requests = batches(plan.facts, plan.batch)
    embedder = GivenVectors(make_embedder(settings))
    async with Memory.open(settings, progress=progress) as opened:
        try:
            memory = Memory(settings, opened.database, embedder)
            progress("embedding", None)
            shape = await _snapshot_of(memory, requests)
            remember = await _remember(memory, requests, shape, plan, progress)
            recall = await _recall(memory, requests, plan, progress)
        finally:
            await embedder.close()
    return Report(
        facts=plan.facts, nodes=len(shape.nodes), relationships=len(shape.edges), recalls=plan.recalls,
        recall=recall, remember=remember,
    )  # fmt: skip


async def _snapshot_of(memory: Memory, requests: Sequence[RememberRequest]) -> Snapshot:
    """Remember once, which also makes every vector, and give what it left in the graph."""
    async with temporary_store(memory) as store:
        for request in requests:
            await memory.remember(store, request)
        return await snapshot(memory.database, store)


async def _remember(
    memory: Memory, requests: Sequence[RememberRequest], shape: Snapshot, plan: Plan, progress: Progress
) -> Comparison:
    ours, bare = [], []
    for number in range(plan.rounds):
        progress("remember", number / plan.rounds)
        async with temporary_store(memory) as store:
            ours.append(await _timed_remember(memory, store, requests))
        async with temporary_store(memory) as store:
            bare.append(await _timed_load(memory.database, shape.loads(store, plan.batch)))
            if number == 0:
                await _check_same(memory.database, store, shape)
    return _rates(plan.facts / median(ours), plan.facts / median(bare))


def _rates(ours: float, bare: float) -> Comparison:
    return Comparison(
        unit="facts/s", graphmem=ours, bare=bare, ratio=ours / bare,
        goal=f">= {REMEMBER_GOAL}", reached=ours / bare >= REMEMBER_GOAL,
    )  # fmt: skip


async def _check_same(database: Database, store: str, shape: Snapshot) -> None:
    """ConfigurationError when the bare load wrote something else: the comparison would mean nothing."""
    loaded = (await snapshot(database, store)).counts()
    if loaded != shape.counts():
        raise ConfigurationError(f"The bare load is not the same graph: {loaded} instead of {shape.counts()}.")


async def _timed_remember(memory: Memory, store: str, requests: Sequence[RememberRequest]) -> float:
    begin = time.perf_counter()
    for request in requests:
        await memory.remember(store, request)
    return time.perf_counter() - begin


async def _timed_load(database: Database, loads: Sequence[Row]) -> float:
    begin = time.perf_counter()
    for rows in loads:
        await database.run("eval/load", rows)
    return time.perf_counter() - begin


async def _recall(memory: Memory, requests: Sequence[RememberRequest], plan: Plan, progress: Progress) -> Comparison:
    async with temporary_store(memory) as store:
        await _timed_remember(memory, store, requests)
        ours, bare = [], []
        for number, question in enumerate(questions(plan.recalls + plan.warm_up)):
            progress("recall", number / (plan.recalls + plan.warm_up))
            request = RecallRequest(scope=ReadScope(actor_id=ACTOR), query=question)
            with recorded(memory.database, SEARCH) as sent:
                await memory.recall(store, request)
            pair = [_timed_recall(memory, store, request), _timed_query(memory.database, sent[0])]
            seconds = await _in_turn(pair, reverse=number % 2 == 1)
            if number >= plan.warm_up:
                ours.append(seconds[0] * 1000)
                bare.append(seconds[1] * 1000)
    return _times(median(ours), median(bare))


def _times(ours: float, bare: float) -> Comparison:
    return Comparison(
        unit="ms", graphmem=ours, bare=bare, ratio=ours / bare,
        goal=f"<= {RECALL_GOAL}", reached=ours / bare <= RECALL_GOAL,
    )  # fmt: skip


async def _in_turn(pair: Sequence[Awaitable[float]], *, reverse: bool) -> tuple[float, float]:
    """Both figures in the order given; `reverse` measures the second first."""
    if reverse:
        second = await pair[1]
        return await pair[0], second
    return await pair[0], await pair[1]


async def _timed_recall(memory: Memory, store: str, request: RecallRequest) -> float:
    begin = time.perf_counter()
    await memory.recall(store, request)
    return time.perf_counter() - begin


async def _timed_query(database: Database, parameters: Row) -> float:
    """The driver alone: the text of the query file and its parameters, rows read and thrown away."""
    text = query(SEARCH).text
    begin = time.perf_counter()
    given = {"given": parameters}
    await database.driver.execute_query(text, parameters_=given, routing_="r", database_=database.database)
    return time.perf_counter() - begin
