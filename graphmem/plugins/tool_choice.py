"""Which of the memory tools are offered, and under which names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..errors import InvalidInput
from .tools import TOOLS, Tool

Tools = bool | Iterable[str] | Mapping[str, str]
"""All tools or none, some by name, or some under names of one's own."""


def chosen_tools(given: Tools) -> dict[str, str]:
    """Name of each offered tool → the name that the model sees. Errors: InvalidInput."""
    if isinstance(given, bool):
        return {name: name for name in TOOLS} if given else {}
    names = dict(given) if isinstance(given, Mapping) else {name: name for name in given}
    for name in names:
        if name not in TOOLS:
            raise InvalidInput(f"There is no tool {name!r}; there are {', '.join(TOOLS)}.", field="tools")
    if len(set(names.values())) != len(names):
        raise InvalidInput("Two tools have one name.", field="tools")
    return names


def described(tool: Tool, names: Mapping[str, str]) -> str:
    """The description of a tool, in which other tools have the names that the model knows."""
    description = tool.description
    for name, other in names.items():
        description = description.replace(name, other)
    return description
