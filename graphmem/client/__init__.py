"""Typed clients of the HTTP service: `AsyncGraphMem`, and `GraphMem` for code that is not async."""

from __future__ import annotations

from .aio.memory import AsyncGraphMem
from .options import DEFAULT_URL, Timeout
from .sync.memory import GraphMem

__all__ = ["DEFAULT_URL", "AsyncGraphMem", "GraphMem", "Timeout"]
