"""Statements that end a fact: denials, and retractions that arrive before what they end."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery

ACTOR = "遥"


async def say(memory: Memory, store_id: str, at: str, **fact: Any) -> None:
    request = {
        "scope": {"actor_id": ACTOR},
        "text": str(fact.get("text", fact)),
        "occurred_at": f"{at}T09:00:00Z",
        "extraction": "none",
        "facts": [{"subject": "Ondine", **fact}],
    }
    await memory.remember(store_id, RememberRequest.model_validate(request))


async def facts(memory: Memory, store_id: str, validity: str = "current") -> list[Fact]:
    query = FactQuery.model_validate({"actor_id": ACTOR, "validity": validity})
    return sorted((await memory.list_facts(store_id, query)).items, key=lambda fact: fact.valid_at)


HELD = {"predicate": "lab_access", "object": "granted", "cardinality": "one"}
DENIED = {**HELD, "polarity": False}


@pytest.mark.parametrize("late", [False, True])
async def test_a_denial_ends_the_one_value_that_it_denies(memory: Memory, store_id: str, late: bool) -> None:
    said = [("2026-02-03", HELD), ("2026-03-03", DENIED)]
    for at, fact in reversed(said) if late else said:
        await say(memory, store_id, at, **fact)
    assert [(fact.polarity, fact.invalid_at) for fact in await facts(memory, store_id)] == [(False, None)]
    ended, _ = await facts(memory, store_id, "any")
    assert (ended.polarity, str(ended.invalid_at)[:10]) == (True, "2026-03-03")


async def test_a_denial_leaves_another_value_and_says_nothing_more(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "2026-02-03", predicate="lives_in", object="大阪")
    await say(memory, store_id, "2026-03-03", predicate="lives_in", object="東京", polarity=False)
    held = await facts(memory, store_id, "any")
    assert [(str(f.object and f.object.name), f.polarity, f.invalid_at) for f in held] == [
        ("大阪", True, None),
        ("東京", False, None),
    ]


async def test_affirmed_again_after_a_denial_it_holds_again(memory: Memory, store_id: str) -> None:
    for at, fact in (("2026-02-03", HELD), ("2026-03-03", DENIED), ("2026-04-03", HELD)):
        await say(memory, store_id, at, **fact)
    held = [(str(f.valid_at)[:7], str(f.invalid_at)[:7]) for f in await facts(memory, store_id, "any") if f.polarity]
    assert held == [("2026-02", "2026-03"), ("2026-04", "None")]


@pytest.mark.parametrize(
    ("ended", "stated"),
    [
        ("オンディーヌはもう青空出版で働いていない", "オンディーヌは青空出版で働いている"),
        ("No longer there", "Works at A"),
    ],
)
async def test_a_retraction_that_came_first_leaves_the_words_to_the_statement(
    memory: Memory, store_id: str, ended: str, stated: str
) -> None:
    job = {"predicate": "works_at", "object": "青空出版"}
    await say(memory, store_id, "2026-03-03", **job, event="retract", text=ended)
    assert await facts(memory, store_id, "any") == []
    await say(memory, store_id, "2025-01-03", **job, text=stated)
    (fact,) = await facts(memory, store_id, "any")
    assert (fact.text, str(fact.invalid_at)[:10]) == (stated, "2026-03-03")
    await say(memory, store_id, "2025-02-03", **job, text="again")
    (fact,) = await facts(memory, store_id, "any")
    assert fact.text == stated
