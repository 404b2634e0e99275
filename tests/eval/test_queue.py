"""`graphmem bench recall-under-load` on a real Neo4j, small: the queue is one, and is gone afterwards."""

from __future__ import annotations

from graphmem import Memory
from graphmem.config import Settings
from graphmem.eval.queue import measure


async def test_it_measures_beside_a_queue_and_cleans_up(neo4j_settings: Settings, memory: Memory) -> None:
    await memory.wait_idle()
    seen: list[int] = []

    async with Memory.open(neo4j_settings, work=False) as idle:

        def look(stage: str, fraction: float | None) -> None:
            seen.append(len(stage))

        found = await measure(idle, pending=1_200, recalls=5, progress=look)
    assert found.pending == 1_200
    assert seen
    for value in (found.without_p50, found.with_p50, found.before_p50, found.claim_ms, found.count_ms):
        assert value > 0
    assert found.without_p50 <= found.without_p95
    assert found.ratio == found.with_p50 / found.without_p50
    await memory.wait_idle()
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]
