"""How a measurement tells how far it is, and the time that nearly all of its steps keep to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import quantiles

Progress = Callable[[str, float | None], None]
"""Called with the name of a stage and how much of it is done, 0 to 1; None where nobody knows."""


def silent(stage: str, fraction: float | None) -> None:
    """Show nothing."""


def p95(times: Sequence[float]) -> float:
    """The time that 95 of 100 do not exceed; two times at least."""
    return quantiles(times, n=20)[-1]
