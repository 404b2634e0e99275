"""Least scores by mode: a score means something only for the embedder that it was measured with."""

from __future__ import annotations

from dataclasses import dataclass

from ..models.recall import Calibration, Mode
from ..ports import Identity


@dataclass(frozen=True, slots=True)
class Minimum:
    """From where on a candidate answers the query: by its score, or by its vector score alone."""

    score: float
    vector: float | None
    calibrated: bool
    """False: nobody has measured this embedder, neither for the product nor for the store."""


_MEASURED = {
    "usem3-centred": Calibration(
        min_score={"keyword": 0.25, "vector": 0.22, "hybrid": 0.14, "semantic": 0.14},
        min_vector={"hybrid": 0.22, "semantic": 0.22},
    )
}
"""By the embedder's name (docs/decisions/0016-least-scores.md says how they are measured)."""
_OTHERS = Calibration(min_score=_MEASURED["usem3-centred"].min_score)
"""For embedders that were not measured: the words decide, and the answer says so."""


def minimum_of(store: Calibration | None, embedder: Identity | None, mode: Mode) -> Minimum:
    """The store's own calibration where it is for this embedder, else the product's; `embedder` None: no vectors."""
    if embedder is None:
        mode = "keyword"
    own = store if store is not None and _is_for(store, embedder) else Calibration()
    shipped = _OTHERS if embedder is None else _MEASURED.get(embedder.name, _OTHERS)
    measured = mode == "keyword" or mode in own.min_score or shipped is not _OTHERS
    if mode in own.min_score:
        return Minimum(own.min_score[mode], own.min_vector.get(mode), measured)
    return Minimum(shipped.min_score[mode], shipped.min_vector.get(mode), measured)


def _is_for(calibration: Calibration, embedder: Identity | None) -> bool:
    return calibration.embedder is None or embedder is None or calibration.embedder == str(embedder)
