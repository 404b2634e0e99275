"""Sources: what the graph holds of a file, the same file under another name, and what a file no longer says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..models.ids import new_id, owner_key
from ..models.scope import Scope
from ..ports import Clock
from ..store.driver import Database, Transaction
from .accept import source_key
from .commit import settle, take_lock

CHANGED = "source_changed"
"""Why facts end that only the older version of a source supports."""
_AT_ONCE = 200
"""Parts that one transaction takes back."""


@dataclass(frozen=True, slots=True)
class Part:
    """One episode of a source, as the graph holds it."""

    id: str
    source_id: str
    scope: tuple[str | None, str | None, str | None]
    """Agent, session and route."""
    source_type: str
    status: str
    content_hash: str

    @property
    def session_id(self) -> str | None:
        """The session that it came in."""
        return self.scope[1]


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of one actor."""

    database: Database
    clock: Clock
    store_id: str
    actor_id: str

    @property
    def owner(self) -> str:
        """The key of the actor in the store."""
        return owner_key(self.store_id, self.actor_id)

    async def parts(self, source: str) -> list[Part]:
        """What stands now of a source."""
        rows = await self.database.run("ingest/source_parts", {"owner_key": self.owner, "source": source})
        return [
            Part(
                row["id"],
                row["source_id"],
                (row["agent_id"], row["session_id"], row["route_id"]),
                row["source_type"],
                row["status"],
                row["content_hash"],
            )
            for row in rows
        ]

    async def holding(self, hashes: Iterable[str]) -> list[str]:
        """Sources that hold all of these contents."""
        parameters = {"owner_key": self.owner, "hashes": sorted(set(hashes))}
        return [row["source"] for row in await self.database.run("ingest/sources_holding", parameters)]

    async def move(self, parts: Sequence[Part], old: str, new: str) -> None:
        """Give the parts of a source its new id."""
        rows = []
        for part in parts:
            source_id = new + part.source_id.removeprefix(old)
            agent, session, route = part.scope
            scope = Scope(actor_id=self.actor_id, agent_id=agent, session_id=session, route_id=route)
            key = source_key(self.owner, scope, part.source_type, source_id)
            rows.append({"id": part.id, "source_id": source_id, "source_key": key})
        parameters = {"owner_key": self.owner, "source": new, "parts": rows, "now": self.clock.now()}
        await self.database.run("ingest/move_parts", parameters)

    async def retire(self, parts: Sequence[Part]) -> int:
        """Take back what parts said that their source no longer has; how many facts end with that."""
        retired = 0
        for start in range(0, len(parts), _AT_ONCE):
            retired += await self._retire([part.id for part in parts[start : start + _AT_ONCE]])
        return retired

    async def _retire(self, episode_ids: list[str]) -> int:
        now, commit_id = self.clock.now(), new_id()
        scope = {"owner_key": self.owner, "reason": CHANGED, "commit_id": commit_id}

        async def work(transaction: Transaction) -> int:
            await take_lock(transaction, self.store_id, self.owner, now)
            parameters = {**scope, "episode_ids": episode_ids, "now": now}
            rows = await transaction.run("ingest/retire_parts", parameters)
            slots = Counter(str(row["slot_key"]) for row in rows)
            settled = await settle(transaction, self.owner, slots, now, commit_id)
            counted = await transaction.run("ingest/retired_facts", {**scope, "slot_keys": sorted(settled)})
            return int(counted[0]["retired"])

        return await self.database.write(work)
