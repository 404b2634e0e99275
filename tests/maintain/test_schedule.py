"""Passes by the clock."""

from __future__ import annotations

import asyncio
from typing import Any

from graphmem.maintain.schedule import regularly
from graphmem.maintain.upkeep import Upkeep
from graphmem.models.maintenance import MaintenanceRequest, MaintenanceResult

from .conftest import World, later


def means(world: World) -> tuple[Any, ...]:
    """What the upkeep of the opened memory works with."""
    memory = world.memory
    return memory.database, memory._ingest.clock, memory._embedder, memory._summaries


class Watched(Upkeep):
    """Upkeep of one store that notes each pass: the test server holds stores of others."""

    def __init__(self, world: World) -> None:
        super().__init__(*means(world))
        self.world, self.purges = world, 0
        self.twice = asyncio.Event()

    async def stores(self):  # type: ignore[no-untyped-def]
        """Only the test's store, and one that is gone."""
        yield "gone-since"
        yield self.world.store

    async def purge(self, store_id: str, request: MaintenanceRequest) -> MaintenanceResult:
        """Count the passes that came so far."""
        done = await super().purge(store_id, request)
        self.purges += 1
        if self.purges == 2:
            self.twice.set()
        return done


async def test_every_store_is_looked_after_again_and_again(world: World) -> None:
    await world.one("harbour", expires_at=later(-1).isoformat())
    upkeep = Watched(world)
    async with regularly(upkeep, hours=0.2 / 3600):
        await asyncio.wait_for(upkeep.twice.wait(), 60)
    assert len(await world.facts(status="archived", validity="any")) == 1
    seen = upkeep.purges
    await asyncio.sleep(0.5)
    assert upkeep.purges == seen


async def test_without_an_interval_nothing_runs(world: World) -> None:
    upkeep = Watched(world)
    async with regularly(upkeep, None):
        await asyncio.sleep(0.3)
    assert upkeep.purges == 0


async def test_all_stores_are_found(world: World) -> None:
    upkeep = Upkeep(*means(world))
    assert world.store in [store async for store in upkeep.stores()]
