"""`expires_at`: what is worth keeping only for a while ends by itself, with or without a pass."""

from __future__ import annotations

import pytest

from graphmem.models.fact import FactPatch

from .conftest import World, later


async def test_an_expired_fact_is_not_recalled_even_before_the_pass(world: World) -> None:
    gone = await world.one("level 3", predicate="parked_on", subject="car", expires_at=later(-1).isoformat())
    kept = await world.one("level 4", predicate="parked_on", subject="bike", expires_at=later(1).isoformat())
    assert gone.expires_at is not None
    assert [f.id for f in await world.facts()] == [kept.id]
    assert [i.id for i in (await world.recall("parked on level")).items] == [kept.id]
    assert {i.id for i in (await world.recall("parked on level", as_of=later(2).isoformat())).items} == set()
    assert gone.id in {f.id for f in await world.facts(validity="any")}
    assert (await world.fact(gone.id)).invalid_at is None  # it was not said to have ended in the world


async def test_the_pass_archives_it_with_the_reason(world: World) -> None:
    cold = await world.one("風邪", predicate="症状", importance=1.0, expires_at=later(3).isoformat())
    assert (await world.decay(2)).expired == 0
    dry = await world.decay(4, dry_run=True)
    assert [(m["id"], m["status"], m["reason"]) for m in dry.would_change] == [(cold.id, "archived", "expired")]
    done = await world.decay(4)
    assert (done.expired, done.archived) == (1, 0)
    assert (await world.fact(cold.id)).archived_reason == "expired"


async def test_the_earlier_of_both_ends_counts(world: World) -> None:
    fact = await world.one(
        "spa", predicate="visits", valid_at="2020", invalid_at="2021", expires_at="2022-01-01T00:00:00Z"
    )
    other = await world.one(
        "gym", predicate="visits", valid_at="2020", invalid_at="2023", expires_at="2022-01-01T00:00:00Z"
    )
    assert fact.invalid_at is not None

    async def at(year: int) -> set[str]:
        return {f.id for f in await world.facts(as_of=f"{year}-06-01T00:00:00Z")}

    assert await at(2020) == {fact.id, other.id}
    assert await at(2021) == {other.id}
    assert await at(2022) == set()


async def test_a_patch_moves_the_end_and_undoes_the_pass(world: World) -> None:
    fact = await world.one("guest code 1234", predicate="wifi", expires_at=later(1).isoformat())
    await world.decay(2)
    longer = await world.memory.update_fact(
        world.store, world.actor, fact.id, FactPatch.model_validate({"expires_at": later(9).isoformat()})
    )
    assert (longer.id, longer.status, longer.archived_reason) == (fact.id, "active", None)
    assert await world.facts(as_of=later(8))
    assert not await world.facts(as_of=later(10))
    endless = await world.memory.update_fact(
        world.store, world.actor, fact.id, FactPatch.model_validate({"expires_at": None})
    )
    assert endless.expires_at is None
    assert await world.facts(as_of=later(10_000))
    now = await world.memory.update_fact(
        world.store, world.actor, fact.id, FactPatch.model_validate({"expires_at": later(-1).isoformat()})
    )
    assert now.expires_at is not None
    assert await world.facts() == []


async def test_a_correction_keeps_the_expiry(world: World) -> None:
    fact = await world.one("room 12", predicate="meets_in", expires_at=later(5).isoformat())
    new = await world.memory.update_fact(world.store, world.actor, fact.id, FactPatch(object="room 13"))
    assert new.id != fact.id
    assert new.expires_at == fact.expires_at
    assert await world.facts(as_of=later(6)) == []


@pytest.mark.parametrize(("again", "until"), [({}, None), ({"expires_at": later(20).isoformat()}, 20)])
async def test_saying_it_again_after_it_expired_begins_anew(
    world: World, again: dict[str, str], until: int | None
) -> None:
    first = await world.one("風邪", predicate="症状", expires_at=later(-1).isoformat())
    await world.decay()
    assert await world.facts() == []
    await world.say("また", {"object": "風邪", "predicate": "症状", **again})
    assert [f.id for f in await world.facts()] == [first.id]
    assert len(await world.facts(as_of=later(30))) == (1 if until is None else 0)


async def test_a_later_settling_keeps_the_end(world: World) -> None:
    fact = await world.one("harbour", predicate="likes", expires_at=later(5).isoformat())
    await world.say("still", {"object": "harbour"})
    await world.say("no", {"object": "harbour", "predicate": "dislikes"}, at=later(7).isoformat())
    assert (await world.fact(fact.id)).expires_at == fact.expires_at
    assert not [f for f in await world.facts(as_of=later(6)) if f.id == fact.id]
