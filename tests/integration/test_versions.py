"""Versions of one source: the last that was accepted stands, in whichever order they are processed."""

from __future__ import annotations

import asyncio
from itertools import permutations

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery

ACTOR = "ana"


def version(number: int) -> RememberRequest:
    """A source that says where its owner lives, at one time whatever the version."""
    return RememberRequest.model_validate(
        {
            "scope": {"actor_id": ACTOR},
            "source": {"type": "document", "id": "s0"},
            "occurred_at": "2026-01-01T00:00:00Z",
            "text": f"I live in City{number}.",
            "facts": [{"subject": "user", "predicate": "lives_in", "object": f"City{number}"}],
        }
    )


async def homes(memory: Memory, store_id: str) -> list[tuple[str, bool]]:
    """Where the owner lives now, and whether that is disputed."""
    facts = (await memory.list_facts(store_id, FactQuery(actor_id=ACTOR))).items
    return [(fact.object.name, fact.disputed) for fact in facts if fact.object]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=lambda order: "".join(map(str, order)))
async def test_versions_are_processed_in_any_order(memory: Memory, store_id: str, order: tuple[int, ...]) -> None:
    saved = [await memory._ingest.save(store_id, version(number)) for number in range(3)]
    for number in order:
        await memory._ingest.finish(saved[number])
    assert await homes(memory, store_id) == [("City2", False)]
    for number in (2, 1):  # without the newest version the one before it stands again
        await memory.delete_episode(store_id, ACTOR, saved[number].episodes[0].id)
        assert await homes(memory, store_id) == [(f"City{number - 1}", False)]


async def test_version_that_failed_keeps_no_older_one_alive(memory: Memory, store_id: str) -> None:
    first, _, last = [await memory._ingest.save(store_id, version(number)) for number in range(3)]
    await memory._ingest.finish(first)
    await memory._ingest.finish(last)  # the one between them waits for somebody
    assert await homes(memory, store_id) == [("City2", False)]


async def test_versions_come_in_parallel(memory: Memory, store_id: str) -> None:
    await asyncio.gather(*(memory.remember(store_id, version(number)) for number in range(10)))
    found = await memory.database.driver.execute_query(
        "MATCH (e:Episode {owner_key: $owner, state: 'live'}) RETURN e.content AS text",
        {"owner": f"{store_id}:{ACTOR}"},
    )
    (standing,) = [record["text"].removeprefix("I live in ").rstrip(".") for record in found.records]
    assert await homes(memory, store_id) == [(standing, False)]
