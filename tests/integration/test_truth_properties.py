"""Properties of timelines on the real engine, over random statements and random orders of arrival."""

from __future__ import annotations

import itertools
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery
from graphmem.models.manage import StoreIn

START = datetime(2020, 1, 1, tzinfo=UTC)
PLACES = ("Oslo", "Rome", "京都")

statement = st.fixed_dictionaries(
    {
        "object": st.sampled_from(PLACES),
        "day": st.integers(0, 12),
        "said": st.integers(0, 12),
        "stay": st.one_of(st.none(), st.integers(1, 6)),
        "event": st.sampled_from(["assert", "assert", "assert", "retract"]),
        "correction": st.sampled_from([False, False, False, True]),
        "explicit": st.booleans(),
    }
)
statements = st.lists(statement, min_size=1, max_size=6, unique_by=lambda s: (s["said"], s["day"], s["object"]))

SLOW = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def fact_of(given_: dict[str, Any]) -> dict[str, Any]:
    valid_at = START + timedelta(days=10 * given_["day"])
    fact: dict[str, Any] = {
        "subject": "user",
        "predicate": "lives_in",
        "object": given_["object"],
        "event": given_["event"],
        "correction": given_["correction"] and given_["event"] == "assert",
    }
    if given_["explicit"]:
        fact["valid_at"] = valid_at.isoformat()
        if given_["stay"] is not None and given_["event"] == "assert":
            fact["invalid_at"] = (valid_at + timedelta(days=10 * given_["stay"])).isoformat()
    return fact


async def say(memory: Memory, store: str, actor: str, given_: dict[str, Any]) -> str:
    result = await memory.remember(
        store,
        RememberRequest.model_validate(
            {
                "scope": {"actor_id": actor},
                "text": f"{given_}",
                "occurred_at": (START + timedelta(days=10 * given_["said"], hours=1)).isoformat(),
                "facts": [fact_of(given_)],
            }
        ),
    )
    return result.episodes[0].id


async def facts(memory: Memory, store: str, actor: str) -> list[Fact]:
    page = await memory.list_facts(store, FactQuery(actor_id=actor, validity="any"), page_size=200)
    return list(page.items)


def timeline(found: list[Fact]) -> list[tuple[Any, ...]]:
    return sorted(
        (f.valid_at, f.object.name if f.object else "", str(f.invalid_at), f.expired_at is not None, f.disputed)
        for f in found
    )


async def fresh(memory: Memory) -> str:
    name = f"p-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=name))
    return name


@SLOW
@given(said=statements, data=st.data())
async def test_any_order_of_arrival_gives_one_history(memory: Memory, said: list[dict[str, Any]], data: Any) -> None:
    store = await fresh(memory)
    try:
        seen = []
        for actor, order in (("a", said), ("b", said[::-1]), ("c", data.draw(st.permutations(said)))):
            for one in order:
                await say(memory, store, actor, one)
            seen.append(timeline(await facts(memory, store, actor)))
        assert seen[0] == seen[1] == seen[2]
    finally:
        await memory.delete_store(store)


@SLOW
@given(said=statements)
async def test_one_valued_facts_overlap_only_in_dispute(memory: Memory, said: list[dict[str, Any]]) -> None:
    store = await fresh(memory)
    try:
        for one in said:
            await say(memory, store, "a", one)
        settled = [f for f in await facts(memory, store, "a") if f.expired_at is None and not f.disputed]
        for left, right in itertools.combinations(settled, 2):
            ends = [f.invalid_at or datetime.max.replace(tzinfo=UTC) for f in (left, right)]
            assert ends[0] <= right.valid_at or ends[1] <= left.valid_at, (left, right)
        assert all(f.invalid_at is None or f.invalid_at >= f.valid_at for f in settled)
    finally:
        await memory.delete_store(store)


@SLOW
@given(said=statements, extra=statement)
async def test_adding_and_deleting_an_episode_changes_nothing(
    memory: Memory, said: list[dict[str, Any]], extra: dict[str, Any]
) -> None:
    store = await fresh(memory)
    try:
        for one in said:
            await say(memory, store, "a", one)
        before = timeline(await facts(memory, store, "a"))
        episode = await say(memory, store, "a", extra)
        await memory.delete_episode(store, "a", episode)
        assert timeline(await facts(memory, store, "a")) == before
    finally:
        await memory.delete_store(store)
