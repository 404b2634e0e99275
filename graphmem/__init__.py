"""Memory for AI agents on a Neo4j graph. Start with `Memory.open()`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from . import errors
from .errors import GraphMemError

if TYPE_CHECKING:
    from .memory import Memory
    from .models.scope import Scope

try:
    __version__ = version("graphmem")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["GraphMemError", "Memory", "Scope", "__version__", "errors"]


def __getattr__(name: str) -> Any:
    """Import `Memory` (the driver) and `Scope` (pydantic) when first used: `graphmem --help` needs neither."""
    if name == "Memory":
        from .memory import Memory

        return Memory
    if name == "Scope":
        from .models.scope import Scope

        return Scope
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
