"""A lock between processes, which the operating system frees when its holder dies."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from graphmem.errors import LocalServerError

_POLL_SECONDS = 0.1


class FileLock:
    """`async with FileLock(path, why, seconds)`: one holder at a time, also among tasks of one process.

    Errors: LocalServerError with `why` when the lock is not free within `seconds`.
    """

    def __init__(self, path: Path, why: str, seconds: float) -> None:
        self._path, self._why, self._seconds = path, why, seconds
        self._descriptor = -1

    async def __aenter__(self) -> Self:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            await self._wait(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return self

    async def _wait(self, descriptor: int) -> None:
        end = time.monotonic() + self._seconds
        while not try_lock(descriptor):
            if time.monotonic() > end:
                raise LocalServerError(
                    f"{self._why} since {self._seconds:.0f} seconds: wait or end it, then run it again."
                )
            await asyncio.sleep(_POLL_SECONDS)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)


def try_lock(descriptor: int) -> bool:
    """Take the lock on an open file unless another has it; closing the file frees it."""
    if sys.platform == "win32":
        raise LocalServerError(NOT_ON_WINDOWS)
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


NOT_ON_WINDOWS = "the managed local Neo4j runs on Linux and macOS: start a Neo4j yourself and set NEO4J_URI."
