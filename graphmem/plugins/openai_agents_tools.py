"""The memory tools as tools of the OpenAI Agents SDK."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from agents import FunctionTool

from ..models.scope import Scope
from .backend import Backend
from .tool_choice import Tools, chosen_tools, described
from .tools import TOOLS, Place, Tool, ToolFailed, call
from .values import addressable, checked


def memory_tools(
    memory: Backend,
    *,
    actor: str,
    store: str = "default",
    agent_id: str | None = None,
    session_id: str | None = None,
    tools: Tools = True,
    approve_forget: bool = False,
) -> list[FunctionTool]:
    """The memory tools for an agent, all, some by name, or some under other names; they reach this actor only.

    What is saved carries the agent and session. With `approve_forget` the run stops before anything is forgotten, until
    the program approves. Errors: InvalidInput.
    """
    session = None if session_id is None else addressable(session_id)
    scope = checked(Scope, actor_id=actor, agent_id=agent_id, session_id=session)
    place, names = Place(memory, store, scope), chosen_tools(tools)
    return [
        FunctionTool(
            name=shown,
            description=described(TOOLS[name], names),
            params_json_schema=TOOLS[name].arguments.model_json_schema(),
            on_invoke_tool=_run(TOOLS[name], place),
            strict_json_schema=False,  # arguments may be left out
            needs_approval=approve_forget and name == "forget_memory",
        )
        for name, shown in names.items()
    ]


def _run(tool: Tool, place: Place[Any]) -> Callable[[Any, str], Awaitable[str]]:
    async def run(_: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
            if not isinstance(given, dict):
                raise ToolFailed("The arguments must be a JSON object.")
            return (await call(tool, place, given)).said()
        except ValueError:
            return "Error: The arguments are no JSON."
        except ToolFailed as failed:
            return f"Error: {failed}"

    return run
