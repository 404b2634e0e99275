"""Recall in a large store: hybrid recall beside the slowest of its arms alone, its growth, and many clients at once.

Everything that is compared is measured by turns in one run, so that another load on the machine slows all alike.
Query vectors are given: no embedding is timed.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING

from graphmem.models.base import Model
from graphmem.models.ids import new_id, owner_key
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope
from graphmem.ports import Embedder, Identity, Vectors
from graphmem.providers import make_embedder
from graphmem.store.catalog import query

from .bench import SEARCH
from .corpus import Corpus, Question
from .exact import Precision, measure_precision
from .given import recorded
from .ledger import Ledger, Part, cpu_of
from .progress import Progress, p95, silent
from .stores import temporary_store

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory
    from graphmem.store.driver import Database, Row

P50_GOAL, P95_GOAL = 1.5, 2.0
"""Hybrid recall may take this many times what its slowest arm takes alone."""
FLOOR_GOAL = 2.0
"""And this many times what all its arms take in one plain query, and its audit (docs/decisions/0019)."""
GROWTH_GOAL = 2.0
"""Recall may take this many times as long in the whole store as in a tenth of it."""
CLIENTS, CLIENTS_GOAL = 8, 1.3
"""So many clients may take this many times the work of one after the other, shared by all cores."""
LIMIT = 10
_BATCH = 500
_BUSY_STEPS = 20_000
_ARMS = ("vector", "full text", "graph")
_AUDIT = "retrieve/record_recall"


class Times(Model):
    """Milliseconds."""

    p50: float
    p95: float


class Stage(Model):
    """One size of the store."""

    facts: int
    memories: int
    """Facts, episodes and notes: what the indexes hold."""
    recall: Times
    query: Times
    """The query file that recall sends, by the driver alone, with the same parameters."""
    arms: dict[str, Times]
    floor: Times
    """All arms in one plain query by the driver, and the audit: what any recall with an audit takes at least."""
    busy: Times
    """Work of a fixed size on the server: what the machine itself gave meanwhile."""
    p50_ratio: float
    """Of recall over the slowest arm."""
    p95_ratio: float
    floor_ratio: float
    """Of recall over the floor, at p50."""


class Clients(Model):
    """Many clients at once beside one after the other."""

    clients: int
    cores: int
    recalls: int
    seconds: float
    """Median of a round of all clients."""
    seconds_alone: float
    """Median of the same recalls one after the other."""
    ratio: float
    """Seconds over the seconds alone shared by the cores."""
    client_cpu_ms: float
    """Processor time of this process for one recall, alone."""
    server_cpu_ms: float | None
    """That of the managed Neo4j."""


class RecallReport(Model):
    """Result of one run."""

    actors: int
    largest_actor: int
    """Facts of the actor that has the most."""
    load_facts_per_second: float
    stages: tuple[Stage, ...]
    growth: float
    """p50 of the last stage over that of the first, each over what the machine gave at the time."""
    growth_as_timed: float
    """The same, as timed."""
    clients: Clients
    precision: tuple[Precision, ...]
    parts: tuple[Part, ...]
    """Where the time of a recall goes in the last stage."""
    reached: dict[str, bool]


@dataclass(frozen=True, slots=True)
class RecallPlan:
    """How much is measured."""

    facts: int = 100_000
    actors: int = 1_000
    recalls: int = 100
    warm_up: int = 30
    rounds: int = 5
    """Of many clients."""
    queries: int = 100
    """Exact searches at each selectivity."""
    seed: int = 7

    def sizes(self) -> tuple[int, ...]:
        """Facts at each stage: a tenth, a third, all."""
        return tuple(dict.fromkeys((self.facts // 10, round(self.facts / 10**0.5), self.facts)))


class PlacedVectors:
    """An embedder whose query vector is set by who asks, each task its own; it embeds nothing."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.vector: ContextVar[Vectors] = ContextVar("vector")

    async def prepare(self) -> None:
        """Nothing to do."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Not offered: the memory is made with its vectors."""
        raise NotImplementedError

    async def embed_query(self, text: str) -> Vectors:
        """The vector that was set."""
        return self.vector.get()

    async def close(self) -> None:
        """Nothing to do."""


