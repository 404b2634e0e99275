"""Adapters behind the ports: embedders, extractors and rerankers, each loaded when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.ports import Embedder, Extractor

ExtractorName = Literal["llm", "offline", "none"]


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; nothing is loaded or called before its first use.

    Await `prepare()` before reading `identity`. Errors: ConfigurationError when no endpoint is configured.
    """
    if settings.embedder == "openai":
        from .openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(settings)
    from .local_embedder import LocalEmbedder

    return LocalEmbedder()


def make_extractor(name: ExtractorName, settings: Settings, embedder: Embedder | None = None) -> Extractor:
    """The extractor of that name; the offline one shares the local embedder where that is `embedder`.

    Errors: ConfigurationError when `llm` has no endpoint configured.
    """
    if name == "llm":
        from .llm_chat import ChatModel
        from .llm_extractor import LLMExtractor

        return LLMExtractor(ChatModel(settings))
    if name == "offline":
        from .local_embedder import LocalEmbedder
        from .offline import OfflineExtractor

        return OfflineExtractor(embedder if isinstance(embedder, LocalEmbedder) else None)
    from .none import NoneExtractor

    return NoneExtractor()
