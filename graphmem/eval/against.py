"""graphmem beside other memories, side by side in one run: the same texts, the same vectors, the same questions.

Texts are stored as they are, by each system without a language model, and every system searches as it does by default
for the first ten. Vectors are made beforehand and given to all.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, Protocol

from graphmem.errors import ConfigurationError
from graphmem.models.base import Model
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope
from graphmem.providers import make_embedder

from .dataset import Dataset, Document, Query
from .given import GivenVectors
from .loading import load
from .progress import Progress, p95, silent
from .stores import temporary_store

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory

PeerName = Literal["mem0", "graphiti"]
TOP = 10


class System(Protocol):
    """A memory that is measured."""

    @property
    def name(self) -> str:
        """With its version."""
        ...

    async def add(self, documents: Sequence[Document]) -> None:
        """Store these texts, each under its id and its actor's."""
        ...

    async def search(self, query: Query) -> list[str]:
        """Ids of the documents that it gives for the query, best first, ten at most."""
        ...


class Side(Model):
    """Figures of one system."""

    name: str
    recall: float
    """Mean share of a query's right documents among the first ten."""
    p50: float
    """Milliseconds of a search, by turns with the others."""
    p95: float
    load_seconds: float


class Against(Model):
    """Result of one run."""

    data: str
    documents: int
    actors: int
    queries: int
    sides: tuple[Side, ...]
    """graphmem first."""
    left_out: dict[str, str]
    """Systems that were asked for and could not be measured, with the reason."""
    reached: bool
    """graphmem is the fastest at p50 and has the highest recall; false where nothing could be compared."""


@dataclass(slots=True)
class _Ours:
    """graphmem as its users call it."""

    memory: Memory
    store: str
    name: str = "graphmem"

    async def add(self, documents: Sequence[Document]) -> None:
        """Remember them as episodes, each session in its order."""
        await load(self.memory, self.store, Dataset("", tuple(documents), ()), "none", silent)

    async def search(self, query: Query) -> list[str]:
        """Recall episodes with the default gate."""
        asked = RecallRequest(scope=ReadScope(actor_id=query.actor), query=query.text, kinds=("episode",), limit=TOP)
        found = await self.memory.recall(self.store, asked)
        return [str(item.sources[0].source_id) for item in found.items]


@dataclass(slots=True)
class _Figures:
    """What one system showed."""

    system: System
    load_seconds: float = 0.0
    shares: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def side(self) -> Side:
        """Its figures."""
        return Side(
            name=self.system.name, recall=mean(self.shares), p50=median(self.times),
            p95=p95(self.times), load_seconds=self.load_seconds,
        )  # fmt: skip


def _on_one_line(data: Dataset) -> Dataset:
    """The same without line breaks, which some systems take out before they ask for a vector."""
    documents = tuple(replace(d, text=" ".join(d.text.split())) for d in data.documents)
    queries = tuple(replace(q, text=" ".join(q.text.split())) for q in data.queries)
    return replace(data, documents=documents, queries=queries)


async def measure(settings: Settings, data: Dataset, peers: Sequence[PeerName], progress: Progress = silent) -> Against:
    """Measure in places made for it and removed afterwards. Errors: those of `Memory`."""
    from graphmem.memory import Memory

    data, given = _on_one_line(data), GivenVectors(make_embedder(settings))
    left_out: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        stack.push_async_callback(given.close)
        progress("embedding", None)
        await given.embed_passages([d.spoken for d in data.documents])
        for query in data.queries:
            await given.embed_query(query.text)
        opened = await stack.enter_async_context(Memory.open(settings, progress=progress, work=False, embedder=given))
        store = await stack.enter_async_context(temporary_store(opened))
        systems: list[System] = [_Ours(opened, store)]
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="graphmem-bench-", ignore_cleanup_errors=True)))
        for peer in dict.fromkeys(peers):
            try:
                systems.append(await stack.enter_async_context(_peer(peer, given, settings, folder, progress)))
            except ConfigurationError as error:
                left_out[peer] = str(error)
        figures = [_Figures(system) for system in systems]
        await _load(figures, data, progress)
        await _search(figures, data.queries, progress)
    sides = tuple(f.side() for f in figures)
    ours, others = sides[0], sides[1:]
    return Against(
        data=data.name, documents=len(data.documents), actors=len(data.by_actor), queries=len(data.queries),
        sides=sides, left_out=left_out,
        reached=bool(others) and all(ours.p50 < other.p50 and ours.recall > other.recall for other in others),
    )  # fmt: skip


@asynccontextmanager
async def _peer(
    name: PeerName, given: GivenVectors, settings: Settings, folder: Path, progress: Progress
) -> AsyncIterator[System]:
    """A system, ready to be filled. Errors: ConfigurationError when its package is not installed."""
    if name == "mem0":
        from .peer_mem0 import open_mem0

        async with open_mem0(given, folder) as mem0:
            yield mem0
    else:
        from .peer_graphiti import open_graphiti

        async with open_graphiti(given, settings, folder, progress) as graphiti:
            yield graphiti


async def _load(figures: Sequence[_Figures], data: Dataset, progress: Progress) -> None:
    for one in figures:
        progress(f"{one.system.name}: storing", None)
        begin = time.perf_counter()
        await one.system.add(data.documents)
        one.load_seconds = time.perf_counter() - begin


async def _search(figures: Sequence[_Figures], queries: Sequence[Query], progress: Progress) -> None:
    """What each finds, which also makes every vector; then again by turns, the order turned with each query."""
    for number, query in enumerate(queries):
        progress("searching", number / len(queries))
        for one in figures:
            found = await one.system.search(query)
            one.shares.append(len(query.expected.intersection(found[:TOP])) / len(query.expected))
    for number, query in enumerate(queries):
        progress("searching by turns", number / len(queries))
        first = number % len(figures)
        for one in (*figures[first:], *figures[:first]):
            begin = time.perf_counter()
            await one.system.search(query)
            one.times.append((time.perf_counter() - begin) * 1000)
