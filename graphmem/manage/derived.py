"""What is made from memories goes when they are hidden or erased: summaries of sessions, and themes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..store.driver import Transaction
from .erase_notes import erase_notes


async def drop_derived(
    transaction: Transaction, owner: str, episode_ids: Sequence[str], fact_ids: Sequence[str], now: datetime
) -> None:
    """Take away what was made from episodes, or from those that ground facts; the next pass makes it from the rest.

    The caller has the owner's lock.
    """
    asked = {"owner_key": owner, "episode_ids": list(episode_ids), "fact_ids": list(fact_ids)}
    rows = await transaction.run("manage/drop_derived", asked)
    await erase_notes(transaction, owner, [row["id"] for row in rows], now)
