"""Embeddings from any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ProviderError
from graphmem.ports import Identity, Vectors

from .openai_client import open_client, provider_errors
from .pieces import cut_all
from .vectors import QueryCache, pooled, unit_rows

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import CreateEmbeddingResponse

    from graphmem.config import Settings

_BATCH = 128
_SIZE = 4
"""Pieces are four times those of the local encoder: 480 words or 1,200 kana and kanji."""
_PASSAGE_SECONDS = 30.0
_QUERY_SECONDS = 10.0
_WHAT = "The embedding endpoint"
_ASKED_AGAIN = frozenset({"bad_vector", "bad_answer"})
"""Reasons that lie in one answer, not in the settings."""


class OpenAIEmbedder:
    """Vectors of `settings.embedding_model`; await `prepare` first, so that their width is known.

    Texts over 480 words or 1,200 kana and kanji are cut at sentence ends and their vectors averaged.
    """

    def __init__(self, settings: Settings) -> None:
        base_url = settings.embedding_base_url or settings.openai_base_url
        self._client = open_client(settings, base_url=base_url, timeout=_PASSAGE_SECONDS)
        self._model = settings.embedding_model
        self._dimension = settings.embedding_dimension
        self._ask_dimension = settings.embedding_dimension is not None
        self._queries = QueryCache()

    @property
    def identity(self) -> Identity:
        """Model name and width. Errors: ProviderError before `prepare` when the width is not configured."""
        if self._dimension is None:
            raise ProviderError("The width of the embeddings is not known yet.", reason="not_prepared")
        digest = hashlib.sha256(f"{self._model} {self._dimension} {_SIZE}".encode()).hexdigest()[:16]
        return Identity(f"openai:{self._model}", self._dimension, digest)

    async def prepare(self) -> None:
        """Ask for one vector when the width is not configured. Errors: ProviderError."""
        if self._dimension is None:
            self._dimension = (await self._request(self._client, ["width"])).shape[1]

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), dimension). Errors: ProviderError."""
        await self.prepare()
        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        return await self._embed(self._client, texts)

    async def embed_query(self, text: str) -> Vectors:
        """Unit vector of shape (dimension,), read-only. Errors: ProviderError, after one repetition."""
        if (known := self._queries.get(text)) is not None:
            return known
        await self.prepare()
        hurried = self._client.with_options(timeout=_QUERY_SECONDS, max_retries=1)
        return self._queries.put(text, (await self._embed(hurried, [text]))[0])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _embed(self, client: AsyncOpenAI, texts: Sequence[str]) -> Vectors:
        pieces, owners = await asyncio.to_thread(cut_all, texts, size=_SIZE)
        batches = [
            await self._request(client, pieces[start : start + _BATCH]) for start in range(0, len(pieces), _BATCH)
        ]
        return pooled(np.concatenate(batches), owners, len(texts))

    async def _request(self, client: AsyncOpenAI, pieces: list[str]) -> Vectors:
        """The vectors of one request; those that cannot be used are asked for once more."""
        try:
            return await self._requested(client, pieces)
        except ProviderError as error:
            if error.reason not in _ASKED_AGAIN:
                raise
        return await self._requested(client, pieces)

    async def _requested(self, client: AsyncOpenAI, pieces: list[str]) -> Vectors:
        with provider_errors(_WHAT):
            answer = await self._ask(client, pieces)
        return self._checked(answer, len(pieces))

    async def _ask(self, client: AsyncOpenAI, pieces: list[str]) -> CreateEmbeddingResponse:
        from openai import BadRequestError

        if self._ask_dimension and self._dimension is not None:
            try:
                return await client.embeddings.create(
                    input=pieces, model=self._model, encoding_format="float", dimensions=self._dimension
                )
            except BadRequestError as error:
                if "dimension" not in str(error):
                    raise
                self._ask_dimension = False  # many servers give one width only; it is checked below
        return await client.embeddings.create(input=pieces, model=self._model, encoding_format="float")

    def _checked(self, answer: CreateEmbeddingResponse, count: int) -> Vectors:
        data = getattr(answer, "data", None) or ()  # a page of text instead of JSON has none
        rows = [item.embedding for item in sorted(data, key=lambda item: item.index)]
        if len(rows) != count or any(not isinstance(row, list) for row in rows):
            raise ProviderError(f"{_WHAT} gave {len(rows)} vectors for {count} texts.", reason="bad_answer")
        widths = {len(row) for row in rows}
        expected = self._dimension or len(rows[0])
        if widths != {expected}:
            raise ProviderError(
                f"{_WHAT} gave vectors of dimension {max(widths)} where {expected} is expected: "
                "check GRAPHMEM_EMBEDDING_MODEL, or embed everything again.",
                reason="wrong_dimension",
            )
        return _unit_floats(rows)


def _unit_floats(rows: list[list[float]]) -> Vectors:
    """The rows as float32 of length 1. Errors: ProviderError for a row that is zero or holds no number."""
    numbers: NDArray[np.float32] = np.array(
        [[np.nan if value is None else value for value in row] for row in rows], dtype=np.float32
    )
    return unit_rows(numbers)
