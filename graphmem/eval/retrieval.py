"""How well are memories found? Recall beside BM25, vectors and both fused, over the same documents and questions.

The documents go into a store of the real database as episodes, each with its source id, session, time and speaker, and
every query through `Memory.recall`. For the ranking the gate is open (`min_score` 0); what the default gate would have
cut of the right answers is counted apart. Baselines search `speaker: text` of the same actor.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphmem.models.base import Model
from graphmem.models.episode import Message, RememberRequest
from graphmem.models.manage import StoreIn
from graphmem.models.recall import Gate, Kind, Mode, RecallRequest, RecallResult
from graphmem.models.scope import ReadScope, Scope
from graphmem.retrieve.context import count_tokens

from .baselines import BM25, DEEP, Dense, fused, order
from .dataset import Dataset, Document, Query
from .given import GivenVectors
from .measures import Bootstrap, Figure, Ranking, Values, columns, measure

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.models.recall import RecallItem
    from graphmem.ports import Embedder

Progress = Callable[[str, float | None], None]
Baseline = Literal["bm25", "dense", "rrf"]
BASELINES: tuple[Baseline, ...] = ("bm25", "dense", "rrf")
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "vector")
_BATCH = 100
"""Messages of one remember call."""
_OPEN = Gate(min_score=0.0, min_retention=0.0)
_TIMED = 100
"""Recalls whose time is taken, one after the other."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how."""

    modes: tuple[Mode, ...] = MODES
    kinds: tuple[Kind, ...] = ("episode",)
    baselines: tuple[Baseline, ...] = BASELINES
    depth: int = 10
    max_tokens: int = 1000
    concurrency: int = 8
    seed: int = 1
    extract: bool = False
    """Also have facts extracted, by the configured extractor."""
    gate: bool = True
    """Recall a second time with the default gate."""
    timed: int = _TIMED


class Gated(Model):
    """What the default gate does to the right answers that an open one shows."""

    right: int
    """Right answers within the depth while the gate is open."""
    cut: int
    """Of these, how many the default gate leaves out."""
    emptied: int
    """Queries with a right answer that get no answer at all."""


class Latency(Model):
    """Milliseconds of a recall with the default gate, one after the other, embedding included."""

    recalls: int
    p50: float
    p95: float


class System(Model):
    """Figures of one way to search: over all queries, and by category."""

    name: str
    overall: dict[str, Figure]
    categories: dict[str, dict[str, Figure]]
    tokens: float
    """Mean tokens that a model would be shown for a query."""
    gate: Gated | None = None
    latency: Latency | None = None


class Difference(Model):
    """How much better one system is than another on the same queries; clear where the interval leaves out 0."""

    system: str
    baseline: str
    measure: str
    figure: Figure
    clear: bool


class Report(Model):
    """Result of one run."""

    data: str
    documents: int
    actors: int
    queries: int
    skipped: int
    categories: dict[str, int]
    kinds: tuple[Kind, ...]
    depth: int
    seed: int
    extracted: bool
    embedder: str
    systems: tuple[System, ...]
    differences: tuple[Difference, ...]
    full_context_tokens: float
    """Mean tokens of everything that the actor's documents say: what is shown without a memory, with recall 1."""
    load_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True)
class _Answers:
    """What one system gave, query by query."""

    rankings: list[Ranking]
    tokens: list[int]


def _silent(stage: str, fraction: float | None) -> None:
    """Show nothing."""


