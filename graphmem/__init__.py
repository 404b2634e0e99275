"""Memory for AI agents on a Neo4j graph. Start with `Memory.open()`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from . import errors
from .errors import GraphMemError

if TYPE_CHECKING:
    from .client import AsyncGraphMem, GraphMem
    from .memory import Memory
    from .models.scope import Scope

try:
    __version__ = version("graphmem")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["AsyncGraphMem", "GraphMem", "GraphMemError", "Memory", "Scope", "__version__", "errors"]


def __getattr__(name: str) -> Any:
    """Import what brings other packages along when it is first used: `graphmem --help` needs none of it."""
    if name in ("AsyncGraphMem", "GraphMem"):
        from . import client

        return getattr(client, name)
    if name == "Memory":
        from .memory import Memory

        return Memory
    if name == "Scope":
        from .models.scope import Scope

        return Scope
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
