"""A reranker behind the `/rerank` call that vLLM, llama.cpp, TEI, Jina, Cohere and others have."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphmem.errors import ConfigurationError, ProviderError

from .openai_client import open_client, provider_errors
from .relevance import Relevance

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from graphmem.config import Settings

_BATCH = 32
"""Texts of one request; some servers take no more."""
_ATTEMPTS_MORE = 1
_OTHER_FORM = frozenset({400, 422})
"""Statuses by which a server says that it knows no `documents`."""
_WHAT = "The reranker"


class EndpointReranker:
    """Scores from `POST {base}/rerank`, all requests of a call within `settings.reranker_timeout` seconds.

    Sent are `query`, `documents` and `top_n`, and the model's name where one is set; a server that refuses these is
    asked with `texts` instead. Errors: ConfigurationError when no address is configured.
    """

    def __init__(self, settings: Settings) -> None:
        self._client = _client(settings, rerank_address(settings))
        self._model = settings.reranker_model
        self._timeout = settings.reranker_timeout
        self._relevance = Relevance()
        self._form = "documents"
        self._proven = False

    @property
    def name(self) -> str:
        """`endpoint`, and the model where one is named."""
        return f"endpoint:{self._model}" if self._model else "endpoint"

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score of 0 to 1 a text, in their order. Errors: ProviderError."""
        found: list[float] = []
        with provider_errors(_WHAT, "GRAPHMEM_RERANKER"):
            async with asyncio.timeout(self._timeout):
                for start in range(0, len(texts), _BATCH):
                    batch = list(texts[start : start + _BATCH])
                    found += _scores(await self._asked(query, batch), len(batch))
        return self._relevance.fitted(found)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _asked(self, query: str, texts: list[str]) -> Any:
        from openai import APIStatusError

        try:
            answer = await self._sent(query, texts)
        except APIStatusError as error:
            if self._proven or error.status_code not in _OTHER_FORM:
                raise
            self._form = "texts" if self._form == "documents" else "documents"
            answer = await self._sent(query, texts)
        self._proven = True
        return answer

    async def _sent(self, query: str, texts: list[str]) -> Any:
        body: dict[str, Any] = {"query": query, self._form: texts}
        body |= {"truncate": True} if self._form == "texts" else {"top_n": len(texts)}
        if self._model:
            body["model"] = self._model
        return await self._client.post("/rerank", body=body, cast_to=object)


def rerank_address(settings: Settings) -> str:
    """What comes before `/rerank`. Errors: ConfigurationError when it is not set."""
    address = settings.reranker_base_url or settings.openai_base_url
    if address is None:
        raise ConfigurationError("GRAPHMEM_RERANKER is endpoint: set GRAPHMEM_RERANKER_BASE_URL too.")
    return address


def _client(settings: Settings, base_url: str) -> AsyncOpenAI:
    """A client with the reranker's own key; that of the model goes nowhere but to the model's address."""
    key = settings.reranker_api_key or (None if settings.reranker_base_url else settings.openai_api_key)
    own = settings.model_copy(update={"openai_api_key": key})
    client = open_client(own, base_url=base_url, timeout=settings.reranker_timeout)
    return client.with_options(max_retries=_ATTEMPTS_MORE)


def _scores(answer: Any, count: int) -> list[float]:
    """The scores in the order of the texts. Errors: ProviderError unless every text has exactly one."""
    rows = answer.get("results") or answer.get("data") if isinstance(answer, dict) else answer
    found: dict[int, float] = {}
    for row in rows if isinstance(rows, list) else ():
        index, score = _row(row)
        if index is None or score is None or not 0 <= index < count or index in found:
            raise _unreadable("a row that cannot be read")
        found[index] = score
    if len(found) != count:
        raise _unreadable(f"{len(found)} scores for {count} texts")
    return [found[index] for index in range(count)]


def _row(row: Any) -> tuple[int | None, float | None]:
    if not isinstance(row, dict):
        return None, None
    index, score = row.get("index"), row.get("relevance_score", row.get("score"))
    return (index if type(index) is int else None), _number(score)


def _number(score: Any) -> float | None:
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    try:
        return float(score)
    except OverflowError:  # JSON knows no largest integer
        return None


def _unreadable(what: str) -> ProviderError:
    return ProviderError(f"{_WHAT} gave {what}.", reason="bad_answer")
