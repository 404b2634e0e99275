"""Move facts to the slots that a changed relation asks for: their histories come out as if it had been so always."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..ingest.commit import apply_corrections, settle, take_lock
from ..models.ids import new_id
from ..ports import Clock
from ..store.driver import Database, Transaction

_OWNERS = 100
_SUBJECTS = 50
"""All facts of a subject move in one transaction; this many subjects at most in each."""
_REFRESHED = 2_000


async def reslot(database: Database, clock: Clock, store_id: str, relations: list[dict[str, Any]]) -> int:
    """Move until no fact is out of place; how many transactions it took. Each relation: sense, axis, single.

    It may be stopped at any point and run again.
    """
    done = 0
    while True:
        rows = await database.run(
            "manage/misplaced_owners", {"store_id": store_id, "relations": relations, "limit": _OWNERS}
        )
        if not rows:
            return done
        for row in rows:
            while await _moved(database, clock, store_id, row["owner_key"], relations):
                done += 1


async def _moved(database: Database, clock: Clock, store_id: str, owner: str, relations: list[dict[str, Any]]) -> bool:
    """Move one batch of an owner's facts; whether there was any."""
    now, commit_id = clock.now(), new_id()

    async def work(transaction: Transaction) -> bool:
        await take_lock(transaction, store_id, owner, now)
        rows = await transaction.run(
            "manage/reslot_facts", {"owner_key": owner, "relations": relations, "limit": _SUBJECTS}
        )
        slots = Counter({row["slot_key"]: 1 for row in rows})
        axes = {row["axis_key"] for row in rows if row["axis_key"]}
        scope = {"store_id": store_id, "owner_key": owner, "now": now}
        slots.update(await apply_corrections(transaction, axes, scope, commit_id))
        await settle(transaction, owner, slots, now, commit_id)
        return bool(rows)

    return await database.write(work)


async def refresh(database: Database, store_id: str, sense: str, *, half_life_days: float, kind: str) -> None:
    """Bring the facts of a relation up to its half-life and kind."""
    parameters = {
        "store_id": store_id,
        "sense": sense,
        "half_life_days": half_life_days,
        "layer": "episodic" if kind == "event" else "semantic",
        "limit": _REFRESHED,
    }
    while (await database.run("manage/refresh_relation", parameters))[0]["changed"]:
        pass
