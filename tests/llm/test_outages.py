"""Answers that cannot be used, endpoints that are away: nothing is lost, done twice or hidden."""

from __future__ import annotations

import time

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import ConfigurationError, Conflict, InvalidInput
from graphmem.models.episode import RememberRequest
from tests.support.openai_server import OpenAIServer

from .conftest import World

CHESS = {"o": "chess", "text": "Haruka likes chess."}
REPAIRED = ["code_fence", "think_prefix", "wrong_types", "wrapped_object", "extra_keys", "bare_list"]
ENDS = {
    "truncated": "truncated",
    "refusal": "refused",
    "empty_string": "empty_answer",
    "null_content": "empty_answer",
    "schema_echo": "schema_echo",
    "http_500": "server_error",
    "http_429": "rate_limited",
    "http_402": "quota_exceeded",
    "refuse_connection": "unreachable",
}


@pytest.mark.parametrize("mode", REPAIRED)
async def test_a_clumsy_answer_is_repaired_in_one_call(world: World, mode: str) -> None:
    world.model.inject("llm", mode)
    told = await world.say("I like chess.", CHESS)
    assert [decision.fact.text for decision in told.facts] == [CHESS["text"]]
    assert told.usage.llm_calls == 1


@pytest.mark.parametrize("mode", ["truncated", "refusal", "empty_string", "schema_echo", "names_in_other_language"])
async def test_a_useless_answer_is_asked_for_once_more(world: World, mode: str) -> None:
    world.model.inject("llm", mode)
    told = await world.say("I like chess.", {**CHESS, "s": "Fenella"}, {**CHESS, "s": "Fenella", "o": "chess sets"})
    assert told.usage.llm_calls == 2 or mode == "names_in_other_language"
    assert told.episodes[0].status == "processed"


@pytest.mark.parametrize(("mode", "reason"), ENDS.items())
async def test_what_stays_useless_is_told_and_kept_for_a_retry(world: World, mode: str, reason: str) -> None:
    world.model.inject("llm", mode, times="always")
    told = await world.say("I like chess.", CHESS)
    (episode,) = told.episodes
    assert (episode.status, told.facts, told.usage.extractor) == ("failed", (), "failed")
    assert told.warnings == (episode.error,)
    # a connection that is refused again and again may use up the time that a call has
    assert episode.error == reason or (reason, episode.error) == ("unreachable", "timeout")
    assert told.usage.llm_calls == (
        2 if mode in ("truncated", "refusal", "empty_string", "null_content", "schema_echo") else 1
    )
    assert await world.facts() == []
    world.model.inject("llm", "none")
    again = await world.memory.retry_episode(world.store, "haruka", episode.id)
    assert [decision.event for decision in again.facts] == ["ADD"]
    assert await world.states() == {"processed": 1}


async def test_names_in_another_language_are_refused_and_counted(world: World) -> None:
    world.model.inject("llm", "names_in_other_language", times="always")
    told = await world.say(
        "Fenella skates.", {"s": "Fenella", "p": "skates_on", "o": "ice rinks", "quote": "Fenella skates."}
    )
    assert told.facts == ()
    assert [rejected.reason for rejected in told.rejected] == ["not_grounded"]


async def test_retry_after_is_kept(world: World) -> None:
    world.model.inject("llm", "http_429")
    world.model.retry_after = "1"
    began = time.perf_counter()
    told = await world.say("I like chess.", CHESS)
    assert time.perf_counter() - began >= 1
    assert told.episodes[0].status == "processed"
    assert world.model.calls["llm"] == 2


async def test_an_endpoint_that_hangs_is_left_in_time(world: World) -> None:
    world.model.inject("llm", "delay", 5)
    told = await world.say("I like chess.", CHESS)
    assert (told.episodes[0].status, told.episodes[0].error) == ("failed", "timeout")


async def test_down_and_back_with_somebody_waiting(world: World) -> None:
    world.model.inject("llm", "refuse_connection", times="always")
    told = [await world.say(f"I like chess set {i}.", {"o": f"chess set {i}"}) for i in range(2)]
    assert await world.states() == {"failed": 2}
    world.model.inject("llm", "none")
    for one in told:
        await world.memory.retry_episode(world.store, "haruka", one.episodes[0].id)
        with pytest.raises(Conflict):
            await world.memory.retry_episode(world.store, "haruka", one.episodes[0].id)
    assert await world.states() == {"processed": 2}
    assert len(await world.facts()) == 2


async def test_a_model_that_is_not_there_is_a_fault_of_the_request(memory: Memory, store_id: str) -> None:
    body = {"scope": {"actor_id": "haruka"}, "text": "I like chess.", "extraction": "llm"}
    with pytest.raises(InvalidInput) as caught:
        await memory.remember(store_id, RememberRequest.model_validate(body))
    assert (caught.value.status, caught.value.field) == (400, "extraction")
    assert (await memory.list_episodes(store_id, "haruka")).items == ()


async def test_settings_that_want_a_model_and_name_none_do_not_open(neo4j_settings: Settings) -> None:
    with pytest.raises(ConfigurationError):
        async with Memory.open(neo4j_settings.model_copy(update={"extractor": "llm"})):
            raise AssertionError("it has opened")


async def test_what_was_accepted_for_a_model_that_is_gone_says_so(
    memory: Memory, model_settings: Settings, model: OpenAIServer, store_id: str
) -> None:
    model.inject("llm", "refuse_connection", times="always")
    body = {"scope": {"actor_id": "haruka"}, "text": "I like chess.", "extraction": "llm"}
    async with Memory.open(model_settings) as reading:
        told = await reading.remember(store_id, RememberRequest.model_validate(body))
    again = await memory.retry_episode(store_id, "haruka", told.episodes[0].id)
    assert (again.episodes[0].status, again.episodes[0].error) == ("failed", "configuration")
