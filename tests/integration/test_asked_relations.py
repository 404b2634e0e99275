"""A query that asks for a relation gets the facts of that relation about whom it is, before others."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallItem, RecallRequest
from graphmem.models.truth import PredicatePatch

EMIL = {"actor_id": "emil"}
KNOWN = (
    ("user", "lives_in", "Pavia"),
    ("user", "job_title", "gardener"),
    ("user", "has_pet", "a goat"),
    ("Petra Lund", "lives_in", "Oulu"),
    ("Petra Lund", "works_at", "Ostara Foods"),
    ("Petra Lund", "manager", "Ivo Hass"),
    ("Ivo Hass", "lives_in", "Basel"),
    ("Ivo Hass", "manager", "Dana Wirt"),
    ("岡部玲", "lives_in", "松江"),
    ("岡部玲", "works_at", "出雲印刷"),
    ("岡部玲", "birthday", "5月2日"),
)


@pytest.fixture
async def store(memory: Memory, store_id: str) -> str:
    """What Emil and three others are known for."""
    await remember(memory, store_id, [fact(*one) for one in KNOWN], "2024-03-01T09:00:00Z")
    return store_id


def fact(subject: str, predicate: str, object_: str) -> dict[str, Any]:
    return {
        "subject": subject if subject == "user" else {"name": subject, "type": "person"},
        "predicate": predicate,
        "object": object_,
    }


async def remember(memory: Memory, store_id: str, facts: list[dict[str, Any]], at: str) -> None:
    request = {"scope": EMIL, "text": f"Noted at {at}.", "occurred_at": at, "facts": facts}
    await memory.remember(store_id, RememberRequest.model_validate(request))


async def recall(memory: Memory, store_id: str, query: str, **more: Any) -> tuple[RecallItem, ...]:
    request = {"scope": EMIL, "query": query, "kinds": ["fact"], "limit": 5, **more}
    return (await memory.recall(store_id, RecallRequest.model_validate(request))).items


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("What do I do for a living?", "gardener"),
        ("Where is my home?", "Pavia"),
        ("Where is Petra Lund employed?", "Ostara Foods"),
        ("Who is Petra's boss?", "Ivo Hass"),
        ("Could you tell me where Petra Lund resides?", "Oulu"),
        ("岡部玲の勤め先はどこですか？", "出雲印刷"),
        ("岡部玲の住所", "松江"),
        ("私の職業は？", "gardener"),
    ],
)
async def test_the_relation_that_is_asked_for_comes_first(memory: Memory, store: str, query: str, end: str) -> None:
    items = await recall(memory, store, query)
    assert [item.path[-1] for item in items[:1]] == [end]
    assert items[0].scores["relation"] > 0.5
    assert all("relation" not in item.scores or item.scores["relation"] < 1 for item in items[1:])


async def test_the_answer_of_then_is_found(memory: Memory, store: str) -> None:
    await remember(memory, store, [fact("Petra Lund", "works_at", "Hallaby Mills")], "2025-01-01T09:00:00Z")
    for as_of, end in ((None, "Hallaby Mills"), ("2024-06-01T00:00:00Z", "Ostara Foods")):
        items = await recall(memory, store, "By whom is Petra Lund employed?", as_of=as_of)
        assert items[0].path[-1] == end
        assert not {"Hallaby Mills", "Ostara Foods"} & {item.path[-1] for item in items[1:]}


async def test_what_is_known_of_others_is_not_what_is_asked(memory: Memory, store: str) -> None:
    """Of somebody unknown, and of relatives of whom nothing is known, nobody else's facts are given."""
    for query in ("Where does Zaphod Brill live?", "Where does my aunt live?", "Where does Petra's aunt live?"):
        items = await recall(memory, store, query, gate={"min_score": 0})
        assert not any("relation" in item.scores for item in items), query


async def test_a_question_for_nothing_in_particular_is_answered_as_before(memory: Memory, store: str) -> None:
    items = await recall(memory, store, "Why did Petra Lund laugh at the fair?", gate={"min_score": 0})
    assert items
    assert not any("relation" in item.scores for item in items)


async def test_words_alone_know_no_relations(memory: Memory, store: str) -> None:
    for mode in ("keyword", "vector"):
        items = await recall(memory, store, "Where does Petra Lund live?", mode=mode, gate={"min_score": 0})
        assert items
        assert not any("relation" in item.scores for item in items)


async def test_a_relation_of_the_store_is_known_by_its_name(memory: Memory, store: str) -> None:
    for name, subject in (("mooring_berth", "Petra Lund"), ("係留場所", "岡部玲")):
        await remember(memory, store, [fact(subject, name, f"pier {name}")], "2024-04-01T09:00:00Z")
        await memory.predicates.update(store, name, PredicatePatch(cardinality="one"), None)
    for query, name in (("Petra Lund mooring berth?", "mooring_berth"), ("岡部玲の係留場所は", "係留場所")):
        items = await recall(memory, store, query)
        assert items[0].path[1] == name
        assert items[0].scores["relation"] > 0.5


async def test_each_of_many_values_is_less_of_the_answer(memory: Memory, store: str) -> None:
    likes = [fact("Ivo Hass", "likes", thing) for thing in ("chess", "plums", "opera", "skating")]
    told = []
    for some in (likes[:1], likes[1:]):
        await remember(memory, store, some, "2024-04-01T09:00:00Z")
        items = await recall(memory, store, "What does Ivo Hass like?")
        told.append([item.scores["relation"] for item in items if item.path[1] == "likes"])
    assert [len(scores) for scores in told] == [1, 4]
    assert told[1] == pytest.approx([told[0][0] / 2] * 4, abs=0.001)


async def test_of_whom_thousands_are_known_it_is_found_all_the_same(memory: Memory, store: str) -> None:
    """More facts than the graph arm and the vector index give."""
    many = [fact("user", "visited", f"Town {n}") for n in range(600)]
    for start in range(0, len(many), 100):
        await remember(memory, store, many[start : start + 100], f"2024-05-{1 + start // 100:02}T09:00:00Z")
    items = await recall(memory, store, "What do I do for a living?")
    assert items[0].path[-1] == "gardener"


async def test_a_filter_and_a_narrowed_scope_hold(memory: Memory, store: str) -> None:
    condition = {"field": "predicate", "op": "eq", "value": "has_pet"}
    items = await recall(memory, store, "What do I do for a living?", filter=condition, gate={"min_score": 0})
    assert {item.path[-1] for item in items} == {"a goat"}
    items = await recall(memory, store, "Where is my home?", scope=EMIL | {"session_id": "another"})
    assert items == ()
