"""Restore: undo a withdrawal, a deletion, an archive, a rejection, an ending, or a decision about a dispute."""

from __future__ import annotations

from collections import Counter

from ..errors import Conflict
from ..store.driver import Row
from .deed import Deed

_ENDED = {"replaced", "interrupted", "retracted", "corrected"}


async def restore(deed: Deed, fact_id: str) -> str:
    """Let a fact hold again; the id of the fact that rests on its statements now. Errors: NotFound, Conflict."""
    target = await deed.target(fact_id)
    fact = target["fact"]
    if fact["end_reason"] == "merged":
        raise Conflict("A merge of entities took this fact in; split the entity instead.", field="fact_id")
    if not target["supported"]:
        return await _unwithdrawn(deed, fact)
    if fact["status"] != "active" or fact["approval"] == "rejected":
        return await _unhidden(deed, fact)
    if fact["end_reason"] in _ENDED and await _freed(deed, fact_id):
        await deed.record("restored", [fact_id], f"what had ended it ({fact['end_reason']}) was withdrawn")
        return fact_id
    if target["both"]:
        return await _reopened(deed, fact_id, target["both"])
    raise Conflict("This fact is not withdrawn, hidden or ended by another statement.", field="fact_id")


async def _unwithdrawn(deed: Deed, fact: Row) -> str:
    rows = await deed.run("manage/unwithdraw_fact", fact_id=fact["id"])
    if not rows or not rows[0]["said"]:
        raise Conflict("Nothing that this fact rested on is left.", field="fact_id")
    row = rows[0]
    slots = Counter({row["slot_key"]: 1})
    slots += await deed.mark(fact["id"], **_shown(fact))
    slots += await deed.reopen(row["by"])
    await deed.settle(slots)
    held = await deed.run("manage/holders", fact_id=fact["id"], slot_key=row["slot_key"], said=row["said"])
    fact_id = str(held[0]["fact_id"]) if held else fact["id"]
    after = (await deed.target(fact_id))["fact"]
    if after["state"] == "expired":  # what had corrected it would do so again
        await _freed(deed, fact_id)
    await deed.record("restored", [fact_id], "its withdrawal was undone")
    return fact_id


async def _unhidden(deed: Deed, fact: Row) -> str:
    await deed.settle(await deed.mark(fact["id"], **_shown(fact)))
    await deed.record("restored", [fact["id"]], f"it was {fact['status']}")
    return str(fact["id"])


def _shown(fact: Row) -> dict[str, object]:
    """Marks of a fact that is shown."""
    approval = "approved" if fact["approval"] == "rejected" else fact["approval"]
    return {"status": "active", "approval": approval, "archived_at": None, "archived_reason": None}


async def _freed(deed: Deed, fact_id: str) -> bool:
    """Withdraw what ended the fact; whether there was such a thing."""
    rows = await deed.run(
        "manage/withdraw_ender",
        fact_id=fact_id,
        by=deed.by,
        reason="gave way when another fact was restored",
        commit_id=deed.commit_id,
    )
    if not rows:
        return False
    ended = {row["fact_id"] for row in rows if row["fact_id"]}
    await deed.settle(Counter(row["slot_key"] for row in rows))
    await deed.record("withdrawn", ended, "the fact whose place it had taken was restored")
    return True


async def _reopened(deed: Deed, fact_id: str, disputes: list[str]) -> str:
    await deed.settle(await deed.reopen(disputes))
    await deed.record("restored", [fact_id], "the decision to keep both was undone")
    return fact_id
