"""Merging and splitting on the real engine: facts become one history, and come apart exactly."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.models.entity import EntityMerge, EntitySplit
from graphmem.models.fact import Fact
from graphmem.models.manage import ForgetRequest
from graphmem.models.scope import Scope

from .help import ACTOR, entities, entity, facts, names, objects, recalled, say

SCOPE = Scope(actor_id=ACTOR)


async def merge(memory: Memory, store: str, source: str, target: str, reason: str = "one person") -> Any:
    return await memory.merge_entities(
        store, EntityMerge(scope=SCOPE, source_ids=(source,), target_id=target, reason=reason)
    )


async def split(memory: Memory, store: str, entity_id: str, **body: Any) -> Any:
    return await memory.split_entity(store, entity_id, EntitySplit(scope=SCOPE, **body))


def stays(found: list[Fact]) -> list[tuple[str, str, str | None]]:
    return [(*objects([f]), str(f.valid_at)[:10], str(f.invalid_at)[:10] if f.invalid_at else None) for f in found]


def state(found: list[Fact]) -> list[tuple[Any, ...]]:
    """Everything of the facts that a merge and a split must not change."""
    return sorted(
        (f.id, f.text, f.subject.id, f.subject.name, f.predicate, *objects([f]), str(f.valid_at), str(f.invalid_at),
         f.expired_at is None, f.status, f.disputed, f.importance, f.created_at.isoformat(),
         tuple(sorted(s.episode_id for s in f.sources)))
        for f in found
    )  # fmt: skip


async def everything(memory: Memory, store: str) -> Any:
    shown = [(e.id, e.name, e.aliases, e.fact_count, e.merged_from) for e in await entities(memory, store)]
    return state(await facts(memory, store, validity="any")), shown


async def test_two_lives_become_one_timeline_and_come_apart(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Bob", "lives_in", "Oslo"), at="2020-01-01T00:00:00Z")
    await say(memory, store_id, ("Robert Lind", "lives_in", "Rome"), at="2022-01-01T00:00:00Z")
    await say(memory, store_id, ("Mia", "knows", "Bob"), at="2022-02-01T00:00:00Z")
    before = await everything(memory, store_id)
    bob, robert = await entity(memory, store_id, "Bob"), await entity(memory, store_id, "Robert Lind")
    merged = await merge(memory, store_id, bob.id, robert.id)
    assert merged.id == robert.id
    assert merged.aliases == ("Bob",)
    assert [(m.id, m.name, m.reason, m.score) for m in merged.merged_from] == [(bob.id, "Bob", "one person", 1.0)]
    found = await facts(memory, store_id, validity="any", subject="Bob")
    assert stays(found) == [("Oslo", "2020-01-01", "2022-01-01"), ("Rome", "2022-01-01", None)]
    assert {f.subject.id for f in found} == {robert.id}
    assert "Bob" not in await names(memory, store_id)
    assert (await memory.get_entity(store_id, ACTOR, bob.id)).merged_into == await name_of(memory, store_id, robert.id)
    around = await memory.entity_graph(store_id, ACTOR, robert.id)
    assert {f.text for f in around.facts} == {"Mia knows Bob", "Robert Lind lives in Rome"}
    apart = await split(memory, store_id, robert.id)
    assert [e.id for e in apart.entities] == [bob.id]
    assert await everything(memory, store_id) == before
    history = await memory.fact_history(store_id, ACTOR, found[0].id)
    assert [h.event for h in history if h.event in ("merged", "split")] == ["merged", "split"]
    assert "one person" in next(h.reason for h in history if h.event == "merged")


async def name_of(memory: Memory, store: str, entity_id: str) -> Any:
    from graphmem.models.fact import EntityName

    return EntityName(id=entity_id, name=(await memory.get_entity(store, ACTOR, entity_id)).name)


async def test_what_both_said_is_one_fact_until_they_are_split(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Bob", "likes", "tea"), ("Robert", "likes", "tea"), ("Robert", "likes", "ale"))
    bob, robert = await entity(memory, store_id, "Bob"), await entity(memory, store_id, "Robert")
    before = await everything(memory, store_id)
    await merge(memory, store_id, bob.id, robert.id)
    assert sorted(objects(await facts(memory, store_id))) == ["ale", "tea"]
    aside = next(f for f in await facts(memory, store_id, validity="any") if f.text == "Bob likes tea")
    assert aside.expired_at is not None
    history = await memory.fact_history(store_id, ACTOR, aside.id)
    assert ("superseded", "merged") in [(h.event, h.reason) for h in history]
    await split(memory, store_id, bob.id)
    assert await everything(memory, store_id) == before


async def test_repeating_changes_nothing(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Bob", "likes", "tea"), ("Robert", "likes", "tea"))
    bob, robert = await entity(memory, store_id, "Bob"), await entity(memory, store_id, "Robert")
    first = await merge(memory, store_id, bob.id, robert.id)
    once = await everything(memory, store_id)
    assert await merge(memory, store_id, bob.id, robert.id, "again") == first
    assert await everything(memory, store_id) == once
    await split(memory, store_id, bob.id)
    apart = await everything(memory, store_id)
    assert (await split(memory, store_id, bob.id)).entities == ()
    assert (await split(memory, store_id, robert.id)).entities == ()
    assert await everything(memory, store_id) == apart


async def test_a_later_word_goes_back_to_whom_it_named(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Bob", "likes", "tea"), ("Robert", "likes", "ale"))
    bob, robert = await entity(memory, store_id, "Bob"), await entity(memory, store_id, "Robert")
    await merge(memory, store_id, bob.id, robert.id)
    await say(memory, store_id, ("Bob", "owns", "boat"), ("Robert", "owns", "bike"))
    assert {f.subject.id for f in await facts(memory, store_id, predicate="owns")} == {robert.id}
    await split(memory, store_id, bob.id)
    assert sorted(objects(await facts(memory, store_id, subject=bob.id))) == ["boat", "tea"]
    assert sorted(objects(await facts(memory, store_id, subject=robert.id))) == ["ale", "bike"]


async def test_merges_of_merges_come_apart_in_any_order(memory: Memory, store_id: str) -> None:
    await say(
        memory, store_id, ("A1", "likes", "x1"), ("B1", "likes", "x1"), ("C1", "likes", "x1"), ("A1", "knows", "B1")
    )
    a, b, c = [(await entity(memory, store_id, n)).id for n in ("A1", "B1", "C1")]
    before = await everything(memory, store_id)
    for first in (a, b):
        await merge(memory, store_id, a, b)
        await merge(memory, store_id, b, c)
        assert objects(await facts(memory, store_id, predicate="likes")) == ["x1"]
        assert (await entity(memory, store_id, "A1")).id == c
        await split(memory, store_id, first)
        await split(memory, store_id, b if first == a else a)
        assert await everything(memory, store_id) == before


async def test_refusals_name_the_field(memory: Memory, store_id: str) -> None:
    await say(
        memory,
        store_id,
        ("user", "likes", "tea"),
        ("Bob", "likes", "ale"),
        ("Eve", "likes", "gin"),
        ("Dan", "likes", "rum"),
    )
    me = next(e for e in await entities(memory, store_id) if e.is_actor)
    bob, eve, dan = [await entity(memory, store_id, n) for n in ("Bob", "Eve", "Dan")]
    for source, target, error, field in (
        (bob.id, bob.id, InvalidInput, "source_ids.0"),
        (me.id, bob.id, InvalidInput, "source_ids.0"),
        ("nobody", bob.id, NotFound, "source_ids.0"),
        (bob.id, "nobody", NotFound, "target_id"),
    ):
        with pytest.raises(error) as refused:
            await merge(memory, store_id, source, target)
        assert refused.value.field == field
    with pytest.raises(NotFound, match="such entity") as missing:
        await split(memory, store_id, "nobody")
    assert missing.value.field == "entity_id"
    with pytest.raises(Conflict, match="fact_ids"):
        await split(memory, store_id, bob.id)
    await merge(memory, store_id, bob.id, eve.id)
    for source, target in ((bob.id, dan.id), (eve.id, bob.id)):
        with pytest.raises(Conflict):
            await merge(memory, store_id, source, target)
    assert (await merge(memory, store_id, eve.id, me.id)).id == me.id
    other = EntityMerge(scope=Scope(actor_id="somebody else"), source_ids=(dan.id,), target_id=me.id)
    with pytest.raises(NotFound):
        await memory.merge_entities(store_id, other)


async def test_facts_go_to_a_new_entity_and_come_back(memory: Memory, store_id: str) -> None:
    said = await say(
        memory, store_id, ("Ken", "works_at", "Ridge gym"), ("Ken", "works_at", "Orsini"), ("Ken", "likes", "tea"),
        ("Mia", "knows", "Ken"),
    )  # fmt: skip
    ken = await entity(memory, store_id, "Ken")
    gym, knows = said.facts[0].fact.id, said.facts[3].fact.id
    assert any(f.disputed for f in await facts(memory, store_id))
    apart = await split(memory, store_id, ken.id, fact_ids=(gym, knows), context="climbing coach")
    coach = apart.entities[0]
    assert (coach.name, coach.qualifier) == ("Ken (climbing coach)", "climbing coach")
    assert {f.id for f in (await memory.entity_graph(store_id, ACTOR, coach.id)).facts} == {gym, knows}
    assert not any(f.disputed for f in await facts(memory, store_id))
    again = await split(memory, store_id, ken.id, fact_ids=(gym, knows), context="climbing coach")
    assert [e.id for e in again.entities] == [coach.id]
    with pytest.raises(NotFound) as missing:
        await split(memory, store_id, ken.id, fact_ids=(said.facts[2].fact.id, "none"))
    assert missing.value.field == "fact_ids.1"
    await merge(memory, store_id, coach.id, ken.id)
    assert {f.subject.name for f in await facts(memory, store_id, predicate="works_at")} == {"Ken"}


async def test_erasing_a_merged_entity_leaves_nothing_of_either(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Bob", "likes", "tea"))
    await say(memory, store_id, ("Robert", "likes", "tea"))
    bob, robert = await entity(memory, store_id, "Bob"), await entity(memory, store_id, "Robert")
    await merge(memory, store_id, bob.id, robert.id)
    receipt = await memory.forget(
        store_id,
        ForgetRequest.model_validate({"scope": {"actor_id": ACTOR}, "target": {"entity": "Bob"}, "mode": "erase"}),
    )
    assert receipt.verified
    assert await facts(memory, store_id, validity="any") == []
    assert await entities(memory, store_id) == []
    with pytest.raises(NotFound):
        await memory.get_entity(store_id, ACTOR, bob.id)


async def erase(memory: Memory, store: str, *episode_ids: str) -> None:
    body = {"scope": {"actor_id": ACTOR}, "target": {"ids": list(episode_ids)}, "mode": "erase"}
    assert (await memory.forget(store, ForgetRequest.model_validate(body))).verified


async def words(memory: Memory, word: str) -> list[Any]:
    """Labels of the nodes in the whole graph that hold a word."""
    found = await memory.database.driver.execute_query(
        "MATCH (n) WHERE any(k IN keys(n) WHERE toLower(toStringOrNull(n[k])) CONTAINS $word) RETURN labels(n) AS at",
        {"word": word.casefold()},
        database_=memory.database.database,
    )
    return [record["at"] for record in found.records]


async def test_erasing_what_names_a_merged_entity_erases_it(memory: Memory, store_id: str) -> None:
    said = await say(memory, store_id, ("Hexplon", "likes", "tea"))
    await say(memory, store_id, ("Milly", "likes", "milk"))
    later = await say(memory, store_id, ("Mopsy", "knows", "Milly"))
    hexplon, milly = await entity(memory, store_id, "Hexplon"), await entity(memory, store_id, "Milly")
    mopsy = await entity(memory, store_id, "Mopsy")
    await merge(memory, store_id, mopsy.id, hexplon.id)
    await merge(memory, store_id, hexplon.id, milly.id)
    after = await say(memory, store_id, ("Hexplon", "likes", "jam"))
    await erase(memory, store_id, said.episodes[0].id)
    assert "Hexplon" in (await memory.get_entity(store_id, ACTOR, milly.id)).aliases  # the later one names it still
    await erase(memory, store_id, after.episodes[0].id)
    left = await memory.get_entity(store_id, ACTOR, milly.id)
    assert (left.aliases, [m.name for m in left.merged_from]) == (("Mopsy",), ["Mopsy"])
    with pytest.raises(NotFound):
        await memory.get_entity(store_id, ACTOR, hexplon.id)
    assert await words(memory, "hexplon") == []
    await split(memory, store_id, milly.id)
    assert [(f.subject.name, *objects([f])) for f in await facts(memory, store_id)] == [
        *(("Milly", "milk"), ("Mopsy", "Milly")),
    ]
    await erase(memory, store_id, later.episodes[0].id)
    assert await names(memory, store_id) == ["Milly", "milk"]


async def test_erasing_what_names_the_target_of_merges_leaves_the_others_one(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Robert", "likes", "tea"))
    await say(memory, store_id, ("Bob", "lives_in", "Oslo"))
    said = await say(memory, store_id, ("Hexplon", "likes", "milk"))
    robert, bob = await entity(memory, store_id, "Robert"), await entity(memory, store_id, "Bob")
    hexplon = await entity(memory, store_id, "Hexplon")
    await merge(memory, store_id, robert.id, hexplon.id)
    await merge(memory, store_id, bob.id, hexplon.id)
    await say(memory, store_id, ("Bob", "likes", "jam"))
    await erase(memory, store_id, said.episodes[0].id)
    assert await words(memory, "hexplon") == []
    left = await entity(memory, store_id, "Robert")
    assert (left.id, left.aliases, [m.reason for m in left.merged_from]) == (robert.id, ("Bob",), ["one person"])
    assert [(f.subject.name, *objects([f])) for f in await facts(memory, store_id)] == [
        *(("Robert", "jam"), ("Robert", "Oslo"), ("Robert", "tea")),
    ]
    await split(memory, store_id, robert.id)
    assert sorted((f.subject.name, *objects([f])) for f in await facts(memory, store_id)) == [
        *(("Bob", "Oslo"), ("Bob", "jam"), ("Robert", "tea")),
    ]


statement = st.fixed_dictionaries({
    "who": st.sampled_from(["Bob", "Robert", "Mia"]),
    "what": st.sampled_from(
        [("lives_in", "Oslo"), ("lives_in", "Rome"), ("likes", "tea"), ("knows", "Bob"), ("別名", "Bo")]
    ),
    "day": st.integers(1, 9),
    "event": st.sampled_from(["assert", "assert", "assert", "retract"]),
})  # fmt: skip


@settings(
    max_examples=8, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(said=st.lists(statement, min_size=2, max_size=6))
async def test_merge_then_split_is_the_identity(memory: Memory, said: list[dict[str, Any]]) -> None:
    import uuid

    from graphmem.models.manage import StoreIn

    store = f"p-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=store))
    try:
        await say(memory, store, ("Bob", "likes", "ale"), ("Robert", "likes", "ale"))
        for one in said:
            predicate, object_ = one["what"]
            fact = {"subject": one["who"], "predicate": predicate, "object": object_, "event": one["event"]}
            await say(memory, store, fact, at=f"2026-01-0{one['day']}T00:00:00Z")
        before, found = await everything(memory, store), await recalled(memory, store, "Where does Bob live?")
        bob, robert = await entity(memory, store, "Bob"), await entity(memory, store, "Robert")
        await merge(memory, store, bob.id, robert.id)
        assert len(await entities(memory, store)) == len(before[1]) - 1
        await split(memory, store, bob.id)
        assert await everything(memory, store) == before
        assert sorted(await recalled(memory, store, "Where does Bob live?")) == sorted(found)
    finally:
        await memory.delete_store(store)
