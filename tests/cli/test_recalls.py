"""`graphmem recalls` against the real memory."""

from __future__ import annotations

import json

import pytest

from graphmem import Memory
from graphmem import cli as command
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest

from .conftest import Run


@pytest.mark.parametrize(("tokens", "named"), [(["--limit", "0"], "--limit"), (["--since", "someday"], "--since")])
def test_wrong_usage_is_told(tokens: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(["recalls", *tokens]) == 2
    assert named in capsys.readouterr().err


async def test_the_list_and_one_of_it(cli: Run, neo4j_env: dict[str, str], memory: Memory, store_id: str) -> None:
    scope = {"actor_id": "ana"}
    await memory.remember(
        store_id, RememberRequest.model_validate({"scope": scope, "text": "アナは大阪に住んでいる。"})
    )
    body = {"scope": scope, "query": "大阪", "kinds": ["episode"]}
    asked = await memory.recall(store_id, RecallRequest.model_validate(body))
    where = ("--actor", "ana", "--store", store_id)

    listed = cli("recalls", *where, **neo4j_env)
    assert listed.returncode == 0, listed.stderr
    assert f"hybrid   gave 1 of 1  {asked.audit.id}" in listed.stdout

    one = cli("recalls", str(asked.audit.id), *where, **neo4j_env)
    assert f"  1. episode {asked.items[0].id}  score {asked.items[0].score:.2f}" in one.stdout
    assert "大阪" not in one.stdout

    found = json.loads(cli("recalls", *where, "--until", "2020-01-01", "--json", **neo4j_env).stdout)
    assert found == {"items": []}
    foreign = cli("recalls", str(asked.audit.id), "--actor", "bo", "--store", store_id, **neo4j_env)
    assert foreign.returncode == 1
    assert "no such recall" in foreign.stderr
