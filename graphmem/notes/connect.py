"""What a note is connected with: entities, links that callers make, `[[links]]`, proposals, and what it replaces."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..errors import Conflict, DatabaseError, NotFound
from ..models.episode import EntityRef
from ..models.ids import actor_identity, name_key, new_id, scope_token
from ..models.note import LinkIn
from ..retrieve.keywords import read_keywords
from ..retrieve.named import entity_keys
from ..store.driver import Database, Transaction
from .content import name_tokens, want_tokens
from .thresholds import thresholds_of

log = logging.getLogger(__name__)

MOST_LINKS = 5
"""Links that are proposed for one note."""
_CANDIDATES = 20
_PATIENCE = 5.0
"""Seconds for the vector arm."""
_MOST_NAMES = 2_000
_MOST_LINES = 100


def entity_names(note: dict[str, Any]) -> list[str]:
    """Name keys that a note may hold, of its title, keywords and first hundred lines."""
    keys: dict[str, None] = {}
    lines = [note["title"], *note["keywords"], *note["body"].splitlines()[:_MOST_LINES]]
    for line in lines:
        for start in range(0, len(line), 400):
            keys.update(dict.fromkeys(entity_keys(line[start : start + 400])))
        if len(keys) > _MOST_NAMES:
            break
    return list(keys)[:_MOST_NAMES]


async def nearest(database: Database, owner: str, vector: list[float], now: datetime) -> tuple[str, ...]:
    """Ids of the owner's notes nearest to a vector; without the index, none, and the log says so.

    Asked before the transaction that writes, so that a fault of the index costs proposals and not the note.
    """
    where = {"owner_key": owner, "vector": vector, "k": _CANDIDATES, "now": now}
    try:
        async with asyncio.timeout(_PATIENCE):
            return tuple(str(row["id"]) for row in await database.run("notes/near", where))
    except (DatabaseError, TimeoutError) as error:
        log.warning("links proposed without vectors: %s", type(error).__name__)
        return ()


@dataclass(frozen=True, slots=True)
class Connector:
    """Connects notes of one owner inside one transaction."""

    transaction: Transaction
    owner: str
    vector: list[float]
    near: tuple[str, ...]
    """Candidates of the vector arm (`nearest`)."""
    embedder: str
    now: datetime

    async def supersede(self, note_id: str, target: str, reason: str, by_episode: str | None) -> str:
        """Let the note take the place of the newest in the target's chain; its id. Errors: NotFound, Conflict."""
        rows = await self.transaction.run(
            "notes/supersede",
            {
                "owner_key": self.owner,
                "note_id": note_id,
                "target_id": target,
                "reason": reason,
                "by_episode": by_episode,
                "now": self.now,
            },
        )
        if not rows:
            raise NotFound("No note of this actor has this id.", field="supersedes")
        if rows[0]["cycle"]:
            raise Conflict("That note has itself taken the place of this one.", field="supersedes")
        return str(rows[0]["id"])

    async def about(self, note_id: str, note: dict[str, Any], given: Sequence[str | EntityRef] | None) -> None:
        """Link the note to its entities; None keeps those given before. Errors: NotFound."""
        await self.transaction.run(
            "notes/about",
            {
                "owner_key": self.owner,
                "note_id": note_id,
                "entity_ids": None if given is None else await self._entities(given),
                "name_keys": entity_names(note),
            },
        )

    async def _entities(self, given: Sequence[str | EntityRef]) -> list[str]:
        named = [{"index": i, **_named(entity, self.owner)} for i, entity in enumerate(given)]
        if not named:
            return []
        rows = await self.transaction.run("notes/entities", {"owner_key": self.owner, "named": named})
        found = {row["index"]: str(row["id"]) for row in rows}
        for index in range(len(given)):
            if index not in found:
                raise NotFound("No entity of this actor has this id or name.", field=f"about.{index}")
        return list(dict.fromkeys(found.values()))

    async def link_given(self, note_id: str, links: Sequence[LinkIn]) -> None:
        """Make the caller's links in the place of those made before. Errors: NotFound."""
        rows = await self.transaction.run(
            "notes/link_given",
            {
                "owner_key": self.owner,
                "note_id": note_id,
                "links": [{"index": i, **link.model_dump()} for i, link in enumerate(links)],
                "now": self.now,
            },
        )
        found = {row["index"] for row in rows}
        for index in range(len(links)):
            if index not in found:
                raise NotFound("No other note and no fact has this id.", field=f"links.{index}.target")

    async def link_names(self, note_id: str, note: dict[str, Any]) -> None:
        """Bring `[[links]]` from and to the note up to date."""
        await self.transaction.run(
            "notes/link_names",
            {
                "owner_key": self.owner,
                "note_id": note_id,
                "named": self._with(name_tokens(self.owner, note["wants"])),
                "wanting": self._with(want_tokens(self.owner, note["names"])),
                "now": self.now,
            },
        )

    def _with(self, tokens: Sequence[str]) -> str | None:
        return f"+tokens:{scope_token('o', self.owner)} +tokens:({' '.join(tokens)})" if tokens else None

    async def link(self, note_id: str, note: dict[str, Any]) -> list[str]:
        """Propose and make links, and order the notes on its topic; ids of notes to settle."""
        limits = thresholds_of(self.embedder)
        own = {"owner_key": self.owner, "note_id": note_id, "vector": self.vector, "now": self.now}
        topic = await self.transaction.run("notes/settle_topic", own | {"near": limits.topic})
        await self.transaction.run(
            "notes/link",
            own
            | {
                "words": read_keywords(" ".join(note["keywords"]), [self.owner]).fulltext,
                "near_ids": list(self.near),
                "near": limits.near,
                "score": limits.score,
                "about": limits.about,
                "refine": limits.refine,
                "same": limits.same,
                "k": _CANDIDATES,
                "most": MOST_LINKS,
            },
        )
        return [str(row["id"]) for row in topic]

    async def evolve(self, note_id: str) -> None:
        """Enrich the notes that it is linked with, each as a new version."""
        await self.transaction.run(
            "notes/evolve",
            {
                "owner_key": self.owner,
                "note_id": note_id,
                "version_ids": [new_id() for _ in range(4 * MOST_LINKS)],
                "now": self.now,
            },
        )


def _named(entity: str | EntityRef, owner: str) -> dict[str, Any]:
    if isinstance(entity, EntityRef):
        return {"id": entity.id, "name_key": None, "actor": None}
    actor = actor_identity(owner) if name_key(entity) == "user" else None
    return {"id": None, "name_key": name_key(entity), "actor": actor}
