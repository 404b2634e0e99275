"""Chats: one JSON object a line, or a JSON list of them, with the fields of a message and `session_id`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from graphmem.errors import InvalidInput
from graphmem.models.base import Id
from graphmem.models.episode import Message

from .read_dates import neighbours_dates


class Line(Message):
    """One line of a chat file."""

    session_id: Id | None = None


def numbered_lines(name: str, text: str) -> Iterator[tuple[str, Any]]:
    """Place and value of each line that is not blank. Errors: InvalidInput that names the line."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"{name}, line {number}"
            try:
                yield place, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InvalidInput(f"{place}: not JSON ({reason(error)})", field="file") from error


def reason(error: Exception) -> str:
    """What is wrong with JSON, without a word of it."""
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"


def read_lines(rows: Iterable[tuple[str, Any]]) -> tuple[list[tuple[str | None, list[Message]]], frozenset[str]]:
    """Sessions with their messages, in order, and the ids that only count lines. Errors: InvalidInput."""
    lines, counted = [], set()
    for number, (place, row) in enumerate(rows, 1):
        line = _line(place, row)
        if line.id is None:
            line = line.model_copy(update={"id": f"line-{number}"})
            counted.add(f"line-{number}")
        lines.append(line)
    sessions: dict[str | None, list[Message]] = {}
    for line, message in zip(lines, neighbours_dates(map(_message, lines)), strict=True):
        sessions.setdefault(line.session_id, []).append(message)
    return list(sessions.items()), frozenset(counted)


def _line(place: str, row: Any) -> Line:
    if not isinstance(row, dict):
        raise InvalidInput(f'{place}: must be an object like {{"role": "user", "content": "…"}}', field="file")
    try:
        return Line.model_validate(row)
    except ValidationError as error:
        raise InvalidInput(f"{place}: {first_problem(error)}", field="file") from error


def first_problem(error: ValidationError) -> str:
    """The first field that is wrong, and why; never its value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown field {name[:80]!r}; fields are {', '.join(Line.model_fields)}"
    return f"{name}: {first['msg']}"


def _message(line: Line) -> Message:
    return Message.model_construct(**{name: getattr(line, name) for name in Message.model_fields})
