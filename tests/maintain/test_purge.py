"""The purge: what was archived or deleted long ago is erased, and nothing that is kept changes."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import DatabaseError, NotFound
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactPatch
from graphmem.models.manage import ForgetRequest, StorePatch
from graphmem.models.session import SessionMessagesIn
from graphmem.store.driver import Transaction

from .conftest import World


async def forget(world: World, **target: Any) -> None:
    request = {"scope": {"actor_id": world.actor}, "target": target, "mode": "archive"}
    await world.memory.forget(world.store, ForgetRequest.model_validate(request))


async def exists(world: World, fact_id: str) -> bool:
    try:
        await world.fact(fact_id)
    except NotFound:
        return False
    return True


@pytest.mark.parametrize(("text", "object_"), [("Ana likes fog", "fog"), ("霧が好きです", "霧")])
async def test_what_was_archived_for_longer_than_the_period_is_erased(world: World, text: str, object_: str) -> None:
    faint = await world.one(object_, importance=0.0, text=text)
    kept = await world.one("sun", importance=1.0)
    await world.decay(1000)
    assert (await world.purge(1000 + 89)).purged == 0
    before = await world.snapshot()
    dry = await world.purge(1000 + 91, dry_run=True)
    assert await world.snapshot() == before
    assert [(m["id"], m["status"], m["reason"]) for m in dry.would_change] == [(faint.id, "purged", "low_retention")]
    done = await world.purge(1000 + 91)
    assert (done.purged, done.changed, done.would_change) == (1, 1, ())
    assert done.examined == dry.examined == 4  # two facts and their episodes
    assert not await exists(world, faint.id)
    assert await exists(world, kept.id)
    left = [row for row in await world.snapshot() if "Fact" in row["labels"]]
    assert text not in str(left)
    assert await world.count("Receipt") == 1


async def test_the_period_is_the_stores(world: World) -> None:
    await world.settings(purge_after_days=7)
    fact = await world.one("fog")
    await forget(world, ids=[fact.id])
    assert (await world.purge(6)).purged == 0
    assert (await world.purge(8)).purged == 1


async def test_a_deleted_fact_goes_and_what_it_had_ended_stays(world: World) -> None:
    first = await world.say("Tacoma", {"predicate": "lives_in", "object": "Tacoma"}, at="2024-01-01T00:00:00Z")
    second = await world.say("Boise", {"predicate": "lives_in", "object": "Boise"}, at="2025-01-01T00:00:00Z")
    await world.memory.delete_fact(world.store, world.actor, second[0].id)
    assert (await world.purge(91)).purged == 1
    assert not await exists(world, second[0].id)
    assert [f.id for f in await world.facts()] == [first[0].id]
    await world.say("Reno", {"predicate": "lives_in", "object": "Reno"}, at="2026-01-01T00:00:00Z")
    assert [f.object.name for f in await world.facts() if f.object] == ["Reno"]


async def test_a_purge_never_makes_an_old_value_true_again(world: World) -> None:
    """The newer value has faded, the older has not: without the newer one, the older would hold again."""
    home = {"predicate": "住んでいる"}
    old = await world.say("東京", home | {"object": "東京", "importance": 1.0}, at="2024-01-01T00:00:00Z")
    new = await world.say("大阪", home | {"object": "大阪", "importance": 0.0}, at="2025-01-01T00:00:00Z")
    assert (await world.decay(730 * 2)).archived == 1
    assert (await world.fact(new[0].id)).status == "archived"
    assert (await world.purge(730 * 2 + 100, dry_run=True)).purged == 0
    assert (await world.purge(730 * 2 + 100)).purged == 0
    assert (await world.fact(old[0].id)).invalid_at is not None

    await world.decay(730 * 5)
    dry = await world.purge(730 * 5 + 100, dry_run=True)
    assert {m["id"] for m in dry.would_change} == {old[0].id, new[0].id}
    assert (await world.purge(730 * 5 + 100)).purged == dry.purged == 2
    assert await world.facts(validity="any") == []


async def test_a_corrected_value_goes_with_its_correction(world: World) -> None:
    await world.say("Kyoto", {"predicate": "lives_in", "object": "Kyoto"}, at="2026-02-01T00:00:00Z")
    fixed = {"predicate": "lives_in", "object": "Nara", "correction": True, "importance": 0.0}
    await world.say("Nara", fixed, at="2026-02-01T00:00:00Z")
    await world.decay(730 * 4)
    done = await world.purge(730 * 4 + 91)
    assert done.purged == 2
    assert await world.facts(validity="any") == []


async def test_policies_and_pins_outlast_the_period_unless_someone_deleted_them(world: World) -> None:
    made = [await world.one(name, category="legal_stopline") for name in ("a", "b")]
    pinned = await world.one("c")
    await world.memory.update_fact(world.store, world.actor, pinned.id, FactPatch(pinned=True))
    await forget(world, ids=[made[0].id, pinned.id])
    await world.memory.delete_fact(world.store, world.actor, made[1].id)
    assert (await world.purge(5000)).purged == 1
    assert [await exists(world, fact.id) for fact in (*made, pinned)] == [True, False, True]


async def test_an_archived_session_goes_with_its_episodes(world: World) -> None:
    body = {
        "scope": {"actor_id": world.actor, "session_id": "s1"},
        "messages": [{"content": "I like snow."}, {"content": "And sleet."}],
        "facts": [{"subject": "user", "predicate": "likes", "object": "snow"}],
    }
    from graphmem.models.episode import RememberRequest

    await world.memory.remember(world.store, RememberRequest.model_validate(body))
    kept = await world.one("sun")
    await forget(world, session_id="s1")
    assert (await world.purge(80)).purged == 0
    dry = await world.purge(91, dry_run=True)
    done = await world.purge(91)
    assert done.purged == 3
    assert dry.purged == 1  # its episodes are counted when the fact that rests on them is gone
    held = str(await world.snapshot())
    assert "snow" not in held
    assert "sleet" not in held
    assert [f.id for f in await world.facts()] == [kept.id]


async def test_audits_of_recalls_are_kept_as_long_as_the_store_says(world: World) -> None:
    await world.one("tea")
    for _ in range(3):
        await world.recall("Does Ana like tea?")
    assert (await world.purge(89)).recalls == 0
    before = await world.snapshot()
    dry = await world.purge(91, dry_run=True)
    assert await world.snapshot() == before
    assert (dry.recalls, dry.changed, dry.purged) == (3, 3, 0)
    patch = StorePatch.model_validate({"settings": {"audit": {"keep_days": 7}}})
    await world.memory.update_store(world.store, patch)
    first = await world.purge(8, limit=4)  # the fact, its episode, and two of the audits
    assert (first.recalls, first.purged) == (2, 0)
    assert first.next_page_token is not None
    assert (await world.purge(8, page_token=first.next_page_token)).recalls == 1
    assert await world.count("Recall") == 0
    assert await world.count("Fact") == 1
    assert await world.count("Receipt") == 0  # nothing of a person was erased


async def test_a_purge_is_cut_by_its_limit_and_goes_on(world: World) -> None:
    for number in range(3):
        await world.one(f"thing {number}", importance=0.0)
    await world.decay(1000)
    token, purged, calls = None, 0, 0
    while True:
        done = await world.purge(1100, limit=2, page_token=token)
        purged, calls, token = purged + done.purged, calls + 1, done.next_page_token
        if token is None:
            break
    assert (purged, calls) == (3, 4)  # three facts, three episodes, and a look that finds no more
    assert await world.count("Fact") == 0


async def test_names_that_nothing_speaks_of_go_too_even_after_a_crash(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.one("snow", importance=0.0)
    await world.memory.forget(
        world.store,
        ForgetRequest.model_validate({"scope": {"actor_id": world.actor}, "target": {"all": True}, "mode": "archive"}),
    )
    run = Transaction.run

    async def broken(self: Transaction, name: str, parameters: dict[str, Any]) -> Any:
        if name == "manage/erase_orphans":
            raise DatabaseError("the server went away")
        return await run(self, name, parameters)

    monkeypatch.setattr(Transaction, "run", broken)
    with pytest.raises(DatabaseError):
        await world.purge(100)
    monkeypatch.setattr(Transaction, "run", run)
    assert "snow" in str(await world.snapshot())
    assert (await world.purge(100)).purged == 0
    assert "snow" not in str(await world.snapshot())


async def test_a_kept_message_goes_with_the_episode_that_came_of_it(world: World) -> None:
    said = {"id": "m1", "role": "user", "content": "I like snow."}
    body = {"scope": {"actor_id": world.actor, "session_id": "s1"}, "messages": [said]}
    await world.memory.remember(world.store, RememberRequest.model_validate(body))
    other = {"id": "m2", "role": "user", "content": "And rain."}
    kept = SessionMessagesIn.model_validate({"scope": {"actor_id": world.actor}, "messages": [said, other]})
    await world.memory.sessions.save_messages(world.store, "s1", kept)
    await forget(world, session_id="s1")
    await world.purge(91)
    left = await world.memory.sessions.messages(world.store, world.actor, "s1")
    assert [message.id for message in left.items] == ["m2"]
