"""One pass at a time across processes, and going on after a crash."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import Conflict, DatabaseError
from graphmem.maintain import decay as decay_module
from graphmem.maintain import walk
from graphmem.maintain.lease import leased

from .conftest import World


async def test_a_second_pass_is_refused_and_a_dry_run_is_not(world: World) -> None:
    await world.one("tea", importance=0.0)
    async with leased(world.memory.database, world.store, "purge"):
        for call in (world.decay, world.purge):
            with pytest.raises(Conflict):
                await call(2000)
        assert (await world.decay(2000, dry_run=True)).archived == 1
    assert (await world.decay(2000)).archived == 1


async def test_of_many_callers_in_two_processes_one_at_a_time_works(world: World, neo4j_settings: Settings) -> None:
    for number in range(3):
        await world.one(f"thing {number}", importance=0.0)
    async with Memory.open(neo4j_settings) as other:
        theirs = World(other, world.store)
        calls = [caller.decay(2000) for caller in (world, theirs) for _ in range(5)]
        results = await asyncio.gather(*calls, return_exceptions=True)
    done = [r for r in results if not isinstance(r, BaseException)]
    assert done
    assert all(isinstance(r, Conflict) for r in results if isinstance(r, BaseException))
    assert sum(r.archived for r in done) == 3
    assert (await world.decay(2000)).archived == 0


async def change_lease(world: World, changes: str) -> None:
    await world.memory.database.driver.execute_query(
        f"MATCH (lease:Lease {{store_id: $store}}) SET {changes}",
        {"store": world.store},
        database_=world.memory.database.database,
    )


async def test_a_dead_worker_is_replaced_when_its_lease_runs_out(world: World) -> None:
    await world.one("tea", importance=0.0)
    await world.decay()
    await change_lease(world, "lease.holder = 'dead', lease.until = datetime.realtime() + duration('PT1M')")
    with pytest.raises(Conflict):
        await world.decay(2000)
    await change_lease(world, "lease.until = datetime.realtime() - duration('PT1S')")
    assert (await world.decay(2000)).archived == 1


async def test_a_worker_that_was_replaced_writes_no_more(world: World) -> None:
    tea = await world.one("tea", importance=0.0)
    async with leased(world.memory.database, world.store, "decay") as lease:
        await change_lease(world, "lease.holder = 'other'")
        page = {"after": "", "limit": 10, "archive_below": 1.0, "now": tea.created_at}
        rows = await world.memory.database.run("maintain/decay", {**lease.parameters, **page})
        with pytest.raises(Conflict):
            lease.checked(rows)
    assert (await world.fact(tea.id)).status == "active"
    with pytest.raises(Conflict):  # and the other's lease was not given back
        await world.decay()


async def test_a_pass_that_broke_off_is_finished_by_the_next(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [await world.one(f"thing {number}", importance=0.0) for number in range(5)]
    monkeypatch.setattr(walk, "PAGE", 2)
    step_of = decay_module._step

    def breaking(*args: Any) -> walk.Step:
        step, pages = step_of(*args), 0

        async def broken(after: str, limit: int) -> walk.Row:
            nonlocal pages
            pages += 1
            if pages == 2:
                raise DatabaseError("the server went away")
            return await step(after, limit)

        return broken

    monkeypatch.setattr(decay_module, "_step", breaking)
    with pytest.raises(DatabaseError):
        await world.decay(2000)
    assert len(await world.facts(status="archived")) == 2
    monkeypatch.setattr(decay_module, "_step", step_of)
    rest = await world.decay(2000)
    assert (rest.resumed, rest.examined, rest.archived) == (True, 3, 3)
    assert {f.id for f in await world.facts(status="archived")} == {f.id for f in made}
    whole = await world.decay(2000)
    assert (whole.resumed, whole.examined) == (False, 5)
