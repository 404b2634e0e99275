"""What rerankers give as scores, brought to 0..1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphmem.errors import ProviderError

_ROUNDING = 1e-3
"""How far a score of 0 to 1 may lie outside by rounding alone."""


class Relevance:
    """The scale of one reranker: 0 to 1 as it is, or logits, of which the logistic function is taken.

    One score outside 0..1 tells that they are logits, for that call and all later ones: the same text then keeps its
    score, whatever it is compared with.
    """

    def __init__(self) -> None:
        self._logits = False

    def fitted(self, raw: Sequence[float]) -> tuple[float, ...]:
        """The scores in 0..1, in the same order. Errors: ProviderError for one that is not finite."""
        if not all(map(math.isfinite, raw)):
            raise ProviderError("The reranker gave a score that is not a number.", reason="bad_answer")
        self._logits = self._logits or any(not -_ROUNDING <= score <= 1 + _ROUNDING for score in raw)
        return tuple(_logistic(score) if self._logits else min(max(score, 0.0), 1.0) for score in raw)


def _logistic(score: float) -> float:
    if score >= 0:
        return 1.0 / (1.0 + math.exp(-score))
    small = math.exp(max(score, -700.0))
    return small / (1.0 + small)
