"""Conditions on one record, and comparisons of one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from .generators import CaseError
from .replies import CheckFailed, fold, fold_name, need, sentence

Where = Mapping[str, Any]


def matches(row: Any, where: Where) -> bool:
    """Whether a fact (or another row) fulfils every condition."""
    if unknown := set(where) - set(_CONDITIONS):
        raise CaseError(f"unknown conditions {sorted(unknown)}")
    return all(_CONDITIONS[name](row, _list(value)) for name, value in where.items())


def names_match(entity: Any, where: Where) -> bool:
    """Whether an entity has one of the names, by its name or an alias."""
    if unknown := set(where) - {"names", "name_starts"}:
        raise CaseError(f"unknown conditions {sorted(unknown)}")
    names = {fold_name(name) for name in (need(entity, "name"), *need(entity, "aliases"))}
    if "names" in where and not names & {fold_name(name) for name in where["names"]}:
        return False
    return "name_starts" not in where or any(name.startswith(fold(where["name_starts"])) for name in names)


def _list(value: Any) -> list[str]:
    return [fold(one) for one in (value if isinstance(value, list) else [value])]


def _subject(fact: Any) -> str:
    return fold_name(need(need(fact, "subject"), "name"))


def _object(fact: Any) -> str:
    """The object's name, or the literal; CheckFailed where a fact has neither."""
    entity = fact.get("object")
    return fold_name(need(entity, "name") if entity else _literal(fact))


def _literal(fact: Any) -> str:
    if not isinstance(value := need(fact, "literal"), str):
        raise CheckFailed("a fact has neither an object nor a literal")
    return value


# a denied fact carries the plain relation and says that it does not hold, so it is no fact of that relation
_CONDITIONS: dict[str, Callable[[Any, list[str]], bool]] = {
    "text": lambda row, wanted: any(one in fold(sentence(row)) for one in wanted),
    "subject": lambda row, wanted: _subject(row) in wanted,
    "predicate": lambda row, wanted: fold(need(row, "predicate")) in wanted and need(row, "polarity"),
    "object": lambda row, wanted: _object(row) in wanted,
    "object_contains": lambda row, wanted: any(one in _object(row) for one in wanted),
}


def moment(value: Any) -> datetime:
    """A time or a date as a point in time; CheckFailed for anything else."""
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise CheckFailed(f"not a time: {value!r}") from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def day_matches(value: Any, day: str, said: list[str]) -> bool:
    """Whether the time lies on the day, in UTC or in the zone of a message of the case."""
    if value is None:
        return False
    at = moment(value)
    zones = {UTC, *(zone for one in said if (zone := moment(one).tzinfo))}
    return any(at.astimezone(zone).date().isoformat() == day for zone in zones)


def compare(value: Any, relation: str, wanted: Any) -> bool:
    """Whether the value stands in the relation to what is wanted."""
    if relation not in _RELATIONS:
        raise CaseError(f"unknown relation {relation}")
    return value is not None and _RELATIONS[relation](value, wanted)


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: bool(value == wanted),
    "ne": lambda value, wanted: bool(value != wanted),
    "in": lambda value, wanted: value in wanted,
    "lt": lambda value, wanted: bool(value < wanted),
    "le": lambda value, wanted: bool(value <= wanted),
    "gt": lambda value, wanted: bool(value > wanted),
    "ge": lambda value, wanted: bool(value >= wanted),
    "truthy": lambda value, wanted: bool(value),
    "between": lambda value, wanted: moment(wanted[0]) <= moment(value) <= moment(wanted[1]),
}
