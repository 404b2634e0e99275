"""A filter leaves on the engine what a plain reading of it leaves: random filters over one set of memories."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import eq, ge, gt, le, lt
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.models.ids import actor_identity, owner_key
from graphmem.models.manage import StoreIn
from graphmem.models.recall import RecallRequest
from tests.support.filtered import row, save, save_entities, vector

STORE = "t-filter-properties"
TIMES = [datetime(2023, 12, 31, 23, 59, tzinfo=UTC) + timedelta(days=23 * n, hours=5 * n) for n in range(10)]
TIMES += [datetime(2024, month, 1, tzinfo=UTC) for month in (1, 3, 4)] + [datetime(2025, 1, 1, tzinfo=UTC)]
WRITTEN = ["2024", "2024-03", "2024-04-01", "2024-03-10T01:00:00Z", TIMES[4].isoformat(), TIMES[0].isoformat(), "2025"]
CATEGORIES, TAGS, IDS = ["plan", "profile", "Plan"], ["a", "b", "日本"], ["s1", "s2", "s3"]
ENTITIES = {"Anna": {"anna", "anna-2"}, "annie": {"anna", "anna-2"}, "Anna Marie": {"anna", "anna-2"}, "Oslo": {"oslo"}}
ENTITIES |= {"user": {"me"}, "nobody": set(), f"{STORE}-oslo": {"oslo"}}
CHOICES = {
    "kind": ["fact", "note", "episode"],
    "layer": ["semantic", "episodic"],
    "status": ["active", "archived"],
    "learning_state": ["stated", "confirmed"],
    "approval": ["approved", "draft"],
    "category": CATEGORIES,
    "predicate": ["likes", "lives_in", "lives in"],
    "source_id": IDS,
    "source_type": ["chat", "file"],
    "session_id": ["z1", "z2"],
    "entity": list(ENTITIES),
    "subject": list(ENTITIES),
    "object": list(ENTITIES),
}
NUMBERS, MOMENTS = ["importance", "confidence"], ["valid_at", "invalid_at", "occurred_at", "created_at", "updated_at"]
ORDERED = ["eq", "ne", "lt", "lte", "gt", "gte"]
EXISTING = [*CHOICES, *NUMBERS, *MOMENTS, "tags"]


def leaf(field: Any, op: Any, value: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    fields = st.sampled_from(field) if isinstance(field, list) else st.just(field)
    return st.fixed_dictionaries({"field": fields, "op": st.sampled_from(op), "value": value})


chosen = st.sampled_from(list(CHOICES)).flatmap(
    lambda f: st.one_of(
        leaf(f, ["eq", "ne"], st.sampled_from(CHOICES[f])),
        leaf(f, ["in"], st.lists(st.sampled_from(CHOICES[f]), min_size=1, max_size=3)),
    )
)
leaves = st.one_of(
    chosen,
    chosen,
    leaf("tags", ["contains"], st.sampled_from(TAGS)),
    leaf("tags", ["in"], st.lists(st.sampled_from(TAGS), min_size=1, max_size=2)),
    leaf(["pinned", "disputed"], ["eq", "ne"], st.booleans()),
    leaf(NUMBERS, ORDERED, st.sampled_from([0, 0.25, 0.5, 1.0])),
    leaf(MOMENTS, ORDERED, st.sampled_from(WRITTEN)),
    leaf(EXISTING, ["exists"], st.booleans()),
)
filters = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"and": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"or": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=6,
)


COMPARE = {"eq": eq, "contains": eq, "lt": lt, "lte": le, "gt": gt, "gte": ge}
ANNA, OSLO = ({"field": "entity", "op": "eq", "value": name} for name in ("annie", "Oslo"))
LATE = datetime(2024, 3, 20, tzinfo=UTC) + timedelta(days=2000)


@dataclass(frozen=True)
class Kept:
    """A memory by its values as a caller sees them, several where it has several."""

    id: str
    values: dict[str, list[Any]]


def holds(part: dict[str, Any], kept: Kept) -> bool:
    if "and" in part:
        return all(holds(inner, kept) for inner in part["and"])
    if "or" in part:
        return any(holds(inner, kept) for inner in part["or"])
    if "not" in part:
        return not holds(part["not"], kept)
    values = kept.values.get(part["field"], [])
    if part["op"] == "exists":
        return bool(values) == part["value"]
    if part["op"] == "ne":
        return not any(fits(part["field"], "eq", value, part["value"]) for value in values)
    return any(fits(part["field"], part["op"], value, part["value"]) for value in values)


def fits(field: str, op: str, value: Any, given_: Any) -> bool:
    if op == "in":
        return any(fits(field, "eq", value, each) for each in given_)
    if field in ("entity", "subject", "object"):
        return value in ENTITIES[given_]
    if field == "predicate":
        given_ = given_.replace(" ", "_")
    if field in MOMENTS:  # of a year, month or day the same text is its beginning
        value = value.isoformat()[: len(given_)] if "T" not in given_ else value
        given_ = given_ if "T" not in given_ else datetime.fromisoformat(given_)
    return bool(COMPARE[op](value, given_))


def built() -> tuple[list[dict[str, Any]], list[Kept]]:
    """Forty memories as rows, and as a caller sees them."""
    dice = random.Random(5)
    rows, kept = [], []
    episodes: list[dict[str, Any]] = []
    for number in range(40):
        kind = "episode" if number < 14 else "note" if number < 22 else "fact"
        at = dice.choice(TIMES)
        memory: dict[str, Any] = {"id": f"{STORE}-{number}", "embedding": vector(number, 512), "updated_at": at}
        memory |= {"created_at": dice.choice(TIMES)}
        seen: dict[str, Any] = {"kind": kind, "status": "active", "created_at": memory["created_at"], "updated_at": at}
        links = {"sources": [], "about": dice.sample(["anna", "anna-2", "oslo"], dice.randint(0, 2))}
        if kind == "episode":
            memory |= {name: dice.choice([*CHOICES[name], None]) for name in ("source_id", "session_id")}
            memory |= {"source_type": dice.choice(CHOICES["source_type"]), "occurred_at": at}
            seen |= memory | {"valid_at": at}
            episodes.append(memory)
        else:
            links["sources"] = dice.sample(range(14), dice.randint(0, 3))
            memory |= {name: dice.choice([*CHOICES[name], None]) for name in ("category", "layer", "learning_state")}
            memory |= {
                "approval": dice.choice(["approved", None]),
                "valid_at": at,
                "invalid_at": dice.choice([None, LATE]),
            }
            memory |= {"tags": dice.sample(TAGS, dice.randint(0, 2)), "pinned": dice.choice([True, False, None])}
            memory |= {"disputed": dice.choice([True, False, None])}
            memory |= {name: dice.choice([0.0, 0.25, 0.4, 0.5, 1.0, None]) for name in NUMBERS}
            if kind == "note":
                memory["session_id"] = dice.choice(["z1", None])
            else:
                memory["predicate"] = memory["sense"] = dice.choice(["likes", "lives_in"])
                links |= {
                    "about": [],
                    "subject": [dice.choice(["anna", "me"])],
                    "object": dice.sample(["oslo"], dice.randint(0, 1)),
                }
            seen |= memory
        values = {
            name: value if isinstance(value, list) else [value] for name, value in seen.items() if value is not None
        }
        if kind != "episode":
            values |= {"pinned": [bool(memory["pinned"])], "disputed": [bool(memory["disputed"])]}
            for name in ("source_id", "source_type", "session_id", "occurred_at"):
                from_sources = [episodes[n][name] for n in links["sources"]]
                values[name] = [v for v in [*values.get(name, []), *from_sources] if v is not None]
        else:
            values |= {"pinned": [False], "disputed": [False]}
        values |= {"subject": links.get("subject", []), "object": links.get("object", [])}
        values["entity"] = [*links["about"], *values["subject"], *values["object"]]
        entities = {
            name: [f"{STORE}-{each}" for each in links.get(name, [])] for name in ("about", "subject", "object")
        }
        rows.append(row(STORE, "ana", kind, **memory, **entities, sources=[f"{STORE}-{n}" for n in links["sources"]]))
        kept.append(Kept(memory["id"], values))
    return rows, kept


def entities() -> list[dict[str, Any]]:
    def entity(name: str, key: str, **more: Any) -> dict[str, Any]:
        own = {"id": f"{STORE}-{name}", "store_id": STORE, "owner_key": owner, "name": key, "name_key": key}
        own |= {"identity_key": f"{STORE}-{name}", "aliases": [], "is_actor": name == "me", **more.pop("own", {})}
        return {"properties": own, "aliases": [], "same_as": [], **more}

    owner = owner_key(STORE, "ana")
    alias = {"key": f"{STORE}-annie", "store_id": STORE, "owner_key": owner, "name_key": "annie"}
    return [
        entity("anna", "anna", aliases=[alias]),
        entity("anna-2", "anna marie", same_as=[f"{STORE}-anna"], own={"merged_into": f"{STORE}-anna"}),
        entity("oslo", "oslo"),
        entity("me", "ana", own={"identity_key": actor_identity(owner)}),
    ]


@pytest.fixture(scope="module")
async def everything(memory: Memory) -> AsyncIterator[list[Kept]]:
    """The forty memories of one actor, in a store of their own."""
    rows, kept = built()
    await memory.create_store(StoreIn(id=STORE))
    try:
        await save_entities(memory, entities())
        await save(memory, rows)
        yield kept
    finally:
        await memory.delete_store(STORE)


async def recalled(memory: Memory, given_: dict[str, Any] | None, **more: Any) -> set[str]:
    body = {
        "scope": {"actor_id": "ana"},
        "query": "a plain memory",
        "gate": {"min_score": 0.0, "min_retention": 0.0, "allow_draft": True},
        "limit": 100,
        "validity": "any",
        "dry_run": False,
        "filter": given_,
        **more,
    }
    return {item.id for item in (await memory.recall(STORE, RecallRequest.model_validate(body))).items}


@example(given_={"field": "valid_at", "op": "eq", "value": "2024"}, mode="keyword")
@example(given_={"field": "valid_at", "op": "eq", "value": "2024-03"}, mode="keyword")
@example(given_={"field": "valid_at", "op": "lte", "value": "2024"}, mode="keyword")
@example(given_={"field": "valid_at", "op": "gt", "value": "2024-03"}, mode="keyword")
@example(given_={"and": [ANNA, {"not": OSLO}]}, mode="keyword")
@example(given_={"not": {"or": [{"and": [ANNA, OSLO]}, {"field": "kind", "op": "eq", "value": "note"}]}}, mode="vector")
@given(given_=filters, mode=st.sampled_from(["keyword", "vector", "hybrid"]))
@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_the_engine_reads_a_filter_as_it_is_written(
    memory: Memory, everything: list[Kept], given_: dict[str, Any], mode: str
) -> None:
    before = deepcopy(given_)
    assert await recalled(memory, given_, mode=mode) == {kept.id for kept in everything if holds(given_, kept)}
    assert given_ == before


async def test_without_a_filter_everything_is_found(memory: Memory, everything: list[Kept]) -> None:
    assert await recalled(memory, None) == {kept.id for kept in everything}
