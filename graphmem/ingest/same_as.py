"""One entity under two names: merging, taking apart, and the names that facts give.

A merge moves no text and loses no place: facts go to the entity that theirs stands for, in the slots of that one, and
what they were before stays written on them and on their statements. So taking apart is exact (docs/guide/entities.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from ..models.ids import new_id
from ..models.names import NAMING_SENSES
from ..store.driver import Transaction

By = Literal["call", "alias"]
_ID_LENGTH = 36


async def open_same_as(
    transaction: Transaction,
    owner: str,
    source_id: str,
    target_id: str,
    now: datetime,
    *,
    by: By,
    reason: str,
    score: float = 1.0,
    alias_key: str | None = None,
) -> Counter[str]:
    """Merge the source into the target; the slots to settle now."""
    same_as = {"id": new_id(), "reason": reason, "score": score, "at": now, "by": by, "alias_key": alias_key}
    await transaction.run(
        "ingest/open_same_as",
        {"owner_key": owner, "source_id": source_id, "target_id": target_id, "same_as": same_as},
    )
    return await _move_facts(transaction, owner, [source_id])


async def close_same_as(
    transaction: Transaction,
    owner: str,
    source_id: str,
    now: datetime,
    *,
    by: By,
    reason: str | None,
    commit_id: str,
) -> Counter[str]:
    """Let a merged entity stand for itself again; the slots to settle now."""
    rows = await transaction.run(
        "ingest/close_same_as",
        {"owner_key": owner, "source_id": source_id, "at": now, "by": by, "reason": reason},
    )
    if not rows:
        return Counter()
    return await rehome(transaction, owner, [rows[0]["root_id"], source_id], now, commit_id)


async def rehome(
    transaction: Transaction, owner: str, entity_ids: list[str], now: datetime, commit_id: str
) -> Counter[str]:
    """Bring the facts and statements of these entities to where they belong now; the slots to settle."""
    slots = await _move_facts(transaction, owner, entity_ids)
    moved = await transaction.run(
        "ingest/move_statements",
        {"owner_key": owner, "entity_ids": entity_ids, "now": now, "commit_id": commit_id},
    )
    slots.update(row["slot_key"] for row in moved)
    await transaction.run("ingest/clear_places", {"owner_key": owner, "entity_ids": entity_ids})
    return slots


async def _move_facts(transaction: Transaction, owner: str, entity_ids: list[str]) -> Counter[str]:
    rows = await transaction.run("ingest/move_facts", {"owner_key": owner, "entity_ids": entity_ids})
    return Counter(row["slot_key"] for row in rows)


async def park_facts(transaction: Transaction, owner: str, slots: Iterable[str], now: datetime, commit_id: str) -> None:
    """Set aside, after settling, the facts whose statements a merge gave to others."""
    await transaction.run(
        "ingest/park_facts",
        {"owner_key": owner, "slot_keys": sorted(slots), "now": now, "commit_id": commit_id},
    )


async def follow_names(
    transaction: Transaction, owner: str, slots: Iterable[str], now: datetime, commit_id: str
) -> Counter[str]:
    """Derive names from the naming facts among these slots, merge and take apart accordingly; the slots to settle."""
    subjects = sorted({slot[:_ID_LENGTH] for slot in slots if _names(slot)})
    touched: Counter[str] = Counter()
    if not subjects:
        return touched
    rows = await transaction.run(
        "ingest/settle_names",
        {
            "store_id": owner.partition(":")[0],
            "owner_key": owner,
            "entity_ids": subjects,
            "now": now,
        },
    )
    for row in _once(rows):
        touched.update(await _followed(transaction, owner, row, now, commit_id))
    return touched


async def _followed(
    transaction: Transaction, owner: str, row: dict[str, Any], now: datetime, commit_id: str
) -> Counter[str]:
    if row["kind"] == "close":
        reason = "no fact says so any more"
        return await close_same_as(
            transaction, owner, row["source_id"], now, by="alias", reason=reason, commit_id=commit_id
        )
    return await open_same_as(
        transaction,
        owner,
        row["source_id"],
        row["target_id"],
        now,
        by="alias",
        reason="a fact says that both are names of one",
        alias_key=row["alias_key"],
    )


def _once(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each entity is merged or taken out once in a round; what else follows is found in the next."""
    by_source: dict[str, dict[str, Any]] = {}
    targets: set[str] = set()
    for row in rows:
        source, target = row["source_id"], row["target_id"]
        if source not in by_source and source not in targets and target not in by_source:
            by_source[source] = row
            targets.add(target)
    return list(by_source.values())


def _names(slot: str) -> bool:
    """Whether a slot holds naming facts: its key is the subject's id, the relation, and perhaps an object."""
    return slot[_ID_LENGTH + 1 :].partition("|")[0] in NAMING_SENSES
