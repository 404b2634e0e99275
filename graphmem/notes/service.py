"""`Notes` and `Entries`: what callers use."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from ..errors import Conflict, InvalidInput, NotFound, TooLarge
from ..manage.forget import Forget
from ..models.base import MAX_TEXT
from ..models.filter import FilterCondition
from ..models.ids import hash_key, owner_key
from ..models.manage import Page, Receipt
from ..models.note import (
    Entry,
    EntryHit,
    EntryHits,
    EntryIn,
    EntryPatch,
    EntryPut,
    EntrySearch,
    FileDone,
    Note,
    NoteHistoryEntry,
    NoteIn,
    NoteLinks,
    NotePatch,
    NoteQuery,
    place_of,
)
from ..models.recall import RecallRequest, RecallResult
from ..ports import Clock, Embedder
from ..safety.redact import Secrets
from ..store.driver import Database
from .content import Content, FindKeywords
from .folder import export_folder
from .read import Reader
from .rows import entry_from
from .write import Wish, Writer

Recall = Callable[[str, RecallRequest], Awaitable[RecallResult]]
_WORDS = ("title", "body", "description", "keywords", "tags", "aliases", "path", "category", "importance", "pinned")
_MAY_GO = ("title", "description", "data")
"""What null takes away from an entry."""


class Notes:
    """The notes of a database."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        clock: Clock,
        find_keywords: FindKeywords,
        forget: Forget,
        secrets: Secrets,
    ) -> None:
        self._database = database
        self._forget = forget
        self.secrets = secrets
        self.reader = Reader(database, clock)
        self.writer = Writer(database, embedder, clock, find_keywords, self.reader)

    async def check_store(self, store_id: str) -> None:
        """Nothing, when the store is there. Errors: NotFound."""
        if not await self._database.run("manage/store", {"store_id": store_id}):
            raise NotFound(f"There is no store {store_id}.", field="store")

    async def create(self, store_id: str, note: NoteIn, *, idempotency_key: str | None = None) -> Note:
        """Write a note with its links, and let it take the place of older ones. Errors: NotFound, Conflict."""
        await self.check_store(store_id)
        clean = await self.secrets.clean(note)
        note = clean.value
        if any(link.target == note.supersedes for link in note.links):
            raise InvalidInput("A note that is superseded is linked by that already.", field="links")
        content = Content(**{name: getattr(note, name) for name in _WORDS}, valid_at=note.valid_at)
        wish = Wish(
            episode_ids=note.episode_ids,
            about=note.about,
            links=note.links,
            supersedes=note.supersedes,
            auto_link=note.auto_link,
            evolve=note.evolve,
            on_path="replace",
            key=_key(idempotency_key, note.model_dump_json()),
        )
        note_id = await self.writer.create(store_id, note.scope, content, wish)
        made = await self.get(store_id, note.scope.actor_id, note_id)
        return made.model_copy(update={"redacted": clean.redacted})

    async def get(self, store_id: str, actor_id: str, note_id: str, *, newest: bool = False) -> Note:
        """One note; with `newest` the one that now stands in its place. Errors: NotFound."""
        return await self.reader.get(store_id, actor_id, note_id, newest=newest)

    async def page(
        self, store_id: str, query: NoteQuery, page_size: int = 50, page_token: str | None = None
    ) -> Page[Note]:
        """One page of notes. Errors: NotFound (store), InvalidInput (token)."""
        await self.check_store(store_id)
        return await self.reader.page(store_id, query, page_size, page_token)

    async def update(
        self, store_id: str, actor_id: str, note_id: str, patch: NotePatch, if_match: int | None = None
    ) -> Note:
        """Make a new version. Errors: NotFound, PreconditionFailed, Conflict, AlreadyExists (path)."""
        clean = await self.secrets.clean(patch)
        patch = clean.value
        given = {name: getattr(patch, name) for name in patch.model_fields_set}
        links, supersedes = given.pop("links", None), given.pop("supersedes", None)
        await self.writer.revise(
            store_id,
            actor_id,
            note_id,
            lambda content: content.changed(**given),
            if_match,
            links=links,
            supersedes=supersedes,
        )
        note = await self.get(store_id, actor_id, note_id)
        return note.model_copy(update={"redacted": clean.redacted})

    async def delete(self, store_id: str, actor_id: str, note_id: str) -> Receipt:
        """Erase a note with its versions and links; what it had replaced holds again. Errors: NotFound, Conflict."""
        row = await self.reader.row(owner_key(store_id, actor_id), note_id)
        if row["note"].get("version_of") is not None:
            raise Conflict("This is a former version; delete the note itself.", field="note_id")
        return await self._forget.erase(store_id, owner_key(store_id, actor_id), [], [], [note_id])

    async def links(self, store_id: str, actor_id: str, note_id: str, *, hops: int = 1) -> NoteLinks:
        """Links, backlinks and the notes around. Errors: NotFound."""
        return await self.reader.links(store_id, actor_id, note_id, hops)

    async def history(self, store_id: str, actor_id: str, note_id: str) -> tuple[NoteHistoryEntry, ...]:
        """What became of a note, oldest first. Errors: NotFound."""
        return await self.reader.history(store_id, actor_id, note_id)

    def export_folder(
        self, store_id: str, actor_id: str, folder: Path, *, session_id: str | None = None, force: bool = False
    ) -> AsyncIterator[FileDone]:
        """Write the notes that hold now as Markdown files. Errors: NotFound (store)."""
        return export_folder(self, store_id, actor_id, folder, session_id=session_id, force=force)


