"""A filter as the recall query evaluates it: a list of conditions, and gates that join their answers.

The size of the result is that of the filter: no normal form is made, which could be exponentially larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from ..models.filter import Filter, FilterAnd, FilterCondition, FilterNot
from ..models.ids import actor_identity
from ..models.names import is_owner_word, read_name
from ..models.times import OPEN_END, ValidTime

SenseOf = Callable[[str], str]
"""The relation that a written predicate means."""

_OF_SOURCES = frozenset({"occurred_at", "source_id", "source_type", "session_id"})
_OF_ENTITIES = frozenset({"entity", "subject", "object"})


def circuit(given: Filter | None, owners: Sequence[str], sense_of: SenseOf) -> dict[str, Any] | None:
    """The parameter `filter` of `retrieve/recall`; None without a filter.

    `conditions`: field, op, value, until, negated. `gates`: each joins answers before its own, by their places in the
    list of conditions and gates; the last answer is the filter's. `names`: entities that it names. `sources` and
    `entities`: whether it asks for those at all.
    """
    if given is None:
        return None
    conditions = [_condition(leaf, negated, sense_of) for leaf, negated in _leaves(given, negated=False)]
    gates: list[dict[str, Any]] = []
    _join(given, iter(range(len(conditions))), len(conditions), gates, negated=False)
    used = {condition["field"] for condition in conditions}
    named = {name for c in conditions if c["op"] == "named" for name in c["value"]}
    return {
        "conditions": conditions,
        "gates": gates,
        "names": [_name(name, owners) for name in sorted(named)],
        "sources": not used.isdisjoint(_OF_SOURCES),
        "entities": not used.isdisjoint(_OF_ENTITIES),
    }


def _leaves(part: Filter, *, negated: bool) -> Iterator[tuple[FilterCondition, bool]]:
    """Each condition, and whether an odd number of `not` stand above it."""
    if isinstance(part, FilterCondition):
        yield part, negated
    elif isinstance(part, FilterNot):
        yield from _leaves(part.none_of, negated=not negated)
    else:
        for each in part.all_of if isinstance(part, FilterAnd) else part.any_of:
            yield from _leaves(each, negated=negated)


def _join(part: Filter, places: Iterator[int], first: int, gates: list[dict[str, Any]], *, negated: bool) -> int:
    """Where the part's answer stands; `not` goes down to the conditions, and turns `and` into `or` on its way."""
    if isinstance(part, FilterCondition):
        return next(places)
    if isinstance(part, FilterNot):
        return _join(part.none_of, places, first, gates, negated=not negated)
    inner = part.all_of if isinstance(part, FilterAnd) else part.any_of
    of = [_join(each, places, first, gates, negated=negated) for each in inner]
    gates.append({"op": "all" if isinstance(part, FilterAnd) != negated else "any", "of": of})
    return first + len(gates) - 1


def _condition(given: FilterCondition, negated: bool, sense_of: SenseOf) -> dict[str, Any]:
    """One comparison of the query: in, lt, lte, gt, gte, during, named or exists."""
    op: str = given.op
    value: Any = given.value
    until = None
    if op == "exists":
        negated ^= not value
    elif op == "ne":
        op, negated = "eq", not negated
    if isinstance(value, ValidTime):
        op, value, until = _time(op, value)
    elif op in ("eq", "contains"):
        op, value = "in", (value,)
    if given.field == "predicate" and op == "in":
        value = tuple(sense_of(written) for written in value)
    if given.field in _OF_ENTITIES and op == "in":
        op = "named"
    value = list(value) if isinstance(value, tuple) else value
    return {"field": given.field, "op": op, "value": value, "until": until, "negated": negated}


def _time(op: str, given: ValidTime) -> tuple[str, Any, datetime | None]:
    """A comparison with a moment, or with the whole of a year, a month or a day."""
    begin, end = given.at, _end(given)
    if end is None:
        return ("in", (begin,), None) if op == "eq" else (op, begin, None)
    if op == "eq":
        return "during", begin, end
    return "lt" if op in ("lt", "lte") else "gte", end if op in ("lte", "gt") else begin, None


def _end(given: ValidTime) -> datetime | None:
    """When the period is over; None for a moment."""
    at = given.at
    if given.precision == "instant":
        return None
    if at.year == OPEN_END.year:
        return OPEN_END
    if given.precision == "year":
        return at.replace(year=at.year + 1)
    if given.precision == "month":
        return at.replace(year=at.year + at.month // 12, month=at.month % 12 + 1)
    return datetime.fromordinal(at.toordinal() + 1).replace(tzinfo=at.tzinfo)


def _name(written: str, owners: Sequence[str]) -> dict[str, Any]:
    """How the entities are found that a name, an alias, an id or the owner's `user` stands for."""
    name = read_name(written)
    return {
        "id": written,
        "key": name.key,
        "qualifier": name.qualifier_key,
        "actors": [actor_identity(key) for key in owners] if is_owner_word(written) else [],
    }
