"""From where on a score answers a query: two least scores chosen by what they keep and what they refuse.

A query whose answer is remembered is kept when a right memory passes; one without an answer is refused when nothing
does. A memory passes by its score, or by its vector score alone, so of a query only the best of each counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEP = 0.005
"""Distance of the thresholds that are tried."""
SLACK = 0.01
"""What the least score may cost beside the vector's: with it also those pass that the vector does not find."""
KEPT_WEIGHS = 2
"""An answer that is lost costs so many times as much as a question without one that gets something."""
_NEVER = -1.0

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One query: scores and vector scores of what it found, and which of it is right: none where there is no answer."""

    answerable: bool
    scores: tuple[float, ...]
    vectors: tuple[float, ...]
    """-1 for what must not pass by its vector."""
    right: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """Two thresholds, and what they do to the queries."""

    min_score: float
    min_vector: float | None
    kept: float
    """Share of the queries with an answer for which a right memory passes."""
    refused: float
    """Share of the queries without an answer for which nothing passes."""
    precision: float
    """Share of right memories among those that pass, over all queries; 1 where nothing does."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The point that was chosen, those around it, and how well the scores tell answers from the rest."""

    point: Point
    around: tuple[Point, ...]
    auc: float
    """Chance that the score of a right memory is above the best of a query without an answer; 0.5 tells nothing."""
    answerable: int
    found: int
    """Queries with an answer for which the search finds a right memory at all; no threshold helps the others."""
    unanswerable: int


def choose(asked: Sequence[Asked], *, with_vector: bool, keep: float | None = None) -> Chosen:
    """The thresholds of the best value; with `keep`, of those that keep so much the ones that refuse most.

    Value is the mean of kept and refused, kept counted twice and only of what the search finds at all. With both arms
    first the vector score by itself, then the lowest score that costs no more than a point; the score alone, if better.

    Errors: ValueError unless there are queries with and without an answer, and something right was found.
    """
    best = _Best(asked)
    if not len(best.right) or not len(best.wrong):
        raise ValueError("queries with and without an answer are needed")
    scores = np.round(np.arange(0.0, 1.0 + STEP / 2, STEP), 4)
    none = np.array([np.inf])
    vectors = np.concatenate([scores[1:], none]) if with_vector else none  # one of 0 would let everything pass
    if not best.found.any():
        raise ValueError("nothing right was found for any query")
    kept, refused = best.shares(scores, vectors)
    score, vector = _pick(kept, refused, keep)
    limit = float(vectors[vector]) if np.isfinite(vectors[vector]) else None
    chosen = float(scores[score])
    near = sorted({round(min(1.0, max(0.0, chosen + d)), 4) for d in (-0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1)})
    return Chosen(
        point_at(asked, chosen, limit),
        tuple(point_at(asked, at, limit) for at in near),
        best.auc(),
        len(best.right),
        int(best.found.sum()),
        len(best.wrong),
    )


def point_at(asked: Sequence[Asked], min_score: float, min_vector: float | None) -> Point:
    """What two thresholds do to the queries."""
    kept = refused = right = passed = 0
    for one in asked:
        passes = [
            score >= min_score or (min_vector is not None and vector >= min_vector)
            for score, vector in zip(one.scores, one.vectors, strict=True)
        ]
        hits = sum(p and r for p, r in zip(passes, one.right, strict=True))
        kept += one.answerable and hits > 0
        refused += not one.answerable and not any(passes)
        right, passed = right + hits, passed + sum(passes)
    answerable = sum(one.answerable for one in asked)
    return Point(
        min_score,
        min_vector,
        kept / max(answerable, 1),
        refused / max(len(asked) - answerable, 1),
        right / passed if passed else 1.0,
    )


class _Best:
    """Of every query the best score and the best vector score: of the right memories, or of all where none is right."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.right = _best([one for one in asked if one.answerable])
        self.wrong = _best([one for one in asked if not one.answerable])
        self.found = (self.right > 0).any(axis=1)

    def shares(self, scores: _Floats, vectors: _Floats) -> tuple[_Floats, _Floats]:
        """Kept of what was found, and refused, for each pair of thresholds: arrays of (scores, vectors)."""

        def passing(best: _Floats) -> _Floats:
            by_score = best[:, 0, None] >= scores
            by_vector = best[:, 1, None] >= vectors
            either: _Floats = (by_score[:, :, None] | by_vector[:, None, :]).mean(axis=0)
            return either

        return passing(self.right[self.found]), 1.0 - passing(self.wrong)

    def auc(self) -> float:
        """Area under the curve of the scores alone."""
        above = self.right[:, 0, None] > self.wrong[None, :, 0]
        level = self.right[:, 0, None] == self.wrong[None, :, 0]
        return float((above + 0.5 * level).mean())


def _best(asked: Sequence[Asked]) -> _Floats:
    rows = []
    for one in asked:
        counts = one.right if one.answerable else (True,) * len(one.scores)
        scores = [score for score, is_right in zip(one.scores, counts, strict=True) if is_right]
        vectors = [vector for vector, is_right in zip(one.vectors, counts, strict=True) if is_right]
        rows.append((max(scores, default=_NEVER), max(vectors, default=_NEVER)))
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _pick(kept: _Floats, refused: _Floats, keep: float | None) -> tuple[int, int]:
    """Places of the thresholds; the last one of the vectors is none at all."""
    value = (KEPT_WEIGHS * kept + refused) / (KEPT_WEIGHS + 1)
    if keep is not None:
        value = np.where(kept >= min(keep, float(kept.max())), refused, -1.0)
    alone = _middle(value[:, -1])
    best = (alone, value.shape[1] - 1)
    if value.shape[1] > 1:
        vector = _middle(value[-1, :-1])
        enough = value[:, vector] >= value[:, vector].max() - SLACK
        both = (int(np.nonzero(enough)[0][0]), vector)
        best = both if value[both] >= value[best] else best
    return best


def _middle(value: _Floats) -> int:
    """The place of the greatest value, in the middle where several are as good."""
    places = np.nonzero(value >= value.max() - 1e-9)[0]
    return int(places[len(places) // 2])
