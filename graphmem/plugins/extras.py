"""Which extras are installed, asked without importing them."""

from __future__ import annotations

from importlib.util import find_spec


def has_mcp() -> bool:
    """Whether the MCP SDK is there, in a version that the server can use: the first one had no package of types."""
    return find_spec("mcp") is not None and find_spec("mcp_types") is not None
