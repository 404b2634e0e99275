"""Which facts hold again after something was taken away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ..store.driver import Transaction


async def hold_again(
    transaction: Transaction, owner: str, slots: Iterable[str], now: datetime, commit_id: str
) -> list[str]:
    """Ids of the facts in these slots that hold now by this commit and did not before; the slots are settled."""
    rows = await transaction.run(
        "manage/hold_again",
        {"owner_key": owner, "slot_keys": sorted(slots), "now": now, "commit_id": commit_id},
    )
    return [row["id"] for row in rows]
