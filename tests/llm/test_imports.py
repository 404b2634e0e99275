"""Notes while the model is away: note and text are kept, the file is reported, the next import finds the facts."""

from __future__ import annotations

from graphmem.models.imports import ImportedFile, ImportRequest
from graphmem.models.note import NoteQuery

from .conftest import World

FILE = {"path": "log.md", "content": "[[Freya Lundahl|Freya]] likes **chess**."}


async def taken(world: World) -> ImportedFile:
    body = {"scope": {"actor_id": "haruka"}, "files": [FILE], "extraction": "llm"}
    (file,) = (await world.memory.imports.files(world.store, ImportRequest.model_validate(body))).files
    return file


async def test_what_a_model_could_not_read_is_read_in_the_next_import(world: World) -> None:
    liked = {"Freya likes chess.": [{"s": "Freya", "p": "likes", "o": "chess"}]}
    world.model.script_facts(liked)
    world.model.inject("llm", "http_500", times="always")
    down = await taken(world)

    assert (down.outcome, down.facts) == ("failed", 0)
    assert "saved" in (down.reason or "")
    assert down.episode is not None
    assert (down.episode.status, down.episode.error) == ("failed", "server_error")
    assert len((await world.memory.notes.page(world.store, NoteQuery(actor_id="haruka"))).items) == 1
    assert (await taken(world)).outcome == "failed"
    world.model.reset()
    world.model.script_facts(liked)
    up = await taken(world)
    assert (up.outcome, up.reason) == ("changed", None)
    facts = [f for f in await world.facts() if f.predicate == "likes"]
    assert [(f.subject.name, f.object and f.object.name) for f in facts] == [("Freya Lundahl", "chess")]
    assert (await taken(world)).outcome == "same"
