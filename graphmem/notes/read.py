"""Reading notes: one, many, their links, their history."""

from __future__ import annotations

from typing import Any

from ..errors import NotFound
from ..manage.paging import page_of, position
from ..models.ids import hash_key, name_key, owner_key
from ..models.manage import Page
from ..models.note import Entry, Note, NoteEdge, NoteHistoryEntry, NoteLinks, NoteQuery, NoteRef, place_of
from ..models.times import BEGINNING, OPEN_END
from ..ports import Clock
from ..store.driver import Database, Row
from .content import keyword_key
from .rows import entry_from, link_from, note_from
from .wikilinks import link_key

_EVERY_STATE = ["live", "superseded", "archived"]
_MOST_AROUND = 200


class Reader:
    """The notes of a database, to read."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def row(self, owner: str, note_id: str) -> Row:
        """A note's row. Errors: NotFound."""
        rows = await self._database.run(
            "notes/note", {"owner_key": owner, "note_id": note_id, "now": self._clock.now()}
        )
        if not rows:
            raise NotFound("There is no such note of this actor.", field="note_id")
        return rows[0]

    async def at(self, owner: str, session_id: str | None, path: str) -> str | None:
        """The id of the note that has a path now."""
        key = hash_key(owner, session_id, place_of(path))
        rows = await self._database.run("notes/holder", {"owner_key": owner, "place_key": key})
        return str(rows[0]["id"]) if rows else None

    async def get(self, store_id: str, actor_id: str, note_id: str, *, newest: bool = False) -> Note:
        """One note; with `newest` the one that now stands in its place. Errors: NotFound."""
        owner = owner_key(store_id, actor_id)
        row = await self.row(owner, note_id)
        if newest and row["superseded_by"] is not None:
            row = await self.row(owner, row["superseded_by"])
        return note_from(row)

    async def page(self, store_id: str, query: NoteQuery, page_size: int, page_token: str | None) -> Page[Note]:
        """One page of notes, by id; those that hold now unless the query says otherwise."""
        rows = await self._database.run(
            "notes/notes",
            self._parameters(store_id, query) | {"after": position(page_token, "notes"), "limit": page_size + 1},
        )
        return page_of([note_from(row) for row in rows], page_size, "notes", lambda n: n.id)

    async def entries(self, store_id: str, query: NoteQuery, page_size: int, page_token: str | None) -> Page[Entry]:
        """One page of entries: the notes that have their path now."""
        query = query.model_copy(update={"validity": "any"})
        asked = self._parameters(store_id, query)
        after = {"after": position(page_token, "entries"), "limit": page_size + 1}
        if query.path is not None and query.prefix is None:
            place = {name: asked[name] for name in ("owner_key", "place", "session_id")}
            rows = await self._database.run("notes/at_path", place | after)
        else:
            rows = await self._database.run("notes/notes", asked | after | {"entries": True, "states": ["live"]})
        return page_of([entry_from(row["note"]) for row in rows], page_size, "entries", lambda e: e.id)

    def _parameters(self, store_id: str, query: NoteQuery) -> dict[str, Any]:
        now = self._clock.now()
        every = query.validity == "any" or query.status is not None
        at = query.as_of or now
        return {
            "owner_key": owner_key(store_id, query.actor_id),
            "states": _EVERY_STATE if every else ["live"],
            "starts_by": OPEN_END if every else at,
            "ends_after": BEGINNING if every else at,
            "wanted": query.status,
            "session_id": query.session_id,
            "name": link_key(query.title) if query.title else None,
            "tag": query.tag,
            "keyword": keyword_key(query.keyword) if query.keyword else None,
            "place": place_of(query.path) if query.path else None,
            "prefix": place_of(query.prefix) if query.prefix else None,
            "entity": query.entity and (name_key(query.entity) if not _is_id(query.entity) else query.entity),
            "orphans": query.orphans,
            "entries": False,
            "now": now,
        }

    async def links(self, store_id: str, actor_id: str, note_id: str, hops: int) -> NoteLinks:
        """Links, backlinks and, with `hops`, the notes around. Errors: NotFound."""
        owner = owner_key(store_id, actor_id)
        where = {"owner_key": owner, "note_id": note_id, "now": self._clock.now()}
        rows = await self._database.run("notes/links", where)
        if not rows:
            raise NotFound("There is no such note of this actor.", field="note_id")
        row = rows[0]
        around = await self._database.run("notes/neighbourhood", where | {"hops": hops, "limit": _MOST_AROUND})
        return NoteLinks(
            links=tuple(link_from(link) for link in row["links"]),
            backlinks=tuple(link_from(link) for link in row["backlinks"]),
            unresolved=tuple(row["unresolved"]),
            notes=tuple(NoteRef(**note) for note in around[0]["notes"]),
            edges=tuple(NoteEdge(**edge) for edge in around[0]["edges"]),
        )

    async def history(self, store_id: str, actor_id: str, note_id: str) -> tuple[NoteHistoryEntry, ...]:
        """What became of a note, oldest first. Errors: NotFound."""
        owner = owner_key(store_id, actor_id)
        row = await self.row(owner, note_id)
        rows = await self._database.run(
            "notes/history", {"owner_key": owner, "note_id": row["note"].get("version_of") or note_id}
        )
        return tuple(_step(row) for row in rows)


def _is_id(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4


def _step(row: Row) -> NoteHistoryEntry:
    about = row["about"]
    return NoteHistoryEntry(
        **{key: row[key] for key in ("event", "reason", "by_note", "by_episode", "at")},
        note_id=about["id"],
        **{key: about[key] for key in ("version", "title", "body", "valid_at", "invalid_at")},
    )
