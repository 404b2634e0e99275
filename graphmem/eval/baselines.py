"""What a retrieval is compared with: BM25, vectors, both fused, over the same documents in memory.

`neighbours` is BM25 over each message, counted twice, with its date and the messages before and after it: what is said
about something seldom names it in every sentence, so of all of these it finds most in conversations.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Embedder, Vectors

from .dataset import Document

Scores = NDArray[np.float64]
Baseline = Literal["bm25", "dense", "rrf", "neighbours"]
_K1, _B = 1.2, 0.75
"""The usual values, which Lucene has too."""
_RRF = 60
_BY_VECTOR = frozenset({"dense", "rrf"})
_DEEP = 100
"""Ranks of each list that are fused."""
_CJK = r"぀-ヿ㐀-䶿一-鿿豈-﫿々ー"
_RUN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_STOP = frozenset(
    (  # noqa: SIM905  one text is easier to read than eighty quoted words
        "a about an and are as at be been but by can could did do does for from had has have he her his how i if in "
        "into is it my no not of on or should such that the their then there these they this to was we were what when "
        "where which who whom whose why will with would you your"
    ).split()
)


@cache
def _stemmer() -> Callable[[str], str] | None:
    """The Snowball stemmer of English; None where the package is not installed."""
    try:
        import snowballstemmer
    except ModuleNotFoundError:
        return None
    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return cache(stem)


def stems_words() -> bool:
    """Whether BM25 searches stems, which finds more: `snowballstemmer` is installed."""
    return _stemmer() is not None


def terms(text: str) -> list[str]:
    """Stems of the words of a spaced script, without the most common ones, and pairs of characters of Japanese."""
    return [term for run in _RUN.findall(text.casefold()) for term in _of_run(run)]


def _of_run(run: str) -> Iterable[str]:
    if _IS_CJK.match(run):
        return (run,) if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1))
    if run in _STOP:
        return ()
    stem = _stemmer()
    return (stem(run) if stem else run,)


class BM25:
    """Okapi BM25 with Lucene's idf, which is never negative."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=float)
        norms = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for term, times in count.items():
                postings[term].append((index, times))
        self._size = len(texts)
        self._weights = {term: _weights(rows, norms) for term, rows in postings.items()}

    def scores(self, query: str) -> Scores:
        """One score a text; 0 where no term of the query is in it."""
        total = np.zeros(self._size)
        for term in terms(query):
            if term in self._weights:
                where, weights = self._weights[term]
                total[where] += weights
        return total


def _weights(rows: Sequence[tuple[int, int]], norms: Scores) -> tuple[NDArray[np.int64], Scores]:
    where = np.array([index for index, _ in rows])
    times = np.array([count for _, count in rows], dtype=float)
    idf = math.log(1 + (len(norms) - len(rows) + 0.5) / (len(rows) + 0.5))
    return where, idf * times * (_K1 + 1) / (times + norms[where])


def best(scores: Scores, depth: int, *, over: float | None = None) -> list[int]:
    """Indexes of the `depth` highest scores (`over`: only those above it), earlier ones first among equals."""
    first = np.argsort(-scores, kind="stable")[:depth]
    return [int(i) for i in first if over is None or scores[i] > over]


def fused(lists: Sequence[Sequence[int]], depth: int) -> list[int]:
    """Reciprocal rank fusion: each list gives 1 / (60 + rank)."""
    points: dict[int, float] = defaultdict(float)
    for ranked in lists:
        for rank, index in enumerate(ranked, 1):
            points[index] += 1.0 / (_RRF + rank)
    return sorted(points, key=lambda index: (-points[index], index))[:depth]


class Baselines:
    """The baselines over the documents of one actor; make it with `over`."""

    def __init__(self, embedder: Embedder, plain: BM25, wide: BM25, vectors: Vectors | None) -> None:
        self._embedder = embedder
        self._plain, self._wide = plain, wide
        self._vectors = vectors

    @classmethod
    async def over(cls, embedder: Embedder, documents: Sequence[Document], names: Sequence[Baseline]) -> Baselines:
        """Index the documents for these baselines. Errors: ProviderError."""
        texts = [document.spoken for document in documents]
        vectors = await embedder.embed_passages(texts) if _BY_VECTOR.intersection(names) else None
        return cls(embedder, BM25(texts), BM25(with_neighbours(documents)), vectors)

    async def search(self, query: str, names: Sequence[Baseline], depth: int) -> dict[Baseline, list[int]]:
        """Indexes of the best documents by each baseline. Errors: ProviderError."""
        deep = max(_DEEP, depth)
        lexical, dense = best(self._plain.scores(query), deep, over=0.0), list[int]()
        if self._vectors is not None:
            dense = best((self._vectors @ await self._embedder.embed_query(query)).astype(float), deep)
        found: dict[Baseline, list[int]] = {
            "bm25": lexical[:depth],
            "dense": dense[:depth],
            "rrf": fused([lexical, dense], depth),
            "neighbours": best(self._wide.scores(query), depth, over=0.0),
        }
        return {name: found[name] for name in names}


def with_neighbours(documents: Sequence[Document]) -> list[str]:
    """Each document twice, with its date and the ones before and after it in its session."""
    return [_between(documents, index) for index in range(len(documents))]


def _between(documents: Sequence[Document], index: int) -> str:
    own = documents[index]
    beside = (documents[i] for i in (index - 1, index + 1) if 0 <= i < len(documents))
    near = [other.spoken for other in beside if own.session is not None and other.session == own.session]
    day = [f"{own.occurred_at:%d %B %Y}"] if own.occurred_at else []
    return "\n".join((*day, own.spoken, own.spoken, *near))
