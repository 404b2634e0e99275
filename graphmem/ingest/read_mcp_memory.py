"""The file of the reference MCP memory server: JSON lines of entities with observations, and of relations.

Each observation, relation and type becomes one statement with an id of its own, which is made from what it says: the
same line in another file or at another time is the same statement. Nothing is dropped unseen: a line, or a part of one,
that cannot be taken is a problem with its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..models.base import MAX_NAME, Name, Text
from ..models.episode import EntityIn, EntityType, FactIn, Message
from ..models.ids import hash_key
from ..models.imports import LineProblem
from .read_chat import reason

OBSERVATION, TYPE = "observation", "is_a"
OWNER = "default_user"
"""What the reference server's instructions call the user."""
_NAME, _TEXT = TypeAdapter(Name), TypeAdapter(Text)
_FIELDS = {
    "entity": {"type", "name", "entityType", "observations"},
    "relation": {"type", "from", "to", "relationType"},
}
_KINDS: dict[str, EntityType] = {
    **dict.fromkeys(("person", "people", "human", "user", "contact", "人", "人物"), "person"),
    **dict.fromkeys(("organisation", "organization", "company", "team", "institution", "組織", "会社"), "organisation"),
    **dict.fromkeys(("place", "location", "city", "country", "場所", "都市"), "place"),
    **dict.fromkeys(("concept", "topic", "idea", "概念"), "concept"),
}
"""Words of a file for the types that entities have here; another word says nothing about which entity is meant."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one line, or one observation of it, says."""

    line: int
    message: Message
    fact: FactIn


@dataclass(slots=True)
class Graph:
    """What a file holds."""

    statements: list[Statement] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)


class _Wrong(Exception):
    """A line or a part of it that cannot be taken; the message says why, without a value."""


def read_graph(text: str) -> Graph:
    """All statements of a file, in its order; a byte order mark does not count."""
    rows = list(_rows(text.removeprefix("\ufeff")))
    kinds = {
        str(row["name"]): _KINDS.get(str(row.get("entityType", "")).strip().casefold())
        for _, row in rows
        if isinstance(row, dict) and row.get("type") == "entity" and isinstance(row.get("name"), str)
    }
    graph = Graph()
    for number, row in rows:
        try:
            _read(graph, number, row, kinds)
        except _Wrong as wrong:
            graph.problems.append(LineProblem(line=number, reason=str(wrong)))
    return graph


def _rows(text: str) -> Iterator[tuple[int, Any]]:
    """Each line that is not blank; a `_Wrong` in the place of one that is no JSON."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, _Wrong(f"is not JSON ({reason(error)})")


def _read(graph: Graph, number: int, row: Any, kinds: dict[str, EntityType | None]) -> None:
    if isinstance(row, _Wrong):
        raise row
    known = _FIELDS.get(str(row.get("type"))) if isinstance(row, dict) else None
    if known is None:
        raise _Wrong('must be an object whose type is "entity" or "relation"')
    if row["type"] == "relation":
        _relation(graph, number, row, kinds)
    else:
        _entity(graph, number, row, kinds)
    if unknown := sorted(set(row) - known):
        names = ", ".join(name[:80] for name in unknown[:5])
        graph.problems.append(LineProblem(line=number, reason=f"these fields are not kept: {names}", taken=True))


def _relation(graph: Graph, number: int, row: dict[str, Any], kinds: dict[str, EntityType | None]) -> None:
    subject, relation, target = (_name(row, key) for key in ("from", "relationType", "to"))
    said = f"{subject} {relation} {target}"
    graph.statements.append(_statement(number, ("relation", subject, relation, target), said, subject, kinds,
                                       predicate=relation, object=_mention(target, kinds)))  # fmt: skip


def _entity(graph: Graph, number: int, row: dict[str, Any], kinds: dict[str, EntityType | None]) -> None:
    name = _name(row, "name")
    before = len(graph.statements), len(graph.problems)
    if row.get("entityType") not in (None, ""):
        kind = _name(row, "entityType")
        said = f"{name}: {kind}"
        graph.statements.append(_statement(number, ("type", name, kind), said, name, kinds,
                                           predicate=TYPE, object=kind, text=_about(name, kind)))  # fmt: skip
    observations = row.get("observations", [])
    if not isinstance(observations, list):
        raise _Wrong("observations: must be a list of texts")
    for index, observation in enumerate(observations):
        try:
            text = _checked(_TEXT, observation, f"observations.{index}")
            graph.statements.append(_observation(number, name, text, kinds))
        except _Wrong as wrong:
            graph.problems.append(LineProblem(line=number, reason=str(wrong)))
    if before == (len(graph.statements), len(graph.problems)):
        raise _Wrong("has neither a type nor observations: there is nothing to remember of it")


def _observation(number: int, name: str, text: str, kinds: dict[str, EntityType | None]) -> Statement:
    value = text if len(text) <= MAX_NAME else text[: MAX_NAME - 1].rstrip() + "…"  # the whole is in the sentence
    key = ("observation", name, text)
    return _statement(number, key, f"{name}: {text}", name, kinds,
                      predicate=OBSERVATION, object=value, text=_about(name, text))  # fmt: skip


def _about(name: str, text: str) -> str:
    return text if name == OWNER else f"{name}: {text}"


def _statement(
    number: int, key: tuple[str, ...], said: str, subject: str, kinds: dict[str, EntityType | None], **fact: Any
) -> Statement:
    source_id = f"{key[0]}:{hash_key(*key)}"
    try:
        return Statement(
            number,
            Message(id=source_id, content=said),
            FactIn(subject=_mention(subject, kinds), cardinality="many", message_id=source_id, **fact),
        )
    except ValidationError as error:
        raise _Wrong(_first(error)) from None


def _mention(name: str, kinds: dict[str, EntityType | None]) -> str | EntityIn:
    if name == OWNER:
        return "user"
    kind = kinds.get(name)
    return EntityIn(name=name, type=kind) if kind else name


def _name(row: dict[str, Any], key: str) -> str:
    if key not in row:
        raise _Wrong(f"{key}: is required")
    return _checked(_NAME, row[key], key)


def _checked(adapter: TypeAdapter[str], value: Any, key: str) -> str:
    try:
        return adapter.validate_python(value).strip()
    except ValidationError as error:
        raise _Wrong(f"{key}: {_first(error, named=False)}") from None


def _first(error: ValidationError, *, named: bool = True) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    return f"{first['loc'][0]}: {message}" if named and first["loc"] else message
