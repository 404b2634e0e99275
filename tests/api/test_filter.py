"""The filter of a recall over HTTP: what is wrong is named by its path, limits are those of the document."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from graphmem.models.filter import MAX_CONDITIONS, MAX_DEPTH, MAX_VALUES

from .conftest import Client, problem

PLAN = {"field": "category", "op": "eq", "value": "plan"}


async def recall(client: Client, store: str, given: Any, **more: Any) -> Any:
    return await client.post(
        f"{store}/recall", json={"scope": {"actor_id": "ana"}, "query": "plans", "filter": given, **more}
    )


def nested(levels: int) -> dict[str, Any]:
    given: dict[str, Any] = PLAN
    for _ in range(levels - 1):
        given = {"not": given}
    return given


REFUSED = [
    ([], "filter", "must be an object"),
    ("plan", "filter", "must be an object"),
    ({"op": "eq", "value": "plan"}, "filter.field", "is required"),
    ({"and": []}, "filter.and", "must have 1 or more items"),
    ({"or": PLAN}, "filter.or", "must be a list"),
    ({"not": [PLAN]}, "filter.not", "must be an object"),
    ({"and": [PLAN], "or": [PLAN]}, "filter.or", "is not a known field"),
    ({**PLAN, "boost": 2}, "filter.boost", "is not a known field"),
    ({**PLAN, "field": "owner_key"}, "filter.field", "must be 'kind'"),
    ({**PLAN, "field": ["category"]}, "filter.field", "must be 'kind'"),
    ({**PLAN, "op": "gt"}, "filter.op", "must be one of eq, ne, in, exists for category"),
    ({**PLAN, "op": "matches"}, "filter.op", "must be 'eq'"),
    (
        {"and": [PLAN, {"field": "importance", "op": "gte", "value": "high"}]},
        "filter.and.1.value",
        "a number from 0 to 1",
    ),
    ({"not": {"or": [{"field": "pinned", "op": "eq", "value": 1}]}}, "filter.not.or.0.value", "must be true or false"),
    ({"field": "kind", "op": "in", "value": ["fact", "entity"]}, "filter.value", "one of fact, note, episode"),
    ({"field": "kind", "op": "in", "value": "fact"}, "filter.value", f"must be a list of 1 to {MAX_VALUES} values"),
    ({"field": "tags", "op": "in", "value": []}, "filter.value", f"must be a list of 1 to {MAX_VALUES} values"),
    ({"field": "tags", "op": "in", "value": ["a"] * (MAX_VALUES + 1)}, "filter.value", "must be a list of"),
    ({"field": "tags", "op": "eq", "value": "a"}, "filter.op", "must be one of contains, in, exists for tags"),
    ({"field": "tags", "op": "contains", "value": " "}, "filter.value", "must be a text"),
    ({"field": "tags", "op": "exists", "value": "yes"}, "filter.value", "must be true or false"),
    (
        {"field": "valid_at", "op": "lt", "value": 2024},
        "filter.value",
        "must be a year, a month, a date or",
    ),
    ({"field": "valid_at", "op": "lt", "value": "2024-13"}, "filter.value", "must be a year, a month, a date"),
    ({"field": "valid_at", "op": "in", "value": ["2024"]}, "filter.op", "must be one of eq, ne, lt"),
    ({"field": "category", "op": "eq"}, "filter.value", "is required"),
    ({"field": "category", "op": "eq", "value": None}, "filter.value", "must be a text"),
    (nested(MAX_DEPTH + 1), "filter", f"must be at most {MAX_DEPTH} levels deep"),
    (nested(150), "filter", f"must be at most {MAX_DEPTH} levels deep"),
    ({"and": [{"or": [PLAN] * 26}, {"or": [PLAN] * 25}]}, "filter", f"must have at most {MAX_CONDITIONS} conditions"),
]


@pytest.mark.parametrize(("given", "field", "message"), REFUSED, ids=lambda v: str(v)[:40])
async def test_a_wrong_filter_is_refused_with_its_place(
    client: Client, store: str, given: Any, field: str, message: str
) -> None:
    before = deepcopy(given)
    errors = problem(await recall(client, store, given), 400, "INVALID_INPUT")["errors"]
    assert [e["field"] for e in errors if message in e["message"]] == [field]
    assert given == before


async def test_the_largest_filter_is_taken(client: Client, store: str) -> None:
    widest = {"or": [{"field": "tags", "op": "in", "value": [f"t{n}" for n in range(MAX_VALUES)]}] * MAX_CONDITIONS}
    for given in (widest, nested(MAX_DEPTH), None):
        answer = await recall(client, store, given)
        assert answer.status_code == 200, answer.text


async def test_a_filter_narrows_what_is_recalled(client: Client, store: str) -> None:
    said = {"scope": {"actor_id": "ana"}, "text": "Two things.", "extraction": "none"}
    told = [("likes", "hiking", "preference"), ("plans", "a hiking trip", "plan")]
    said["facts"] = [{"subject": "user", "predicate": p, "object": o, "category": c} for p, o, c in told]
    assert (await client.post(f"{store}/episodes", json=said)).status_code == 201
    asked = {"query": "hiking", "kinds": ["fact"], "gate": {"min_score": 0.0}}
    every = (await recall(client, store, None, **asked)).json()
    assert {item["category"] for item in every["items"]} == {"preference", "plan"}
    found = (await recall(client, store, PLAN, **asked)).json()
    assert [item["category"] for item in found["items"]] == ["plan"]
    assert found["audit"]["considered"] == 1


async def test_the_document_states_the_limits(client: Client) -> None:
    schemas = (await client.get("/openapi.json")).json()["components"]["schemas"]
    described = str(schemas["RecallRequest"]["properties"]["filter"])
    assert f"{MAX_DEPTH} levels" in described
    assert f"{MAX_CONDITIONS} conditions" in described
    assert schemas["FilterAnd"]["properties"]["and"]["maxItems"] == MAX_CONDITIONS
    alternatives = schemas["FilterCondition"]["oneOf"]
    one_of = next(a for a in alternatives if a["properties"]["op"]["enum"] == ["in"] and "tags" in str(a))
    assert one_of["properties"]["value"]["maxItems"] == MAX_VALUES
