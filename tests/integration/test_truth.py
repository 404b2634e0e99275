"""Rules of truth on the real engine: what holds, since when, and what took its place."""

from __future__ import annotations

import asyncio
import itertools
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactPatch, FactQuery, RememberResult
from graphmem.models.recall import RecallRequest

Stay = tuple[str, str, str | None]


async def say(memory: Memory, store: str, object_: str, at: str, actor: str = "ana", **fact: Any) -> RememberResult:
    given = {"subject": "user", "predicate": "lives_in", "object": object_, **fact}
    return await memory.remember(
        store,
        RememberRequest.model_validate(
            {
                "scope": {"actor_id": actor},
                "text": f"{given} said at {at}",
                "occurred_at": at,
                "facts": [given],
            }
        ),
    )


async def facts(memory: Memory, store: str, actor: str = "ana", **query: Any) -> list[Fact]:
    page = await memory.list_facts(store, FactQuery(actor_id=actor, **query))
    return sorted(page.items, key=lambda f: (f.valid_at, f.text))


def stays(found: list[Fact]) -> list[Stay]:
    return [
        (
            f.object.name if f.object else f.literal or "",
            f.valid_at.isoformat()[:10],
            f.invalid_at.isoformat()[:10] if f.invalid_at else None,
        )
        for f in found
        if f.expired_at is None
    ]


async def test_later_value_replaces_and_history_stays(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Tacoma", "2025-03-01T09:00:00Z")
    result = await say(memory, store_id, "Boise", "2026-02-01T09:00:00Z")
    assert result.facts[0].event == "ADD"
    assert len(result.facts[0].superseded) == 1
    assert stays(await facts(memory, store_id)) == [("Boise", "2026-02-01", None)]
    old = (await facts(memory, store_id, as_of=datetime(2025, 6, 1, tzinfo=UTC)))[0]
    assert old.id == result.facts[0].superseded[0]
    history = await memory.fact_history(store_id, "ana", old.id)
    assert [h.event for h in history] == ["created", "superseded"]
    assert history[1].reason == "a later value takes its place"
    assert history[1].by_episode == result.episodes[0].id


STATEMENTS: list[tuple[str, str, dict[str, Any]]] = [
    ("Tokyo", "2024-01-01T00:00:00Z", {}),
    ("Osaka", "2025-01-01T00:00:00Z", {}),
    ("Osaka", "2025-06-01T00:00:00Z", {"event": "retract"}),
    ("Osaka", "2025-09-01T00:00:00Z", {}),
    ("Kobe", "2025-10-01T00:00:00Z", {"valid_at": "2025-02", "invalid_at": "2025-04"}),
]


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(STATEMENTS))))[::17])
async def test_order_of_arrival_does_not_matter(memory: Memory, store_id: str, order: tuple[int, ...]) -> None:
    for index in order:
        object_, at, extra = STATEMENTS[index]
        await say(memory, store_id, object_, at, **extra)
    assert stays(await facts(memory, store_id, validity="any")) == [
        ("Tokyo", "2024-01-01", "2025-01-01"),
        ("Osaka", "2025-01-01", "2025-02-01"),
        ("Kobe", "2025-02-01", "2025-04-01"),
        ("Osaka", "2025-04-01", "2025-06-01"),
        ("Osaka", "2025-09-01", None),
    ]


