"""Calibration of a store on the real graph: from its facts, from labelled questions, and what recall does with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import InvalidInput, NotFound
from graphmem.eval.calibration import (
    Question,
    apply,
    calibrate,
    cloze,
    read_questions,
)
from graphmem.models.manage import StorePatch
from graphmem.models.recall import RecallRequest
from graphmem.ports import Identity, Vectors

from .conftest import World

THINGS = (
    "lapsang tea",
    "kendo",
    "fog",
    "old maps",
    "rye bread",
    "jazz",
    "cycling",
    "ほうじ茶",
    "霧",
    "将棋",
    "古地図",
    "焼き芋",
)


async def remember_things(world: World) -> None:
    for thing in THINGS:
        await world.one(thing, predicate=f"has opinion on {thing}")


@pytest.mark.parametrize(
    ("text", "object_", "query"),
    [
        ("Haruka lives in Osaka", "osaka", "Haruka lives in what?"),
        ("春香は大阪に住んでいる。", "大阪", "春香は何に住んでいる?"),
        ("Ana likes tea and tea", "tea", "Ana likes tea and what?"),
        ("Ana smokes", "pipe", None),
        ("Ana smokes", " ", None),
    ],
)
def test_a_question_leaves_the_object_out(text: str, object_: str, query: str | None) -> None:
    assert cloze(text, object_) == query


async def test_from_the_stores_own_facts_without_changing_anything(world: World) -> None:
    await remember_things(world)
    before = await world.snapshot()
    found = await calibrate(world.memory, world.store)
    assert await world.snapshot() == before
    assert list(found) == ["hybrid", "vector", "keyword"]
    hybrid = found["hybrid"].chosen
    assert hybrid.answerable == hybrid.found == len(THINGS)
    assert hybrid.unanswerable == len(THINGS)  # there is nobody else to ask
    assert hybrid.point.min_vector is not None
    for one in found.values():
        assert one.chosen.auc > 0.5
        assert one.chosen.point in one.chosen.around


async def test_what_is_applied_holds_until_the_embedder_changes(world: World) -> None:
    await remember_things(world)
    await world.gate(max_age_days=30)
    found = await calibrate(world.memory, world.store)
    await apply(world.memory, world.store, found)
    settings = (await world.memory.get_store(world.store)).settings
    assert settings.calibration is not None
    assert settings.gate is not None  # what else is set stays
    assert settings.gate.max_age_days == 30
    point = found["hybrid"].chosen.point
    assert settings.calibration.min_score["hybrid"] == settings.calibration.min_score["semantic"] == point.min_score
    gate = (await world.recall("tea", explain=True)).audit.gate
    assert gate is not None
    assert (gate.min_score, gate.min_vector) == (point.min_score, point.min_vector)
    assert (await calibrate(world.memory, world.store))["hybrid"].present == point
    moved = settings.calibration.model_copy(update={"embedder": "another/8/0"})
    patch = StorePatch.model_validate({"settings": {"calibration": moved.model_dump()}})
    await world.memory.update_store(world.store, patch)
    again = (await world.recall("tea", explain=True)).audit.gate
    assert again is not None
    assert again.min_score != point.min_score
    assert (await world.recall("tea")).degraded == ()  # the product knows its own embedder


async def test_labelled_questions_name_sources_or_facts(world: World, tmp_path: Path) -> None:
    lines = []
    for number, thing in enumerate(THINGS):
        (fact,) = await world.say(
            f"I have looked into {thing}.", {"object": thing}, source={"type": "chat", "id": f"m{number}"}
        )
        expected = f"m{number}" if number % 2 else fact.id
        lines += [
            {
                "query": f"What about {thing}?",
                "actor": "ana",
                "expected": [expected],
                "note": "more fields may be there",
            },
            {"query": f"Is thing number {number} blue?", "actor": "bo", "expected": []},
        ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n\n", encoding="utf-8")
    found = await calibrate(world.memory, world.store, read_questions(path), keep=1.0)
    for mode in ("hybrid", "keyword"):
        point = found[mode].chosen.point  # type: ignore[index]
        assert (point.kept, point.refused) == (1.0, 1.0)


async def test_too_little_to_ask_is_said(world: World) -> None:
    await world.one("tea")
    with pytest.raises(InvalidInput, match="only 1 questions"):
        await calibrate(world.memory, world.store)
    with pytest.raises(InvalidInput, match="with an answer are needed"):
        await calibrate(world.memory, world.store, [Question(query="tea", actor="ana", expected=("x",))])
    with pytest.raises(NotFound):
        await calibrate(world.memory, "no-such-store")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"query": "tea", "actor": "ana"}', "line 1: expected"),
        ('\n{"query": " ", "actor": "ana", "expected": []}', "line 2: query"),
        ("tea", "line 1 is not JSON"),
        ("[]", "line 1"),
    ],
)
def test_a_wrong_line_is_named(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=told):
        read_questions(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")


class Unmeasured:
    """The local embedder under a name that nobody has measured."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.identity = Identity("unmeasured", 512, "0")

    async def prepare(self) -> None:
        """Nothing to do."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        found: Vectors = await self._inner.embed_passages(texts)  # type: ignore[attr-defined]
        return found

    async def embed_query(self, text: str) -> Vectors:
        found: Vectors = await self._inner.embed_query(text)  # type: ignore[attr-defined]
        return np.array(found)

    async def close(self) -> None:
        """Nothing to do."""


async def test_an_embedder_that_nobody_has_measured_is_told(
    world: World, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphmem import memory as facade

    async def any_embedder(*_: object) -> None:
        """The stored vectors are those of the local embedder, whose name alone is another here."""

    await remember_things(world)
    monkeypatch.setattr(facade, "check_embedder", any_embedder)
    async with Memory.open(neo4j_settings, embedder=Unmeasured(world.memory._embedder), work=False) as other:
        request = {"scope": {"actor_id": "ana"}, "query": "tea"}

        async def degraded(**more: object) -> tuple[str, ...]:
            asked = RecallRequest.model_validate({**request, **more})
            return (await other.recall(world.store, asked)).degraded

        assert await degraded() == ("gate_uncalibrated",)
        assert await degraded(mode="keyword") == ()
        assert await degraded(gate={"min_score": 0.3}) == ()  # somebody has chosen
        await apply(other, world.store, await calibrate(other, world.store))
        assert await degraded() == ()
    settings = (await world.memory.get_store(world.store)).settings
    assert settings.calibration is not None
    assert settings.calibration.embedder == "unmeasured/512/0"
