"""What a retrieval is measured on: documents that go into the memory, and queries with the documents that answer."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
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
    unanswerable: bool = False
    """The documents do not hold the answer; `expected` then are those that mislead."""


@dataclass(frozen=True)
class Dataset:
    """Documents in their order, and queries; `skipped` of the file's queries could not be used."""

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

    @cached_property
    def categories(self) -> dict[str, int]:
        """How many queries each category has, by name."""
        return dict(sorted(Counter(query.category for query in self.queries).items()))

    def sample(self, limit: int | None, seed: int) -> Dataset:
        """At most `limit` queries, drawn by chance but the same for each seed, with the documents of their actors."""
        if limit is None or limit >= len(self.queries):
            return self
        chosen = sorted(random.Random(seed).sample(range(len(self.queries)), limit))  # noqa: S311  no secret
        return self.only(tuple(self.queries[i] for i in chosen))

    def only(self, queries: Sequence[Query]) -> Dataset:
        """These queries with the documents of their actors."""
        actors = {query.actor for query in queries}
        documents = tuple(document for document in self.documents if document.actor in actors)
        return replace(self, queries=tuple(queries), documents=documents)

    def to_find(self) -> Dataset:
        """The queries of which some document is expected. Errors: InvalidInput where there is none."""
        return self._with([query for query in self.queries if query.expected], "expected documents")

    def to_answer(self) -> Dataset:
        """The queries with an answer in words, or without one in the documents. Errors: InvalidInput for none."""
        return self._with([q for q in self.queries if q.answer or q.unanswerable], "an answer")

    def _with(self, queries: Sequence[Query], what: str) -> Dataset:
        if not queries:
            raise InvalidInput(f"{self.name} has no queries with {what}", field="data")
        dropped = len(self.queries) - len(queries)
        return replace(self.only(queries), skipped=self.skipped + dropped) if dropped else self


def joined(name: str, parts: Sequence[Dataset]) -> Dataset:
    """Several data sets as one. Errors: InvalidInput when an actor is in two of them, or one has no documents."""
    actors = Counter(actor for part in parts for actor in part.by_actor)
    if twice := sorted(actor for actor, count in actors.items() if count > 1):
        raise InvalidInput(f"{name}: the actor {twice[0]} is in two files", field="data")
    if empty := [part.name for part in parts if not part.documents]:
        raise InvalidInput(f"{empty[0]} has no documents", field="data")
    return Dataset(
        name,
        tuple(d for part in parts for d in part.documents),
        tuple(q for part in parts for q in part.queries),
        sum(part.skipped for part in parts),
    )
