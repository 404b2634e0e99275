"""Explicit commands: what is to be kept weighs more, what is to be forgotten ends, the rest is told to the caller."""

from __future__ import annotations

import pytest

from .conftest import Extract, Facts


@pytest.mark.parametrize(
    ("told", "plain", "predicate"),
    [
        ("Please remember that I'm allergic to aspirin.", "I'm allergic to aspirin.", "allergic_to"),
        ("Keep in mind I don't eat gluten.", "I don't eat gluten.", "eats"),
        ("Remember: the locker number is 12.", "The locker number is 12.", "is"),
        ("アスピリンにアレルギーがあることを覚えておいて。", "アスピリンにアレルギーがあります。", "allergic_to"),
        ("覚えておいて、合鍵は植木鉢の下にあります。", "合鍵は植木鉢の下にあります。", "located_in"),
    ],
)
async def test_what_is_to_be_remembered_weighs_more(facts: Facts, told: str, plain: str, predicate: str) -> None:
    [kept] = await facts(told)
    [said] = await facts(plain)
    assert (kept.predicate, kept.object.name) == (predicate, said.object.name)
    assert kept.importance > said.importance
    assert kept.quote == told


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("Forget that I like jazz.", "likes", "jazz"),
        ("Please forget that I work at Corvid Bank.", "works_at", "Corvid Bank"),
        ("ジャズが好きだということは忘れて。", "likes", "ジャズ"),
        ("北辰建設で働いていることは忘れてください。", "works_at", "北辰建設"),
    ],
)
async def test_what_is_to_be_forgotten_ends(facts: Facts, text: str, predicate: str, value: str) -> None:
    [fact] = await facts(text)
    assert (fact.predicate, fact.object.name, fact.event) == (predicate, value, "retract")


@pytest.mark.parametrize(
    "text",
    [
        "Forget what I said about the cottage.",
        "Forget my old address.",
        "前の住所は忘れて。",
        "さっき話したことは全部忘れてください。",
    ],
)
async def test_what_cannot_be_matched_is_told(extract: Extract, text: str) -> None:
    extracted = await extract(text)
    assert extracted.candidates == ()
    assert [(r.reason, r.text) for r in extracted.rejected] == [("forget_unclear", text)]


@pytest.mark.parametrize(
    "text",
    ["Forget it.", "I forgot my umbrella.", "Remember to water the plants.", "Do you remember where I live?",
     "忘れて。", "水やりを忘れないでね。", "傘を忘れた。"],
)  # fmt: skip
async def test_no_command(extract: Extract, text: str) -> None:
    extracted = await extract(text)
    assert (extracted.candidates, extracted.rejected) == ((), ())


async def test_the_assistant_commands_nothing(extract: Extract) -> None:
    extracted = await extract("Forget that I like jazz.", role="assistant")
    assert (extracted.candidates, extracted.rejected) == ((), ())
