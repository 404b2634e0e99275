"""Disputes: list, inspect both sides, decide; a decision is applied, explained and can be undone by `restore`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from ..errors import Conflict, InvalidInput, NotFound
from ..models.fact import Fact
from ..models.ids import hash_key, owner_key
from ..models.manage import Page
from ..models.truth import Contradiction, Interval, Resolution
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row
from .deed import Deed, perform
from .facts import Facts
from .paging import page_of, position
from .stores import Stores

_EXPLAINED = {
    "keep_one": "one side was confirmed, the other withdrawn",
    "keep_both": "both stand",
    "reject_both": "both sides were withdrawn",
}


class Disputes:
    """The disputes of a database."""

    def __init__(self, database: Database, stores: Stores, facts: Facts, clock: Clock, secrets: Secrets) -> None:
        self._secrets = secrets
        self._database = database
        self._stores = stores
        self._facts = facts
        self._clock = clock

    async def page(
        self,
        store_id: str,
        actor_id: str,
        state: Literal["open", "resolved"] | None,
        page_size: int,
        page_token: str | None,
    ) -> Page[Contradiction]:
        """One page of an owner's disputes. Errors: NotFound (store)."""
        await self._stores.get(store_id)
        rows = await self._database.run(
            "manage/contradictions",
            {
                "owner_key": owner_key(store_id, actor_id),
                "after": position(page_token, "contradictions"),
                "limit": page_size + 1,
                "state": state,
            },
        )
        disputes = await self._disputes(store_id, actor_id, rows)
        return page_of(disputes, page_size, "contradictions", lambda c: c.id)

    async def get(self, store_id: str, actor_id: str, dispute_id: str) -> Contradiction:
        """One dispute with its sides and their sources. Errors: NotFound."""
        rows = await self._database.run(
            "manage/contradiction", {"owner_key": owner_key(store_id, actor_id), "ids": [dispute_id]}
        )
        if not rows:
            raise NotFound("There is no such dispute of this actor.", field="contradiction_id")
        return (await self._disputes(store_id, actor_id, rows))[0]

    async def _disputes(self, store_id: str, actor_id: str, rows: Sequence[Row]) -> list[Contradiction]:
        wanted = list(dict.fromkeys(id_ for row in rows for id_ in row["fact_ids"]))
        facts = {f.id: f for f in await self._facts.by_id(store_id, actor_id, wanted)}
        return [_dispute(row, facts) for row in rows]

    async def resolve(self, store_id: str, dispute_id: str, wish: Resolution, key: str | None = None) -> Contradiction:
        """Decide a dispute. Errors: NotFound, Conflict (decided before), InvalidInput (keep, times)."""
        wish = (await self._secrets.clean(wish)).value
        claim = None if key is None else (key, hash_key("resolve", dispute_id, wish.model_dump_json()))

        async def work(deed: Deed) -> None:
            row = await _row(deed, dispute_id)
            if await deed.claimed(claim, dispute_id) is None:
                await _resolve(deed, row, wish)

        await perform(self._database, store_id, wish.scope, wish.reason, self._clock.now(), work)
        return await self.get(store_id, wish.scope.actor_id, dispute_id)


def _dispute(row: Row, facts: dict[str, Fact]) -> Contradiction:
    kept = {key: row["dispute"].get(key) for key in Contradiction.model_fields if key != "facts"}
    return Contradiction(**kept, facts=tuple(facts[id_] for id_ in row["fact_ids"] if id_ in facts))


async def _row(deed: Deed, dispute_id: str) -> Row:
    rows = await deed.run("manage/contradiction", ids=[dispute_id])
    if not rows:
        raise NotFound("There is no such dispute of this actor.", field="contradiction_id")
    return rows[0]


async def _resolve(deed: Deed, row: Row, wish: Resolution) -> None:
    if row["dispute"]["state"] != "open":
        raise Conflict("This dispute is resolved; restore a fact to undo it.", field="contradiction_id")
    sides: list[str] = row["fact_ids"]
    _check(wish, sides)
    if wish.resolution == "keep_both":
        await _keep_both(deed, row, wish, sides)
        return
    kept = [wish.keep] if wish.resolution == "keep_one" and wish.keep else []
    others = [id_ for id_ in sides if id_ not in kept]
    slots: Counter[str] = Counter()
    for fact_id in kept:
        slots += await deed.confirm(fact_id, by=row["dispute"]["id"])
    slots += await _lost(deed, row["dispute"]["id"], others, wish.resolution)
    await _close(deed, row["dispute"]["id"], wish.resolution, wish.keep)
    await deed.settle(slots)
    await deed.record("confirmed", kept, "dispute: it was kept")


