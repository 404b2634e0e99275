"""What a retrieval is compared with: BM25, vectors, both fused, over the same documents in memory."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Embedder, Vectors

Scores = NDArray[np.float64]
_K1, _B = 1.2, 0.75
"""The usual values, which Lucene has too."""
_RRF = 60
_DEEP = 100
"""Ranks of each list that are fused."""
_WORD = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿々ー]+|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿々ー]+")


def words(text: str) -> list[str]:
    """Words of a spaced script, and pairs of characters of a Japanese run."""
    return [term for run in _WORD.findall(text.casefold()) for term in _terms(run)]


def _terms(run: str) -> Iterable[str]:
    if ord(run[0]) < 0x3040 or len(run) == 1:
        return (run,)
    return (run[i : i + 2] for i in range(len(run) - 1))


class BM25:
    """Okapi BM25 with Lucene's idf, which is never negative."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(words(text)) for text in texts]
        lengths = np.array([sum(c.values()) for c in counts], dtype=float)
        self._size = len(texts)
        norms = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for term, times in count.items():
                postings[term].append((index, times))
        self._weights = {term: _weights(rows, norms, self._size) for term, rows in postings.items()}

    def scores(self, query: str) -> Scores:
        """One score a text; 0 where no word of the query is in it."""
        total = np.zeros(self._size)
        for term in words(query):
            if term in self._weights:
                where, weights = self._weights[term]
                total[where] += weights
        return total


def _weights(rows: Sequence[tuple[int, int]], norms: Scores, size: int) -> tuple[NDArray[np.int64], Scores]:
    where = np.array([index for index, _ in rows])
    times = np.array([count for _, count in rows], dtype=float)
    idf = math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
    return where, idf * times * (_K1 + 1) / (times + norms[where])


class Dense:
    """Cosine of the query with every text, exactly, by the embedder that the memory has."""

    def __init__(self, embedder: Embedder, passages: Vectors) -> None:
        self._embedder = embedder
        self._passages = passages

    @classmethod
    async def over(cls, embedder: Embedder, texts: Sequence[str]) -> Dense:
        """Embed the texts. Errors: ProviderError."""
        return cls(embedder, await embedder.embed_passages(texts))

    async def scores(self, query: str) -> Scores:
        """One cosine a text. Errors: ProviderError."""
        vector = await self._embedder.embed_query(query)
        return (self._passages @ vector).astype(float)


def order(scores: Scores, depth: int, *, found: bool = False) -> list[int]:
    """Indexes of the best `depth` texts, earlier ones first where scores are equal; `found` wants a score over 0."""
    best = np.argsort(-scores, kind="stable")[:depth]
    return [int(i) for i in best if not found or scores[i] > 0]


def fused(lists: Sequence[Sequence[int]], depth: int) -> list[int]:
    """Reciprocal rank fusion: each list gives 1 / (60 + rank)."""
    points: dict[int, float] = defaultdict(float)
    for ranked in lists:
        for rank, index in enumerate(ranked[:_DEEP], 1):
            points[index] += 1.0 / (_RRF + rank)
    return sorted(points, key=lambda index: (-points[index], index))[:depth]


DEEP = _DEEP
