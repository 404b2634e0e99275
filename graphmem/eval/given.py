"""Vectors made once and then given, and the query that a recall sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Embedder, Identity, Vectors
from graphmem.store.catalog import query as catalogued

if TYPE_CHECKING:
    from graphmem.store.driver import Database, Row


class GivenVectors:
    """An embedder that embeds each text once; after that its cost is a look-up."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._passages: dict[str, NDArray[np.float32]] = {}
        self._queries: dict[str, Vectors] = {}

    @property
    def identity(self) -> Identity:
        """That of the embedder inside: the vectors are its vectors."""
        return self._inner.identity

    async def prepare(self) -> None:
        """Prepare the embedder inside."""
        await self._inner.prepare()

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text. Errors: those of the embedder inside."""
        new = [text for text in dict.fromkeys(texts) if text not in self._passages]
        if new:
            self._passages |= zip(new, await self._inner.embed_passages(new), strict=True)
        return np.stack([self._passages[text] for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        """One unit vector. Errors: those of the embedder inside."""
        if text not in self._queries:
            self._queries[text] = await self._inner.embed_query(text)
        return self._queries[text]

    def known(self, text: str, *, query: bool) -> Vectors:
        """A vector that was made before, for callers that cannot wait. Errors: KeyError."""
        return self._queries[text] if query else self._passages[text]

    async def close(self) -> None:
        """Close the embedder inside."""
        await self._inner.close()


@contextmanager
def recorded(database: Database, query: str) -> Iterator[list[Row]]:
    """The parameters of every run of that query by itself while the context is open."""
    found: list[Row] = []
    run = database.run_at_once if catalogued(query).mode == "write" else database.run

    async def recording(name: str, parameters: Row) -> list[Row]:
        if name == query:
            found.append(parameters)
        return await run(name, parameters)

    setattr(database, run.__name__, recording)
    try:
        yield found
    finally:
        delattr(database, run.__name__)