async def evaluate(
    memory: Memory, embedder: Embedder, data: Dataset, plan: Plan = Plan(), progress: Progress = _silent
) -> Report:
    """Measure in a store made for it and deleted afterwards; `embedder` is the one that `memory` was opened with.

    Errors: those of `Memory`.
    """
    from graphmem.memory import Memory as Opened

    began = time.perf_counter()
    given = GivenVectors(embedder)
    cached = Opened(memory.settings, memory.database, given)  # its worker is not started: nothing waits for one
    async with _store(memory) as store:
        await _load(cached, store, data, plan, progress)
        loaded = time.perf_counter() - began
        bench = Bootstrap(len(data.queries), plan.seed)
        rows: dict[str, dict[str, Values]] = {}
        systems: list[System] = []
        for mode in plan.modes:
            answers = await _recalls(cached, store, data.queries, plan, mode, _OPEN, f"recall {mode}", progress)
            gate = await _gated(cached, store, data, plan, mode, answers, progress) if plan.gate else None
            latency = await _timed(memory, store, data, plan, mode, progress) if plan.timed else None
            name = f"graphmem {mode}"
            rows[name], system = _measured(name, data, answers, plan, bench)
            systems.append(system.model_copy(update={"gate": gate, "latency": latency}))
    for baseline, answers in (await _baselines(given, data, plan, progress)).items():
        rows[baseline], system = _measured(baseline, data, answers, plan, bench)
        systems.append(system)
    sizes = {actor: sum(count_tokens(d.spoken) for d in documents) for actor, documents in data.by_actor.items()}
    return Report(
        data=data.name, documents=len(data.documents), actors=len(data.by_actor), queries=len(data.queries),
        skipped=data.skipped, categories={c: sum(q.category == c for q in data.queries) for c in data.categories},
        kinds=plan.kinds, depth=plan.depth, seed=plan.seed, extracted=plan.extract,
        embedder=embedder.identity.name, systems=tuple(systems),
        differences=tuple(_differences(plan, rows, bench)),
        full_context_tokens=float(np.mean([sizes[q.actor] for q in data.queries])),
        load_seconds=loaded, seconds=time.perf_counter() - began,
    )  # fmt: skip


@asynccontextmanager
async def _store(memory: Memory) -> AsyncIterator[str]:
    name = f"eval-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=name, description="Temporary store of graphmem eval."))
    try:
        yield name
    finally:
        await memory.delete_store(name)


# --- loading ----------------------------------------------------------------------------------------------


async def _load(memory: Memory, store: str, data: Dataset, plan: Plan, progress: Progress) -> None:
    done = 0
    progress("remember", 0.0)
    requests = list(_requests(data, plan))
    async for result in memory.remember_all(store, requests):
        done += len(result.episodes)
        progress("remember", done / len(data.documents))


def _requests(data: Dataset, plan: Plan) -> Iterator[RememberRequest]:
    """The documents of each session, in their order."""
    for documents in data.by_actor.values():
        for session, group in groupby(documents, key=lambda document: document.session):
            members = list(group)
            for start in range(0, len(members), _BATCH):
                yield _request(members[start : start + _BATCH], session, plan)


def _request(documents: Sequence[Document], session: str | None, plan: Plan) -> RememberRequest:
    return RememberRequest(
        scope=Scope(actor_id=documents[0].actor, session_id=session),
        messages=tuple(Message(id=d.id, name=d.name, content=d.text, occurred_at=d.occurred_at) for d in documents),
        extraction="auto" if plan.extract else "none",
    )


# --- recall -----------------------------------------------------------------------------------------------


async def _recalls(
    memory: Memory,
    store: str,
    queries: Sequence[Query],
    plan: Plan,
    mode: Mode,
    gate: Gate | None,
    stage: str,
    progress: Progress,
) -> _Answers:
    """What every query gets, several at once."""
    results: list[RecallResult | None] = [None] * len(queries)

    async def ask(index: int) -> None:
        results[index] = await memory.recall(store, _recall(queries[index], plan, mode, gate))

    await _at_once(len(queries), plan.concurrency, ask, stage, progress)
    there = [result for result in results if result is not None]
    return _Answers([ranking(r.items) for r in there], [r.context_tokens for r in there])


def _recall(query: Query, plan: Plan, mode: Mode, gate: Gate | None) -> RecallRequest:
    return RecallRequest(
        scope=ReadScope(actor_id=query.actor), query=query.text, mode=mode, kinds=plan.kinds, limit=plan.depth,
        gate=gate, max_tokens=plan.max_tokens,
    )  # fmt: skip


def ranking(items: Sequence[RecallItem]) -> Ranking:
    """The sources that each answer stands for, best answer first."""
    return [frozenset(s.source_id for s in item.sources if s.source_id) for item in items]


async def _at_once(
    count: int, workers: int, work: Callable[[int], Awaitable[None]], stage: str, progress: Progress
) -> None:
    """Run the work for every index, `workers` at once."""
    waiting = iter(range(count))
    done = 0
    progress(stage, 0.0)

    async def worker() -> None:
        nonlocal done
        for index in waiting:
            await work(index)
            done += 1
            progress(stage, done / count)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(workers, count)):
            group.create_task(worker())


