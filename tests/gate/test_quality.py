"""The shipped least scores, measured as they were chosen."""

from __future__ import annotations

import json

from graphmem import Memory
from graphmem.eval.calibrate import KEPT_WEIGHS, Point
from graphmem.eval.calibration import Question, calibrate, fill, read_memories
from graphmem.eval.stores import temporary_store
from tests.support.tree import ROOT

DATA = ROOT / "tests/data/gate"
LINES = [json.loads(line) for line in (DATA / "queries.jsonl").read_text(encoding="utf-8").splitlines()]


def questions(*wordings: str) -> list[Question]:
    """Those in the `same` words as what answers them, in `other` words, or with `none` that does."""
    return [Question.model_validate(line) for line in LINES if line["wording"] in wordings]


def value(point: Point) -> float:
    return (KEPT_WEIGHS * point.kept + point.refused) / (KEPT_WEIGHS + 1)


async def test_the_shipped_numbers_are_about_the_best_there_are(memory: Memory) -> None:
    """Fails when scores have changed: `graphmem calibrate` with this data gives new numbers (decision 0016)."""
    async with temporary_store(memory, "quality") as store:
        await fill(memory, store, read_memories(DATA / "memories.jsonl"), lambda stage, fraction: None)
        other = (await calibrate(memory, store, questions("other", "none"), modes=("hybrid",)))["hybrid"]
        same = (await calibrate(memory, store, questions("same", "none")[-120:], modes=("hybrid",)))["hybrid"]
    assert value(other.present) > value(other.chosen.point) - 0.03
    assert other.present.kept > 0.65
    assert other.present.refused > 0.65
    assert same.present.kept > 0.98
