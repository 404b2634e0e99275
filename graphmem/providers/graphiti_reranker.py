"""Any cross-encoder client of graphiti-core as a `Reranker` (extra `graphmem[graphiti]`)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem.errors import ProviderError

from .graphiti_errors import provider_error
from .graphiti_package import load_graphiti
from .relevance import Relevance

if TYPE_CHECKING:
    from graphiti_core.cross_encoder.client import CrossEncoderClient

_WHAT = "The cross-encoder client"


class GraphitiReranker:
    """Scores of `client`, each call within `timeout` seconds; closing it leaves the client as it is.

    Errors: ConfigurationError where graphiti-core is not installed.
    """

    def __init__(self, client: CrossEncoderClient, *, timeout: float = 10.0) -> None:
        load_graphiti()
        self._client = client
        self._timeout = timeout
        self._relevance = Relevance()
        self._name = str(getattr(getattr(client, "config", None), "model", None) or type(client).__name__)

    @property
    def name(self) -> str:
        """The model's name, or the client's class where it names none."""
        return f"graphiti:{self._name}"

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score of 0 to 1 a text, in their order; equal texts are asked for once. Errors: ProviderError."""
        asked = list(dict.fromkeys(texts))
        if not asked:
            return ()
        try:
            async with asyncio.timeout(self._timeout):
                # pairs in the order of their scores: a text is the only key there is
                scores = {text: float(score) for text, score in await self._client.rank(query, asked)}
        except Exception as error:  # clients pass on whatever their packages raise
            raise provider_error(_WHAT, error) from error
        if scores.keys() != set(asked):
            raise ProviderError(f"{_WHAT} gave {len(scores)} scores for {len(asked)} texts.", reason="bad_answer")
        fitted = dict(zip(asked, self._relevance.fitted([scores[text] for text in asked]), strict=True))
        return [fitted[text] for text in texts]

    async def close(self) -> None:
        """Nothing: who made the client closes it."""
