"""The worker: takes up pending episodes whose lease has run out, in this process; other processes do the same."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from ..errors import DatabaseUnavailable, GraphMemError
from ..store.plans import Plans
from .pipeline import Ingest

log = logging.getLogger(__name__)

_PAUSE = 5.0
"""Seconds between looks when nobody wakes the worker: abandoned leases are found this late at most."""
PLANNED = (
    "ingest/save_episodes",
    "retrieve/owner_name",
    "ingest/known_wordings",
    "ingest/passages_before",
    "ingest/near_facts",
    "ingest/lock_owner",
    "ingest/resolve_entities",
    "ingest/assert_statements",
    "ingest/apply_corrections",
    "ingest/slot_sizes",
    "ingest/settle_slots",
    "ingest/restore_wordings",
    "ingest/decisions",
    "ingest/finish_episodes",
    "ingest/withdraw_sources",
    "ingest/settle_names",
    "ingest/matched_facts",
    "ingest/enrich_facts",
)
"""Queries of remembering, in the order in which their plans are needed."""


class Worker:
    """Background tasks: one over the queue that is in the graph, and plans for its queries."""

    def __init__(self, ingest: Ingest) -> None:
        self._ingest = ingest
        self._plans = Plans(ingest.database, PLANNED)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work, in the running event loop."""
        self._task = asyncio.create_task(self._run(), name="graphmem-worker")

    def wake(self) -> None:
        """Look at once instead of at the next pause's end."""
        self._wake.set()

    def warm_up(self) -> None:
        """Have the queries of remembering planned, which a server that has just started takes seconds for."""
        self._plans.begin()

    async def stop(self) -> None:
        """End at once; the jobs at hand are given back."""
        await self._plans.stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])  # unlike `await`, it does not hide that the caller is cancelled
            self._task = None

    async def _run(self) -> None:
        while True:
            try:
                busy = await self._ingest.work_once()
            except GraphMemError as error:  # the database is away: keep looking until it is back
                known = isinstance(error, DatabaseUnavailable)  # the link to it has told so, once
                log.log(logging.DEBUG if known else logging.WARNING, "worker: %s", error.code)
                busy = 0
            except Exception:
                log.warning("worker: a job failed unexpectedly", exc_info=log.isEnabledFor(logging.DEBUG))
                busy = 0
            if not busy:
                # not `wait_for`: before Python 3.12 it loses a cancellation that comes right after the wake
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_PAUSE):
                        await self._wake.wait()
                self._wake.clear()
