"""Files while the model is away: the words are kept, the file is reported, the next run finds the facts."""

from __future__ import annotations

from pathlib import Path

from graphmem.ingest.files import FileReport, IngestOptions
from graphmem.ingest.find_files import find_files

from .conftest import World


async def ingest(world: World, path: Path) -> FileReport:
    options = IngestOptions(world.store, "haruka", extraction="llm")
    (report,) = [r async for r in world.memory.files.ingest(find_files([path]), options)]
    return report


async def test_what_a_model_could_not_read_is_read_in_the_next_run(world: World, tmp_path: Path) -> None:
    path = tmp_path / "2025-06-18.txt"
    path.write_text("I like chess.\n\nI like tea.", encoding="utf-8")
    liked = {f"I like {o}.": [{"s": "user", "p": "likes", "o": o}] for o in ("chess", "tea", "go")}
    world.model.script_facts(liked)
    world.model.inject("llm", "http_500", times="always")
    down = await ingest(world, path)
    assert (down.outcome, down.failed, down.reason) == ("failed", 2, "2 episodes: server_error")
    requests = world.model.calls["llm"]
    assert (await ingest(world, path)).failed == 2
    assert world.model.calls["llm"] == 2 * requests  # once for the call, not once for each of its episodes
    world.model.reset()
    world.model.script_facts(liked)
    up = await ingest(world, path)
    assert (up.outcome, up.new, up.failed, up.added) == ("changed", 2, 0, 2)
    assert (await ingest(world, path)).outcome == "same"

    path.write_text("I like chess.\n\nI like go.", encoding="utf-8")
    world.model.inject("llm", "http_500", times="always")
    assert (await ingest(world, path)).outcome == "failed"
    liking = {str(fact.object and fact.object.name) for fact in await world.facts()}
    assert liking == {"chess", "tea"}  # the old words hold until the new ones are read
    world.model.reset()
    world.model.script_facts(liked)
    assert (await ingest(world, path)).retired == 1
    assert {str(fact.object and fact.object.name) for fact in await world.facts()} == {"chess", "go"}
