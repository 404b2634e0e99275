"""Upkeep: the maintenance calls of the facade."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

from ..errors import NotFound
from ..models.maintenance import MaintenanceRequest, MaintenanceResult
from ..models.manage import StoreSettings
from ..notes.thresholds import thresholds_of
from ..ports import Clock, Embedder
from ..store.driver import Database
from ..store.records import store_from
from .consolidate import Means, consolidate
from .decay import decay
from .purge import purge
from .sources import Summarisers

log = logging.getLogger(__name__)

_PAGE = 200


class Upkeep:
    """Maintenance passes over the stores of a database."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder, summarisers: Summarisers) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._summarisers = summarisers

    async def decay(self, store_id: str, request: MaintenanceRequest) -> MaintenanceResult:
        """Refresh scores, archive what has faded or expired. Errors: NotFound, InvalidInput, Conflict."""
        settings = await self._settings(store_id)
        now = request.as_of or self._clock.now()
        return _logged(store_id, await decay(self._database, store_id, settings, request, now))

    async def purge(self, store_id: str, request: MaintenanceRequest) -> MaintenanceResult:
        """Erase what has been archived or deleted for long. Errors: NotFound, InvalidInput, Conflict."""
        settings = await self._settings(store_id)
        now = request.as_of or self._clock.now()
        return _logged(store_id, await purge(self._database, store_id, settings, request, now))

    async def consolidate(self, store_id: str, request: MaintenanceRequest) -> MaintenanceResult:
        """Summarise sessions and gather related episodes into themes. Errors: NotFound, InvalidInput, Conflict."""
        await self._settings(store_id)
        now = request.as_of or self._clock.now()
        near = thresholds_of(self._embedder.identity.name).near
        means = Means(self._database, self._summarisers(store_id), near)
        return _logged(store_id, await consolidate(means, store_id, request, now))

    async def stores(self) -> AsyncIterator[str]:
        """The ids of all stores."""
        after = ""
        while rows := await self._database.run("manage/stores", {"after": after, "limit": _PAGE}):
            for row in rows:
                after = row["store"]["id"]
                yield after

    async def _settings(self, store_id: str) -> StoreSettings:
        rows = await self._database.run("manage/store", {"store_id": store_id})
        if not rows:
            raise NotFound(f"There is no store {store_id}.", field="store")
        return store_from(rows[0]["store"]).settings


def _logged(store_id: str, done: MaintenanceResult) -> MaintenanceResult:
    log.info(
        "%s of %s: examined %d, changed %d, archived %d, expired %d, restored %d, purged %d, recalls %d,"
        " summarised %d, themes %d",
        done.task,
        store_id,
        done.examined,
        done.changed,
        done.archived,
        done.expired,
        done.restored,
        done.purged,
        done.recalls,
        done.summarised,
        done.themes,
    )
    return done
