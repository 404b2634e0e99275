"""Where time goes: what ran and when, and what of a period nothing of it accounts for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from graphmem.models.base import Model


class Part(Model):
    """One step or query: how often it ran, and its time."""

    name: str
    count: int
    seconds: float
    share: float
    """Of the whole period; what runs beside something else counts for both, so shares may add up to more than 1."""
    median_ms: float
    first_ms: float


class Ledger:
    """An observer of a database (`Database.observed`) that keeps what it is told."""

    def __init__(self) -> None:
        self._spans: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)

    def add(self, what: str, began: float, ended: float) -> None:
        """Note one run, by `time.perf_counter`."""
        self._spans[what].append((began, ended))

    def clear(self) -> None:
        """Begin anew."""
        self._spans.clear()

    def parts(self, period: float) -> tuple[Part, ...]:
        """Everything that ran, what took longest first; `period` is the whole time in seconds."""
        found = [_part(name, [end - begin for begin, end in spans], period) for name, spans in self._spans.items()]
        return tuple(sorted(found, key=lambda part: -part.seconds))

    def covered(self) -> float:
        """Seconds in which at least one of them ran."""
        return union(span for spans in self._spans.values() for span in spans)


def _part(name: str, seconds: list[float], period: float) -> Part:
    total = sum(seconds)
    return Part(
        name=name, count=len(seconds), seconds=total, share=total / period,
        median_ms=1000 * median(seconds), first_ms=1000 * seconds[0],
    )  # fmt: skip


def union(spans: Iterable[tuple[float, float]]) -> float:
    """How much the spans cover together."""
    total, reached = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def cpu_of(pid: int | None) -> float | None:
    """Seconds of processor time that a process has used; None where that cannot be read."""
    if pid is None:
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / _TICKS


_TICKS = 100
"""Ticks a second in /proc: the same on every Linux that Python runs on."""
