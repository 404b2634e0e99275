"""Rows of the graph as notes and entries."""

from __future__ import annotations

import json
from typing import cast

from ..models.fact import EntityName
from ..models.note import Entry, LinkKind, Note, NoteLink
from ..models.times import ValidTime
from ..store.driver import Row
from ..store.records import scope_from, sources_from
from .content import Content

_FIELDS = (
    "id", "store_id", "title", "body", "description", "path", "category", "importance", "pinned", "status", "valid_at",
    "valid_at_precision", "invalid_at", "created_at", "updated_at", "access_count", "version", "version_of",
)  # fmt: skip
_ENTRY_FIELDS = (
    "id", "store_id", "title", "description", "path", "importance", "created_at", "updated_at", "version",
)  # fmt: skip


def note_from(row: Row) -> Note:
    """A note of a row of `notes/note` or `notes/notes`."""
    note = row["note"]
    return Note(
        **{key: note[key] for key in _FIELDS if note.get(key) is not None},
        scope=scope_from(note),
        keywords=tuple(note["keywords"]),
        tags=tuple(note["tags"]),
        aliases=tuple(note["aliases"]),
        retention=round(note["retention"], 4),
        superseded_by=row["superseded_by"],
        supersedes=tuple(row["supersedes"]),
        about=tuple(EntityName(**entity) for entity in row["about"]),
        sources=sources_from(row["sources"]),
        links=tuple(link_from(link) for link in row.get("links") or ()),
    )


def link_from(row: Row) -> NoteLink:
    """One link as seen from a note."""
    return NoteLink(**{key: row[key] for key in NoteLink.model_fields})


def entry_from(note: Row) -> Entry:
    """An entry of its node's properties."""
    return Entry(
        **{key: note[key] for key in _ENTRY_FIELDS if note.get(key) is not None},
        scope=scope_from(note),
        content=note["body"],
        tags=tuple(note["tags"]),
        keywords=tuple(note["keywords"]),
        data=json.loads(note["data"]) if note.get("data") else None,
    )


def content_from(note: Row) -> Content:
    """What a note says, to make a new version of it."""
    return Content(
        body=note["body"],
        title=note["title"] if note["title_given"] else None,
        description=note.get("description"),
        keywords=tuple(note["keywords"]) if note["keywords_given"] else None,
        tags=tuple(note["tags"]),
        aliases=tuple(note["aliases"]),
        path=note.get("path"),
        category=note["category"],
        importance=note["importance"],
        pinned=note["pinned"],
        valid_at=ValidTime(at=note["valid_at"], precision=note["valid_at_precision"]) if note["valid_given"] else None,
        data=note.get("data"),
        wants=tuple(_want(text) for text in note.get("side_wants") or ()),
        file=tuple((key.removeprefix("file_"), value) for key, value in note.items() if key.startswith("file_")),
    )


def _want(text: str) -> tuple[str, LinkKind]:
    kind, _, target = text.partition(" ")
    return target, cast("LinkKind", kind)
