"""Recalls: the audit of what was asked and given, without any text."""

from __future__ import annotations

from datetime import UTC, datetime

from ..errors import InvalidInput, NotFound
from ..models.ids import owner_key
from ..models.manage import Page
from ..models.recall import RecallRecord
from ..models.times import OPEN_END
from ..store.driver import Database
from ..store.records import recall_from
from .paging import page_of, position
from .stores import Stores

_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
_LIST = "recalls"


class Recalls:
    """The audits of the recalls of a database."""

    def __init__(self, database: Database, stores: Stores) -> None:
        self._database = database
        self._stores = stores

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
                "since": since or _BEGINNING,
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
