"""Figures of a retrieval: each system's over all queries and by category, and by how much one is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphmem.models.base import Model
from graphmem.models.recall import Kind

from .dataset import Dataset
from .measures import Bootstrap, Figure, Ranking, Values, columns, measure

COMPARED = ("recall@5", "recall@10", "mrr@10", "ndcg@10")


class Gated(Model):
    """What the default gate does to the right answers that an open one shows."""

    right: int
    """Right answers within the depth while the gate is open."""
    cut: int
    """Of these, how many the default gate leaves out."""
    emptied: int
    """Queries with a right answer that then get no answer at all."""


class Latency(Model):
    """Milliseconds of recalls with the default gate, one after the other, the query's embedding included."""

    recalls: int
    p50: float
    p95: float


class System(Model):
    """Figures of one way to search."""

    name: str
    overall: dict[str, Figure]
    categories: dict[str, dict[str, Figure]]
    tokens: float
    """Mean tokens that a model would be shown for one query."""
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

    version: str
    data: str
    documents: int
    actors: int
    queries: int
    skipped: int
    categories: dict[str, int]
    kinds: tuple[Kind, ...]
    depth: int
    seed: int
    facts: int
    """Facts that were extracted while loading."""
    embedder: str
    stemmed: bool
    """Whether BM25 searched stems."""
    systems: tuple[System, ...]
    differences: tuple[Difference, ...]
    full_context_tokens: float
    """Mean tokens of all that the query's actor has: what a model is shown without a memory, at a recall of 1."""
    load_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Answers:
    """What one system gave, query by query."""

    rankings: list[Ranking] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


class Figures:
    """The figures of several systems on the same queries."""

    def __init__(self, data: Dataset, depth: int, seed: int) -> None:
        self._data, self._depth = data, depth
        self._all = Bootstrap(len(data.queries), seed)
        names = np.array([query.category for query in data.queries])
        self._places = {name: np.flatnonzero(names == name) for name in data.categories}
        self._own = {name: Bootstrap(len(places), seed) for name, places in self._places.items()}
        self._values: dict[str, dict[str, Values]] = {}

    def add(self, name: str, answers: Answers) -> System:
        """The figures of a system."""
        pairs = zip(self._data.queries, answers.rankings, strict=True)
        values = columns([measure(ranking, query.expected, self._depth) for query, ranking in pairs])
        self._values[name] = values
        return System(
            name=name,
            overall={measured: self._all.figure(column) for measured, column in values.items()},
            categories={category: self._of(category, values) for category in self._data.categories},
            tokens=float(np.mean(answers.tokens)),
        )

    def _of(self, category: str, values: Mapping[str, Values]) -> dict[str, Figure]:
        own, places = self._own[category], self._places[category]
        return {measured: own.figure(column[places]) for measured, column in values.items()}

    def differences(self, ours: str) -> Iterator[Difference]:
        """How much better `ours` is than each other system that was added, query by query."""
        for other, values in self._values.items():
            if other == ours:
                continue
            for name in COMPARED:
                figure = self._all.figure(self._values[ours][name] - values[name])
                clear = figure.low > 0 or figure.high < 0
                yield Difference(system=ours, baseline=other, measure=name, figure=figure, clear=clear)


def percentiles(milliseconds: Sequence[float]) -> Latency:
    """p50 and p95 of the times."""
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return Latency(recalls=len(milliseconds), p50=float(p50), p95=float(p95))
