"""Names, contexts, aliases and pronouns: which entity a written name means."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from graphmem import Memory
from graphmem.models.entity import EntitySplit
from graphmem.models.episode import FactIn
from graphmem.models.names import entity_key, is_pronoun, read_name
from graphmem.models.scope import Scope

from .help import ACTOR, entities, entity, facts, objects, recalled, say


@pytest.mark.parametrize(("written", "key", "context"), [
    ("Ken Morikawa (accounting)", "ken morikawa", "accounting"), ("田中（経理）", "田中", "経理"),
    ("田中(IT)", "田中", "it"),
    ("f(x)", "f(x)", None), ("iPhone (2023)", "iphone (2023)", None), ("東京（とうきょう）", "東京", None),
    ("田島一郎さん", "田島一郎", None), ("佐藤 様", "佐藤", None), ("アンナちゃん", "アンナ", None),
    ("Mike さん", "mike", None),
    ("森さん", "森さん", None), ("お客様", "お客様", None), ("奥さん", "奥さん", None), ("彼氏", "彼氏", None),
    ("仕様", "仕様", None),
    ("ＫＢＺ商事", "kbz商事", None), ("Zoe\u0301", "zoé", None),
])  # fmt: skip
def test_written_names(written: str, key: str, context: str | None) -> None:
    found = read_name(written)
    assert (found.key, found.qualifier_key) == (key, context)


def test_symbols_digits_and_versions_stay() -> None:
    kept = [
        "C",
        "C++",
        "C#",
        "2023",
        "2024",
        "v1.2",
        "v1.3",
        "GPT-4",
        "GPT-4o",
        "F#",
        ".NET",
        "川井",
        "河合",
        "iPhone (2023)",
        "iPhone (2024)",
    ]
    assert len({entity_key(name) for name in kept}) == len(kept)


@pytest.mark.parametrize("word", ["she", "They", " it ", "this", "彼女", "それ", "自分", "弊社", "ｓｈｅ"])
def test_pronouns(word: str) -> None:
    assert is_pronoun(word)


@pytest.mark.parametrize("word", ["IT", "US", "Ito", "Shea", "彼方", "自分史"])
def test_other_words_are_names(word: str) -> None:
    assert not is_pronoun(word)


@pytest.mark.parametrize("field", ["subject", "object"])
def test_a_given_pronoun_is_refused_by_field(field: str) -> None:
    given: dict[str, Any] = {"subject": "Mia", "predicate": "knows", "object": "Bob", field: "彼女"}
    with pytest.raises(ValidationError) as refused:
        FactIn.model_validate(given)
    assert [error["loc"] for error in refused.value.errors()] == [(field,)]
    FactIn.model_validate(given | {field: {"name": "It", "type": "thing"}})


async def test_the_first_person_is_the_actor(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("I", "likes", "tea"), ("私", "likes", "そば"))
    assert {f.subject.name for f in await facts(memory, store_id)} == {ACTOR}


async def test_an_alias_finds_its_entity(memory: Memory, store_id: str) -> None:
    full = "William Adeyemi-Rowe"
    await say(memory, store_id, (full, "alias", "Tunde"), (full, "owns", "sailboat"))
    await say(memory, store_id, ("Tunde", "painted_sailboat", "green"))
    found = await entity(memory, store_id, "tunde")
    assert (found.name, found.aliases) == (full, ("Tunde",))
    assert len(await facts(memory, store_id, subject="Tunde")) == 3
    assert any("green" in text for text in await recalled(memory, store_id, f"What colour is {full}'s sailboat?"))
    assert any("owns" in text for text in await recalled(memory, store_id, "What does Tunde own?"))


async def test_a_nickname_in_japanese_with_and_without_honorific(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("田島一郎さん", "別名", "イッチー"), ("田島一郎さん", "経営", "ラーメン店"))
    await say(memory, store_id, ("イッチー", "新店", "小倉"), ("田島一郎", "好き", "釣り"))
    found = await entity(memory, store_id, "田島一郎")
    assert found == await entity(memory, store_id, "田島一郎様")
    assert found.fact_count == 4
    assert any("小倉" in text for text in await recalled(memory, store_id, "田島一郎さんの新店はどこですか"))


async def test_a_reading_in_brackets_is_another_name(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("佐渡谷みのり(Minori Sadoya)", "弾く", "琴"))
    await say(memory, store_id, ("Minori Sadoya", "lives_in", "Otaru"))
    found = await entity(memory, store_id, "Minori Sadoya")
    assert (found.name, found.aliases) == ("佐渡谷みのり", ("Minori Sadoya",))
    assert any("Otaru" in t for t in await recalled(memory, store_id, "佐渡谷みのりさんはどこに住んでいますか"))


async def test_an_alias_that_is_an_entity_is_merged_and_comes_apart_with_its_source(
    memory: Memory, store_id: str
) -> None:
    await say(memory, store_id, ("Tunde", "lives_in", "Lagos"), at="2024-01-01T00:00:00Z")
    tunde = await entity(memory, store_id, "Tunde")
    await say(memory, store_id, ("William", "lives_in", "Porto"), at="2025-01-01T00:00:00Z")
    said = await say(
        memory, store_id, ("William", "nickname", "Tunde"), ("Tunde", "likes", "tea"), at="2026-01-01T00:00:00Z"
    )
    assert [d.event for d in said.facts] == ["ADD", "ADD"]
    william = await entity(memory, store_id, "Tunde")
    assert william.name == "William"
    assert [(m.id, m.score) for m in william.merged_from] == [(tunde.id, 1.0)]
    assert objects(await facts(memory, store_id, predicate="lives_in")) == ["Porto"]
    await memory.delete_episode(store_id, ACTOR, said.episodes[0].id)
    assert sorted(objects(await facts(memory, store_id, predicate="lives_in"))) == ["Lagos", "Porto"]
    assert (await entity(memory, store_id, "Tunde")).id == tunde.id
    assert (await entity(memory, store_id, "William")).aliases == ()


async def test_who_was_taken_out_by_hand_is_not_merged_again(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Tunde", "likes", "tea"))
    await say(memory, store_id, ("William", "alias", "Tunde"))
    william = await entity(memory, store_id, "William")
    await memory.split_entity(store_id, william.id, EntitySplit(scope=Scope(actor_id=ACTOR)))
    await say(memory, store_id, ("William", "alias", "Tunde"), at="2026-05-01T00:00:00Z")
    assert len(await entities(memory, store_id, "Tunde")) == 2


async def test_a_deleted_alias_names_nobody(memory: Memory, store_id: str) -> None:
    said = await say(memory, store_id, ("William", "alias", "Tunde"))
    await memory.delete_fact(store_id, ACTOR, said.facts[0].fact.id)
    assert await entities(memory, store_id, "Tunde") == []


async def test_one_name_two_contexts(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Ken Morikawa (accounting)", "allergic_to", "peanuts"))
    await say(
        memory,
        store_id,
        ("Ken Morikawa (climbing coach)", "eats", "peanuts"),
        ("Ken Morikawa (climbing coach)", "works_at", "Ridge gym"),
    )
    both = await entities(memory, store_id, "Ken Morikawa")
    assert [e.qualifier for e in both] == ["accounting", "climbing coach"]
    assert [e.qualifier for e in await entities(memory, store_id, "ken morikawa (Accounting)")] == ["accounting"]
    assert not any(f.disputed for f in await facts(memory, store_id))
    found = await recalled(memory, store_id, "Where does my climbing coach Ken Morikawa work?")
    assert "Ridge" in found[0]
    assert not any("allergic" in text for text in found)
    await say(memory, store_id, ("Ken Morikawa", "likes", "tea"), text="Ken Morikawa from accounting likes tea.")
    await say(memory, store_id, ("Ken Morikawa", "likes", "rope"), text="Went climbing, Ken Morikawa likes rope.")
    await say(memory, store_id, ("Ken Morikawa", "likes", "jazz"), text="Ken Morikawa likes jazz.")
    likes = {f.object.name: f.subject.id for f in await facts(memory, store_id, predicate="likes") if f.object}
    accounting, coach = both
    assert likes == {"tea": accounting.id, "rope": coach.id, "jazz": coach.id}
    assert len(await entities(memory, store_id, "Ken Morikawa")) == 2


async def test_a_context_that_a_fact_tells_is_of_who_is_known(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("田中", "部署", "経理"), ("Lee", "likes", "tea"))
    await say(memory, store_id, ("田中(経理)", "好き", "そば"), ("Lee (dentist)", "likes", "gin"))
    assert [(e.name, e.qualifier) for e in await entities(memory, store_id, "田中")] == [("田中", "経理")]
    assert len(await entities(memory, store_id, "Lee")) == 2


async def test_a_person_and_a_place_of_one_name(memory: Memory, store_id: str) -> None:
    person, place = {"name": "Florence", "type": "person"}, {"name": "Florence", "type": "place"}
    await say(memory, store_id, {"subject": person, "predicate": "visited", "object": place})
    await say(memory, store_id, {"subject": "user", "predicate": "lives_in", "object": place})
    assert sorted(e.type or "" for e in await entities(memory, store_id, "Florence")) == ["person", "place"]
    fact = (await facts(memory, store_id, predicate="visited"))[0]
    assert fact.object is not None
    assert fact.object.id != fact.subject.id
    assert (await facts(memory, store_id, predicate="lives_in"))[0].object == fact.object


async def test_symbols_are_entities_of_their_own(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Ravi", "teaches", "C"), ("Ravi", "teaches", "C++"), ("Ravi", "teaches", "C#"))
    assert len(await entities(memory, store_id)) == 4


async def test_a_first_name_means_the_only_one_who_has_it(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Anna Smith", "lives_in", "Bergen"), ("user", "likes", "tea"))
    assert await paths(memory, store_id, "Where does anna live?") == ["Anna Smith"]
    await say(memory, store_id, ("Anna Moe", "lives_in", "Rome"))
    assert await paths(memory, store_id, "Where does anna live?") == []
    assert await paths(memory, store_id, "Where does Anna Moe live?") == ["Anna Moe"]


async def paths(memory: Memory, store: str, query: str) -> list[str]:
    """Subjects of the facts that the graph arm alone finds."""
    from graphmem.models.recall import RecallRequest

    body = {"scope": {"actor_id": ACTOR}, "query": query, "kinds": ["fact"], "dry_run": True, "gate": {"min_score": 0}}
    result = await memory.recall(store, RecallRequest.model_validate(body))
    return [item.path[0] for item in result.items if item.scores["graph"] > 0]


async def test_a_full_name_keeps_others_of_the_first_name_out(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("Alex Whitlowe", "runs", "Porto office"), ("Alex Brandeis", "diet", "vegan"))
    found = await recalled(memory, store_id, "What do we know about Alex Whitlowe?")
    assert [("Porto" in text, "vegan" in text) for text in found] == [(True, False)]


async def test_names_read_alike_are_two_people(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, ("川井さん", "飼っている", "猫三匹"), ("河合さん", "苦手", "犬"))
    found = await recalled(memory, store_id, "河合さんについて教えて")
    assert ["犬" in text for text in found] == [True]


async def test_erasing_the_source_erases_the_alias(memory: Memory, store_id: str) -> None:
    from graphmem.models.manage import ForgetRequest

    await say(memory, store_id, ("William", "alias", "Tunde"))
    await memory.forget(
        store_id,
        ForgetRequest.model_validate({"scope": {"actor_id": ACTOR}, "target": {"entity": "Tunde"}, "mode": "erase"}),
    )
    rows = await memory.database.run(
        "manage/entities",
        {
            "owner_key": f"{store_id}:{ACTOR}",
            "after": "",
            "limit": 9,
            "name_key": "tunde",
            "qualifier_key": None,
        },
    )
    assert rows == []
    assert await entities(memory, store_id) == []
