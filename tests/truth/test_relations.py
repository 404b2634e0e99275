"""Relations: what a store says of one changes the history of its facts, as if it had been so from the start."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, NotFound, PreconditionFailed
from graphmem.models.manage import ForgetRequest
from graphmem.models.truth import PredicatePatch
from tests.support.saying import ANA, facts, held, named, say, value

TEA, COFFEE, MILK = "2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z", "2025-01-01T00:00:00Z"


async def ids(memory: Memory, store: str) -> dict[tuple[str, bool], str]:
    return {(value(f), f.polarity): f.id for f in await facts(memory, store, validity="any")}


async def test_from_many_to_one_and_back(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "緑茶", TEA, predicate="uses")
    await say(memory, store_id, "紅茶", COFFEE, predicate="使っている")
    await say(memory, store_id, "紅茶", MILK, predicate="使っている", polarity=False)
    await say(memory, store_id, "水", "2025-02-01T00:00:00Z", predicate="利用している")
    before = await held(memory, store_id, validity="any")
    kept = await ids(memory, store_id)
    changed = await memory.predicates.update(store_id, "使う", PredicatePatch(cardinality="one"), 1)
    assert (changed.name, changed.cardinality, changed.version) == ("uses", "one", 2)
    assert await held(memory, store_id, validity="any") == [
        *("緑茶 2024-01..2024-06", "紅茶 2024-06..2025-01", "紅茶 2025-01..", "水 2025-02.."),
    ]
    assert await ids(memory, store_id) == kept
    await say(memory, store_id, "白湯", "2025-03-01T00:00:00Z", predicate="use")  # a name met only now
    assert "水 2025-02..2025-03" in await held(memory, store_id, validity="any")
    await memory.predicates.update(store_id, "uses", PredicatePatch(cardinality="many"), None)
    assert await held(memory, store_id, validity="any") == [*before, "白湯 2025-03.."]
    assert kept.items() <= (await ids(memory, store_id)).items()


async def test_from_one_to_many_and_back(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Aozora", TEA, predicate="works_at")
    await say(memory, store_id, "Globex", COFFEE, predicate="employer")
    await say(memory, store_id, "Initech", COFFEE, predicate="勤務先", correction=True)
    one = await held(memory, store_id, validity="any")
    assert one == ["Aozora 2024-01..2024-06", "Initech 2024-06.."]
    kept = await ids(memory, store_id)
    await memory.predicates.update(store_id, "employer", PredicatePatch(cardinality="many"), None)
    assert await held(memory, store_id, validity="any") == ["Aozora 2024-01..", "Initech 2024-06.."]
    assert await ids(memory, store_id) == kept
    await memory.predicates.update(store_id, "works_for", PredicatePatch(cardinality="one"), None)
    assert await held(memory, store_id, validity="any") == one
    assert await ids(memory, store_id) == kept


async def test_an_opposite_ends_the_other_also_in_the_past(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "soy", TEA, predicate="eats")
    await say(memory, store_id, "soy", COFFEE, predicate="avoids")
    assert len(await held(memory, store_id)) == 2
    soy = {f.predicate: f.id for f in await facts(memory, store_id)}
    await memory.predicates.update(store_id, "eats", PredicatePatch(opposite="avoids"), None)
    assert await held(memory, store_id, validity="any") == ["soy 2024-01..2024-06", "soy 2024-06.."]
    assert {f.predicate: f.id for f in await facts(memory, store_id, validity="any")} == soy
    assert (await memory.predicates.get(store_id, "avoids")).opposite == "eat"
    await say(memory, store_id, "nuts", TEA, predicate="avoid")
    await say(memory, store_id, "nuts", COFFEE, predicate="eats")
    assert "nuts 2024-01..2024-06" in await held(memory, store_id, validity="any")
    await memory.predicates.update(store_id, "avoids", PredicatePatch(opposite=None), None)
    assert (await memory.predicates.get(store_id, "eats")).opposite is None
    assert len(await held(memory, store_id)) == 4


async def test_a_store_begins_with_the_seeded_relations(memory: Memory, store_id: str) -> None:
    names, token = [], None
    while True:
        page = await memory.predicates.page(store_id, 20, token)
        names += [p.name for p in page.items]
        if (token := page.next_page_token) is None:
            break
    assert names == sorted(set(names))
    assert {"lives_in", "likes", "works_at"} <= set(names)
    likes = await memory.predicates.get(store_id, "好き")
    assert (likes.name, likes.opposite, likes.seeded, likes.version) == ("likes", "dislikes", True, 1)
    assert "好き" in likes.names
    with pytest.raises(NotFound):
        await memory.predicates.get(store_id, "never_heard_of")
    with pytest.raises(NotFound):
        await memory.predicates.update(store_id, "never_heard_of", PredicatePatch(cardinality="one"), None)


async def test_half_life_reaches_facts_and_versions_are_checked(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Oslo", TEA, predicate="住む")
    changed = await memory.predicates.update(store_id, "lives_in", PredicatePatch(half_life_days=5, kind="event"), 1)
    assert (changed.half_life_days, changed.kind, changed.version) == (5.0, "event", 2)
    assert (await named(memory, store_id, "Oslo")).layer == "episodic"
    with pytest.raises(PreconditionFailed):
        await memory.predicates.update(store_id, "lives_in", PredicatePatch(half_life_days=6), 1)
    with pytest.raises(InvalidInput) as refused:
        await memory.predicates.update(store_id, "lives_in", PredicatePatch(opposite="住む"), None)
    assert refused.value.field == "opposite"


async def test_the_reason_says_whether_values_exclude_one_another(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "coffee", "2024-01-01T00:00:00Z", predicate="likes")
    denied = await say(memory, store_id, "coffee", "2024-02-01T00:00:00Z", predicate="likes", polarity=False)
    assert denied.facts[0].reason.startswith("the opposite of what held before, effective 2024-02-01")
    await say(memory, store_id, "Kyoto", "2024-01-01T00:00:00Z")
    moved = await say(memory, store_id, "Nara", "2024-02-01T00:00:00Z")
    assert moved.facts[0].reason.startswith("new value of a one-valued relation, effective 2024-02-01")


async def test_the_name_of_a_relation_that_nobody_defined_is_its_owners(memory: Memory, store_id: str) -> None:
    relation = "is treated for Leprosity at"
    await say(memory, store_id, "St. Anne's", TEA, predicate=relation, cardinality="one")
    await say(memory, store_id, "Mercy", COFFEE, predicate=relation, cardinality="many")
    assert await held(memory, store_id) == ["Mercy 2024-06.."]  # it stays what it was when Ana first spoke of it
    listed = (await memory.predicates.page(store_id, 200, None)).items
    assert not any("leprosity" in f"{p.name} {p.names}".casefold() for p in listed)
    with pytest.raises(NotFound):
        await memory.predicates.get(store_id, relation)
    receipt = await memory.forget(
        store_id, ForgetRequest.model_validate({"scope": ANA.model_dump(), "target": {"all": True}, "mode": "erase"})
    )
    assert receipt.verified
    found = await memory.database.driver.execute_query(
        "MATCH (n) WHERE any(k IN keys(n) WHERE toLower(toStringOrNull(n[k])) CONTAINS 'leprosity') RETURN labels(n)",
        database_=memory.database.database,
    )
    assert found.records == []
    with pytest.raises(NotFound):
        await memory.predicates.update(store_id, relation, PredicatePatch(cardinality="one"), None)
    await say(memory, store_id, "St. Anne's", TEA, predicate=relation)
    await say(memory, store_id, "Mercy", COFFEE, predicate=relation)
    assert len(await held(memory, store_id)) == 2  # nothing is left of what it was


async def test_a_relation_that_is_defined_is_listed_as_its_facts_had_it_and_stays(
    memory: Memory, store_id: str
) -> None:
    await say(memory, store_id, "Ms Ito", TEA, predicate="is taught by", cardinality="one")
    await say(memory, store_id, "Mr Abe", COFFEE, predicate="is taught by")
    defined = await memory.predicates.update(store_id, "is taught by", PredicatePatch(half_life_days=9), None)
    assert (defined.name, defined.cardinality, defined.version) == ("is_taught_by", "one", 2)
    assert await held(memory, store_id, validity="any") == ["Ms Ito 2024-01..2024-06", "Mr Abe 2024-06.."]
    await memory.forget(
        store_id, ForgetRequest.model_validate({"scope": ANA.model_dump(), "target": {"all": True}, "mode": "erase"})
    )
    assert (await memory.predicates.get(store_id, "is taught by")).half_life_days == 9
    assert "is_taught_by" in [p.name for p in (await memory.predicates.page(store_id, 200, None)).items]
