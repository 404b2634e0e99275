"""What is said again in other words: one question about all doubtful pairs, and the rules of truth for the answer."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.models.manage import ForgetRequest, ForgetTarget
from graphmem.models.scope import Scope

from .conftest import World

HIKING = {"p": "likes", "o": "hiking", "text": "Haruka likes hiking."}
HIKES = {"p": "enjoys", "o": "walks in the mountains", "text": "Haruka enjoys walks in the mountains."}
ALPS = {"p": "enjoys", "o": "hiking in the Alps", "text": "Haruka enjoys hiking in the Alps."}


async def test_a_paraphrase_adds_a_source(world: World) -> None:
    await world.say("I like hiking.", {**HIKING, "importance": 0.8, "confidence": 0.5})
    world.model.relations = {HIKES["text"]: "same"}
    told = await world.say("I enjoy walks in the mountains.", {**HIKES, "importance": 0.3, "confidence": 0.9})
    (decision,) = told.facts
    assert (decision.event, decision.fact.text) == ("NONE", HIKING["text"])
    assert "other words" in decision.reason
    (fact,) = await world.facts()
    assert (fact.importance, fact.confidence) == (0.8, 0.9)
    sources = (await world.memory.get_fact(world.store, "haruka", fact.id)).sources
    assert sorted(str(s.quote) for s in sources) == ["I enjoy walks in the mountains.", "I like hiking."]
    assert (told.usage.llm_calls, world.model.calls["llm"]) == (2, 3)


async def test_more_detail_gives_the_wording_and_goes_with_its_source(world: World) -> None:
    await world.say("I like hiking.", HIKING)
    world.model.relations = {ALPS["text"]: "adds"}
    told = await world.say("I enjoy hiking in the Alps.", ALPS)
    (decision,) = told.facts
    assert (decision.event, decision.fact.text) == ("UPDATE", ALPS["text"])
    assert await world.texts() == [ALPS["text"]]
    await world.memory.forget(
        world.store,
        ForgetRequest(scope=Scope(actor_id="haruka"), target=ForgetTarget(ids=(told.episodes[0].id,)), mode="erase"),
    )
    assert await world.texts() == [HIKING["text"]]


async def test_a_taken_wording_stays_when_the_first_source_goes(world: World) -> None:
    first = await world.say("I like hiking.", HIKING)
    world.model.relations = {ALPS["text"]: "adds"}
    await world.say("I enjoy hiking in the Alps.", ALPS)
    await world.memory.delete_episode(world.store, "haruka", first.episodes[0].id)
    assert await world.texts() == [ALPS["text"]]


async def test_less_than_known_changes_no_wording(world: World) -> None:
    await world.say("I enjoy hiking in the Alps.", ALPS)
    world.model.relations = {HIKING["text"]: "covered"}
    (decision,) = (await world.say("I like hiking.", HIKING)).facts
    assert decision.event == "NONE"
    assert await world.texts() == [ALPS["text"]]


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ({"p": "takes", "o": "20 mg of iron", "text": "Haruka takes 20 mg of iron."},
         {"p": "swallows", "o": "40 mg of iron", "text": "Haruka swallows 40 mg of iron."}),
        ({"p": "pays", "o": "500 euros of rent", "text": "Haruka pays 500 euros of rent."},
         {"p": "spends", "o": "500 dollars of rent", "text": "Haruka spends 500 dollars of rent."}),
        ({"p": "trusts", "o": "the old bank", "text": "Haruka trusts the old bank."},
         {"p": "believes_in", "o": "the old bank", "polarity": False, "text": "Haruka never believes the old bank."}),
        ({"p": "climbed", "o": "Mount Fuji", "text": "Haruka climbed Mount Fuji."},
         {"p": "went_up", "o": "Mount Haku", "text": "Haruka went up Mount Haku."}),
        ({"p": "登った", "o": "富士山", "text": "Harukaは富士山に3回登った。"},
         {"p": "登頂した", "o": "富士山", "text": "Harukaは富士山に5回登頂した。"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verdict", ["same", "adds", "covered", "contradicts"])
async def test_no_model_makes_different_details_the_same(
    world: World, known: dict[str, Any], new: dict[str, Any], verdict: str
) -> None:
    await world.say(known["text"], {**known, "quote": known["text"]})
    world.model.relations = {new["text"]: verdict}
    await world.say(new["text"], {**new, "quote": new["text"]})
    assert await world.texts() == sorted([known["text"], new["text"]])


async def test_detail_that_would_be_lost_keeps_both(world: World) -> None:
    known = {"p": "likes", "o": "hiking in the Alps", "text": "Haruka likes hiking in the Alps."}
    new = {"p": "enjoys", "o": "hiking with Mika", "text": "Haruka enjoys hiking with Mika."}
    await world.say("I like hiking in the Alps.", known)
    for verdict in ("same", "adds", "covered"):
        world.model.relations = {new["text"]: verdict}
        await world.say(f"I enjoy hiking with Mika. {verdict}", new)
    assert await world.texts() == sorted([known["text"], new["text"]])


EMPLOYED = {"p": "works_at", "o": "Nordbank", "text": "Haruka works at Nordbank."}
EARNS = {"p": "has_a_job_at", "o": "Seldon", "text": "Haruka has a job at Seldon."}


async def test_a_contradiction_takes_the_way_of_the_rules(world: World) -> None:
    await world.say("I work at Nordbank.", EMPLOYED, at="2026-01-10T09:00:00Z")
    world.model.relations = {EARNS["text"]: "contradicts"}
    (decision,) = (await world.say("I have a job at Seldon.", EARNS, at="2026-03-10T09:00:00Z")).facts
    assert decision.event == "ADD"
    assert len(decision.superseded) == 1
    assert "another value of works_at" in decision.reason
    assert await world.texts() == [EARNS["text"]]


async def test_the_rules_hold_for_a_contradiction_told_late(world: World) -> None:
    await world.say("I work at Nordbank.", EMPLOYED, at="2026-03-10T09:00:00Z")
    world.model.relations = {EARNS["text"]: "contradicts"}
    await world.say("I have a job at Seldon.", EARNS, at="2025-03-10T09:00:00Z")
    assert await world.texts() == [EMPLOYED["text"]], "an older word closes nothing newer"


async def test_hearsay_judged_to_contradict_retires_nothing(world: World) -> None:
    await world.say("I work at Nordbank.", EMPLOYED, at="2026-01-10T09:00:00Z")
    world.model.relations = {EARNS["text"]: "contradicts"}
    await world.say(
        "I have a job at Seldon.", {**EARNS, "confidence": 0.2}, at="2026-03-10T09:00:00Z"
    )  # a guess of the model: a candidate
    assert EMPLOYED["text"] in await world.texts()


async def test_values_that_coexist_are_not_retired(world: World) -> None:
    await world.say("I like hiking.", HIKING)
    swims = {"p": "enjoys", "o": "swimming", "text": "Haruka enjoys swimming."}
    world.model.relations = {swims["text"]: "contradicts"}
    await world.say("I enjoy swimming.", swims)
    assert await world.texts() == sorted([HIKING["text"], swims["text"]])


async def test_an_end_in_other_words_ends_the_known_fact(world: World) -> None:
    await world.say("I like hiking.", HIKING)
    world.model.relations = {HIKES["text"]: "same"}
    (decision,) = (await world.say("I gave up walks in the mountains.", {**HIKES, "event": "retract"})).facts
    assert (decision.event, decision.fact.text) == ("DELETE", HIKING["text"])
    assert await world.texts() == []


async def test_a_corrected_fact_gains_nothing(world: World) -> None:
    home = {"p": "lives_in", "o": "Kobe", "text": "Haruka lives in Kobe."}
    osaka = {"p": "lives_in", "o": "Osaka", "text": "Haruka lives in Osaka.", "correction": True}
    await world.say("I live in Kobe.", home, at="2026-01-10T09:00:00Z")
    await world.say("Actually I live in Osaka.", osaka, at="2026-01-11T09:00:00Z")
    again = {"p": "dwells_in", "o": "Kobe", "text": "Haruka dwells in Kobe.", "importance": 1.0}
    world.model.relations = {again["text"]: "same"}
    await world.say("I dwell in Kobe.", again, at="2026-01-09T09:00:00Z")
    everything = {f.text: f for f in await world.facts(validity="any")}
    assert everything[home["text"]].expired_at is not None
    assert everything[home["text"]].importance == 0.5


async def test_a_stale_verdict_is_ignored(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphmem.ingest import pipeline

    (first,) = (await world.say("I like hiking.", HIKING)).facts
    judged = pipeline.match_known

    async def and_then_it_goes(*args: Any) -> Any:
        found = await judged(*args)
        await world.memory.delete_fact(world.store, "haruka", first.fact.id)
        return found

    monkeypatch.setattr(pipeline, "match_known", and_then_it_goes)
    world.model.relations = {HIKES["text"]: "same"}
    (decision,) = (await world.say("I enjoy walks in the mountains.", HIKES)).facts
    assert (decision.event, decision.fact.text) == ("ADD", HIKES["text"])


async def test_ten_facts_cost_two_calls(world: World) -> None:
    things = ["jazz", "chess", "tennis", "ramen", "opera", "poetry", "sailing", "cycling", "baking", "pottery"]
    known = [{"p": "likes", "o": f"{t} on rainy days", "text": f"Haruka likes {t} on rainy days."} for t in things]
    new = [{"p": "enjoys", "o": f"{t} in the rain", "text": f"Haruka enjoys {t} in the rain."} for t in things]
    first = await world.say("I like " + ", ".join(f"{t} on rainy days" for t in things), *known)
    assert (len(first.facts), first.usage.llm_calls) == (10, 1)
    world.model.relations = {f"{k['text']} | {n['text']}": "same" for k, n in zip(known, new, strict=True)}
    told = await world.say("I enjoy " + ", ".join(f"{t} in the rain" for t in things), *new)
    assert [decision.event for decision in told.facts] == ["NONE"] * 10
    assert told.usage.llm_calls == 2
    assert world.model.calls["judge"] == 1
    assert len(await world.facts()) == 10


@pytest.mark.parametrize(
    "mode",
    ["code_fence", "think_prefix", "wrapped_object", "extra_keys", "wrong_types", "bare_list"],
)
async def test_a_clumsy_verdict_is_read(world: World, mode: str) -> None:
    await world.say("I like hiking.", HIKING)
    world.model.relations = {HIKES["text"]: "same"}
    world.model.inject("judge", mode)
    told = await world.say("I enjoy walks in the mountains.", HIKES)
    assert (told.facts[0].event, told.usage.llm_calls, told.warnings) == ("NONE", 2, ())


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("truncated", "truncated"),
        ("refusal", "refused"),
        ("empty_string", "empty_answer"),
        ("schema_echo", "schema_echo"),
        ("http_500", "server_error"),
    ],
)
async def test_a_judge_that_fails_loses_nothing_and_is_told(world: World, mode: str, reason: str) -> None:
    await world.say("I like hiking.", HIKING)
    world.model.relations = {HIKES["text"]: "same"}
    world.model.inject("judge", mode, times="always")
    told = await world.say("I enjoy walks in the mountains.", HIKES)
    assert told.warnings == (f"not_judged: {reason}",)
    assert told.episodes[0].status == "processed"
    assert await world.texts() == sorted([HIKING["text"], HIKES["text"]])


async def test_the_question_is_in_the_language_of_the_text_and_data_stays_data(world: World) -> None:
    known = {"p": "好き", "o": "山歩き", "text": "Harukaは山歩きが好きだ"}
    new = {"p": "楽しむ", "o": "登山", "text": "Harukaは登山を楽しんでいる"}
    await world.say("山歩きが好きだ。", known)
    world.model.relations = {new["text"]: "same"}
    (decision,) = (await world.say("登山を楽しんでいる。", new)).facts
    assert decision.event == "NONE"
    system, data = world.model.requests[-1]["messages"]
    assert "長期記憶" in system["content"]
    assert "登山" not in system["content"]
    assert world.model.requests[-1]["response_format"]["json_schema"]["name"] == "verdicts"
    assert new["text"] in data["content"]


async def test_rules_alone_know_the_same_words_and_no_more(world: World) -> None:
    say = {"extraction": "offline"}
    await world.say("I like hiking.", **say)
    await world.say("I like chess.", **say)
    await world.say("I do not like chess anymore.", **say)
    assert world.model.calls["llm"] == 0
    assert len(await world.facts()) == 1
