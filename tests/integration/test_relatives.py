"""A question about somebody whom it names by what they are to another: "my brother", "Petra's boss", 兄."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallItem, RecallRequest

EMIL = {"actor_id": "emil"}
KNOWN = (
    ("user", "lives_in", "Pavia"),
    ("user", "job_title", "gardener"),
    ("user", "brother", "Jan Dorn"),
    ("user", "manager", "Ivo Hass"),
    ("Jan Dorn", "lives_in", "Oulu"),
    ("Jan Dorn", "wife", "Rika Dorn"),
    ("Rika Dorn", "lives_in", "Turku"),
    ("Rika Dorn", "job_title", "glazier"),
    ("Petra Lund", "lives_in", "Basel"),
    ("Petra Lund", "manager", "Dana Wirt"),
    ("Dana Wirt", "lives_in", "Namur"),
    ("岡部玲", "lives_in", "松江"),
    ("岡部玲", "妹", "岡部葵"),
    ("岡部葵", "lives_in", "出雲"),
)


@pytest.fixture
async def store(memory: Memory, store_id: str) -> str:
    """What Emil knows of himself and of others."""
    facts = [_fact(*one) for one in KNOWN]
    await _remember(memory, store_id, facts, "2024-03-01T09:00:00Z")
    return store_id


def _fact(subject: str, predicate: str, object_: str) -> dict[str, Any]:
    people = {s for s, _, _ in KNOWN} | {"Ivo Hass"}
    return {
        "subject": subject if subject == "user" else {"name": subject, "type": "person"},
        "predicate": predicate,
        "object": {"name": object_, "type": "person"} if object_ in people else object_,
    }


async def _remember(memory: Memory, store_id: str, facts: list[dict[str, Any]], at: str) -> None:
    request = {"scope": EMIL, "text": f"Noted at {at}.", "occurred_at": at, "facts": facts}
    await memory.remember(store_id, RememberRequest.model_validate(request))


async def _recall(memory: Memory, store_id: str, query: str, **more: Any) -> tuple[RecallItem, ...]:
    request = {"scope": EMIL, "query": query, "kinds": ["fact"], "limit": 5, **more}
    return (await memory.recall(store_id, RecallRequest.model_validate(request))).items


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("Where does my brother live?", "Oulu"),
        ("Where does my brother's wife live?", "Turku"),
        ("What does my brother's wife do for a living?", "glazier"),
        ("Who is my brother's wife?", "Rika Dorn"),
        ("Where does Petra Lund's boss live?", "Namur"),
        ("Where do I live?", "Pavia"),
        ("兄はどこに住んでいますか？", "Oulu"),
        ("私の兄の妻の職業は？", "glazier"),
        ("岡部玲の妹はどこに住んでいますか？", "出雲"),
    ],
)
async def test_the_relative_is_found_by_what_they_are(memory: Memory, store: str, query: str, end: str) -> None:
    items = await _recall(memory, store, query)
    assert items[0].path[-1] == end
    assert items[0].scores["relation"] > 0.5


async def test_the_way_to_the_relative_is_told(memory: Memory, store: str) -> None:
    items = await _recall(memory, store, "Where does my brother's wife live?")
    told = (await _recall(memory, store, "Where does my brother's wife live?", explain=True))[0]
    assert items[0].path == told.path
    assert items[0].text == "Rika Dorn lives in Turku"


async def test_who_was_it_then(memory: Memory, store: str) -> None:
    """The relative at the time that is asked about, and nobody who is one no longer."""
    await _remember(memory, store, [_fact("user", "manager", "Dana Wirt")], "2025-01-01T09:00:00Z")
    await _remember(memory, store, [_fact("Ivo Hass", "lives_in", "Ghent")], "2024-03-02T09:00:00Z")
    now = await _recall(memory, store, "Where does my manager live?")
    assert now[0].path[-1] == "Namur"
    assert not any(item.scores.get("relation") for item in now if item.path[-1] == "Ghent")
    then = await _recall(memory, store, "Where does my manager live?", as_of="2024-06-01T00:00:00Z")
    assert then[0].path[-1] == "Ghent"


async def test_the_relatives_of_another_owner_are_not_found(memory: Memory, store: str) -> None:
    query = {"scope": {"actor_id": "nora"}, "query": "Where does my brother live?", "gate": {"min_score": 0}}
    assert (await memory.recall(store, RecallRequest.model_validate(query))).items == ()


async def test_of_whom_nothing_tells_who_it_is_nobody_else_is_taken(memory: Memory, store: str) -> None:
    for query in ("Where does my aunt live?", "Where does Petra Lund's aunt live?", "伯母はどこに住んでいますか"):
        items = await _recall(memory, store, query, gate={"min_score": 0})
        assert not any("relation" in item.scores for item in items), query
