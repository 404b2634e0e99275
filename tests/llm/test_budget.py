"""A store's budget of model calls: counted in the graph, and what happens where it ends."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from graphmem.ingest.budget import Held, JobMeter
from graphmem.memory import SystemClock
from graphmem.models.manage import Budget, StorePatch, StoreSettings

from .conftest import World

LIKES = {"o": "chess", "text": "Haruka likes chess."}


async def allow(world: World, **limits: int | None) -> None:
    settings = StoreSettings(budget=Budget.model_validate(limits))
    await world.memory.update_store(world.store, StorePatch(settings=settings))


async def test_calls_and_tokens_are_counted_for_the_answer_and_the_store(world: World) -> None:
    none = await world.memory.store_usage(world.store)
    assert (none.llm_calls, none.exhausted) == (0, False)
    told = await world.say("I like chess.", LIKES)
    more = await world.say("I like jazz.", {"o": "jazz", "text": "Haruka likes jazz."})
    used = await world.memory.store_usage(world.store)
    assert used.llm_calls == told.usage.llm_calls + more.usage.llm_calls == world.model.calls["llm"]
    assert used.prompt_tokens == told.usage.prompt_tokens + more.usage.prompt_tokens > 0
    assert used.completion_tokens == told.usage.completion_tokens + more.usage.completion_tokens > 0
    assert used.resets_at.date() > used.day


async def test_auto_goes_on_by_rules_and_says_so(world: World) -> None:
    await allow(world, calls_per_day=0)
    told = await world.say("I like chess.", LIKES)
    assert (told.usage.extractor, told.usage.llm_calls, told.warnings) == ("offline", 0, ("budget_exhausted",))
    assert [decision.fact.predicate for decision in told.facts] == ["likes"]
    assert world.model.calls["llm"] == 0
    assert (await world.memory.store_usage(world.store)).exhausted


@pytest.mark.parametrize("limit", [{"calls_per_day": 1}, {"tokens_per_day": 1}])
async def test_a_model_asked_for_by_name_fails_and_can_be_tried_again(world: World, limit: dict[str, int]) -> None:
    await allow(world, **limit)
    await world.say("Good morning.", extraction="llm")
    told = await world.say("I like chess.", LIKES, extraction="llm")
    (episode,) = told.episodes
    assert (episode.status, episode.error, told.facts) == ("failed", "budget_exhausted", ())
    assert (told.usage.extractor, told.warnings) == ("failed", ("budget_exhausted",))
    kept = await world.memory.get_episode(world.store, "haruka", episode.id)
    assert (kept.status, kept.error, kept.content) == ("failed", "budget_exhausted", "I like chess.")
    await allow(world)
    again = await world.memory.retry_episode(world.store, "haruka", episode.id)
    assert [decision.fact.text for decision in again.facts] == [LIKES["text"]]


async def test_of_many_at_once_no_more_than_the_budget_ask(world: World) -> None:
    await allow(world, calls_per_day=3)
    told = await asyncio.gather(*(world.say(f"Message {i} says nothing.") for i in range(8)))
    assert world.model.calls["llm"] == 3
    assert sorted(t.usage.extractor for t in told) == ["llm"] * 3 + ["offline"] * 5


async def test_a_budget_that_ends_before_the_judge_keeps_both(world: World) -> None:
    await world.say("I like hiking.", {"o": "hiking", "text": "Haruka likes hiking."})
    new = {"p": "enjoys", "o": "walks in the mountains", "text": "Haruka enjoys walks in the mountains."}
    world.model.relations = {new["text"]: "same"}
    await allow(world, calls_per_day=2)
    told = await world.say("I enjoy walks in the mountains.", new)
    assert (told.usage.extractor, told.warnings) == ("llm", ("not_judged: budget_exhausted",))
    assert len(await world.facts()) == 2


async def test_a_slow_job_stays_with_the_one_who_works_on_it(world: World) -> None:
    world.model.inject("llm", "delay", 2)
    remembering = asyncio.create_task(world.say("I like chess.", LIKES))
    while not world.model.calls["llm"]:  # noqa: ASYNC110  it is counted in the server's threads
        await asyncio.sleep(0.05)
    (pending,) = (await world.memory.list_episodes(world.store, "haruka", status="pending")).items
    driver = world.memory.database.driver
    job = "MATCH (e:Episode {id: $id}) RETURN e.job_id AS id, e.owner_key AS owner"
    (row,) = (await driver.execute_query(job, id=pending.id)).records
    held = Held(row["id"], row["owner"], timedelta(hours=1))
    await JobMeter(world.memory.database, world.store, SystemClock(), held).begin()
    lease = "MATCH (e:Episode {id: $id}) RETURN e.lease_until > datetime() + duration('PT50M') AS kept"
    (row,) = (await driver.execute_query(lease, id=pending.id)).records
    assert row["kept"]
    assert (await remembering).episodes[0].status == "processed"
