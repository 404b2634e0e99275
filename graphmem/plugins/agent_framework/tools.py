"""The memory tools as tools of the framework, bound to the scope of one session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agent_framework import FunctionTool

from ...models.scope import Scope
from ..connect import Connection
from ..tool_choice import described
from ..tools import TOOLS, Place, Tool, ToolFailed, call
from .scope import Pinned

WRITES = frozenset({"save_memory", "forget_memory"})
"""Tools that change what is stored; they work in the scope of storage, the others in that of search."""


def tools_for(
    names: Mapping[str, str], connection: Connection, store: str, scopes: Pinned, *, approve_forget: bool
) -> list[FunctionTool]:
    """The tools that the scopes allow: without a user to search or to store for, those that need one are left out."""
    made = []
    for name in names:
        scope = scopes.write if name in WRITES else _searched(scopes)
        if scope is not None:
            approval = approve_forget and name == "forget_memory"
            made.append(_tool(TOOLS[name], names, connection, store, scope, approval=approval))
    return made


def _searched(scopes: Pinned) -> Scope | None:
    """Of several users that are searched, the first: a tool is about one."""
    return Scope(actor_id=scopes.read.actor_ids[0]) if scopes.read is not None else None


def _tool(
    tool: Tool, names: Mapping[str, str], connection: Connection, store: str, scope: Scope, *, approval: bool
) -> FunctionTool:
    return FunctionTool(
        name=names[tool.name],
        description=described(tool, names),
        approval_mode="always_require" if approval else "never_require",
        func=_run(tool, connection, store, scope),
        input_model=tool.arguments.model_json_schema(),
    )


def _run(tool: Tool, connection: Connection, store: str, scope: Scope) -> Callable[..., Any]:
    async def run(**arguments: Any) -> str:
        try:
            place = Place(await connection.get(), store, scope)
            return (await call(tool, place, arguments)).said()
        except ToolFailed as failed:
            return f"Error: {failed}"
        except Exception:  # noqa: BLE001 - opening the memory failed; `call` lets nothing else through
            return "Error: The memory cannot be reached now. Go on without it, and try again later."

    return run
