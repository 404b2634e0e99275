"""Decay: scores are refreshed, what has faded or expired is archived, what no longer has comes back."""

from __future__ import annotations

from datetime import datetime

from ..models.maintenance import MaintenanceRequest, MaintenanceResult
from ..models.manage import StoreSettings
from ..store.driver import Database
from .lease import Lease, leased
from .walk import MOST_NAMED, Row, Step, Tally, place_of, walk


async def decay(
    database: Database, store_id: str, settings: StoreSettings, request: MaintenanceRequest, now: datetime
) -> MaintenanceResult:
    """One pass over a store's facts. Errors: NotFound, InvalidInput (page_token), Conflict while one runs."""
    tally = Tally()
    preview: dict[str, Step] = {"facts": _preview(database, store_id, settings, now)}
    place = place_of("decay", request, preview)
    if request.dry_run:
        return tally.result("decay", request, now, await walk(preview, place, request.limit, tally))
    async with leased(database, store_id, "decay") as lease:
        start = place or lease.cursor
        end = await walk({"facts": _step(database, lease, settings, now)}, start, request.limit, tally)
    return tally.result("decay", request, now, end, resumed=place is None and start is not None)


def _step(database: Database, lease: Lease, settings: StoreSettings, now: datetime) -> Step:
    async def step(after: str, limit: int) -> Row:
        page = {"after": after, "limit": limit, "archive_below": settings.decay.archive_below, "now": now}
        return lease.checked(await database.run("maintain/decay", {**lease.parameters, **page}))

    return step


def _preview(database: Database, store_id: str, settings: StoreSettings, now: datetime) -> Step:
    async def step(after: str, limit: int) -> Row:
        page = {
            "store_id": store_id,
            "after": after,
            "limit": limit,
            "archive_below": settings.decay.archive_below,
            "now": now,
            "most": MOST_NAMED,
        }
        return (await database.run("maintain/decay_preview", page))[0]

    return step
