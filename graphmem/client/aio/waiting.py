"""Waiting, as an event loop does it."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

sleep = asyncio.sleep


def limited(seconds: float | None) -> AbstractAsyncContextManager[object]:
    """End what is inside after this time. Errors: TimeoutError."""
    return asyncio.timeout(seconds)
