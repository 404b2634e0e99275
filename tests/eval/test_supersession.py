"""`graphmem eval supersession`: it can fail, and on the shared data it does not, in any order of arrival."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput
from graphmem.eval.supersession import Order, evaluate, shares

FACT = {
    "space": "s",
    "lang": "en",
    "subject": "Ida",
    "predicate": "residence",
    "cardinality": "one",
    "event": "assert",
    "valid_to": None,
}
FACTS = [
    {
        **FACT,
        "id": "f1",
        "object": "Bern",
        "recorded_at": "2024-01-01T00:00:00",
        "valid_from": "2024-01-01T00:00:00",
        "text": "Ida lives in Bern.",
    },
    {
        **FACT,
        "id": "f2",
        "object": "Graz",
        "recorded_at": "2025-01-01T00:00:00",
        "valid_from": "2025-01-01T00:00:00",
        "text": "Ida moved to Graz.",
    },
]
CHECK = {
    "kind": "update",
    "space": "s",
    "lang": "en",
    "subject": "Ida",
    "predicate": "residence",
    "as_of": None,
    "question": "Where does Ida live?",
}


def write(folder: Path, checks: list[dict[str, object]]) -> Path:
    (folder / "facts.jsonl").write_text("\n".join(map(json.dumps, FACTS)), encoding="utf-8")
    (folder / "checks.jsonl").write_text("\n".join(map(json.dumps, checks)), encoding="utf-8")
    return folder


async def test_a_wrong_answer_is_counted(memory: Memory, tmp_path: Path) -> None:
    right = {**CHECK, "id": "c1", "expect": ["f2"], "forbid": ["f1"]}
    wrong = {**CHECK, "id": "c2", "expect": ["f1"], "forbid": ["f2"]}
    scores = await evaluate(memory, write(tmp_path, [right, wrong]))
    assert scores["all"].failed == ["c2"]
    assert shares(scores["all"])["strict"] == 0.5


async def test_a_folder_without_data_is_an_error(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"facts\.jsonl"):
        await evaluate(memory, tmp_path)


async def test_texts_alone_are_enough(memory: Memory, tmp_path: Path) -> None:
    now = {**CHECK, "id": "c1", "expect": ["f2"], "forbid": ["f1"]}
    then = {**CHECK, "id": "c2", "as_of": "2024-06-01T00:00:00", "expect": ["f1"], "forbid": ["f2"]}
    unsaid = {**CHECK, "id": "c3", "as_of": "2023-06-01T00:00:00", "expect": ["f1"], "forbid": []}
    scores = await evaluate(memory, write(tmp_path, [now, then, unsaid]), text=True)
    assert scores["all"].failed == ["c3"]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("folder", ["supersession_text", "supersession_notes/seen"])
async def test_other_words_for_what_changes(memory: Memory, folder: str) -> None:
    scores = await evaluate(memory, Path(__file__).parents[1] / "data" / folder, text=True)
    assert scores["all"].checks >= 60
    measured = shares(scores["all"])
    assert measured["first"] >= 0.9
    assert measured["strict"] >= 0.75


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("folder", ["dev", "check"])
async def test_words_that_no_rule_knows(memory: Memory, folder: str) -> None:
    """Less than half of it came out right before sentences were placed by their likeness; see decision 0014."""
    scores = await evaluate(memory, Path(__file__).parents[1] / "data/supersession_wording" / folder, text=True)
    assert shares(scores["coexist"])["clean"] == 1.0
    measured = shares(scores["all"])
    assert measured["first"] >= 0.65
    assert measured["strict"] >= 0.6


@pytest.mark.timeout(600)
@pytest.mark.parametrize("order", ["arrival", "shuffled"])
async def test_every_check_of_the_shared_data_is_right(memory: Memory, shared_dir: Path, order: Order) -> None:
    scores = await evaluate(memory, shared_dir / "data" / "supersession", order=order)
    assert scores["all"].checks > 700
    assert scores["all"].failed == []
