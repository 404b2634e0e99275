"""Both times: what was true then (`as_of`), as the store believed at another time (`known_at`)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from graphmem import Memory
from graphmem.models.fact import FactPatch, FactQuery
from graphmem.models.recall import RecallRequest

from .test_truth import facts, say


def names(found: list[Any]) -> list[str]:
    return [f.object.name for f in found if f.object]


async def recalled(memory: Memory, store: str, **times: Any) -> set[str]:
    answer = await memory.recall(
        store,
        RecallRequest.model_validate(
            {
                "scope": {"actor_id": "ana"},
                "query": "Where does ana live?",
                "kinds": ["fact"],
                "gate": {"min_score": 0.0},
                **times,
            }
        ),
    )
    return {item.path[-1] for item in answer.items}


async def test_a_move_that_was_learned_late(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    before = datetime.now(UTC)
    await say(memory, store_id, "Metz", "2025-01-01T00:00:00Z")
    after = datetime.now(UTC)
    # today's belief: Metz since 2025; the belief of `before`: still Lyon, open-ended
    assert names(await facts(memory, store_id)) == ["Metz"]
    believed = await facts(memory, store_id, known_at=before)
    assert names(believed) == ["Lyon"]
    assert believed[0].invalid_at is None
    assert names(await facts(memory, store_id, known_at=after)) == ["Metz"]
    # both at once
    spring = datetime(2025, 4, 1, tzinfo=UTC)
    assert names(await facts(memory, store_id, known_at=before, as_of=spring)) == ["Lyon"]
    assert names(await facts(memory, store_id, known_at=after, as_of=spring)) == ["Metz"]
    assert names(await facts(memory, store_id, known_at=after, as_of=datetime(2024, 4, 1, tzinfo=UTC))) == ["Lyon"]
    assert await recalled(memory, store_id, known_at=before) == {"Lyon"}
    assert await recalled(memory, store_id, known_at=after) == {"Metz"}
    assert await recalled(memory, store_id, known_at=before, as_of=spring) == {"Lyon"}
    assert await recalled(memory, store_id, known_at=datetime(2020, 1, 1, tzinfo=UTC)) == set()


async def test_a_correction_hides_only_from_later_beliefs(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    before = datetime.now(UTC)
    wrong = (await facts(memory, store_id))[0]
    await memory.update_fact(store_id, "ana", wrong.id, FactPatch(object="Nice"))
    assert names(await facts(memory, store_id)) == ["Nice"]
    believed = await facts(memory, store_id, known_at=before)
    assert names(believed) == ["Lyon"]
    assert believed[0].expired_at is None
    assert await recalled(memory, store_id, known_at=before) == {"Lyon"}
    assert await recalled(memory, store_id) == {"Nice"}


async def test_a_deleted_value_was_believed(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    before = datetime.now(UTC)
    await memory.delete_fact(store_id, "ana", (await facts(memory, store_id))[0].id)
    assert await facts(memory, store_id) == []
    page = await memory.list_facts(store_id, FactQuery(actor_id="ana", known_at=before))
    assert names(list(page.items)) == ["Lyon"]


async def test_the_graph_around_an_entity_as_it_was_believed(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Lyon", "2024-01-01T00:00:00Z")
    before = datetime.now(UTC)
    await say(memory, store_id, "Metz", "2025-01-01T00:00:00Z")
    me = next(e for e in (await memory.list_entities(store_id, "ana")).items if e.is_actor)
    now_ = await memory.entity_graph(store_id, "ana", me.id)
    then = await memory.entity_graph(store_id, "ana", me.id, known_at=before)
    assert (names(list(now_.facts)), names(list(then.facts))) == (["Metz"], ["Lyon"])