async def _gated(
    memory: Memory, store: str, data: Dataset, plan: Plan, mode: Mode, opened: _Answers, progress: Progress
) -> Gated:
    """Ask again, with the default gate, what has a right answer without one."""
    asked = [
        (query, shown)
        for query, answers in zip(data.queries, opened.rankings, strict=True)
        if (shown := query.expected & frozenset().union(*answers))
    ]
    closed = await _recalls(memory, store, [q for q, _ in asked], plan, mode, None, f"gate {mode}", progress)
    kept = [shown & frozenset().union(*r) for (_, shown), r in zip(asked, closed.rankings, strict=True)]
    right = sum(len(shown) for _, shown in asked)
    return Gated(right=right, cut=right - sum(map(len, kept)), emptied=sum(not answers for answers in closed.rankings))


async def _timed(memory: Memory, store: str, data: Dataset, plan: Plan, mode: Mode, progress: Progress) -> Latency:
    chosen = data.sample(plan.timed, plan.seed).queries
    taken = []
    for number, query in enumerate(chosen):
        progress(f"latency {mode}", number / len(chosen))
        request = _recall(query, plan, mode, None)
        begin = time.perf_counter()
        await memory.recall(store, request)
        taken.append((time.perf_counter() - begin) * 1000)
    return Latency(recalls=len(taken), p50=float(np.percentile(taken, 50)), p95=float(np.percentile(taken, 95)))


# --- baselines --------------------------------------------------------------------------------------------


async def _baselines(embedder: Embedder, data: Dataset, plan: Plan, progress: Progress) -> dict[Baseline, _Answers]:
    answers: dict[Baseline, _Answers] = {name: _Answers([], []) for name in plan.baselines}
    if not answers:
        return answers
    by_actor = {}
    for number, (actor, documents) in enumerate(data.by_actor.items()):
        progress("baselines", number / len(data.by_actor))
        texts = [d.spoken for d in documents]
        by_actor[actor] = (BM25(texts), await Dense.over(embedder, texts), documents)
    for query in data.queries:
        lexical, dense, documents = by_actor[query.actor]
        deep = max(DEEP, plan.depth)
        lists = {"bm25": order(lexical.scores(query.text), deep, found=True),
                 "dense": order(await dense.scores(query.text), deep)}  # fmt: skip
        lists["rrf"] = fused([lists["bm25"], lists["dense"]], plan.depth)
        for name, found in answers.items():
            top = [documents[i] for i in lists[name][: plan.depth]]
            found.rankings.append([frozenset([d.id]) for d in top])
            found.tokens.append(sum(count_tokens(d.spoken) for d in top))
    return answers


# --- figures ----------------------------------------------------------------------------------------------


def _measured(
    name: str, data: Dataset, answers: _Answers, plan: Plan, bench: Bootstrap
) -> tuple[dict[str, Values], System]:
    values = columns([measure(r, q.expected, plan.depth) for q, r in zip(data.queries, answers.rankings, strict=True)])
    categories = {}
    for category in data.categories:
        where = np.array([q.category == category for q in data.queries])
        own = Bootstrap(int(where.sum()), plan.seed)
        categories[category] = {m: own.figure(v[where]) for m, v in values.items()}
    system = System(
        name=name, overall={m: bench.figure(v) for m, v in values.items()}, categories=categories,
        tokens=float(np.mean(answers.tokens)),
    )  # fmt: skip
    return values, system


def _differences(plan: Plan, rows: dict[str, dict[str, Values]], bench: Bootstrap) -> Iterator[Difference]:
    """The first mode against each baseline, by pairs."""
    ours = f"graphmem {plan.modes[0]}"
    for other in rows:
        if other == ours:
            continue
        for name in ("recall@5", "recall@10", "mrr", "ndcg@10"):
            figure = bench.figure(rows[ours][name] - rows[other][name])
            clear = figure.low > 0 or figure.high < 0
            yield Difference(system=ours, baseline=other, measure=name, figure=figure, clear=clear)


__all__ = ["BASELINES", "MODES", "Plan", "Report", "evaluate"]
