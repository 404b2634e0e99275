"""A filter inside the query: every arm gets its full share, and nothing is shown that would not be shown without it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.fact import FactQuery
from graphmem.models.ids import owner_key
from graphmem.models.manage import ForgetRequest, StoreIn
from graphmem.models.recall import RecallRequest, RecallResult
from tests.support.filtered import row, save, save_entities, towards

from .test_truth import say

STORE = "t-filter-selective"
QUERY = "the garden of Anna"
MARCH = datetime(2021, 3, 1, tzinfo=UTC)
RARE = {"field": "tags", "op": "contains", "value": "rare"}
NO_GATE = {"min_score": 0.0, "min_retention": 0.0}


@dataclass(frozen=True)
class Crowd:
    """Two thousand facts of one actor: the nearest to the query first, and the five rare ones."""

    near: list[str]
    far: list[str]
    rare: set[str]


async def recall(memory: Memory, store: str, **more: Any) -> RecallResult:
    body = {"scope": {"actor_id": "ana"}, "query": QUERY, "gate": NO_GATE, "kinds": ["fact"], "dry_run": False, **more}
    return await memory.recall(store, RecallRequest.model_validate(body))


def ids(result: RecallResult) -> list[str]:
    return [item.id for item in result.items]


@pytest.fixture(scope="module")
async def crowd(memory: Memory) -> AsyncIterator[Crowd]:
    """All are about Anna and the garden; five are the oldest, the farthest from the query and the longest to read."""
    asked = [float(x) for x in await memory._embedder.embed_query(QUERY)]
    owner = owner_key(STORE, "ana")
    anna = {"id": f"{STORE}-anna", "store_id": STORE, "owner_key": owner, "name": "Anna", "name_key": "anna"}
    anna |= {"identity_key": f"{STORE}-anna", "aliases": [], "is_actor": False}
    session = row(STORE, "ana", "episode", id=f"{STORE}-said", session_id="s-rare", text="nothing", occurred_at=MARCH)
    rows, near, far, rare = [session], [], [], set()
    for number in range(2000):
        common = {"id": f"{STORE}-{number:04d}", "subject": [anna["id"]], "predicate": "has", "sense": "has"}
        if number < 5:
            rare.add(common["id"])
            text = f"{'word ' * 60} garden {number}"
            own = {
                "tags": ["rare"],
                "embedding": [-x for x in asked],
                "valid_at": MARCH,
                "sources": [session["properties"]["id"]],
            }
        else:
            text = f"garden of Anna {number}"
            group, cosine = (near, 0.95 - number / 4000) if number < 900 else (far, 0.6 - number / 4000)
            group.append(common["id"])
            own = {
                "category": "near" if group is near else "far",
                "valid_at": MARCH + timedelta(hours=number % 600 + 1),
            }
            own["embedding"] = towards(asked, cosine, number)
        rows.append(row(STORE, "ana", "fact", text=text, **common, **own))
    await memory.create_store(StoreIn(id=STORE))
    try:
        await save_entities(memory, [{"properties": anna, "aliases": [], "same_as": []}])
        await save(memory, rows)
        yield Crowd(near, far, rare)
    finally:
        await memory.delete_store(STORE)


@pytest.mark.parametrize("mode", ["vector", "keyword", "hybrid"])
@pytest.mark.parametrize("how", ["filter", "scope", "both"])
async def test_five_of_two_thousand_are_found_though_they_are_far(
    memory: Memory, crowd: Crowd, mode: str, how: str
) -> None:
    more: dict[str, Any] = {} if how == "scope" else {"filter": RARE}
    if how != "filter":
        more["scope"] = {"actor_id": "ana", "session_id": "s-rare"}
    found = await recall(memory, STORE, mode=mode, **more)
    assert set(ids(found)) == crowd.rare
    assert found.audit.considered == 5
    assert all(item.scores["keyword" if mode == "keyword" else "vector"] > 0 for item in found.items) == (
        mode == "keyword"
    )


async def test_the_arms_of_names_and_times_get_their_full_share(memory: Memory, crowd: Crowd) -> None:
    named = await recall(memory, STORE, filter=RARE, query="Anna")
    assert set(ids(named)) == crowd.rare
    assert all(item.scores["graph"] > 0 for item in named.items)
    timed = await recall(memory, STORE, filter=RARE, query="in March 2021", mode="keyword")
    assert set(ids(timed)) == crowd.rare
    assert all(item.scores["time"] == 1.0 for item in timed.items)


async def test_a_word_that_no_index_holds_is_found_in_what_is_left(memory: Memory, crowd: Crowd) -> None:
    """A stop word alone is looked for as a pattern, in the first that come."""
    found = await recall(memory, STORE, query="of", mode="keyword", filter={"not": RARE}, limit=3)
    assert len(found.items) == 3
    assert not (await recall(memory, STORE, query="of", mode="keyword", filter=RARE)).items


async def test_a_wide_filter_gives_the_nearest_of_all_that_it_leaves(memory: Memory, crowd: Crowd) -> None:
    wide = {"field": "category", "op": "in", "value": ["near", "far"]}
    assert ids(await recall(memory, STORE, mode="vector", filter=wide, limit=10)) == crowd.near[:10]
    # more than a thousand, none of them among the nearest that the index gives
    far = {"field": "category", "op": "eq", "value": "far"}
    assert ids(await recall(memory, STORE, mode="vector", filter=far, limit=10)) == crowd.far[:10]


async def test_a_filter_shows_nothing_of_others(memory: Memory, crowd: Crowd) -> None:
    for given in (RARE, {"field": "entity", "op": "eq", "value": f"{STORE}-anna"}, {"not": RARE}):
        assert not (await recall(memory, STORE, filter=given, scope={"actor_id": "bo"})).items
    assert len((await recall(memory, STORE, filter=RARE, scope={"actor_id": ["bo", "ana"]})).items) == 5


async def test_state_and_validity_hold_beside_a_filter(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    await say(memory, store_id, "Metz", "2025-01-01T00:00:00Z")
    lives = {"field": "predicate", "op": "eq", "value": "lives in"}
    metz = {"and": [lives, {"field": "object", "op": "eq", "value": "Metz"}]}
    ended = {"field": "invalid_at", "op": "exists", "value": True}

    async def places(given: dict[str, Any], **more: Any) -> list[str]:
        return [item.path[-1] for item in (await recall(memory, store_id, filter=given, **more)).items]

    assert await places(lives) == ["Metz"]
    assert await places({"field": "object", "op": "eq", "value": "Lyon"}) == []
    assert await places(ended) == []
    assert await places(ended, validity="any") == ["Lyon"]
    assert await places(lives, as_of="2024-06-01T00:00:00Z") == ["Lyon"]
    assert await places(metz, as_of="2024-06-01T00:00:00Z") == []


async def test_times_are_those_that_were_believed(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    before = datetime.now(UTC)
    await say(memory, store_id, "Metz", "2025-01-01T00:00:00Z")
    open_end = {"field": "invalid_at", "op": "exists", "value": False}
    lyon = {"and": [open_end, {"field": "object", "op": "eq", "value": "Lyon"}]}
    assert len((await recall(memory, store_id, filter=lyon, known_at=before)).items) == 1
    assert not (await recall(memory, store_id, filter=lyon, validity="any")).items


async def test_what_is_archived_is_counted_and_not_shown(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    page = await memory.list_facts(store_id, FactQuery(actor_id="ana"))
    forget = {"scope": {"actor_id": "ana"}, "target": {"ids": [page.items[0].id]}, "mode": "archive"}
    await memory.forget(store_id, ForgetRequest.model_validate(forget))
    for status in ("archived", "deleted", "active"):
        given = {"field": "status", "op": "eq", "value": status}
        found = await recall(memory, store_id, filter=given, dry_run=True, validity="any")
        assert not found.items
        assert found.audit.reasons == ({"low_retention": 1} if status == "archived" else {})
