"""Purge: what has been archived or deleted for longer than the store keeps it is erased, and old audits of recalls."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from ..manage.messages import select_messages
from ..manage.sweep import sweep
from ..models.ids import new_id
from ..models.maintenance import MaintenanceRequest, MaintenanceResult
from ..models.manage import StoreSettings
from ..models.times import BEGINNING
from ..store.driver import Database, Transaction
from .lease import Lease, leased
from .walk import MOST_NAMED, Row, Step, Tally, place_of, walk


async def purge(
    database: Database, store_id: str, settings: StoreSettings, request: MaintenanceRequest, now: datetime
) -> MaintenanceResult:
    """One pass over a store's facts, episodes and audits of recalls.

    Errors: NotFound, InvalidInput (page_token), Conflict while one runs.

    A timeline goes as a whole, when none of its facts must be kept; an archived episode, when nothing rests on it.
    """
    cutoff, tally = _before(now, settings.decay.purge_after_days), Tally()
    asked_by = _before(now, settings.audit.keep_days)
    preview = _preview(database, store_id, cutoff, asked_by)
    place = place_of("purge", request, preview)
    if request.dry_run:
        return tally.result("purge", request, now, await walk(preview, place, request.limit, tally))
    async with leased(database, store_id, "purge") as lease:
        start, owners = place or lease.cursor, set(lease.owners)
        phases = {
            "facts": _facts(database, lease, cutoff, now, owners),
            "episodes": _episodes(database, lease, cutoff, owners),
            "recalls": _recalls(database, lease, asked_by),
        }
        end = await walk(phases, start, request.limit, tally)
        for owner in sorted(owners):
            await sweep(database, store_id, owner, now)
        if tally.counts["purged"]:
            await _keep_receipt(database, store_id, tally, now)
    return tally.result("purge", request, now, end, resumed=place is None and start is not None)


def _before(now: datetime, days: float) -> datetime:
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return BEGINNING


def _facts(database: Database, lease: Lease, cutoff: datetime, now: datetime, owners: set[str]) -> Step:
    async def step(after: str, limit: int) -> Row:
        page = {"after": after, "limit": limit, "cutoff": cutoff, "now": now}
        row = lease.checked(await database.run("maintain/purge_facts", {**lease.parameters, **page}))
        owners.update(row["owners"])
        return {**row, "changed": row["purged"]}

    return step


def _episodes(database: Database, lease: Lease, cutoff: datetime, owners: set[str]) -> Step:
    async def step(after: str, limit: int) -> Row:
        page = {**lease.parameters, "after": after, "limit": limit, "cutoff": cutoff}

        async def work(transaction: Transaction) -> Row:
            row = lease.checked(await transaction.run("maintain/purge_episodes", page))
            by_owner = defaultdict[str, list[str]](list)
            for due in row["due"]:
                by_owner[due["owner_key"]].append(due["id"])
            for owner, ids in sorted(by_owner.items()):
                said = await select_messages(transaction, owner, ids)
                await transaction.run("manage/erase_messages", {"owner_key": owner, "keys": said})
                await transaction.run("manage/erase_episodes", {"owner_key": owner, "episode_ids": ids})
            return row

        row = await database.write(work)
        owners.update(row["owners"])
        return {**row, "changed": len(row["due"]), "purged": len(row["due"])}

    return step


def _recalls(database: Database, lease: Lease, cutoff: datetime) -> Step:
    async def step(after: str, limit: int) -> Row:
        page = {**lease.parameters, "after": after, "limit": limit, "cutoff": cutoff}
        row = lease.checked(await database.run("maintain/purge_recalls", page))
        return {**row, "changed": row["recalls"]}

    return step


def _preview(database: Database, store_id: str, cutoff: datetime, asked_by: datetime) -> dict[str, Step]:
    fixed: dict[str, Any] = {"store_id": store_id, "cutoff": cutoff}

    async def facts(after: str, limit: int) -> Row:
        page = {**fixed, "after": after, "limit": limit, "most": MOST_NAMED}
        row = (await database.run("maintain/purge_facts_preview", page))[0]
        return {**row, "changed": row["purged"]}

    async def episodes(after: str, limit: int) -> Row:
        row = (await database.run("maintain/purge_episodes_preview", {**fixed, "after": after, "limit": limit}))[0]
        return {**row, "changed": len(row["due"]), "purged": len(row["due"])}

    async def recalls(after: str, limit: int) -> Row:
        page = {**fixed, "cutoff": asked_by, "after": after, "limit": limit}
        row = (await database.run("maintain/purge_recalls_preview", page))[0]
        return {**row, "changed": row["recalls"]}

    return {"facts": facts, "episodes": episodes, "recalls": recalls}


async def _keep_receipt(database: Database, store_id: str, tally: Tally, now: datetime) -> None:
    receipt = {
        "id": new_id(),
        "mode": "erase",
        "reason": "purge",
        "records": tally.counts["purged"],
        "at": now,
        "created_at": now,
    }
    await database.run("manage/save_receipt", {"store_id": store_id, "receipt": receipt})
