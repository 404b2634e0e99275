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
HALF = [line for line in LINES if line["split"] == "test"]
"""Half of the people, for the time that it takes: 86 questions with an answer, 58 without."""


def value(point: Point) -> float:
    return (KEPT_WEIGHS * point.kept + point.refused) / (KEPT_WEIGHS + 1)


async def test_the_shipped_numbers_are_about_the_best_there_are(memory: Memory) -> None:
    """Fails when scores have changed: `graphmem calibrate` with this data gives new numbers (decision 0016)."""
    async with temporary_store(memory, "quality") as store:
        actors = {line["actor"] for line in HALF}
        memories = [line for line in read_memories(DATA / "memories.jsonl") if line.actor in actors]
        await fill(memory, store, memories, lambda stage, fraction: None)
        asked = [Question.model_validate(line) for line in HALF]
        found = (await calibrate(memory, store, asked, modes=("hybrid",)))["hybrid"]
    assert found.chosen.auc > 0.8
    assert value(found.present) > value(found.chosen.point) - 0.03
    assert found.present.kept > 0.8
    assert found.present.refused > 0.65
