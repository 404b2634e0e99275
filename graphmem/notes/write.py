"""How a note comes into the graph: one transaction under the owner's lock writes it, its links and what it replaces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from weakref import WeakValueDictionary

from ..errors import AlreadyExists, Conflict, NotFound, PreconditionFailed
from ..ingest.commit import take_lock
from ..manage.erase_notes import settle_notes
from ..models.episode import EntityRef
from ..models.ids import hash_key, new_id, owner_key
from ..models.note import LinkIn
from ..models.scope import Scope
from ..models.times import OPEN_END, ValidTime
from ..ports import Clock, Embedder
from ..store.driver import Database, Row, Transaction
from .connect import Connector, nearest
from .content import Content, FindKeywords, properties
from .read import Reader
from .rows import content_from

Outcome = Literal["made", "changed", "same"]
_ATTEMPTS = 10
_TAKEN = "A note of this actor and session has this path; change that one."


@dataclass(frozen=True, slots=True)
class Wish:
    """What goes with a new note beside its words."""

    episode_ids: tuple[str, ...] = ()
    about: tuple[str | EntityRef, ...] = ()
    links: tuple[LinkIn, ...] = ()
    supersedes: str | None = None
    auto_link: bool = True
    evolve: bool = False
    on_path: Literal["refuse", "replace"] = "refuse"
    key: tuple[str, str] | None = None
    """Idempotency key, and a hash of the request that it stands for."""


class Writer:
    """Writing notes. Writers of one owner in this process take turns; those of others meet at the owner's lock."""

    def __init__(
        self, database: Database, embedder: Embedder, clock: Clock, find_keywords: FindKeywords, reader: Reader
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._find_keywords = find_keywords
        self._reader = reader
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def turn(self, owner: str) -> asyncio.Lock:
        """The lock by which writers of one owner take turns."""
        return self._turns.setdefault(owner, asyncio.Lock())

    async def create(self, store_id: str, scope: Scope, content: Content, wish: Wish) -> str:
        """Write a new note and give its id. Errors: NotFound, AlreadyExists (path), Conflict (key), ProviderError."""
        owner = owner_key(store_id, scope.actor_id)
        async with self.turn(owner):
            return await self._create(store_id, scope, content, wish)

    async def _create(self, store_id: str, scope: Scope, content: Content, wish: Wish) -> str:
        owner = owner_key(store_id, scope.actor_id)
        vector = await self._vector(content)
        note = await self._properties(content, owner, scope) | scope.model_dump()
        near = await nearest(self._database, owner, vector, self._clock.now()) if wish.auto_link else ()

        async def work(transaction: Transaction) -> str:
            connector = self._connector(transaction, owner, vector, near)
            creation = _Creation(transaction, connector, store_id, owner, wish)
            return await creation.run(note, content, vector, connector.now)

        return await self._database.write(work)

    def _connector(self, transaction: Transaction, owner: str, vector: list[float], near: tuple[str, ...]) -> Connector:
        return Connector(transaction, owner, vector, near, self._embedder.identity.name, self._clock.now())

    async def _properties(self, content: Content, owner: str, scope: Scope) -> dict[str, Any]:
        return await asyncio.to_thread(properties, content, owner, scope, self._find_keywords)

    async def _vector(self, content: Content) -> list[float]:
        return [float(x) for x in (await self._embedder.embed_passages([content.embedded]))[0]]

    async def put(
        self, store_id: str, scope: Scope, content: Content, change: Callable[[Content], Content], wish: Wish
    ) -> tuple[str, Outcome]:
        """Make the entry, or change the one that has its path; its id and what was done. Errors as of both."""
        owner = owner_key(store_id, scope.actor_id)
        note = await self._properties(content, owner, scope)
        for _ in range(_ATTEMPTS):
            async with self.turn(owner):
                held = await self._database.run("notes/holder", {"owner_key": owner, "place_key": note["place_key"]})
                try:
                    if not held:
                        return await self._create(store_id, scope, content, wish), "made"
                    entry_id = str(held[0]["id"])
                    sources = wish.episode_ids or None
                    changed = await self._revise(store_id, owner, entry_id, change, None, sources=sources)
                    return entry_id, "changed" if changed else "same"
                except (AlreadyExists, NotFound, PreconditionFailed) as error:
                    if error.field not in ("path", "note_id", "If-Match"):
                        raise  # another process made, moved or changed it meanwhile: look again
        raise Conflict("The entry is changed too often at once; try again.", field="path")

    async def revise(
        self,
        store_id: str,
        actor_id: str,
        note_id: str,
        change: Callable[[Content], Content],
        if_match: int | None,
        *,
        links: Sequence[LinkIn] | None = None,
        supersedes: str | None = None,
    ) -> bool:
        """Make a new version, unless nothing changes; whether it did.

        Errors: NotFound, PreconditionFailed, Conflict, AlreadyExists (path).
        """
        owner = owner_key(store_id, actor_id)
        for attempt in range(_ATTEMPTS):
            async with self.turn(owner):
                try:
                    return await self._revise(store_id, owner, note_id, change, if_match, links, supersedes)
                except PreconditionFailed:
                    if if_match is not None or attempt == _ATTEMPTS - 1:
                        raise
        raise AssertionError("unreachable")

    async def _revise(
        self,
        store_id: str,
        owner: str,
        note_id: str,
        change: Callable[[Content], Content],
        if_match: int | None,
        links: Sequence[LinkIn] | None = None,
        supersedes: str | None = None,
        sources: tuple[str, ...] | None = None,
    ) -> bool:
        """`sources` are the episodes that the words come from now; None: those that they came from before."""
        row = await self._reader.row(owner, note_id)
        note = row["note"]
        if note.get("version_of") is not None:
            raise Conflict("This is a former version; change the note itself.", field="note_id")
        if if_match is not None and if_match != note["version"]:
            raise PreconditionFailed("The note has changed since this version; read it again.", field="If-Match")
        old = content_from(note)
        new = change(old)
        changes, moved = await self._changes(note, old, new, owner)
        if changes is None and links is None and supersedes is None:
            if sources is not None and {source["episode_id"] for source in row["sources"]} != set(sources):
                await self._database.run("notes/derive", _derivation(owner, note_id, sources))
            return False
        vector = await self._vector(new)
        near = await nearest(self._database, owner, vector, self._clock.now()) if moved and note["auto_link"] else ()

        async def work(transaction: Transaction) -> None:
            connector = self._connector(transaction, owner, vector, near)
            revision = _Revision(transaction, connector, store_id, owner, row, connector.now)
            await revision.run((changes or {}) | {"embedding": vector}, moved, links, supersedes)
            if sources is not None:
                await transaction.run("notes/derive", _derivation(owner, note_id, sources))

        await self._database.write(work)
        return True

    async def _changes(self, note: Row, old: Content, new: Content, owner: str) -> tuple[dict[str, Any] | None, bool]:
        """Properties of the new version, None when it says the same; and whether its words are others."""
        scope = Scope(**{k: note.get(k) for k in ("actor_id", "agent_id", "session_id", "route_id")})
        changes = await self._properties(new, owner, scope)
        moved = (old.shown_title, old.body, old.description) != (new.shown_title, new.body, new.description)
        if new.keywords is None and (old.shown_title, old.body) == (new.shown_title, new.body):
            held = new.changed(keywords=tuple(note["keywords"]))  # those that linked notes gave it stay
            changes = await self._properties(held, owner, scope) | {"keywords_given": False}
        valid_at = new.valid_at or ValidTime(at=note["valid_at"], precision=note["valid_at_precision"])
        changes |= {
            "valid_at": valid_at.at,
            "valid_from": valid_at.at,
            "valid_at_precision": valid_at.precision,
        }
        same = all(note.get(key) == value for key, value in changes.items() if key not in _HIDDEN)
        return (None if same else changes), moved


def _derivation(owner: str, note_id: str, sources: tuple[str, ...]) -> dict[str, Any]:
    return {"owner_key": owner, "note_id": note_id, "episode_ids": list(sources)}


_HIDDEN = frozenset({"search", "context", "tokens"})
"""Properties that follow from others and are not read."""


@dataclass(frozen=True, slots=True)
class _Creation:
    """One transaction that writes a new note."""

    transaction: Transaction
    connector: Connector
    store_id: str
    owner: str
    wish: Wish

    async def run(self, note: dict[str, Any], content: Content, vector: list[float], now: datetime) -> str:
        note_id, wish = new_id(), self.wish
        await take_lock(self.transaction, self.store_id, self.owner, now)
        if (known := await self._claimed(note_id, now)) is not None:
            return known
        episodes = await self._episodes()
        holder = await holder_of(self.transaction, self.owner, note["place_key"])
        if holder is not None and wish.on_path == "refuse":
            raise AlreadyExists(_TAKEN, field="path")
        at = content.valid_at or ValidTime(at=episodes[-1]["occurred_at"] if episodes else now)
        await self.transaction.run(
            "notes/save",
            {
                "store_id": self.store_id,
                "owner_key": self.owner,
                "note": note
                | {"id": note_id, "embedding": vector, "auto_link": wish.auto_link}
                | {"valid_at": at.at, "valid_from": at.at, "valid_at_precision": at.precision},
                "episode_ids": [row["id"] for row in episodes],
                "open_end": OPEN_END,
                "now": now,
            },
        )
        touched = [note_id]
        by = episodes[-1]["id"] if episodes else None
        if wish.supersedes is not None:
            touched.append(await self.connector.supersede(note_id, wish.supersedes, "declared", by))
        if holder is not None and holder not in touched:
            touched.append(await self.connector.supersede(note_id, holder, "same path", by))
        await self.connector.about(note_id, note, wish.about)
        await self.connector.link_given(note_id, wish.links)
        await self.connector.link_names(note_id, note)
        touched += await self.connector.link(note_id, note) if wish.auto_link else []
        await settle_notes(self.transaction, self.owner, touched, now)
        if wish.evolve:
            await self.connector.evolve(note_id)
        return note_id

    async def _claimed(self, note_id: str, now: datetime) -> str | None:
        """The note that an earlier call with this key made. Errors: Conflict."""
        if self.wish.key is None:
            return None
        key, digest = self.wish.key
        rows = await self.transaction.run(
            "ingest/claim_idempotency_key",
            {
                "store_id": self.store_id,
                "owner_key": self.owner,
                "key": hash_key(self.owner, "note", key),
                "request_hash": digest,
                "episode_ids": [note_id],
                "now": now,
            },
        )
        if rows[0]["first"]:
            return None
        if rows[0]["request_hash"] != digest:
            raise Conflict("This Idempotency-Key was used for another request.", field="Idempotency-Key")
        return str(rows[0]["episode_ids"][0])

    async def _episodes(self) -> list[Row]:
        wanted = list(dict.fromkeys(self.wish.episode_ids))
        if not wanted:
            return []
        rows = await self.transaction.run("notes/episodes", {"owner_key": self.owner, "episode_ids": wanted})
        found = {row["id"] for row in rows}
        for index, episode_id in enumerate(self.wish.episode_ids):
            if episode_id not in found:
                raise NotFound("No episode of this actor has this id.", field=f"episode_ids.{index}")
        return rows


@dataclass(frozen=True, slots=True)
class _Revision:
    """One transaction that writes a new version of a note."""

    transaction: Transaction
    connector: Connector
    store_id: str
    owner: str
    row: Row
    now: datetime

    async def run(
        self, changes: dict[str, Any], moved: bool, links: Sequence[LinkIn] | None, supersedes: str | None
    ) -> None:
        note = self.row["note"]
        await take_lock(self.transaction, self.store_id, self.owner, self.now)
        holder = await holder_of(self.transaction, self.owner, changes.get("place_key"))
        if holder not in (None, note["id"]) and changes["place_key"] != note.get("place_key"):
            raise AlreadyExists(_TAKEN, field="path")
        rows = await self.transaction.run(
            "notes/update",
            {
                "owner_key": self.owner,
                "note_id": note["id"],
                "version_id": new_id(),
                "if_match": note["version"],
                "changes": changes,
                "reason": "edited",
                "now": self.now,
            },
        )
        if not rows:
            raise NotFound("There is no such note of this actor.", field="note_id")
        if rows[0]["stale"]:
            raise PreconditionFailed("The note has changed since this version; read it again.", field="If-Match")
        touched = [note["id"], *self.row["supersedes"]]
        if supersedes is not None:
            touched.append(await self.connector.supersede(note["id"], supersedes, "declared", None))
        if links is not None:
            await self.connector.link_given(note["id"], links)
        if "names" in changes:
            await self.connector.about(note["id"], changes, None)
            await self.connector.link_names(note["id"], changes)
            touched += await self.connector.link(note["id"], changes) if note["auto_link"] and moved else []
        await settle_notes(self.transaction, self.owner, touched, self.now)


async def holder_of(transaction: Transaction, owner: str, place_key: str | None) -> str | None:
    """The note that has a path now."""
    if place_key is None:
        return None
    rows = await transaction.run("notes/holder", {"owner_key": owner, "place_key": place_key})
    return str(rows[0]["id"]) if rows else None
