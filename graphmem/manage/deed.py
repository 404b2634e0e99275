"""A deed: one transaction in which a person changes what holds, under the owner's lock, and leaves a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from ..errors import Conflict, NotFound
from ..ingest.commit import settle, take_lock
from ..models.ids import hash_key, new_id, owner_key
from ..models.scope import Scope
from ..store.driver import Database, Parameters, Row, Transaction

T = TypeVar("T")
Key = tuple[str, str]
"""An idempotency key and the digest of the request it came with."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What every step of a deed needs."""

    transaction: Transaction
    store_id: str
    owner: str
    by: str
    reason: str | None
    now: datetime
    commit_id: str

    async def run(self, name: str, **parameters: object) -> list[Row]:
        """Rows of a query within the owner."""
        given: Parameters = {"owner_key": self.owner, **parameters}
        return await self.transaction.run(name, given)

    async def target(self, fact_id: str, field: str = "fact_id") -> Row:
        """State of a fact. Errors: NotFound."""
        rows = await self.run("manage/truth_target", fact_id=fact_id)
        if not rows:
            raise NotFound("There is no such fact of this actor.", field=field)
        return rows[0]

    async def withdraw(
        self,
        fact_ids: Iterable[str],
        *,
        by: str,
        reason: str,
        status: str | None = None,
        approval: str | None = None,
    ) -> Counter[str]:
        """Take facts back with everything that they rest on; the slots to settle."""
        rows = await self.run(
            "manage/withdraw_fact",
            fact_ids=sorted(fact_ids),
            by=by,
            reason=reason,
            status=status,
            approval=approval,
            commit_id=self.commit_id,
        )
        return _slots(rows)

    async def confirm(self, fact_id: str, *, by: str | None) -> Counter[str]:
        """Give a fact the weight of the owner's confirmed word; the slots to settle."""
        return _slots(await self.run("manage/confirm_fact", fact_id=fact_id, by=by, now=self.now))

    async def mark(self, fact_id: str, **marks: object) -> Counter[str]:
        """Set properties of a fact; the slots to settle."""
        return _slots(await self.run("manage/mark_fact", fact_id=fact_id, marks=marks, now=self.now))

    async def reopen(self, dispute_ids: Iterable[str]) -> Counter[str]:
        """Undo what was decided about disputes; the slots to settle."""
        return _slots(await self.run("manage/reopen_contradictions", ids=sorted(set(dispute_ids))))

    async def settle(self, slots: Counter[str]) -> set[str]:
        """Derive anew what holds; the slots that were settled."""
        return await settle(self.transaction, self.owner, slots, self.now, self.commit_id)

    async def record(self, event: str, fact_ids: Iterable[str], reason: str) -> None:
        """Keep who did it, when and why."""
        text = f"{reason}: {self.reason}" if self.reason else reason
        changes = [
            {"fact_id": id_, "change": {"id": new_id(), "event": event, "by": self.by, "reason": text}}
            for id_ in sorted(fact_ids)
        ]
        await self.run("manage/record_changes", store_id=self.store_id, changes=changes, now=self.now)

    async def claimed(self, key: Key | None, result: str) -> str | None:
        """What an earlier call with this key gave. Errors: Conflict."""
        if key is None:
            return None
        rows = await self.run(
            "ingest/claim_idempotency_key",
            store_id=self.store_id,
            key=hash_key(self.owner, "deed", key[0]),
            request_hash=key[1],
            episode_ids=[result, self.commit_id],
            now=self.now,
        )
        if rows[0]["first"]:
            return None
        if rows[0]["request_hash"] != key[1]:
            raise Conflict("This Idempotency-Key was used for another request.", field="Idempotency-Key")
        return str(rows[0]["episode_ids"][0])


async def perform(
    database: Database,
    store_id: str,
    scope: Scope,
    reason: str | None,
    now: datetime,
    work: Callable[[Deed], Awaitable[T]],
) -> T:
    """Do the work in one transaction under the owner's lock; it may run again after a transient fault."""
    owner = owner_key(store_id, scope.actor_id)

    async def attempt(transaction: Transaction) -> T:
        await take_lock(transaction, store_id, owner, now)
        deed = Deed(transaction, store_id, owner, scope.actor_id, (reason or "").strip() or None, now, new_id())
        return await work(deed)

    return await database.write(attempt)


def _slots(rows: list[Row]) -> Counter[str]:
    return Counter(row["slot_key"] for row in rows)