class Entries:
    """The notes that have a path, by actor, session and path."""

    def __init__(self, notes: Notes, recall: Recall) -> None:
        self._notes = notes
        self._recall = recall

    async def create(self, store_id: str, entry: EntryIn, *, idempotency_key: str | None = None) -> Entry:
        """Make an entry. Errors: AlreadyExists, NotFound (store), Conflict (key)."""
        await self._notes.check_store(store_id)
        clean = await self._notes.secrets.clean(entry)
        entry = clean.value
        wish = Wish(key=_key(idempotency_key, entry.model_dump_json()))
        entry_id = await self._notes.writer.create(store_id, entry.scope, _content(entry), wish)
        made = await self.get(store_id, entry.scope.actor_id, entry_id)
        return made.model_copy(update={"redacted": clean.redacted})

    async def put(self, store_id: str, entry: EntryPut, *, append: bool = False) -> tuple[Entry, bool]:
        """Make an entry or change the one that is there, in one step; and whether it is new. Errors: TooLarge."""
        await self._notes.check_store(store_id)
        clean = await self._notes.secrets.clean(entry)
        entry = clean.value
        given = {name: value for name, value in _given(entry).items() if name != "path"}

        def change(held: Content) -> Content:
            if entry.append or append:
                return held.changed(**given | {"body": _appended(held.body, entry.content)})
            return held.changed(**given)

        entry_id, outcome = await self._notes.writer.put(store_id, entry.scope, _content(entry), change, Wish())
        held = await self.get(store_id, entry.scope.actor_id, entry_id)
        return held.model_copy(update={"redacted": clean.redacted}), outcome == "made"

    async def get(self, store_id: str, actor_id: str, entry_id: str) -> Entry:
        """One entry. Errors: NotFound, also for a note without a path of its own."""
        row = await self._notes.reader.row(owner_key(store_id, actor_id), entry_id)
        if row["note"].get("path_key") is None:
            raise NotFound("There is no such entry of this actor.", field="entry_id")
        return entry_from(row["note"])

    async def page(
        self, store_id: str, query: NoteQuery, page_size: int = 50, page_token: str | None = None
    ) -> Page[Entry]:
        """One page of entries. Errors: NotFound (store), InvalidInput (token)."""
        await self._notes.check_store(store_id)
        return await self._notes.reader.entries(store_id, query, page_size, page_token)

    async def update(
        self, store_id: str, actor_id: str, entry_id: str, patch: EntryPatch, if_match: int | None = None
    ) -> Entry:
        """Make a new version. Errors: NotFound, PreconditionFailed, AlreadyExists (path)."""
        await self.get(store_id, actor_id, entry_id)
        clean = await self._notes.secrets.clean(patch)
        given = _given(clean.value)
        await self._notes.writer.revise(
            store_id, actor_id, entry_id, lambda content: content.changed(**given), if_match
        )
        entry = await self.get(store_id, actor_id, entry_id)
        return entry.model_copy(update={"redacted": clean.redacted})

    async def delete(self, store_id: str, actor_id: str, entry_id: str) -> Receipt:
        """Erase an entry with its versions. Errors: NotFound."""
        await self.get(store_id, actor_id, entry_id)
        return await self._notes.delete(store_id, actor_id, entry_id)

    async def search(self, store_id: str, search: EntrySearch) -> EntryHits:
        """The entries that answer a query, by recall over notes. Errors: NotFound (store)."""
        tagged = FilterCondition(field="tags", op="contains", value=search.tag) if search.tag else None
        request = RecallRequest(scope=search.scope, query=search.query, kinds=("note",), limit=100, filter=tagged)
        result = await self._recall(store_id, request)
        hits: list[EntryHit] = []
        prefix = place_of(search.prefix) if search.prefix else ""
        for item in result.items:
            note = await self._note(store_id, search.scope.actor_ids, item.id)
            if note is not None and note["place"].startswith(prefix):
                hits.append(EntryHit(entry=entry_from(note), score=item.score))
            if len(hits) == search.limit:
                break
        return EntryHits(items=tuple(hits), degraded=result.degraded)

    async def _note(self, store_id: str, actors: tuple[str, ...], note_id: str) -> dict[str, Any] | None:
        for actor in actors:
            try:
                note: dict[str, Any] = (await self._notes.reader.row(owner_key(store_id, actor), note_id))["note"]
            except NotFound:
                continue
            return note if note.get("path_key") is not None else None
        return None


def _key(idempotency_key: str | None, request: str) -> tuple[str, str] | None:
    return None if idempotency_key is None else (idempotency_key, hash_key(request))


def _given(entry: EntryIn | EntryPatch) -> dict[str, Any]:
    """What the caller gave, as values of a note's content."""
    given = {name: getattr(entry, name) for name in entry.model_fields_set - {"scope", "append", "content"}}
    given = {name: value for name, value in given.items() if value is not None or name in _MAY_GO}
    if given.get("data") is not None:
        given["data"] = json.dumps(given["data"], ensure_ascii=False)
    return given if entry.content is None else given | {"body": entry.content}


def _content(entry: EntryIn) -> Content:
    return Content(**_given(entry))


def _appended(body: str, lines: str) -> str:
    joined = f"{body.rstrip()}\n{lines}" if body.strip() else lines
    if len(joined) > MAX_TEXT:
        raise TooLarge(f"The entry would be longer than {MAX_TEXT} characters; begin another one.", field="content")
    return joined
