"""How well are memories found? Recall beside BM25, vectors and both fused, over the same documents and questions.

The documents go into a store of the real database as episodes, and every query through `Memory.recall`. For the ranking
the gate is open (`min_score` 0); what the default gate would have cut of the right answers is counted apart. The
baselines search the same texts, with their speakers, of the same actor.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphmem import __version__
from graphmem.models.recall import Gate, Kind, Mode, RecallRequest, RecallResult
from graphmem.models.scope import ReadScope
from graphmem.retrieve.tokens import count_tokens

from .baselines import Baseline, Baselines, stems_words
from .dataset import Dataset, Query
from .figures import Answers, Figures, Gated, Latency, Report, System, percentiles
from .given import GivenVectors
from .loading import at_once, load
from .measures import Ranking
from .progress import Progress, silent
from .stores import temporary_store

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.models.recall import RecallItem
    from graphmem.ports import Embedder

BASELINES: tuple[Baseline, ...] = ("bm25", "dense", "rrf", "neighbours")
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "vector")
_OPEN = Gate(min_score=0.0, min_retention=0.0)
_WARM_UP = 5
"""Recalls before any is timed: a server that has just started plans its queries."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how."""

    modes: tuple[Mode, ...] = MODES
    """The first is compared with everything else."""
    kinds: tuple[Kind, ...] = ("episode",)
    baselines: tuple[Baseline, ...] = BASELINES
    depth: int = 10
    """Answers that are asked for, 10 to 100."""
    max_tokens: int = 1000
    concurrency: int = 8
    seed: int = 1
    extract: bool = False
    """Also have facts extracted, by the configured extractor."""
    gate: bool = True
    """Ask a second time, with the default gate, what has a right answer."""
    timed: int = 100
    """Recalls of each mode whose time is taken."""


async def evaluate(
    memory: Memory, embedder: Embedder, data: Dataset, plan: Plan | None = None, progress: Progress = silent
) -> Report:
    """Measure in a store made for it and deleted afterwards; `embedder` is the one that `memory` was opened with.

    Errors: those of `Memory`; InvalidInput when no query expects a document.
    """
    from graphmem.memory import Memory as Opened

    plan, data = plan or Plan(), data.to_find()
    given = GivenVectors(embedder)  # every text is embedded once, for the memory and for the baselines
    began = time.perf_counter()
    figures = Figures(data, plan.depth, plan.seed)
    async with temporary_store(memory, "eval") as store:
        run = _Run(store, data, plan, progress)
        cached = Opened(memory.settings, memory.database, given)
        loaded = await load(cached, store, data, "auto" if plan.extract else "none", progress)
        load_seconds = time.perf_counter() - began
        latencies = await run.latencies(memory)
        systems = [await _system(run, cached, figures, mode, latencies.get(mode)) for mode in plan.modes]
    for baseline, answers in (await _baselines(given, data, plan, progress)).items():
        systems.append(figures.add(baseline, answers))
    sizes = {actor: sum(count_tokens(d.spoken) for d in documents) for actor, documents in data.by_actor.items()}
    return Report(
        version=__version__, data=data.name, documents=len(data.documents), actors=len(data.by_actor),
        queries=len(data.queries), skipped=data.skipped, categories=data.categories, kinds=plan.kinds,
        depth=plan.depth, seed=plan.seed, facts=loaded.facts, embedder=embedder.identity.name, stemmed=stems_words(),
        systems=tuple(systems), differences=tuple(figures.differences(_name(plan.modes[0]))),
        full_context_tokens=float(np.mean([sizes[query.actor] for query in data.queries])),
        load_seconds=load_seconds, seconds=time.perf_counter() - began,
    )  # fmt: skip


def _name(mode: Mode) -> str:
    return f"graphmem {mode}"


async def _system(run: _Run, memory: Memory, figures: Figures, mode: Mode, latency: Latency | None) -> System:
    answers = await run.recalls(memory, run.data.queries, mode, _OPEN, f"recall {mode}")
    gate = await run.gated(memory, mode, answers) if run.plan.gate else None
    return figures.add(_name(mode), answers).model_copy(update={"gate": gate, "latency": latency})


