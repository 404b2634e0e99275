"""A filter as a value: written again as it was given, frozen, and what the query gets of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from graphmem.models.filter import Filter, FilterCondition
from graphmem.retrieve.conditions import circuit

ADAPTER: TypeAdapter[Filter] = TypeAdapter(Filter)
PLAN = {"field": "category", "op": "eq", "value": "plan"}
GIVEN = {
    "or": [
        {"and": [PLAN, {"field": "importance", "op": "gte", "value": 0.5}]},
        {"not": {"field": "tags", "op": "in", "value": ["a", "b"]}},
        {"field": "pinned", "op": "eq", "value": True},
        {"field": "valid_at", "op": "lt", "value": "2024-03"},
        {"field": "invalid_at", "op": "exists", "value": False},
    ]
}


def made(given: Any) -> dict[str, Any]:
    found = circuit(ADAPTER.validate_python(given), ["s:ana"], lambda written: written)
    assert found is not None
    return found


def test_it_is_written_as_it_was_given() -> None:
    read = ADAPTER.validate_python(GIVEN)
    assert ADAPTER.dump_python(read, mode="json") == GIVEN
    assert ADAPTER.validate_json(ADAPTER.dump_json(read)) == read
    later = ADAPTER.validate_python({"field": "valid_at", "op": "lt", "value": "2024-03-01T09:00:00+09:00"})
    assert ADAPTER.validate_json(ADAPTER.dump_json(later)) == later


def test_it_does_not_change() -> None:
    condition = FilterCondition(field="category", op="eq", value="plan")
    with pytest.raises(ValidationError):
        condition.value = "other"  # type: ignore[misc]
    assert ADAPTER.validate_python(condition) is condition


@pytest.mark.parametrize(
    ("written", "begin", "end"),
    [
        ("2024", (2024, 1, 1), (2025, 1, 1)),
        ("2024-12", (2024, 12, 1), (2025, 1, 1)),
        ("2024-02", (2024, 2, 1), (2024, 3, 1)),
        ("2024-02-29", (2024, 2, 29), (2024, 3, 1)),
        ("2023-12-31", (2023, 12, 31), (2024, 1, 1)),
    ],
)
def test_a_period_is_meant_whole(written: str, begin: tuple[int, int, int], end: tuple[int, int, int]) -> None:
    first, after = datetime(*begin, tzinfo=UTC), datetime(*end, tzinfo=UTC)
    expected = {"lt": ("lt", first), "lte": ("lt", after), "gt": ("gte", after), "gte": ("gte", first)}
    for op, (used, value) in expected.items():
        (condition,) = made({"field": "valid_at", "op": op, "value": written})["conditions"]
        assert (condition["op"], condition["value"]) == (used, value)
    (condition,) = made({"field": "valid_at", "op": "ne", "value": written})["conditions"]
    assert (condition["value"], condition["until"], condition["negated"]) == (first, after, True)


def test_the_last_year_has_an_end() -> None:
    (condition,) = made({"field": "valid_at", "op": "lte", "value": "9999"})["conditions"]
    assert condition["value"].year == 9999


def test_not_goes_down_and_turns_what_joins() -> None:
    given = {"not": {"and": [PLAN, {"or": [PLAN, {"not": PLAN}]}]}}
    found = made(given)
    assert [condition["negated"] for condition in found["conditions"]] == [True, True, False]
    assert found["gates"] == [{"op": "all", "of": [1, 2]}, {"op": "any", "of": [0, 3]}]
    assert (found["sources"], found["entities"], found["names"]) == (False, False, [])


def test_its_size_is_that_of_what_was_written() -> None:
    """Every normal form of this has a thousand parts and more."""
    pair = {"and": [PLAN, {"field": "kind", "op": "eq", "value": "fact"}]}
    found = made({"or": [pair] * 10})
    assert (len(found["conditions"]), len(found["gates"])) == (20, 11)
