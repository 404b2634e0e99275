# Made from ../aio/notes.py by tests/support/sync_client.py: change that one.
"""Parts of the client: notes, entries, import of files."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.models.imports import ImportRequest, ImportResult
from graphmem.models.manage import Page, Receipt
from graphmem.models.note import (
    Entry,
    EntryHits,
    EntryIn,
    EntryPatch,
    EntryPut,
    EntrySearch,
    Note,
    NoteHistoryEntry,
    NoteIn,
    NoteLinks,
    NotePatch,
    NoteQuery,
)

from .. import routes
from ..wire import call_of, paged, result
from .http import MOST, Http, every


class Notes:
    """Zettelkasten notes."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, store_id: str, note: NoteIn, *, idempotency_key: str | None = None) -> Note:
        """Write a note with its links, and let it take the place of older ones. Errors: NotFound, Conflict."""
        return self._http.ask(routes.CREATE_NOTE, {"store": store_id}, body=note, key=idempotency_key)

    def get(self, store_id: str, actor_id: str, note_id: str, *, newest: bool = False) -> Note:
        """One note; with `newest` the one that now stands in its place. Errors: NotFound."""
        place = {"store": store_id, "id": note_id}
        query = {"actor_id": actor_id, "newest": newest or None}
        return self._http.ask(routes.GET_NOTE, place, query=query)

    def page(self, store_id: str, query: NoteQuery, page_size: int = 50, page_token: str | None = None) -> Page[Note]:
        """One page of notes. Errors: NotFound (store)."""
        asked = paged(query, page_size, page_token)
        return self._http.ask(routes.LIST_NOTES, {"store": store_id}, query=asked)

    def iter(self, store_id: str, query: NoteQuery, *, page_size: int = MOST) -> Iterator[Note]:
        """All notes that the query means. Errors: NotFound (store)."""
        return every(lambda token: self.page(store_id, query, page_size, token))

    def update(self, store_id: str, actor_id: str, note_id: str, patch: NotePatch, if_match: int | None = None) -> Note:
        """Make a new version. Errors: NotFound, PreconditionFailed, Conflict, AlreadyExists (path)."""
        place = {"store": store_id, "id": note_id}
        return self._http.ask(routes.UPDATE_NOTE, place, query={"actor_id": actor_id}, body=patch, if_match=if_match)

    def delete(self, store_id: str, actor_id: str, note_id: str) -> Receipt:
        """Erase a note with its versions and links; what it had replaced holds again. Errors: NotFound, Conflict."""
        place = {"store": store_id, "id": note_id}
        return self._http.ask(routes.DELETE_NOTE, place, query={"actor_id": actor_id})

    def links(self, store_id: str, actor_id: str, note_id: str, *, hops: int = 1) -> NoteLinks:
        """Links, backlinks and the notes around. Errors: NotFound."""
        place = {"store": store_id, "id": note_id}
        return self._http.ask(routes.NOTE_LINKS, place, query={"actor_id": actor_id, "hops": hops})

    def history(self, store_id: str, actor_id: str, note_id: str) -> tuple[NoteHistoryEntry, ...]:
        """What became of a note, oldest first. Errors: NotFound."""
        place = {"store": store_id, "id": note_id}
        return (self._http.ask(routes.NOTE_HISTORY, place, query={"actor_id": actor_id})).items


class Entries:
    """The notes that have a path, by actor, session and path."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, store_id: str, entry: EntryIn, *, idempotency_key: str | None = None) -> Entry:
        """Make an entry. Errors: AlreadyExists, NotFound (store), Conflict (key)."""
        return self._http.ask(routes.CREATE_ENTRY, {"store": store_id}, body=entry, key=idempotency_key)

    def put(self, store_id: str, entry: EntryPut, *, append: bool = False) -> tuple[Entry, bool]:
        """Make an entry or change the one that is there, in one step; and whether it is new. Errors: TooLarge."""
        route, query = routes.PUT_ENTRY, {"append": append or None}
        call = call_of(route, self._http.options, {"store": store_id}, query=query, body=entry)
        answer = self._http.send(call)
        return result(route, call, answer), answer.status == 201

    def get(self, store_id: str, actor_id: str, entry_id: str) -> Entry:
        """One entry. Errors: NotFound, also for a note without a path of its own."""
        place = {"store": store_id, "id": entry_id}
        return self._http.ask(routes.GET_ENTRY, place, query={"actor_id": actor_id})

    def page(self, store_id: str, query: NoteQuery, page_size: int = 50, page_token: str | None = None) -> Page[Entry]:
        """One page of entries; of the query `actor_id`, `session_id`, `path` and `prefix`.

        Errors: NotFound (store), InvalidInput (another condition of the query).
        """
        asked = paged(query, page_size, page_token)
        return self._http.ask(routes.LIST_ENTRIES, {"store": store_id}, query=asked)

    def iter(self, store_id: str, query: NoteQuery, *, page_size: int = MOST) -> Iterator[Entry]:
        """All entries that the query means. Errors: as `page`."""
        return every(lambda token: self.page(store_id, query, page_size, token))

    def update(
        self, store_id: str, actor_id: str, entry_id: str, patch: EntryPatch, if_match: int | None = None
    ) -> Entry:
        """Make a new version. Errors: NotFound, PreconditionFailed, AlreadyExists (path)."""
        place = {"store": store_id, "id": entry_id}
        return self._http.ask(routes.UPDATE_ENTRY, place, query={"actor_id": actor_id}, body=patch, if_match=if_match)

    def delete(self, store_id: str, actor_id: str, entry_id: str) -> Receipt:
        """Erase an entry with its versions. Errors: NotFound."""
        place = {"store": store_id, "id": entry_id}
        return self._http.ask(routes.DELETE_ENTRY, place, query={"actor_id": actor_id})

    def search(self, store_id: str, search: EntrySearch) -> EntryHits:
        """The entries that answer a query, by recall over notes. Errors: NotFound (store)."""
        return self._http.ask(routes.SEARCH_ENTRIES, {"store": store_id}, body=search)


class Imports:
    """Taking in files."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def files(self, store_id: str, request: ImportRequest, *, idempotency_key: str | None = None) -> ImportResult:
        """Take in the files of a call. Errors: NotFound (store), InvalidInput (no model), Conflict (key)."""
        return self._http.ask(routes.IMPORT_FILES, {"store": store_id}, body=request, key=idempotency_key)
