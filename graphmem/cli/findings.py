"""What a check of `graphmem doctor` answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of one check; `fix` says what to do when it is not ok."""

    name: str
    state: State
    detail: str
    fix: str | None = None
