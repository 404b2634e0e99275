"""The lease: at most one maintenance pass a store at a time, across processes and machines."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from ..errors import Conflict, GraphMemError, NotFound
from ..models.ids import new_id
from ..models.maintenance import Task
from ..store.driver import Database

log = logging.getLogger(__name__)

LEASE_SECONDS = 120
"""A worker that has not finished a page for so long is taken for dead; a page takes well under a second."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A held lease."""

    store_id: str
    holder: str
    cursor: str | None
    """Where an interrupted pass of the same task had stopped, if that was within a day."""
    owners: frozenset[str]
    """Owners of whom an interrupted purge erased facts, but not yet the names that nothing speaks of any more."""

    @property
    def parameters(self) -> dict[str, Any]:
        """What a query needs to check the lease and prolong it."""
        return {"store_id": self.store_id, "holder": self.holder, "lease_seconds": LEASE_SECONDS}

    async def keep(self, database: Database, cursor: str) -> None:
        """Prolong it and note how far the pass has come. Errors: Conflict when another worker holds it."""
        self.checked(await database.run("maintain/keep_lease", {**self.parameters, "cursor": cursor}))

    def checked(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """The one row of a query that checks the lease. Errors: Conflict when another worker holds it."""
        if not rows:
            raise Conflict(
                "Another worker took this store's maintenance over, because this one stood still for too long."
            )
        return rows[0]


@asynccontextmanager
async def leased(database: Database, store_id: str, task: Task) -> AsyncIterator[Lease]:
    """Hold the store's lease. Errors: NotFound (store), Conflict while another pass runs.

    A pass that fails keeps its place, and the next one of the same task goes on from there.
    """
    holder = new_id()
    asked = {"store_id": store_id, "holder": holder, "task": task, "lease_seconds": LEASE_SECONDS}
    rows = await database.run("maintain/take_lease", asked)
    if not rows:
        raise NotFound(f"There is no store {store_id}.", field="store")
    if not rows[0]["taken"]:
        raise Conflict(f"A maintenance pass of {store_id} is running; try again when it has ended.")
    finished = False
    try:
        yield Lease(store_id, holder, rows[0]["cursor"], frozenset(rows[0]["owners"]))
        finished = True
    finally:
        await _release(database, store_id, holder, finished=finished)


async def _release(database: Database, store_id: str, holder: str, *, finished: bool) -> None:
    given_back = {"store_id": store_id, "holder": holder, "finished": finished}
    try:
        await database.run("maintain/release_lease", given_back)
    except GraphMemError as error:  # what ended the pass is what the caller should see; the lease runs out
        log.warning("maintenance lease of %s not given back: %s", store_id, error.code)
