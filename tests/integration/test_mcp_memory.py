"""The file of the reference MCP memory server, taken in: every statement a fact with its source, or a problem."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, cli
from graphmem.config import Settings
from graphmem.models.fact import FactQuery
from graphmem.models.imports import ImportedFile, ImportRequest
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import Scope

HARUKA = Scope(actor_id="haruka")
LONG = "Keeps a diary. " * 100
LINES: list[dict[str, Any]] = [
    {
        "type": "entity", "name": "Freya_Lundahl", "entityType": "person",
        "observations": ["Paints tiles in a studio by the harbour", "紅茶が好き", LONG],
    },
    {"type": "entity", "name": "default_user", "entityType": "person", "observations": ["Prefers short answers"]},
    {"type": "entity", "name": "山田製作所", "entityType": "会社", "observations": []},
    {"type": "relation", "from": "Freya_Lundahl", "to": "山田製作所", "relationType": "works_for"},
    {"type": "relation", "from": "default_user", "to": "Freya_Lundahl", "relationType": "knows"},
]  # fmt: skip


def written(*lines: Any) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n" for line in lines)


async def taken(memory: Memory, store_id: str, *lines: Any) -> ImportedFile:
    return await memory.imports.graph(store_id, HARUKA, "memory.jsonl", written(*lines))


async def facts(memory: Memory, store_id: str) -> dict[str, Any]:
    page = await memory.list_facts(store_id, FactQuery(actor_id="haruka"), page_size=200)
    return {fact.text: fact for fact in page.items}


async def test_observations_types_and_relations_are_facts_with_their_source(memory: Memory, store_id: str) -> None:
    done = await taken(memory, store_id, *LINES)
    assert (done.outcome, done.problems, done.facts) == ("made", (), 9)
    found = await facts(memory, store_id)
    tiles = found["Freya_Lundahl: Paints tiles in a studio by the harbour"]
    assert (tiles.subject.name, tiles.object, tiles.predicate) == ("Freya_Lundahl", None, "observation")
    assert found[f"Freya_Lundahl: {LONG.strip()}"].subject.id == tiles.subject.id
    works = next(fact for fact in found.values() if fact.predicate == "works_for")
    assert (works.subject.id, works.object.name) == (tiles.subject.id, "山田製作所")
    knows = next(fact for fact in found.values() if fact.predicate == "knows")
    assert (knows.subject.name, knows.object.id) == ("haruka", tiles.subject.id)
    (source,) = (await memory.get_fact(store_id, "haruka", tiles.id)).sources
    assert source.source_id
    assert source.source_id.startswith("observation:")
    episode = await memory.get_episode(store_id, "haruka", source.episode_id)
    assert (episode.source_type, episode.content) == ("import", tiles.text)
    names = [entity.name for entity in (await memory.list_entities(store_id, "haruka", page_size=200)).items]
    assert sorted(names) == sorted(["Freya_Lundahl", "haruka", "person", "山田製作所", "会社"])

    request = {"scope": {"actor_id": "haruka"}, "query": "Who paints tiles?", "kinds": ["fact"]}
    items = (await memory.recall(store_id, RecallRequest.model_validate(request))).items
    assert items[0].id == tiles.id


async def test_the_same_lines_again_change_nothing_and_new_ones_are_added(memory: Memory, store_id: str) -> None:
    await taken(memory, store_id, *LINES)
    before = await facts(memory, store_id)
    again = await taken(memory, store_id, *reversed(LINES))
    assert (again.outcome, again.facts) == ("same", 0)
    grown = {**LINES[0], "observations": [*LINES[0]["observations"], "Plays the kantele"]}
    more = await taken(memory, store_id, grown, *LINES[1:], LINES[3])
    assert (more.outcome, more.facts) == ("changed", 1)
    after = await facts(memory, store_id)
    assert set(after) - set(before) == {"Freya_Lundahl: Plays the kantele"}
    assert {text: fact.id for text, fact in before.items()}.items() <= {t: f.id for t, f in after.items()}.items()


BAD: list[tuple[Any, str]] = [
    ("{not json", "is not JSON"),
    ("[1]", "must be an object"),
    ({"type": "event"}, 'type is "entity" or "relation"'),
    ({"type": ["entity"]}, 'type is "entity" or "relation"'),
    ({"type": "entity", "entityType": "person", "observations": ["x"]}, "name: is required"),
    ({"type": "entity", "name": "A", "entityType": "person", "observations": "x"}, "observations: must be a list"),
    ({"type": "entity", "name": "A", "observations": [7]}, "observations.0: "),
    ({"type": "entity", "name": "A", "observations": [" "]}, "observations.0: must not be blank"),
    ({"type": "entity", "name": "A"}, "neither a type nor observations"),
    ({"type": "entity", "name": "A" * 501, "observations": ["x"]}, "name: "),
    ({"type": "entity", "name": "she", "observations": ["x"]}, "subject: is a pronoun"),
    ({"type": "relation", "from": "A", "relationType": "knows"}, "to: is required"),
    ({"type": "relation", "from": "A", "to": None, "relationType": "knows"}, "to: "),
]


async def test_bad_lines_are_told_with_their_number_and_stop_no_other(memory: Memory, store_id: str) -> None:
    good = {"type": "entity", "name": "Otmar", "entityType": "person", "observations": ["Keeps bees"], "color": "red"}
    done = await taken(memory, store_id, *(line for line, _ in BAD), "", good)
    assert done.outcome == "made"
    told = {problem.line: problem for problem in done.problems}
    for number, (_, words) in enumerate(BAD, 1):
        assert words in told[number].reason
        assert not told[number].taken
    assert told[len(BAD) + 2].taken
    assert "color" in told[len(BAD) + 2].reason
    assert set(told) == {*range(1, len(BAD) + 1), len(BAD) + 2}
    assert "Otmar: Keeps bees" in await facts(memory, store_id)


async def test_nothing_that_can_be_taken_is_a_failure(memory: Memory, store_id: str) -> None:
    done = await taken(memory, store_id, "nothing")
    assert (done.outcome, len(done.problems)) == ("failed", 1)
    assert done.reason


async def test_over_rest_the_format_is_named(memory: Memory, store_id: str) -> None:
    body = {
        "scope": {"actor_id": "haruka"},
        "format": "mcp-memory",
        "files": [{"path": "memory.jsonl", "content": written(*LINES[3:], "bad")}],
    }
    for outcome in ("made", "same"):
        result = await memory.imports.files(store_id, ImportRequest.model_validate(body))
        assert result.counts[outcome] == 1
        assert [problem.line for problem in result.files[0].problems] == [3]


async def test_the_command(
    neo4j_settings: Settings,
    memory: Memory,
    store_id: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NEO4J_URI", str(neo4j_settings.neo4j_uri))
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_settings.neo4j_password.get_secret_value())
    file = tmp_path / "memory.jsonl"
    options = ["--format", "mcp-memory", str(file), "--actor", "haruka", "--store", store_id]
    file.write_text(written(*LINES), encoding="utf-8")
    assert await asyncio.to_thread(cli.run, ["import", *options]) == 0
    assert capsys.readouterr().out == "memory.jsonl: made, 9 facts, 0 problems\n"
    file.write_text(written(*LINES, "bad"), encoding="utf-8")
    assert await asyncio.to_thread(cli.run, ["import", *options]) == 1
    printed = capsys.readouterr()
    assert printed.out == "memory.jsonl: same, 0 facts, 1 problems\n"
    assert "line 6: is not JSON" in printed.err
    assert await asyncio.to_thread(cli.run, ["import", "absent.jsonl"]) == 2