@dataclass(slots=True)
class _Run:
    """What one run works with."""

    memory: Memory
    vectors: PlacedVectors
    corpus: Corpus
    plan: RecallPlan
    progress: Progress
    ledger: Ledger
    pid: int | None
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


async def measure(settings: Settings, plan: RecallPlan, progress: Progress = silent) -> RecallReport:
    """Measure in a store made for it and deleted afterwards. Errors: those of `Memory`."""
    from graphmem.memory import Memory

    embedder: Embedder = make_embedder(settings)
    ledger = Ledger()
    try:
        async with Memory.open(settings, progress=progress, work=False, embedder=embedder) as opened:
            vectors = PlacedVectors(embedder.identity)
            memory = Memory(settings, opened.database.observed(ledger.add), vectors)
            server = opened.server_info()
            async with temporary_store(opened) as store:
                corpus = Corpus(store, plan.actors, embedder.identity.dimension, plan.seed)
                run = _Run(memory, vectors, corpus, plan, progress, ledger, server.pid if server else None)
                return await _measure(run)
    finally:
        await embedder.close()


async def _measure(run: _Run) -> RecallReport:
    plan, stages, seconds = run.plan, [], 0.0
    for size in plan.sizes():
        seconds += await fill(run.memory.database, run.corpus, size, run.progress)
        stages.append(await _stage(run))
    parts = await _parts(run)
    clients = await _clients(run)
    run.vectors.vector.set(run.corpus.vectors[0])
    precision = await measure_precision(run.memory, run.corpus, plan.queries, run.progress)
    first, last = stages[0], stages[-1]
    timed = last.recall.p50 / first.recall.p50
    growth = timed * first.busy.p50 / last.busy.p50
    sizes = [0] * plan.actors
    for fact in run.corpus.facts:
        sizes[fact.actor] += 1
    return RecallReport(
        actors=plan.actors, largest_actor=max(sizes), load_facts_per_second=plan.facts / seconds, stages=tuple(stages),
        growth=growth, growth_as_timed=timed, clients=clients, precision=precision, parts=parts,
        reached={
            "p50": last.p50_ratio <= P50_GOAL,
            "p95": last.p95_ratio <= P95_GOAL,
            "floor": last.floor_ratio <= FLOOR_GOAL,
            "growth": growth <= GROWTH_GOAL,
            "clients": clients.ratio <= CLIENTS_GOAL,
            "precision": all(p.reached for p in precision),
        },
    )  # fmt: skip


async def fill(database: Database, corpus: Corpus, size: int, progress: Progress) -> float:
    """Load until the store has `size` facts; the seconds that writing took."""
    seconds = 0.0
    for load, replaced in corpus.loads(size, _BATCH):
        progress(f"filling to {size:,} facts", len(corpus.facts) / size)
        begin = time.perf_counter()
        await database.run("eval/load", load)
        if replaced:
            await database.run("eval/replace_facts", {"store_id": corpus.store_id, "rows": replaced})
        seconds += time.perf_counter() - begin
    await database.run_auto("schema/await_indexes", {"seconds": 300})
    return seconds


async def _stage(run: _Run) -> Stage:
    """Recall, its query and each arm by turns, the order turned with each question."""
    taken: dict[str, list[float]] = {name: [] for name in ("recall", "query", *_ARMS, "floor", "busy")}
    questions = run.corpus.questions(run.plan.warm_up + run.plan.recalls)
    for number, question in enumerate(questions):
        run.progress(f"recall at {len(run.corpus.facts):,} facts", number / len(questions))
        work = await _work(run, question)
        names = list(taken)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            begin = time.perf_counter()
            await work[name]()
            if number >= run.plan.warm_up:
                taken[name].append((time.perf_counter() - begin) * 1000)
    times = {name: Times(p50=median(values), p95=p95(values)) for name, values in taken.items()}
    arms = {name: times[name] for name in _ARMS}
    return Stage(
        facts=len(run.corpus.facts), memories=run.corpus.memories, recall=times["recall"], query=times["query"],
        arms=arms, floor=times["floor"], busy=times["busy"],
        p50_ratio=times["recall"].p50 / max(t.p50 for t in arms.values()),
        p95_ratio=times["recall"].p95 / max(t.p95 for t in arms.values()),
        floor_ratio=times["recall"].p50 / times["floor"].p50,
    )  # fmt: skip


