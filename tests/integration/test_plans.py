"""Queries planned ahead: all that remembering runs, and nothing of them is kept."""

from __future__ import annotations

from graphmem import Memory
from graphmem.config import Settings
from graphmem.eval.ledger import Ledger
from graphmem.ingest.worker import PLANNED
from graphmem.models.episode import RememberRequest
from graphmem.store.catalog import query

STEPS = {"reading", "embedding", "commit"}


async def test_all_that_remembering_runs_is_planned(neo4j_settings: Settings, store_id: str) -> None:
    ledger = Ledger()
    body = {
        "scope": {"actor_id": "haruka"},
        "text": "I live in Kyoto. My sister Anna likes tea.",
        "extraction": "offline",
    }
    async with Memory.open(neo4j_settings, observer=ledger.add, work=False) as memory:
        ledger.clear()
        result = await memory.remember(store_id, RememberRequest.model_validate(body))
    assert result.facts
    names = {part.name for part in ledger.parts(1.0)}
    assert names - STEPS <= set(PLANNED)
    assert {query(name).name for name in PLANNED} == set(PLANNED)


async def test_planning_writes_nothing_and_ends(neo4j_settings: Settings, store_id: str) -> None:
    async with Memory.open(neo4j_settings, work=False) as memory:
        memory.warm_up()
        memory.warm_up()
        plans = memory._worker._plans
        assert plans._task is not None
        await plans._task
        assert not plans._left
    # a lock of nobody would be a node without an owner
    async with Memory.open(neo4j_settings, work=False) as memory:
        found = await memory.database.driver.execute_query(
            "MATCH (lock:OwnerLock) WHERE lock.owner_key IS NULL RETURN count(*) AS locks"
        )
        assert found.records[0]["locks"] == 0


async def test_planning_is_broken_off_at_the_end(neo4j_settings: Settings) -> None:
    async with Memory.open(neo4j_settings, work=False) as memory:
        memory.warm_up()
    task = memory._worker._plans._task
    assert task is not None
    assert task.done()
