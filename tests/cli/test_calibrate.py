"""`graphmem calibrate` against the real memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem import cli as command
from graphmem.models.episode import RememberRequest

from .conftest import Run


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["--keep", "1.5"], "--keep"),
        (["--memories", "m.jsonl"], "--data"),
        (["--memories", "m.jsonl", "--data", "q.jsonl", "--apply"], "--apply"),
    ],
)
def test_wrong_usage_is_told(tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(["calibrate", *tokens]) == 2
    assert named in capsys.readouterr().err


async def test_look_then_apply(cli: Run, neo4j_env: dict[str, str], memory: Memory, store_id: str) -> None:
    for number in range(12):
        fact = {"subject": "user", "predicate": f"opinion {number}", "object": f"大事な物{number}"}
        body = {"scope": {"actor_id": "ana"}, "text": f"物{number}", "facts": [fact]}
        await memory.remember(store_id, RememberRequest.model_validate(body))

    looked = cli("calibrate", "--store", store_id, **neo4j_env)
    assert looked.returncode == 0, looked.stderr
    for part in (
        "hybrid: 12 questions with an answer (12 found), 12 without",
        "chosen",
        "present",
        "nothing was changed",
    ):
        assert part in looked.stdout
    assert (await memory.get_store(store_id)).settings.calibration is None

    applied = cli("calibrate", "--store", store_id, "--apply", "--json", **neo4j_env)
    modes = json.loads(applied.stdout)["modes"]
    calibration = (await memory.get_store(store_id)).settings.calibration
    assert calibration is not None
    assert calibration.min_score["vector"] == modes["vector"]["point"]["min_score"]


def test_a_store_made_of_given_memories(cli: Run, neo4j_env: dict[str, str], tmp_path: Path) -> None:
    memories, questions = tmp_path / "memories.jsonl", tmp_path / "questions.jsonl"
    lines = [{"actor": "ana", "id": f"m{n}", "text": f"{n}番の箱には石がある。"} for n in range(12)]
    memories.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    asked = [{"query": f"{n}番の箱", "actor": "ana", "expected": [f"m{n}"]} for n in range(12)]
    asked += [{"query": f"weather in city {n}", "actor": "ana", "expected": []} for n in range(12)]
    questions.write_text("\n".join(json.dumps(line) for line in asked), encoding="utf-8")
    done = cli("calibrate", "--memories", str(memories), "--data", str(questions), "--json", **neo4j_env)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["modes"]["hybrid"]["answerable"] == 12