def _check(wish: Resolution, sides: Sequence[str]) -> None:
    """Whether the decision fits the dispute. Errors: InvalidInput with the field."""
    if wish.resolution == "keep_one" and wish.keep not in sides:
        raise InvalidInput("must be the id of one of the dispute's facts", field="keep")
    if wish.resolution != "keep_one" and wish.keep is not None:
        raise InvalidInput("goes with keep_one", field="keep")
    if wish.times and wish.resolution != "keep_both":
        raise InvalidInput("goes with keep_both", field="times")
    for fact_id in wish.times:
        if fact_id not in sides:
            raise InvalidInput("names a fact that is not in the dispute", field=f"times.{fact_id}")


async def _lost(deed: Deed, dispute_id: str, others: Sequence[str], resolution: str) -> Counter[str]:
    """Withdraw the sides that a decision is against; the slots to settle."""
    word = "the other was confirmed" if resolution == "keep_one" else "both were rejected"
    slots = await deed.withdraw(others, by=dispute_id, reason=f"dispute: {word}")
    await deed.record("withdrawn", others, f"dispute: {word}")
    return slots


async def _close(deed: Deed, dispute_id: str, resolution: str, keep: str | None) -> None:
    explanation = _EXPLAINED[resolution] + (f": {deed.reason}" if deed.reason else "")
    await deed.run(
        "manage/resolve_contradiction",
        id=dispute_id,
        resolution=resolution,
        explanation=explanation,
        keep=keep,
        by=deed.by,
        now=deed.now,
    )


async def _keep_both(deed: Deed, row: Row, wish: Resolution, sides: Sequence[str]) -> None:
    dispute_id = row["dispute"]["id"]
    slots: Counter[str] = Counter()
    for fact_id in sides:
        slots[(await deed.target(fact_id))["fact"]["slot_key"]] += 1
        times = _times(wish.times.get(fact_id))
        if times:
            await _set_times(deed, fact_id, times, dispute_id)
    await _close(deed, dispute_id, "keep_both", None)
    await deed.settle(slots)
    await deed.record("resolved", sides, "dispute: both stand")


def _times(interval: Interval | None) -> dict[str, Any]:
    times: dict[str, Any] = {}
    if interval is None:
        return times
    if interval.valid_at is not None:
        times |= {"valid_at": interval.valid_at.at, "valid_at_precision": interval.valid_at.precision}
    if "invalid_at" in interval.model_fields_set:
        end = interval.invalid_at
        times |= {
            "invalid_at": end.at if end else None,
            "invalid_at_precision": end.precision if end else None,
        }
    return times


async def _set_times(deed: Deed, fact_id: str, times: dict[str, Any], dispute_id: str) -> None:
    rows = await deed.run("manage/set_times", fact_id=fact_id, times=times, by=dispute_id)
    if any(row["invalid_at"] is not None and row["invalid_at"] <= row["valid_at"] for row in rows):
        raise InvalidInput("must be later than valid_at", field=f"times.{fact_id}.invalid_at")


async def decided_by_confirmation(deed: Deed, fact_id: str, open_disputes: Sequence[str]) -> None:
    """Confirm a fact and close its disputes: time orders what it can, what it cannot is withdrawn.

    A rival from an earlier time becomes history where the confirmed value begins; one of the same or a later time was
    never true.
    """
    disputes = await deed.run("manage/contradiction", ids=list(open_disputes))
    slots = await deed.confirm(fact_id, by=open_disputes[0] if open_disputes else None)
    for row in disputes:
        later = await _not_before(deed, fact_id, row["fact_ids"])
        slots += await _lost(deed, row["dispute"]["id"], later, "keep_one")
        await _close(deed, row["dispute"]["id"], "keep_one", fact_id)
    await deed.settle(slots)
    await _finish(deed, fact_id, [row["dispute"]["id"] for row in disputes])


async def _not_before(deed: Deed, fact_id: str, sides: Sequence[str]) -> list[str]:
    begins = {id_: (await deed.target(id_))["fact"]["valid_at"] for id_ in sides}
    return [id_ for id_ in sides if id_ != fact_id and begins[id_] >= begins[fact_id]]


async def _finish(deed: Deed, fact_id: str, decided: Sequence[str]) -> None:
    """What is still disputed after settling, though someone has confirmed one side, is withdrawn on the other."""
    left = (await deed.target(fact_id))["open"] if decided else []
    if not left:
        return
    slots: Counter[str] = Counter()
    for row in await deed.run("manage/contradiction", ids=left):
        others = [id_ for id_ in row["fact_ids"] if id_ != fact_id]
        slots += await _lost(deed, row["dispute"]["id"], others, "keep_one")
        await _close(deed, row["dispute"]["id"], "keep_one", fact_id)
    await deed.settle(slots)
