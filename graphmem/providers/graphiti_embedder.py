"""Any embedder client of graphiti-core as an `Embedder` (extra `graphmem[graphiti]`)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphmem.errors import ProviderError
from graphmem.ports import Identity, Vectors

from .graphiti_errors import provider_error
from .graphiti_package import load_graphiti
from .pieces import cut_all
from .vectors import QueryCache, pooled, unit_rows

if TYPE_CHECKING:
    from graphiti_core.embedder.client import EmbedderClient

_BATCH = 64
_SIZE = 4
_WHAT = "The embedder client"


class GraphitiEmbedder:
    """Vectors of `client`, each request within `timeout` seconds; await `prepare` first, for their width.

    Closing it leaves the client as it is. Errors: ConfigurationError where graphiti-core is not installed.
    """

    def __init__(self, client: EmbedderClient, *, timeout: float = 30.0) -> None:
        load_graphiti()
        self._client = client
        self._timeout = timeout
        self._name = str(getattr(getattr(client, "config", None), "embedding_model", None) or type(client).__name__)
        self._dimension: int | None = None
        self._queries = QueryCache()

    @property
    def identity(self) -> Identity:
        """The model's name and width. Errors: ProviderError before `prepare`."""
        if self._dimension is None:
            raise ProviderError("The width of the embeddings is not known yet.", reason="not_prepared")
        digest = hashlib.sha256(f"{self._name} {self._dimension} {_SIZE}".encode()).hexdigest()[:16]
        return Identity(f"graphiti:{self._name}", self._dimension, digest)

    async def prepare(self) -> None:
        """Ask for one vector. Errors: ProviderError."""
        if self._dimension is None:
            self._dimension = (await self._request(["width"])).shape[1]

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), dimension). Errors: ProviderError."""
        await self.prepare()
        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        pieces, owners = await asyncio.to_thread(cut_all, texts, size=_SIZE)
        batches = [await self._request(pieces[start : start + _BATCH]) for start in range(0, len(pieces), _BATCH)]
        return pooled(np.concatenate(batches), owners, len(texts))

    async def embed_query(self, text: str) -> Vectors:
        """Unit vector of shape (dimension,), read-only. Errors: ProviderError."""
        if (known := self._queries.get(text)) is not None:
            return known
        return self._queries.put(text, (await self.embed_passages([text]))[0])

    async def close(self) -> None:
        """Nothing: who made the client closes it."""

    async def _request(self, texts: list[str]) -> Vectors:
        try:
            async with asyncio.timeout(self._timeout):
                rows = await self._rows(texts)
        except Exception as error:  # clients pass on whatever their packages raise
            raise provider_error(_WHAT, error) from error
        widths = {len(row) for row in rows}
        expected = self._dimension or (len(rows[0]) if rows else 0)
        if len(rows) != len(texts) or widths != {expected}:
            raise ProviderError(
                f"{_WHAT} gave {len(rows)} vectors of dimension {max(widths, default=0)} for {len(texts)} texts where "
                f"{expected} is expected.",
                reason="wrong_dimension" if len(rows) == len(texts) else "bad_answer",
            )
        numbers = [[np.nan if value is None else value for value in row] for row in rows]
        return unit_rows(np.array(numbers, dtype=np.float32))

    async def _rows(self, texts: list[str]) -> list[list[float]]:
        try:
            return await self._client.create_batch(texts)
        except NotImplementedError:  # clients need not have it
            return [await self._client.create([text]) for text in texts]
