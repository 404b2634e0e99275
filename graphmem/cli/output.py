"""Results on standard output, progress on standard error, both safe for any text in any script."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from graphmem.models.fact import SourceRef

QUOTE_CELLS = 72
"""Columns that a quote may take."""


def clean(text: str) -> str:
    """The text on one line, without control characters, so that no memory can steer the terminal."""
    kept = (" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    return " ".join("".join(kept).split())


def shorten(text: str, cells: int = QUOTE_CELLS) -> str:
    """The beginning of a cleaned text in at most `cells` columns; wide characters count two."""
    from rich.cells import cell_len, set_cell_size

    line = clean(text)
    return line if cell_len(line) <= cells else set_cell_size(line, cells - 1).rstrip() + "…"


def pad(text: str, cells: int) -> str:
    """The text with blanks up to `cells` columns; wide characters count two."""
    from rich.cells import cell_len

    return text + " " * max(0, cells - cell_len(text))


def stdout(width: int | None = None) -> Console:
    """Console for results: no markup is read from text, nothing is wrapped when piped."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty(), width=width)


def stderr() -> Console:
    """Console for progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def print_json(value: BaseModel | dict[str, Any]) -> None:
    """One JSON document on standard output; escaped where the encoding cannot hold every character."""
    data = value if isinstance(value, dict) else value.model_dump(mode="json")
    ascii_only = not (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    sys.stdout.write(json.dumps(data, ensure_ascii=ascii_only, indent=2) + "\n")


def day(time: datetime) -> str:
    """The date, with the clock where it is not midnight."""
    return f"{time:%Y-%m-%d}" if (time.hour, time.minute) == (0, 0) else f"{time:%Y-%m-%d %H:%M}"


def interval(valid_at: datetime | None, invalid_at: datetime | None) -> str:
    """`2025-06-14 → now`: when something held, by date."""
    start = f"{valid_at:%Y-%m-%d}" if valid_at else "always"
    return f"{start} → {f'{invalid_at:%Y-%m-%d}' if invalid_at else 'now'}"


def source_lines(sources: Iterable[SourceRef], limit: int = 2) -> list[str]:
    """Where a memory comes from: message id, date and quote, one line each."""
    return [
        f"source {clean(s.source_id or s.episode_id)} · {day(s.occurred_at)}"
        + (f" · “{shorten(s.quote)}”" if s.quote else "")
        for s in list(sources)[:limit]
    ]


class Stages:
    """Progress of long steps: `stages("fetching Neo4j", 0.4)`; bars on a terminal, else a line a stage."""

    def __init__(self) -> None:
        self._console = stderr()
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self._progress = Progress(*columns, console=self._console, transient=True)
            self._progress.start()
        return self

    def __call__(self, stage: str, fraction: float | None = None) -> None:
        """Show that `stage` is at `fraction` (0 to 1; None: unknown)."""
        new = stage not in self._tasks
        if self._progress is None:
            if new:
                self._tasks[stage] = 0  # type: ignore[assignment]
                self._console.print(f"… {clean(stage)}")
            return
        if new:
            self._finish_open_tasks()
            self._tasks[stage] = self._progress.add_task(clean(stage), total=None)
        if fraction is not None:
            self._progress.update(self._tasks[stage], total=1.0, completed=min(1.0, max(0.0, fraction)))

    def _finish_open_tasks(self) -> None:
        if self._progress:
            for task in self._tasks.values():
                self._progress.update(task, total=1.0, completed=1.0)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


class Bar:
    """A bar that counts messages and says how many a second; lines at each quarter when not on a terminal."""

    def __init__(self, title: str, total: int) -> None:
        self._console, self._title, self._total = stderr(), title, total
        self._done = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        from time import monotonic

        self._began = monotonic()
        if self._console.is_terminal:
            self._start_progress()
        return self

    def _start_progress(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        rate = TextColumn("{task.fields[rate]} turns/s")
        self._progress = Progress(*columns, rate, TimeRemainingColumn(), console=self._console)
        self._task = self._progress.add_task(self._title, total=self._total, rate="–")
        self._progress.start()

    @property
    def rate(self) -> float:
        """Messages a second since the start."""
        from time import monotonic

        return self._done / max(1e-6, monotonic() - self._began)

    def advance(self, count: int) -> None:
        """Count `count` more messages."""
        before, self._done = self._done, self._done + count
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._done, rate=f"{self.rate:.1f}")
        elif before * 4 // self._total != self._done * 4 // self._total:
            self._console.print(f"… {self._title}: {self._done}/{self._total} ({self.rate:.1f} turns/s)")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
