"""Many texts at once: saved in one call, processed by the workers, and how far they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from ..errors import NotFound
from ..ingest.pipeline import Ingest
from ..models.bulk import BulkRequest, BulkResult, EpisodeCounts, bulk_result
from ..models.fact import EpisodeRef
from ..models.ids import owner_key

_PATIENCE = 60.0
"""Seconds that a call waits, when it waits, for its texts to be processed."""


class Bulk:
    """Remembering many texts at once."""

    def __init__(self, ingest: Ingest, wake: Callable[[], None]) -> None:
        self._ingest = ingest
        self._wake = wake

    async def remember(self, store_id: str, request: BulkRequest, *, idempotency_key: str | None = None) -> BulkResult:
        """Save many texts, all or none, to be processed later. Errors: NotFound, InvalidInput, Conflict."""
        saved = await self._ingest.save_many(store_id, request, idempotency_key)
        self._wake()
        if request.wait:
            saved = await self._waited(store_id, request.scope.actor_id, saved)
        return bulk_result(saved)

    async def _waited(
        self, store_id: str, actor_id: str, saved: list[tuple[EpisodeRef, ...]]
    ) -> list[tuple[EpisodeRef, ...]]:
        """The same episodes once none is pending, or after a minute."""
        states = {ref.id: ref.status for refs in saved for ref in refs}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while pending := [key for key, status in states.items() if status == "pending"]:
                    await asyncio.sleep(0.1)
                    states.update(await self._ingest.states(store_id, actor_id, pending))
        return [tuple(ref.model_copy(update={"status": states[ref.id]}) for ref in refs) for refs in saved]

    async def counts(self, store_id: str, actor_id: str, *, session_id: str | None = None) -> EpisodeCounts:
        """How many of an actor's episodes have each status. Errors: NotFound (store)."""
        database = self._ingest.database
        if not await database.run("manage/store", {"store_id": store_id}):
            raise NotFound(f"There is no store {store_id}.", field="store")
        where = {"owner_key": owner_key(store_id, actor_id), "session_id": session_id}
        rows = await database.run("manage/episode_counts", where)
        return EpisodeCounts(**{row["status"]: row["count"] for row in rows})
