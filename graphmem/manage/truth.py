"""What people decide about facts: confirm, reject, approve, restore, pin, delete; each is history with who and when."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..errors import Conflict
from ..models.fact import Fact
from ..models.ids import hash_key, new_id
from ..models.manage import Receipt
from ..models.scope import Scope
from ..models.truth import FactAction, PinAction
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row
from .deed import Deed, perform
from .derived import drop_derived
from .disputes import decided_by_confirmation
from .facts import Facts
from .holding import hold_again
from .restore import restore

Step = Callable[[Deed, str], Awaitable[str]]


class Truth:
    """Decisions about the facts of a database."""

    def __init__(self, database: Database, facts: Facts, clock: Clock, secrets: Secrets) -> None:
        self._database = database
        self._facts = facts
        self._clock = clock
        self._secrets = secrets

    async def confirm(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Say that a fact is right; open disputes about it are decided. Errors: NotFound, Conflict (withdrawn)."""
        return await self._done(store_id, fact_id, action, "confirm", _confirm, key)

    async def reject(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Say that a fact is wrong; what it had ended holds again. Errors: NotFound, Conflict (withdrawn)."""
        return await self._done(store_id, fact_id, action, "reject", _reject, key)

    async def approve(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Let a draft be recalled. Errors: NotFound, Conflict (rejected, withdrawn)."""
        return await self._done(store_id, fact_id, action, "approve", _approve, key)

    async def restore(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Let a withdrawn, deleted, archived, rejected or ended fact hold again. Errors: NotFound, Conflict."""
        return await self._done(store_id, fact_id, action, "restore", restore, key)

    async def pin(self, store_id: str, fact_id: str, action: PinAction, key: str | None = None) -> Fact:
        """Keep a fact from fading, or let it fade again. Errors: NotFound."""

        async def step(deed: Deed, fact_id: str) -> str:
            return await _pin(deed, fact_id, pinned=action.pinned)

        return await self._done(store_id, fact_id, action, "pin", step, key)

    async def delete(self, store_id: str, actor_id: str, fact_id: str) -> Receipt:
        """Withdraw a fact: it is no longer recalled or listed, what it had ended holds again. Errors: NotFound."""
        now = self._clock.now()

        async def work(deed: Deed) -> tuple[bool, list[str]]:
            settled = await _delete(deed, fact_id)
            gone = (await deed.target(fact_id))["fact"]["state"] == "expired"
            return gone, await hold_again(deed.transaction, deed.owner, settled, now, deed.commit_id)

        gone, restored = await perform(self._database, store_id, Scope(actor_id=actor_id), None, now, work)
        return Receipt(
            id=new_id(),
            mode="archive",
            dry_run=False,
            counts={"facts": 1},
            restored=tuple(restored),
            verified=gone,
            at=now,
        )

    async def _done(
        self, store_id: str, fact_id: str, action: FactAction, verb: str, step: Step, key: str | None
    ) -> Fact:
        action = (await self._secrets.clean(action)).value
        claim = None if key is None else (key, hash_key(verb, fact_id, action.model_dump_json()))

        async def work(deed: Deed) -> str:
            await deed.target(fact_id)
            known = await deed.claimed(claim, fact_id)
            return known if known is not None else await step(deed, fact_id)

        now = self._clock.now()
        held = await perform(self._database, store_id, action.scope, action.reason, now, work)
        return await self._facts.get(store_id, action.scope.actor_id, held)


def _must_hold(target: Row) -> Row:
    """The fact, unless it was withdrawn. Errors: Conflict."""
    fact: Row = target["fact"]
    if fact["state"] == "expired" or fact["status"] == "deleted":
        raise Conflict("This fact was withdrawn or corrected; restore it first.", field="fact_id")
    return fact


async def _confirm(deed: Deed, fact_id: str) -> str:
    target = await deed.target(fact_id)
    fact = _must_hold(target)
    if fact["learning_state"] == "confirmed" and not target["open"]:
        return fact_id
    await decided_by_confirmation(deed, fact_id, target["open"])
    await deed.record("confirmed", [fact_id], "confirmed")
    return fact_id


async def _reject(deed: Deed, fact_id: str) -> str:
    target = await deed.target(fact_id)
    if target["fact"]["approval"] == "rejected":
        return fact_id
    _must_hold(target)
    await deed.settle(await deed.withdraw([fact_id], by=deed.by, reason="rejected", approval="rejected"))
    await drop_derived(deed.transaction, deed.owner, (), [fact_id], deed.now)
    await deed.record("rejected", [fact_id], "rejected")
    return fact_id


async def _approve(deed: Deed, fact_id: str) -> str:
    target = await deed.target(fact_id)
    if target["fact"]["approval"] == "rejected":
        raise Conflict("This fact was rejected; restore it first.", field="fact_id")
    if _must_hold(target)["approval"] == "approved":
        return fact_id
    await deed.settle(await deed.mark(fact_id, approval="approved"))
    await deed.record("approved", [fact_id], "approved")
    return fact_id


async def _pin(deed: Deed, fact_id: str, *, pinned: bool) -> str:
    fact = (await deed.target(fact_id))["fact"]
    if bool(fact["pinned"]) is pinned:
        return fact_id
    await deed.mark(fact_id, pinned=pinned)
    word = "pinned" if pinned else "unpinned"
    await deed.record(word, [fact_id], word)
    return fact_id


async def _delete(deed: Deed, fact_id: str) -> set[str]:
    """Withdraw a fact; the slots that were settled."""
    target = await deed.target(fact_id)
    if not target["supported"]:
        return set()
    settled = await deed.settle(await deed.withdraw([fact_id], by=deed.by, reason="deleted", status="deleted"))
    await drop_derived(deed.transaction, deed.owner, (), [fact_id], deed.now)
    await deed.record("withdrawn", [fact_id], "deleted by its owner")
    return settled
