"""Facts from English and Japanese text without a language model: local parsers and rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphmem.ports import Extracted, Turn

from ..local_embedder import LocalEmbedder
from .pipeline import Pipeline
from .wordings import Encoder

__all__ = ["OfflineExtractor"]


class OfflineExtractor:
    """An `Extractor` that needs no service: spaCy for English, SudachiPy for Japanese.

    Models load at the first call (about a second, 200 MB) and are shared by all threads. Only turns of the user
    are read. A sentence that is a question, a wish or a request gives no fact.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._pipeline = Pipeline(encoder or LocalEmbedder())

    @property
    def name(self) -> str:
        """`offline`."""
        return "offline"

    async def extract(self, turns: Sequence[Turn], *, known_names: Sequence[str] = ()) -> Extracted:
        """Candidates of all user turns, in order; parsing runs in a worker thread."""
        return await asyncio.to_thread(self._pipeline.run, tuple(turns), frozenset(known_names))

    async def close(self) -> None:
        """Nothing is held open."""
