"""Upkeep by the clock: decay, summaries and purge of every store, for a service that runs for long."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from ..errors import Conflict, GraphMemError, NotFound
from ..models.maintenance import MaintenanceRequest
from .upkeep import Upkeep

log = logging.getLogger(__name__)

FIRST_AFTER = 300.0
"""Seconds after the start until the first pass, so that a service that is restarted daily gets its upkeep too."""


@contextlib.asynccontextmanager
async def regularly(upkeep: Upkeep, hours: float | None) -> AsyncIterator[None]:
    """Look after every store each `hours` hours, for as long as the context is open; None: not at all."""
    if hours is None:
        yield
        return
    task = asyncio.create_task(_forever(upkeep, hours * 3600), name="graphmem-maintenance")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])  # unlike `await`, it does not hide that the caller is cancelled


async def _forever(upkeep: Upkeep, seconds: float) -> None:
    pause = min(FIRST_AFTER, seconds)
    while True:
        await asyncio.sleep(pause)
        pause = seconds
        try:
            async for store_id in upkeep.stores():
                await _look_after(upkeep, store_id)
        except GraphMemError as error:  # the database is away: the next time comes
            log.warning("maintenance: %s", error.code)
        except Exception as error:
            log.warning("maintenance failed unexpectedly: %s", type(error).__name__)
            log.debug("maintenance", exc_info=True)


async def _look_after(upkeep: Upkeep, store_id: str) -> None:
    try:
        await upkeep.decay(store_id, MaintenanceRequest())
        await upkeep.consolidate(store_id, MaintenanceRequest())
        await upkeep.purge(store_id, MaintenanceRequest())
    except (Conflict, NotFound) as error:  # another process is at it, or the store was deleted meanwhile
        log.info("maintenance of %s left out: %s", store_id, error.code)
