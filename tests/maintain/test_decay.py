"""The decay pass on the real engine: what fades, what does not, what comes back."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, NotFound
from graphmem.maintain import walk
from graphmem.models.fact import FactPatch
from graphmem.models.maintenance import MaintenanceRequest

from .conftest import World, later


async def test_what_fades_is_archived_with_its_reason_and_out_of_recall(world: World) -> None:
    tea = await world.one("ほうじ茶", predicate="好き", importance=0.2)
    keen = await world.one("climbing", importance=0.9)
    first = await world.decay()
    assert (first.examined, first.changed, first.archived) == (2, 2, 0)  # the first scores
    done = await world.decay(365 * 2.5)
    assert (done.examined, done.changed, done.archived, done.next_page_token) == (2, 2, 1, None)

    faded = await world.fact(tea.id)
    assert (faded.status, faded.archived_reason) == ("archived", "low_retention")
    assert faded.archived_at is not None
    assert faded.archived_at > later(365 * 2)
    assert faded.version == tea.version + 1
    assert faded.updated_at == tea.updated_at  # archiving does not make it young again
    history = await world.memory.fact_history(world.store, world.actor, tea.id)
    assert [(h.event, h.reason) for h in history] == [("created", "first said"), ("archived", "low_retention")]
    assert [f.id for f in await world.facts()] == [keen.id]
    assert [f.id for f in await world.facts(status="archived")] == [tea.id]
    answer = await world.recall("ほうじ茶が好きですか", explain=True)
    assert answer.items == ()
    assert answer.audit.reasons["low_retention"] == 1


async def test_a_pass_that_finds_nothing_new_writes_nothing(world: World) -> None:
    await world.one("tea")
    at = later(10)
    request = MaintenanceRequest(as_of=at)
    await world.memory.decay(world.store, request)
    before = await world.snapshot()
    assert (await world.memory.decay(world.store, request)).changed == 0
    after = await world.snapshot()
    assert [n for n in after if "Lease" not in n["labels"]] == [n for n in before if "Lease" not in n["labels"]]


async def test_a_dry_run_names_what_would_change_and_writes_nothing(world: World) -> None:
    faint = await world.one("fog", importance=0.0)
    await world.one("sun", importance=1.0)
    await world.decay()
    before = await world.snapshot()
    dry = await world.decay(1000, dry_run=True)
    assert await world.snapshot() == before
    moved = dry.would_change[0]
    assert (dry.archived, len(dry.would_change)) == (1, 1)
    assert (moved["id"], moved["status"], moved["reason"]) == (faint.id, "archived", "low_retention")
    assert moved["from"] == pytest.approx(0.35, abs=1e-3)
    assert moved["to"] < 0.1
    real = await world.decay(1000)
    assert real.would_change == ()
    counted = ("examined", "changed", "archived", "expired", "restored")
    assert [getattr(real, name) for name in counted] == [getattr(dry, name) for name in counted]


async def test_pins_policies_and_exempt_tags_do_not_fade(world: World) -> None:
    await world.settings(exempt_tags=["家訓"])
    kept = [await world.one(name, importance=0.0, category=category) for name, category in
            (("a", "long_term_policy"), ("b", "legal_stopline"), ("c", "家訓"))]  # fmt: skip
    pinned, tagged = await world.one("d", importance=0.0), await world.one("e", importance=0.0)
    await world.memory.update_fact(world.store, world.actor, pinned.id, FactPatch(pinned=True))
    await world.memory.update_fact(world.store, world.actor, tagged.id, FactPatch(tags=("legal_stopline",)))
    await world.one("f", importance=0.0)
    assert (await world.decay(50_000)).archived == 1
    assert len(await world.facts()) == len(kept) + 2


async def test_being_recalled_keeps_a_memory_and_a_dry_run_does_not(world: World) -> None:
    used = await world.one("kendo", importance=0.0, text="Ana likes kendo")
    for _ in range(3):
        assert (await world.recall("Does Ana like kendo?")).items
    for _ in range(3):
        await world.recall("Does Ana like kendo?", dry_run=True)
    assert (await world.fact(used.id)).access_count == 3
    idle = await world.one("judo", importance=0.0)
    assert (await world.decay(50_000)).archived == 1
    assert [f.id for f in await world.facts(status="archived")] == [idle.id]
    assert (await world.fact(used.id)).retention == pytest.approx(0.12 + 0.35, abs=1e-3)


async def test_half_lives_by_layer_predicate_and_category_count_at_once(world: World) -> None:
    home = await world.one("京都", predicate="住んでいる", importance=1.0)
    visit = await world.one("奈良", predicate="visited", importance=1.0)
    tea = await world.one("tea", importance=1.0)
    assert visit.layer == "episodic"
    await world.settings(half_life_by_layer={"episodic": 1}, half_life_by_predicate={"lives_in": 2},
                         half_life_by_category={"preference": 4}, archive_below=0.3)  # fmt: skip
    dry = await world.decay(4, dry_run=True)
    assert {m["id"]: m["to"] for m in dry.would_change} == {
        home.id: pytest.approx(0.25, abs=1e-3), visit.id: pytest.approx(0.0625, abs=1e-3)
    }  # fmt: skip
    assert (await world.decay(9, dry_run=True)).archived == 3
    await world.settings()
    assert (await world.decay(9, dry_run=True)).archived == 0
    assert (await world.fact(tea.id)).retention == pytest.approx(1.0, abs=1e-3)


async def test_read_time_retention_follows_the_store_too(world: World) -> None:
    tea = await world.one("tea", importance=1.0)
    await _age(world, tea.id, days=10)
    assert (await world.fact(tea.id)).retention > 0.95
    await world.settings(half_life_by_category={"preference": 10})
    values = [
        (await world.fact(tea.id)).retention,
        (await world.facts())[0].retention,
        (await world.recall("likes tea", dry_run=True)).items[0].retention,
        (await world.memory.entity_graph(world.store, world.actor, tea.object.id if tea.object else ""))
        .facts[0]
        .retention,
    ]
    assert values == pytest.approx([0.5] * 4, abs=1e-3)


async def _age(world: World, fact_id: str, days: float) -> None:
    await world.memory.database.driver.execute_query(
        "MATCH (f:Fact {id: $id}) SET f.updated_at = $at",
        {"id": fact_id, "at": later(-days)},
        database_=world.memory.database.database,
    )


async def test_what_no_longer_holds_is_undone(world: World) -> None:
    tea = await world.one("tea", importance=0.0)
    await world.decay(2000)
    assert await world.facts() == []
    back = await world.decay()  # the clock was wrong
    assert back.restored == 1
    live = await world.fact(tea.id)
    assert (live.status, live.archived_at, live.archived_reason) == ("active", None, None)
    assert (await world.recall("likes tea")).items

    await world.decay(2000)
    await world.memory.update_fact(world.store, world.actor, tea.id, FactPatch(pinned=True))
    assert (await world.decay(2001)).restored == 1
    assert (await world.decay(9000)).archived == 0


async def test_what_a_person_archived_stays_archived(world: World) -> None:
    from graphmem.models.manage import ForgetRequest

    tea = await world.one("tea")
    await world.memory.forget(
        world.store,
        ForgetRequest.model_validate({"scope": {"actor_id": world.actor}, "target": {"ids": [tea.id]}}),
    )
    assert (await world.decay()).restored == 0
    assert (await world.fact(tea.id)).status == "archived"


@pytest.mark.parametrize(("object_", "text"), [("green tea", "I like green tea."), ("緑茶", "緑茶が好きです。")])
async def test_saying_it_again_brings_it_back(world: World, object_: str, text: str) -> None:
    first = (await world.say(text, {"object": object_, "importance": 0.0}))[0]
    await world.decay(2000)
    assert await world.facts() == []
    await world.say(text + " !", {"object": object_})
    found = await world.facts()
    assert [f.id for f in found] == [first.id]
    assert found[0].archived_reason is None
    assert (await world.recall(object_)).items


async def test_a_message_from_the_future_and_one_from_long_ago_are_both_new(world: World) -> None:
    parade = {"subject": "parade", "predicate": "starts_at", "object": "mill"}
    await world.say("The parade starts at the mill.", parade, at=later(10).isoformat())
    place = {"subject": "予備の蔵の鍵", "predicate": "場所", "object": "柱時計の中"}
    key = await world.say("予備の蔵の鍵は柱時計の中に貼ってある。", place, at="2021-04-01T09:00:00+09:00")
    assert (await world.decay()).archived == 0
    assert (await world.recall("予備の蔵の鍵はどこですか")).items[0].id == key[0].id
    everything = await world.recall("parade mill", validity="any")
    assert everything.items
    assert all(0 <= item.score <= 1 and 0 <= (item.retention or 0) <= 1 for item in everything.items)


async def test_pages_go_on_from_where_the_limit_ended_the_call(world: World) -> None:
    for number in range(5):
        await world.one(f"thing {number}", importance=0.0)
    seen, token = 0, None
    sizes = []
    while True:
        done = await world.decay(2000, limit=2, page_token=token)
        seen += done.archived
        sizes.append(done.examined)
        assert not done.resumed
        token = done.next_page_token
        if token is None:
            break
    assert (seen, sizes) == (5, [2, 2, 1])


async def test_small_pages_come_to_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        await world.one(f"thing {number}", importance=number / 10)
    whole = await world.decay(800, dry_run=True)
    monkeypatch.setattr(walk, "PAGE", 3)
    parts = await world.decay(800, dry_run=True)
    assert parts.model_dump(exclude={"as_of"}) == whole.model_dump(exclude={"as_of"})
    assert 0 < whole.archived < 7
    assert (await world.decay(800)).archived == whole.archived


async def test_a_token_of_another_call_is_refused(world: World) -> None:
    await world.one("a")
    await world.one("b")
    token = (await world.decay(limit=1, dry_run=True)).next_page_token
    for wrong in ("x", "decay:notes:", f"{token}'", str(token).replace("decay", "purge")):
        with pytest.raises(InvalidInput) as error:
            await world.decay(page_token=wrong)
        assert error.value.field == "page_token"


async def test_other_stores_are_left_alone(world: World, memory: Memory) -> None:
    with pytest.raises(NotFound):
        await memory.decay("no-such-store")
    with pytest.raises(NotFound):
        await memory.purge("no-such-store")
    assert (await world.decay()).examined == 0


async def test_an_age_beyond_all_bounds_is_zero_not_an_error(world: World) -> None:
    tea = await world.one("tea", importance=0.0)
    done = await world.memory.decay(world.store, MaintenanceRequest.model_validate({"as_of": "9999-12-31T00:00:00Z"}))
    assert done.archived == 1
    assert not math.isnan((await world.fact(tea.id)).retention)
    assert (await world.decay(-3650 * 20)).restored == 1  # a clock that runs behind
    assert timedelta(0) < later(1) - (await world.fact(tea.id)).updated_at
