"""Measures of a ranking, and how sure they are.

A ranking is a list of sets: the sources that each answer stands for, best answer first. A message stands for itself, a
fact or a note for the messages that it derives from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from graphmem.models.base import Model

CUTS = (1, 5, 10)
_CUT = CUTS[-1]
Ranking = Sequence[AbstractSet[str]]
Values = NDArray[np.float64]
RESAMPLES = 1_000
_LEVEL = 95.0


class Figure(Model):
    """A mean, and the interval that holds it in 95 of 100 resamplings of the queries."""

    value: float
    low: float
    high: float


def measure(ranking: Ranking, expected: AbstractSet[str], depth: int = _CUT) -> dict[str, float]:
    """Every measure of one query by its name, 0 to 1; a `depth` over ten adds recall at that depth.

    `recall@k` is the share of the expected sources among the first k answers, `hit@k` whether one is, `mrr@10` one
    over the rank of the first, `ndcg@10` the gain of each answer that brings an expected source for the first time.
    """
    found = _first_ranks(ranking, expected)
    ranks = sorted(found.values())
    values = {f"recall@{k}": sum(r <= k for r in ranks) / len(expected) for k in _cuts(depth)}
    values |= {f"hit@{k}": float(bool(ranks) and ranks[0] <= k) for k in CUTS}
    values["mrr@10"] = 1.0 / ranks[0] if ranks and ranks[0] <= _CUT else 0.0
    # an answer counts once, however many of the expected sources it stands for
    gained = sum(1.0 / math.log2(r + 1) for r in set(ranks) if r <= _CUT)
    best = sum(1.0 / math.log2(r + 1) for r in range(1, min(len(expected), _CUT) + 1))
    values["ndcg@10"] = gained / best
    return values


def _cuts(depth: int) -> tuple[int, ...]:
    return (*CUTS, depth) if depth > _CUT else CUTS


def _first_ranks(ranking: Ranking, expected: AbstractSet[str]) -> dict[str, int]:
    """The first rank, from 1, of each expected source that was found."""
    found: dict[str, int] = {}
    for rank, sources in enumerate(ranking, 1):
        for source in sources & expected:
            found.setdefault(source, rank)
    return found


class Bootstrap:
    """Resamples of `count` queries, the same for each seed and for everything that is measured on them."""

    def __init__(self, count: int, seed: int, resamples: int = RESAMPLES) -> None:
        drawn = np.random.default_rng(seed).integers(0, count, size=(resamples, count))
        # how often each query is drawn: a resampled mean is then one product
        self._weights = np.stack([np.bincount(row, minlength=count) for row in drawn]) / count

    def figure(self, values: Values) -> Figure:
        """The mean of one value a query with its interval."""
        low, high = np.percentile(self._weights @ values, [(100 - _LEVEL) / 2, (100 + _LEVEL) / 2])
        return Figure(value=float(values.mean()), low=float(low), high=float(high))


def columns(rows: Sequence[Mapping[str, float]]) -> dict[str, Values]:
    """One array a measure, a value a query."""
    return {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}
