"""A folder of Markdown notes in and out of the graph."""

from __future__ import annotations

import asyncio
import os
import re
import unicodedata
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..models.ids import owner_key
from ..models.note import FileDone, NoteQuery
from .markdown import write_note
from .rows import content_from

if TYPE_CHECKING:
    from .service import Notes

_SUFFIXES = (".md", ".markdown")
_BARRED = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_RESERVED = re.compile(r"(?i)^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_LONGEST_STEM = 60
"""Characters of a file name made of a title; also in Japanese it stays under the 255 bytes of most file systems."""
_PAGE = 200


def note_files(folder: Path) -> Iterator[Path]:
    """The Markdown files of a folder in order; hidden folders and links to elsewhere are left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(place, name)
            if path.suffix.lower() in _SUFFIXES and not name.startswith(".") and not path.is_symlink():
                yield path


async def export_folder(
    notes: Notes, store_id: str, actor_id: str, folder: Path, *, session_id: str | None = None, force: bool = False
) -> AsyncIterator[FileDone]:
    """Write each note that holds now as a file; a file of other content is kept and reported, unless `force`.

    Errors: NotFound (store), InvalidInput (the folder cannot be made).
    """
    await notes.check_store(store_id)
    taken: set[str] = set()
    token: str | None = None
    query = NoteQuery(actor_id=actor_id, session_id=session_id, status="active")
    while True:
        page = await notes.reader.page(store_id, query, _PAGE, token)
        for note in page.items:
            row = await notes.reader.row(owner_key(store_id, actor_id), note.id)
            name = _unique(_file_name(note.path, note.title), taken)
            data = write_note(content_from(row["note"]), name)
            yield await asyncio.to_thread(_write, folder, name, data, force)
        token = page.next_page_token
        if token is None:
            return


def _file_name(path: str | None, title: str) -> str:
    if path is None:
        return f"{_safe(title)[:_LONGEST_STEM].strip() or 'note'}.md"
    parts = [_safe(part) if os.name == "nt" else part for part in path.lstrip("/").split("/")]
    name = "/".join(parts)
    return name if name.lower().endswith(_SUFFIXES) else f"{name}.md"


def _safe(name: str) -> str:
    clean = _BARRED.sub("-", name).strip(" .")
    return f"_{clean}" if _RESERVED.match(clean) else clean


def _unique(name: str, taken: set[str]) -> str:
    """The name, with a number where another note has it, also in another case."""
    stem, dot, suffix = name.rpartition(".")
    number, found = 1, name
    while (key := unicodedata.normalize("NFC", found).casefold()) in taken:
        number += 1
        found = f"{stem} {number}{dot}{suffix}"
    taken.add(key)
    return found


def _write(folder: Path, name: str, data: bytes, force: bool) -> FileDone:
    target = folder / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.resolve().is_relative_to(folder.resolve()):
            return FileDone(path=name, outcome="failed", reason="leads out of the folder")
        known = target.exists()
        if known and target.read_bytes() == data:
            return FileDone(path=name, outcome="same")
        if known and not force:
            return FileDone(path=name, outcome="failed", reason="is there with other content")
        target.write_bytes(data)
    except OSError as error:
        return FileDone(path=name, outcome="failed", reason=error.strerror or type(error).__name__)
    return FileDone(path=name, outcome="changed" if known else "made")
