"""A pass over 100,000 facts: bounded memory, whole, and cheap when nothing changed."""

from __future__ import annotations

import resource
import time

import pytest

from .conftest import World

FACTS = 100_000
BATCH = 5_000


async def load(world: World) -> None:
    """Facts of fifty owners, half of them of no importance."""
    for start in range(0, FACTS, BATCH):
        await world.memory.database.driver.execute_query(
            """UNWIND range($start, $start + $batch - 1) AS i
            CREATE (f:Fact {id: $store + '-' + right('000000' + toString(i), 6), store_id: $store, kind: 'fact',
              owner_key: $store + ':a' + toString(i % 50), text: 'fact ' + toString(i), search: 'fact ' + toString(i),
              predicate: 'likes', sense: 'likes', category: 'general', layer: 'semantic', polarity: true,
              importance: (i % 2) * 1.0, confidence: 0.8, learning_state: 'stated', approval: 'approved',
              status: 'active', state: 'live', pinned: false, tags: [], access_count: 0, half_life_days: 365.0,
              valid_at: datetime(), valid_from: datetime(), valid_to: datetime('9999-12-31T23:59:59Z'),
              created_at: datetime(), updated_at: datetime(), version: 1, slot_key: $store + toString(i)})""",
            {"start": start, "batch": BATCH, "store": world.store},
            database_=world.memory.database.database,
        )


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_100_000_facts_in_one_pass(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await load(world)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = []
    for name, days, archived in (("first", 0, 0), ("again", 0.001, 0), ("years later", 730, FACTS // 2)):
        began = time.monotonic()
        done = await world.decay(days)
        lines.append(f"{name}: {time.monotonic() - began:.1f} s, {done.changed} changed, {done.archived} archived")
        assert (done.examined, done.archived) == (FACTS, archived)
    began = time.monotonic()
    assert (await world.decay(730, dry_run=True)).archived == 0
    lines.append(f"dry run: {time.monotonic() - began:.1f} s")
    began = time.monotonic()
    assert (await world.purge(830)).purged == FACTS // 2
    lines.append(f"purge: {time.monotonic() - began:.1f} s")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    with capsys.disabled():
        print("\n" + "\n".join(lines) + f"\nclient grew by {grown:.0f} MiB")
    assert grown < 100