async def _work(run: _Run, question: Question) -> dict[str, Callable[[], Awaitable[object]]]:
    """What is timed for one question; the parameters of the bare queries are those that recall sends itself."""
    database = run.memory.database
    with recorded(database, SEARCH) as sent, recorded(database, _AUDIT) as kept:
        await _recall(run, question)
    given, audit = sent[0], kept[0]
    own = {"owner_key": owner_key(run.corpus.store_id, question.actor), "at": run.at, "k": given["k"], "limit": LIMIT}
    vector = {"vector": given["vector"]}
    names = {"entity_keys": given["entity_keys"]}

    async def floor() -> None:
        await _bare(database, "eval/bare_arms", own | vector | names | {"fulltext": given["fulltext"]})
        await database.run_at_once(_AUDIT, audit | {"recall": audit["recall"] | {"id": new_id()}})

    return {
        "recall": lambda: _recall(run, question),
        "query": lambda: _bare(database, SEARCH, given),
        "vector": lambda: _bare(database, "eval/bare_vector", own | vector),
        "full text": lambda: _bare(database, "eval/bare_text", own | {"fulltext": given["fulltext"]}),
        "graph": lambda: _bare(database, "eval/bare_graph", own | vector | names),
        "floor": floor,
        "busy": lambda: _bare(database, "eval/busy", {"steps": _BUSY_STEPS}),
    }


async def _recall(run: _Run, question: Question) -> None:
    run.vectors.vector.set(question.vector)
    scope = ReadScope(actor_id=question.actor)
    await run.memory.recall(run.corpus.store_id, RecallRequest(scope=scope, query=question.text, limit=LIMIT))


async def _bare(database: Database, name: str, parameters: Row) -> None:
    """The driver alone: the text of a query file and its parameters, rows read and thrown away."""
    given = {"given": {key: parameters[key] for key in query(name).parameters}}
    await database.driver.execute_query(query(name).text, parameters_=given, routing_="r", database_=database.database)


async def _parts(run: _Run) -> tuple[Part, ...]:
    """Where the time goes: the queries that recall runs, and the rest."""
    questions = run.corpus.questions(run.plan.recalls, seed=1)
    run.ledger.clear()
    begin = time.perf_counter()
    for question in questions:
        await _recall(run, question)
    seconds = time.perf_counter() - begin
    run.ledger.add("everything else", 0.0, seconds - run.ledger.covered())
    return run.ledger.parts(seconds)


async def _clients(run: _Run) -> Clients:
    """Rounds of all clients and of one client by turns, over the same questions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    questions = run.corpus.questions(CLIENTS * max(1, run.plan.recalls // CLIENTS), seed=2)
    together, alone, client, server = [], [], 0.0, 0.0
    for number in range(run.plan.rounds):
        run.progress(f"{CLIENTS} clients", number / run.plan.rounds)
        together.append(await _timed_round(run, questions, CLIENTS))
        before = time.process_time(), cpu_of(run.pid) or 0.0
        alone.append(await _timed_round(run, questions, 1))
        client += time.process_time() - before[0]
        server += (cpu_of(run.pid) or 0.0) - before[1]
    each = 1000 / (len(questions) * run.plan.rounds)
    return Clients(
        clients=CLIENTS, cores=cores, recalls=len(questions), seconds=median(together), seconds_alone=median(alone),
        ratio=median(t / (a / cores) for t, a in zip(together, alone, strict=True)), client_cpu_ms=client * each,
        server_cpu_ms=None if run.pid is None else server * each,
    )  # fmt: skip


async def _timed_round(run: _Run, questions: Sequence[Question], clients: int) -> float:
    async def client(number: int) -> None:
        for question in questions[number::clients]:
            await _recall(run, question)

    begin = time.perf_counter()
    await asyncio.gather(*(asyncio.create_task(client(n)) for n in range(clients)))
    return time.perf_counter() - begin
