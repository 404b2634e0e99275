"""What every embedder does with vectors: check them, bring them to length 1, keep those of recent queries."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ProviderError
from graphmem.ports import Vectors

_SMALLEST = 1e-6
_CACHED_QUERIES = 1_024


def unit_rows(vectors: NDArray[np.float32]) -> Vectors:
    """The rows scaled to length 1. Errors: ProviderError for a row that is zero or not finite."""
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    if not np.all(np.isfinite(norms) & (norms > _SMALLEST)):
        raise ProviderError("The embedder returned a vector that is zero or not a number.", reason="bad_vector")
    return np.asarray(vectors / norms, dtype=np.float32)


def pooled(vectors: NDArray[np.float32], owners: NDArray[np.intp], count: int) -> Vectors:
    """One unit vector for each of `count` texts: the mean of its pieces; `owners` tells whose a piece is."""
    sums = np.zeros((count, vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, owners, vectors)
    return unit_rows(sums)


class QueryCache:
    """Vectors of the latest 1,024 queries, read-only; the least recently used goes first."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    def get(self, text: str) -> Vectors | None:
        """The vector of this query, if it is still held."""
        if text in self._vectors:
            self._vectors.move_to_end(text)
        return self._vectors.get(text)

    def put(self, text: str, vector: Vectors) -> Vectors:
        """Hold the vector and return it."""
        vector.setflags(write=False)
        self._vectors[text] = vector
        if len(self._vectors) > _CACHED_QUERIES:
            self._vectors.popitem(last=False)
        return vector

    def clear(self) -> None:
        """Forget all."""
        self._vectors.clear()
