"""Recalls: the audit of what was asked and given, without any text, and the least scores of a store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from ..errors import InvalidInput, NotFound
from ..models.ids import owner_key
from ..models.manage import Page, StoreOut, StorePatch, StoreSettings
from ..models.recall import Calibration, Mode, RecallRecord, RecallRequest, RecallResult
from ..models.times import BEGINNING, OPEN_END
from ..ports import Clock, Embedder
from ..store.driver import Database
from ..store.records import recall_from
from .paging import page_of, position
from .stores import Stores

_LIST = "recalls"


Search = Callable[[str, RecallRequest], Awaitable[RecallResult]]


class Recalls:
    """The audits of the recalls of a database, and what the gate is calibrated with."""

    def __init__(self, database: Database, stores: Stores, embedder: Embedder, clock: Clock, search: Search) -> None:
        self._database = database
        self._stores = stores
        self._embedder = embedder
        self._clock = clock
        self._search = search

    async def page(
        self,
        store_id: str,
        actor_id: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[RecallRecord]:
        """One page of the recalls that an actor was the first of, the last first; from `since` on and before `until`.

        Dry runs are not among them: nothing is kept of those. Errors: NotFound (store), InvalidInput (page_token).
        """
        before_at, before_id = _place(page_token)
        await self._stores.get(store_id)
        rows = await self._database.run(
            "manage/recalls",
            {
                "owner_key": owner_key(store_id, actor_id),
                "since": since or BEGINNING,
                "until": until or OPEN_END,
                "before_at": before_at,
                "before_id": before_id,
                "limit": page_size + 1,
            },
        )
        return page_of([recall_from(row) for row in rows], page_size, _LIST, lambda r: f"{r.at.isoformat()} {r.id}")

    async def get(self, store_id: str, actor_id: str, recall_id: str) -> RecallRecord:
        """The audit of one recall. Errors: NotFound."""
        rows = await self._database.run(
            "manage/recall", {"owner_key": owner_key(store_id, actor_id), "recall_id": recall_id}
        )
        if not rows:
            raise NotFound("There is no such recall of this actor.", field="recall_id")
        return recall_from(rows[0])

    async def matches(self, store_id: str, request: RecallRequest) -> RecallResult:
        """What words and meaning find before the gate looks at it: for measuring, never for an agent.

        Errors: NotFound. A least score in the request's gate counts, nothing else of it.
        """
        return await self._search(store_id, request)

    async def calibrate(
        self, store_id: str, min_score: Mapping[Mode, float], min_vector: Mapping[Mode, float], queries: int
    ) -> StoreOut:
        """Give the store least scores that were measured with the present embedder. Errors: NotFound."""
        calibration = Calibration(
            embedder=str(self._embedder.identity),
            measured_at=self._clock.now(),
            queries=queries,
            min_score=dict(min_score),
            min_vector=dict(min_vector),
        )
        patch = StorePatch(settings=StoreSettings(calibration=calibration))
        return await self._stores.update(store_id, patch, None)


def _place(token: str | None) -> tuple[datetime, str]:
    """Time and id of the last one of the page before."""
    held = position(token, _LIST)
    if not held:
        return OPEN_END, ""
    at, _, id_ = held.partition(" ")
    try:
        return datetime.fromisoformat(at).astimezone(UTC), id_
    except (ValueError, OverflowError) as error:
        raise InvalidInput("page_token was not given by this list.", field="page_token") from error
