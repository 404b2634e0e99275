"""The extractors, the reranker and the model of one process, each made when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError

from . import ExtractorName, make_extractor
from .metered import MeteredChat

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.ports import Chat, Embedder, Extractor, Judge, Meter, Reranker, Summariser


class Extractors:
    """Extractors, judge and reranker; close it to close what was made.

    `chat` and `reranker` are the caller's, take the place of those that the settings name, and stay open.
    Errors: ConfigurationError when the settings ask for a model or an endpoint and name none.
    """

    def __init__(
        self, settings: Settings, embedder: Embedder, chat: Chat | None = None, reranker: Reranker | None = None
    ) -> None:
        self._settings = settings
        self._embedder = embedder
        self._given = chat
        self._chat: Chat | None = chat
        self._made: dict[str, Extractor] = {}
        self._given_reranker = reranker
        self._endpoint: Reranker | None = None
        if settings.extractor == "llm" and not self.has_model:
            raise ConfigurationError("GRAPHMEM_EXTRACTOR is llm: set OPENAI_API_KEY or OPENAI_BASE_URL too.")
        if reranker is None:
            self._check_reranker()

    @property
    def has_model(self) -> bool:
        """Whether there is a language model."""
        return self._given is not None or self._settings.has_model

    def named(self, name: ExtractorName, meter: Meter) -> Extractor:
        """The extractor of that name, its model calls counted by `meter`. Errors: ConfigurationError."""
        if name == "llm":
            from .llm_extractor import LLMExtractor

            return LLMExtractor(MeteredChat(self._model(), meter))
        if name not in self._made:
            self._made[name] = make_extractor(name, self._settings, self._embedder)
        return self._made[name]

    def judge(self, meter: Meter | None) -> Judge:
        """What decides doubtful pairs: a model, its calls counted by `meter`; rules where there is none."""
        embedder = self._embedder.identity.name
        if meter is None or not self.has_model:
            from .rules_judge import RulesJudge

            return RulesJudge(embedder)
        from .llm_judge import LLMJudge

        return LLMJudge(MeteredChat(self._model(), meter), embedder)

    def summariser(self, meter: Meter | None) -> Summariser:
        """What makes summaries: a model, its calls counted by `meter`; else sentences are chosen."""
        if meter is None or not self.has_model or self._settings.extractor in ("offline", "none"):
            from .extractive import ExtractiveSummariser

            return ExtractiveSummariser()
        from .llm_summariser import LLMSummariser

        return LLMSummariser(MeteredChat(self._model(), meter))

    def reranker(self, meter: Meter) -> Reranker | None:
        """What orders the answers of a recall, the calls of a language model counted by `meter`; None without one."""
        if self._given_reranker is not None or self._settings.reranker == "none":
            return self._given_reranker
        if self._settings.reranker == "llm":
            from .llm_reranker import LLMReranker

            chat = MeteredChat(self._model(), meter)
            return LLMReranker(chat, self._settings.llm_model, timeout=self._settings.reranker_timeout)
        if self._endpoint is None:
            from .openai_reranker import EndpointReranker

            self._endpoint = EndpointReranker(self._settings)
        return self._endpoint

    async def close(self) -> None:
        """Close everything that was made."""
        if self._endpoint is not None:
            await self._endpoint.close()
            self._endpoint = None
        for extractor in self._made.values():
            await extractor.close()
        self._made.clear()
        if self._chat is not None and self._chat is not self._given:
            await self._chat.close()
            self._chat = None

    def _check_reranker(self) -> None:
        if self._settings.reranker == "llm" and not self.has_model:
            raise ConfigurationError("GRAPHMEM_RERANKER is llm: set OPENAI_API_KEY or OPENAI_BASE_URL too.")
        if self._settings.reranker == "endpoint":
            from .openai_reranker import rerank_address

            rerank_address(self._settings)

    def _model(self) -> Chat:
        if self._chat is None:
            from .llm_chat import ChatModel

            self._chat = ChatModel(self._settings)
        return self._chat
