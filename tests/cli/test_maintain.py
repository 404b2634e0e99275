"""`graphmem maintain` against the real memory."""

from __future__ import annotations

import json

import pytest

from graphmem import Memory
from graphmem import cli as command
from graphmem.models.episode import RememberRequest

from .conftest import Run


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        (["maintain", "decay", "--limit", "0"], "--limit"),
        (["maintain", "purge", "--as-of", "someday"], "--as-of"),
        (["maintain", "consolidate", "--limit", "0"], "--limit"),
        (["maintain", "dance"], "dance"),
    ],
)
def test_wrong_usage_is_told(tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(tokens) == 2
    assert named in capsys.readouterr().err


async def test_fade_and_purge(cli: Run, neo4j_env: dict[str, str], memory: Memory, store_id: str) -> None:
    fact = {"subject": "user", "predicate": "好き", "object": "霧", "importance": 0.0}
    body = {"scope": {"actor_id": "ana"}, "text": "霧が好き", "facts": [fact]}
    made = await memory.remember(store_id, RememberRequest.model_validate(body))

    dry = cli("maintain", "decay", "--dry-run", "--as-of", "2040-01-01", "--store", store_id, **neo4j_env)
    assert dry.returncode == 0, dry.stderr
    assert f"{made.facts[0].fact.id}  1.00 → 0.00  archived (low_retention)" in dry.stdout
    assert "would be: examined 1, changed 1, archived 1, expired 0, restored 0" in dry.stdout

    assert cli("maintain", "decay", "--as-of", "2040-01-01", "--store", store_id, **neo4j_env).returncode == 0
    done = cli("maintain", "purge", "--as-of", "2041-01-01", "--store", store_id, "--json", **neo4j_env)
    assert json.loads(done.stdout)["purged"] == 1


async def test_consolidate(cli: Run, neo4j_env: dict[str, str], memory: Memory, store_id: str) -> None:
    body = {"scope": {"actor_id": "ana", "session_id": "s1"}, "text": "霧が深かった。", "extraction": "none"}
    await memory.remember(store_id, RememberRequest.model_validate(body))
    dry = cli("maintain", "consolidate", "--dry-run", "--store", store_id, **neo4j_env)
    assert dry.returncode == 0, dry.stderr
    assert "session s1  1 episodes (new)" in dry.stdout
    assert "would be: examined 2, summarised 1, themes 0, removed 0, dropped 0, llm_calls 0" in dry.stdout
    done = cli("maintain", "consolidate", "--store", store_id, "--json", **neo4j_env)
    assert json.loads(done.stdout)["summarised"] == 1
