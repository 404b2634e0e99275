"""Consolidate: sessions get a summary, related episodes a theme; what they are made from stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..models.maintenance import MaintenanceRequest, MaintenanceResult
from ..store.driver import Database
from .lease import leased
from .sources import Maker
from .summaries import session_preview, session_step
from .themes import theme_preview, theme_step
from .walk import Step, Tally, place_of, walk

PAGE = 50
"""Sessions or entities of one page."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a pass works with."""

    database: Database
    maker: Maker
    near: float
    """From which cosine on an episode belongs to a theme without naming its entity."""


async def consolidate(means: Means, store_id: str, request: MaintenanceRequest, now: datetime) -> MaintenanceResult:
    """One pass over a store's sessions and entities. Errors: NotFound, InvalidInput (page_token), Conflict.

    A summary or theme whose sources have not changed is left as it is.
    """
    database, tally = means.database, Tally()
    preview: dict[str, Step] = {
        "sessions": session_preview(database, store_id, means.maker),
        "themes": theme_preview(database, store_id, means.near, now),
    }
    place = place_of("consolidate", request, preview)
    if request.dry_run:
        return tally.result("consolidate", request, now, await walk(preview, place, request.limit, tally, PAGE))
    async with leased(database, store_id, "consolidate") as lease:
        start = place or lease.cursor
        phases = {
            "sessions": session_step(database, lease, means.maker, now),
            "themes": theme_step(database, lease, means.maker.offline, means.near, now),
        }
        end = await walk(phases, start, request.limit, tally, PAGE)
    return tally.result("consolidate", request, now, end, resumed=place is None and start is not None)
