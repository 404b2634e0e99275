"""Waiting, as a thread does it. Not made from the async side: the two have nothing in common."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext

sleep = time.sleep


def limited(_seconds: float | None) -> AbstractContextManager[object]:
    """Nothing: a thread cannot be interrupted, so every read and write has a limit of its own."""
    return nullcontext()
