"""What a retrieval is measured on: documents that go into the memory, and queries with the documents that answer."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from graphmem.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Document:
    """One text to remember; `id` is unique among those of its actor."""

    id: str
    text: str
    actor: str
    name: str | None = None
    """Who said it."""
    session: str | None = None
    occurred_at: datetime | None = None

    @property
    def spoken(self) -> str:
        """The text with its speaker: what an episode's vector stands for, and what the baselines search."""
        return f"{self.name}: {self.text}" if self.name else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """A question and the ids of the documents that answer it, all of one actor."""

    text: str
    expected: frozenset[str]
    actor: str
    category: str = "all"
    answer: str | None = None
    """In words, where the data says it."""


@dataclass(frozen=True)
class Dataset:
    """Documents in their order, and queries; `skipped` queries could not be used."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    skipped: int = 0

    @cached_property
    def by_actor(self) -> dict[str, tuple[Document, ...]]:
        """The documents of each actor, in their order."""
        found: dict[str, list[Document]] = defaultdict(list)
        for document in self.documents:
            found[document.actor].append(document)
        return {actor: tuple(documents) for actor, documents in found.items()}

    @property
    def categories(self) -> tuple[str, ...]:
        """Categories of the queries, sorted."""
        return tuple(sorted({query.category for query in self.queries}))

    def sample(self, limit: int | None, seed: int) -> Dataset:
        """At most `limit` queries, drawn by chance but the same for each seed, with the documents of their actors."""
        if limit is None or limit >= len(self.queries):
            return self
        chosen = sorted(random.Random(seed).sample(range(len(self.queries)), limit))  # noqa: S311  no secret
        queries = tuple(self.queries[i] for i in chosen)
        actors = {query.actor for query in queries}
        return replace(self, queries=queries, documents=tuple(d for d in self.documents if d.actor in actors))


def joined(name: str, parts: Sequence[Dataset]) -> Dataset:
    """Several data sets as one. Errors: InvalidInput when an actor is in two of them, or there are no queries."""
    actors = [actor for part in parts for actor in part.by_actor]
    if twice := sorted({actor for actor in actors if actors.count(actor) > 1}):
        raise InvalidInput(f"{name}: the actor {twice[0]} is in two files", field="data")
    whole = Dataset(
        name,
        tuple(d for part in parts for d in part.documents),
        tuple(q for part in parts for q in part.queries),
        sum(part.skipped for part in parts),
    )
    if not whole.queries:
        raise InvalidInput(f"{name} has no queries with expected documents", field="data")
    return whole
