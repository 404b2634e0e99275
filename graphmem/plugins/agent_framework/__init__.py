"""graphmem inside Microsoft Agent Framework: long-term memory, and history kept in the graph.

Needs `pip install 'graphmem[agent-framework]'`; importing this package says so when it is missing.
"""

try:
    import agent_framework as _framework  # noqa: F401
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "Agent Framework is not installed: pip install 'graphmem[agent-framework]'.", name=_error.name
    ) from _error

from .context import GraphMemContextProvider
from .history import GraphMemHistoryProvider
from .scope import ScopeResolver

__all__ = ["GraphMemContextProvider", "GraphMemHistoryProvider", "ScopeResolver"]
