"""A folder of Markdown notes on the real engine: in, out, in again."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput
from graphmem.models.note import FileDone, NoteIn, NotePatch, NoteQuery
from graphmem.models.scope import Scope

SCOPE = Scope(actor_id="花")
FILES = {
    "people/Freya Lundahl.md": b"---\naliases: [Frey]\n---\nFreya Lundahl paints tiles.\n",
    "log.md": b"[[Freya Lundahl|Freya]] signed the lease. See [[Freya Lundahl#Address]] and [[frey]].",
    "2024/visit.md": b"\xef\xbb\xbf---\r\ndate: 2024-05-17\r\ntags: [trip]\r\n---\r\nTorvald bought a loom.\r\n",
    "日記/京都 旅行.md": "---\n# 覚え\nrelated: [[log]]\n---\n\n祇園に泊まった。 #京都\n".encode(),
    "empty.md": b"",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "vault"
    for name, data in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    (place / ".obsidian").mkdir()
    (place / ".obsidian" / "hidden.md").write_text("x")
    (place / "picture.png").write_bytes(b"x")
    return place


async def taken_in(memory: Memory, store: str, folder: Path) -> list[FileDone]:
    return [done async for done in memory.imports.folder(store, SCOPE, folder)]


async def written(memory: Memory, store: str, folder: Path, *, force: bool = False) -> list[FileDone]:
    return [done async for done in memory.notes.export_folder(store, SCOPE.actor_id, folder, force=force)]


def files(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.md") if ".obsidian" not in p.parts
    }


async def test_a_folder_goes_in_and_comes_out_without_loss(
    memory: Memory, store_id: str, folder: Path, tmp_path: Path
) -> None:
    first = await taken_in(memory, store_id, folder)
    again = await taken_in(memory, store_id, folder)
    await written(memory, store_id, tmp_path / "out")

    assert {done.outcome for done in first} == {"made"}
    assert {done.outcome for done in again} == {"same"}
    assert files(tmp_path / "out") == FILES

    notes = {n.path: n for n in (await memory.notes.page(store_id, NoteQuery(actor_id="花"))).items}
    visit = notes["2024/visit.md"]
    assert (str(visit.valid_at)[:10], visit.valid_at_precision, visit.tags) == ("2024-05-17", "day", ("trip",))
    links = await memory.notes.links(store_id, "花", notes["log.md"].id)
    assert {(link.title, link.by) for link in links.links if link.by == "wiki"} == {("Freya Lundahl", "wiki")}
    assert links.unresolved == ()


async def test_changes_on_either_side_are_kept(memory: Memory, store_id: str, folder: Path) -> None:
    await taken_in(memory, store_id, folder)
    page = await memory.notes.page(store_id, NoteQuery(actor_id="花", tag="trip"))
    await memory.notes.update(store_id, "花", page.items[0].id, NotePatch(tags=("trip", "織機")))
    (folder / "log.md").write_text("Changed by hand.")

    kept = {done.path: done.outcome for done in await written(memory, store_id, folder)}
    done = {d.path: d.outcome for d in await taken_in(memory, store_id, folder)}

    assert kept["log.md"] == kept["2024/visit.md"] == "failed"
    assert (folder / "log.md").read_text() == "Changed by hand."
    assert done["log.md"] == "changed"
    await memory.notes.update(store_id, "花", page.items[0].id, NotePatch(tags=("trip", "織機")))
    await written(memory, store_id, folder, force=True)
    text = (folder / "2024/visit.md").read_bytes()
    assert text.startswith(b"\xef\xbb\xbf---\r\n")
    assert "tags:\r\n  - trip\r\n  - 織機\r\n---\r\nTorvald".encode() in text


async def test_notes_without_a_path_get_a_name(memory: Memory, store_id: str, tmp_path: Path) -> None:
    for title in ("a/b: c?", "A/B: C?", "CON"):
        await memory.notes.create(store_id, NoteIn(scope=SCOPE, title=title, body=title, auto_link=False))

    await written(memory, store_id, tmp_path / "out")

    assert set(files(tmp_path / "out")) == {"a-b- c-.md", "A-B- C- 2.md", "_CON.md"}


async def test_what_cannot_be_read_is_named_and_stops_nothing(memory: Memory, store_id: str, folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\xff\xfe")
    (folder / "long.md").write_text("x" * 50_001)

    done = {d.path: d for d in await taken_in(memory, store_id, folder)}

    assert {path for path, d in done.items() if d.outcome == "failed"} == {"bad.md", "long.md"}
    assert "UTF-8" in (done["bad.md"].reason or "")
    with pytest.raises(InvalidInput):
        await taken_in(memory, store_id, folder / "absent")