async def test_correction_of_one_date_leaves_one_fact(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Kyoto", "2026-02-01T00:00:00Z", valid_at="2019")
    await say(memory, store_id, "Nara", "2026-03-01T00:00:00Z", valid_at="2019")
    assert stays(await facts(memory, store_id)) == [("Nara", "2019-01-01", None)]
    every = await facts(memory, store_id, validity="any")
    never = next(f for f in every if f.object and f.object.name == "Kyoto")
    assert never.expired_at is not None


async def test_correction_flag_wins_in_either_order(memory: Memory, store_id: str) -> None:
    for actor, order in (("a", (0, 1)), ("b", (1, 0))):
        said = [("Kyoto", {}), ("Nara", {"correction": True})]
        for index in order:
            await say(memory, store_id, said[index][0], "2026-02-01T00:00:00Z", actor, **said[index][1])
        assert stays(await facts(memory, store_id, actor)) == [("Nara", "2026-02-01", None)]


async def test_same_moment_is_a_dispute(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Kyoto", "2026-02-01T00:00:00Z")
    result = await say(memory, store_id, "Nara", "2026-02-01T00:00:00Z")
    assert len(result.facts[0].contradictions) == 1
    found = await facts(memory, store_id)
    assert len(found) == 2
    assert all(f.disputed for f in found)


async def test_many_values_coexist_and_one_is_taken_back(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "nettle tea", "2025-06-03T09:00:00Z", predicate="likes")
    await say(memory, store_id, "chicory coffee", "2025-07-03T09:00:00Z", predicate="likes")
    result = await say(memory, store_id, "chicory coffee", "2026-02-03T09:00:00Z", predicate="no longer likes")
    assert result.facts[0].event == "DELETE"
    assert stays(await facts(memory, store_id)) == [("nettle tea", "2025-06-03", None)]


async def test_opposite_relation_ends_the_other(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "コーヒー", "2025-06-03T09:00:00Z", predicate="好き")
    await say(memory, store_id, "コーヒー", "2026-06-03T09:00:00Z", predicate="嫌い")
    assert [f.predicate for f in await facts(memory, store_id)] == ["嫌い"]


async def test_retraction_that_comes_first_is_kept(memory: Memory, store_id: str) -> None:
    first = await say(memory, store_id, "Oslo", "2025-05-01T00:00:00Z", event="retract")
    assert first.facts[0].event == "NONE"
    assert await facts(memory, store_id, validity="any") == []
    await say(memory, store_id, "Oslo", "2024-05-01T00:00:00Z")
    assert stays(await facts(memory, store_id, validity="any")) == [("Oslo", "2024-05-01", "2025-05-01")]


async def test_fifty_parallel_statements_are_one_fact(memory: Memory, store_id: str) -> None:
    request = RememberRequest.model_validate(
        {
            "scope": {"actor_id": "ana"},
            "text": "I like rain.",
            "facts": [{"subject": "user", "predicate": "likes", "object": "rain"}],
        }
    )
    results = await asyncio.gather(*(memory.remember(store_id, request) for _ in range(50)))
    assert {ref.status for result in results for ref in result.episodes} == {"processed"}
    found = await facts(memory, store_id)
    assert len(found) == 1
    assert len((await memory.get_fact(store_id, "ana", found[0].id)).sources) == 50
    assert [r.facts[0].event for r in results].count("ADD") == 1


async def test_deleting_an_episode_undoes_it(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Tacoma", "2025-03-01T09:00:00Z")
    moved = await say(memory, store_id, "Boise", "2026-02-01T09:00:00Z")
    receipt = await memory.delete_episode(store_id, "ana", moved.episodes[0].id)
    assert receipt.verified
    found = await facts(memory, store_id, validity="any")
    assert stays(found) == [("Tacoma", "2025-03-01", None)]


async def test_changed_source_retires_what_only_the_old_one_said(memory: Memory, store_id: str) -> None:
    async def send(text: str, object_: str) -> RememberResult:
        return await memory.remember(
            store_id,
            RememberRequest.model_validate(
                {
                    "scope": {"actor_id": "ana"},
                    "text": text,
                    "source": {"type": "document", "id": "cv.md"},
                    "facts": [{"subject": "user", "predicate": "speaks", "object": object_}],
                }
            ),
        )

    first = await send("Speaks Basque.", "Basque")
    again = await send("Speaks Basque.\r\n", "Basque")
    assert again.episodes[0].duplicate
    assert again.episodes[0].id == first.episodes[0].id
    await send("Speaks Catalan.", "Catalan")
    assert [s[0] for s in stays(await facts(memory, store_id))] == ["Catalan"]


async def test_patch_makes_a_correcting_fact(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", "2026-02-01T00:00:00Z")
    old = (await facts(memory, store_id))[0]
    new = await memory.update_fact(store_id, "ana", old.id, FactPatch(object="Kobe"))
    assert new.id != old.id
    assert new.text.endswith("Kobe")
    assert new.sources
    assert stays(await facts(memory, store_id)) == [("Kobe", "2026-02-01", None)]
    history = await memory.fact_history(store_id, "ana", old.id)
    assert [h.event for h in history] == ["created", "corrected"]


async def test_deleted_fact_restores_what_it_had_ended(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Tacoma", "2025-03-01T09:00:00Z")
    await say(memory, store_id, "Boise", "2026-02-01T09:00:00Z")
    current = (await facts(memory, store_id))[0]
    receipt = await memory.delete_fact(store_id, "ana", current.id)
    assert receipt.verified
    assert stays(await facts(memory, store_id)) == [("Tacoma", "2025-03-01", None)]


async def test_another_actor_sees_nothing(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Tacoma", "2025-03-01T09:00:00Z")
    assert await facts(memory, store_id, "bo") == []
    answer = await memory.recall(
        store_id,
        RecallRequest.model_validate(
            {
                "scope": {"actor_id": "bo"},
                "query": "Where does ana live? Tacoma",
                "explain": True,
            }
        ),
    )
    assert answer.items == ()
    assert answer.audit.considered == 0


async def test_recall_leaves_out_the_stale_episode_too(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Tacoma", "2025-03-01T09:00:00Z", text="Ana lives in Tacoma")
    await say(memory, store_id, "Boise", "2026-02-01T09:00:00Z", text="Ana lives in Boise")
    answer = await memory.recall(
        store_id,
        RecallRequest.model_validate(
            {
                "scope": {"actor_id": "ana"},
                "query": "Where does Ana live?",
                "explain": True,
            }
        ),
    )
    assert answer.items[0].text == "Ana lives in Boise"
    assert not any("Tacoma" in item.text for item in answer.items)
    assert answer.audit.reasons["superseded"] == 2
    before = await memory.recall(
        store_id,
        RecallRequest.model_validate(
            {
                "scope": {"actor_id": "ana"},
                "query": "Where does Ana live?",
                "as_of": "2025-06-01T00:00:00Z",
            }
        ),
    )
    assert before.items[0].text == "Ana lives in Tacoma"


async def test_correction_among_coexisting_values_takes_back_one(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "milk", "2026-01-01T09:00:00Z", predicate="drinks")
    await say(memory, store_id, "coffee", "2026-02-03T09:00:00Z", predicate="drinks")
    corrected = await say(memory, store_id, "tea", "2026-02-03T09:10:00Z", predicate="drinks", correction=True)
    assert {s[0] for s in stays(await facts(memory, store_id))} == {"milk", "tea"}
    await memory.delete_episode(store_id, "ana", corrected.episodes[0].id)
    assert {s[0] for s in stays(await facts(memory, store_id))} == {"milk", "coffee"}


async def test_correction_that_comes_first_waits_for_its_mistake(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "tea", "2026-02-03T09:00:00Z", predicate="drinks", correction=True)
    await say(memory, store_id, "coffee", "2026-02-03T09:00:00Z", predicate="drinks")
    assert {s[0] for s in stays(await facts(memory, store_id))} == {"tea"}


async def test_denial_in_japanese_ends_the_fact(memory: Memory, store_id: str) -> None:
    for day, predicate in (("03", "持っている"), ("04", "持っていない")):
        at = f"2026-02-{day}T09:00:00+09:00"
        await say(memory, store_id, "船の免許", at, subject="柏木さん", predicate=predicate)
    found = await facts(memory, store_id)
    assert [f.polarity for f in found] == [False]


@pytest.mark.parametrize(
    ("predicate", "given", "current"),
    [
        ("locker_number", {}, 1),  # its name says that it has one value
        ("locker_number", {"cardinality": "many"}, 2),  # the caller knows better
        ("collects", {}, 2),
        ("collects", {"cardinality": "one"}, 1),
    ],
)
async def test_cardinality_of_an_unknown_relation(
    memory: Memory, store_id: str, predicate: str, given: dict[str, Any], current: int
) -> None:
    await say(memory, store_id, "12", "2026-02-03T09:00:00Z", predicate=predicate, **given)
    await say(memory, store_id, "31", "2026-03-03T09:00:00Z", predicate=predicate, **given)
    assert len(await facts(memory, store_id)) == current


async def test_the_store_s_definition_wins_and_says_so(memory: Memory, store_id: str) -> None:
    result = await say(memory, store_id, "Oslo", "2026-02-03T09:00:00Z", cardinality="many")
    assert "cardinality one" in result.facts[0].reason
