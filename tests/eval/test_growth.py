"""`graphmem bench --growth`, small: it measures both sizes and leaves nothing behind."""

from __future__ import annotations

from graphmem import Memory
from graphmem.eval.growth import measure


async def test_it_measures_two_sizes_and_cleans_up(memory: Memory) -> None:
    before = {store.id for store in (await memory.list_stores(page_size=200)).items}
    found = await measure(memory, small=50, large=500)
    assert found.small_ms > 0
    assert found.ratio == found.large_ms / found.small_ms
    assert {store.id for store in (await memory.list_stores(page_size=200)).items} <= before