@dataclass(frozen=True, slots=True)
class _Run:
    """The queries of one data set over one store."""

    store: str
    data: Dataset
    plan: Plan
    progress: Progress

    async def recalls(
        self, memory: Memory, queries: Sequence[Query], mode: Mode, gate: Gate | None, stage: str
    ) -> Answers:
        """What every query gets, several asked at once."""
        results: dict[int, RecallResult] = {}

        async def ask(index: int) -> None:
            results[index] = await memory.recall(self.store, self._request(queries[index], mode, gate))

        await at_once(len(queries), self.plan.concurrency, ask, stage, self.progress)
        ordered = [results[index] for index in range(len(queries))]
        return Answers([ranking(r.items) for r in ordered], [r.context_tokens for r in ordered])

    def _request(self, query: Query, mode: Mode, gate: Gate | None) -> RecallRequest:
        return RecallRequest(
            scope=ReadScope(actor_id=query.actor), query=query.text, mode=mode, kinds=self.plan.kinds,
            limit=self.plan.depth, gate=gate, max_tokens=self.plan.max_tokens,
        )  # fmt: skip

    async def gated(self, memory: Memory, mode: Mode, opened: Answers) -> Gated:
        """Ask again, with the default gate, what has a right answer without one."""
        asked = [
            (query, shown)
            for query, answers in zip(self.data.queries, opened.rankings, strict=True)
            if (shown := query.expected & frozenset().union(*answers))
        ]
        closed = await self.recalls(memory, [query for query, _ in asked], mode, None, f"gate {mode}")
        right = sum(len(shown) for _, shown in asked)
        kept = sum(
            len(shown & frozenset().union(*answers)) for (_, shown), answers in zip(asked, closed.rankings, strict=True)
        )
        return Gated(right=right, cut=right - kept, emptied=sum(not answers for answers in closed.rankings))

    async def latencies(self, memory: Memory) -> dict[Mode, Latency]:
        """Times of each mode, of queries that were not asked before, so that none is found in a cache."""
        queries = list(self.data.queries)
        random.Random(self.plan.seed).shuffle(queries)  # noqa: S311  no secret
        count = min(self.plan.timed, max(1, len(queries) // len(self.plan.modes)))
        if not count:
            return {}
        for query in queries[-_WARM_UP:]:
            await memory.recall(self.store, self._request(query, self.plan.modes[0], None))
        return {
            mode: await self._timed(memory, mode, queries[index * count :][:count])
            for index, mode in enumerate(self.plan.modes)
            if queries[index * count :]
        }

    async def _timed(self, memory: Memory, mode: Mode, queries: Sequence[Query]) -> Latency:
        taken = []
        for number, query in enumerate(queries):
            self.progress(f"latency {mode}", number / len(queries))
            begin = time.perf_counter()
            await memory.recall(self.store, self._request(query, mode, None))
            taken.append((time.perf_counter() - begin) * 1000)
        return percentiles(taken)


def ranking(items: Sequence[RecallItem]) -> Ranking:
    """The sources that each answer stands for, best answer first."""
    return [frozenset(s.source_id for s in item.sources if s.source_id) for item in items]


async def _baselines(embedder: Embedder, data: Dataset, plan: Plan, progress: Progress) -> dict[Baseline, Answers]:
    found: dict[Baseline, Answers] = {name: Answers() for name in plan.baselines}
    if not found:
        return found
    indexed: dict[str, Baselines] = {}
    for number, (actor, documents) in enumerate(data.by_actor.items()):
        progress("index for the baselines", number / len(data.by_actor))
        indexed[actor] = await Baselines.over(embedder, documents, plan.baselines)
    for number, query in enumerate(data.queries):
        progress("ask the baselines", number / len(data.queries))
        documents = data.by_actor[query.actor]
        for name, places in (await indexed[query.actor].search(query.text, plan.baselines, plan.depth)).items():
            top = [documents[place] for place in places]
            found[name].rankings.append([frozenset([document.id]) for document in top])
            found[name].tokens.append(sum(count_tokens(document.spoken) for document in top))
    return found
