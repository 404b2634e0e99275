"""Erasing notes: their versions and links go, what they had replaced comes back, what they had added is taken out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..models.times import OPEN_END
from ..store.driver import Transaction


async def erase_notes(transaction: Transaction, owner: str, note_ids: Sequence[str], now: datetime) -> tuple[str, ...]:
    """Erase the notes of an owner and give the ids of those that hold again. The caller has the owner's lock."""
    if not note_ids:
        return ()
    rows = await transaction.run("notes/erase", {"owner_key": owner, "note_ids": list(note_ids)})
    return await settle_notes(transaction, owner, [row["id"] for row in rows], now)


async def settle_notes(transaction: Transaction, owner: str, note_ids: Sequence[str], now: datetime) -> tuple[str, ...]:
    """Derive until when these notes hold, and who has their path, from what supersedes them."""
    rows = await transaction.run(
        "notes/settle",
        {"owner_key": owner, "note_ids": sorted(set(note_ids)), "open_end": OPEN_END, "now": now},
    )
    return tuple(row["id"] for row in rows if row["current"])
