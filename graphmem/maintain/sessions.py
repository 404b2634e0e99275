"""Sessions: what each came to, closing one, and what they left open."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..errors import InvalidInput, NotFound
from ..manage.messages import Messages
from ..manage.paging import page_of, place, position
from ..manage.stores import Stores
from ..models.ids import hash_key, owner_key
from ..models.manage import Page
from ..models.session import (
    ErasedMessages,
    LearnedFact,
    OpenItem,
    Order,
    SavedMessages,
    Session,
    SessionMessage,
    SessionMessagesIn,
    SummaryLine,
)
from ..models.times import BEGINNING, OPEN_END
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row
from .sources import Summarisers
from .summaries import MOST_EPISODES, SessionWriter

_ENDS = ".!?。!?！？…」』)）"
_FIELDS = ("id", "store_id", "actor_id", "agent_id", "started_at", "last_at", "ended_at", "topic", "summarised_at")


class Sessions:
    """The sessions of a database."""

    def __init__(
        self, database: Database, stores: Stores, clock: Clock, summarisers: Summarisers, secrets: Secrets
    ) -> None:
        self._database = database
        self._stores = stores
        self._clock = clock
        self._summarisers = summarisers
        self._messages = Messages(database, clock, secrets)

    async def page(
        self,
        store_id: str,
        actor_id: str,
        *,
        order: Order = "oldest",
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Session]:
        """One page of an actor's sessions, by when they began. Errors: NotFound (store), InvalidInput (token)."""
        await self._stores.get(store_id)
        kind = _kind("sessions", order)
        at, key = _place(position(page_token, kind), 2, order)
        rows = await self._rows(owner_key(store_id, actor_id), None, at, key, page_size + 1, order)
        keys = {row["session"]["id"]: row["session"] for row in rows}
        return page_of([_session(row) for row in rows], page_size, kind, lambda s: _token(keys[s.id]))

    async def get(self, store_id: str, actor_id: str, session_id: str) -> Session:
        """One session. Errors: NotFound."""
        owner = owner_key(store_id, actor_id)
        rows = await self._rows(owner, hash_key(owner, session_id), BEGINNING, "", 1)
        if not rows:
            raise NotFound("There is no such session of this actor.", field="session_id")
        return _session(rows[0])

    async def close(self, store_id: str, actor_id: str, session_id: str) -> Session:
        """Say that a session has ended, and summarise it. Errors: NotFound.

        What is said in it later opens it again: closing it once more sets a new end.
        """
        owner = owner_key(store_id, actor_id)
        key, now = hash_key(owner, session_id), self._clock.now()
        found = await self._database.run("manage/close_session", {"owner_key": owner, "session_key": key, "now": now})
        if not found:
            raise NotFound("There is no such session of this actor.", field="session_id")
        maker = self._summarisers(store_id)
        # a key sorts right after all but its last character
        place = {"store_id": store_id, "after": key[:-1], "limit": 1, "most": MOST_EPISODES}
        for row in await self._database.run("maintain/sessions_page", place):
            if row["key"] == key and maker.is_due(row["mark"], row["episodes"]):
                await SessionWriter(self._database, store_id, maker, now).run(row)
        return await self.get(store_id, actor_id, session_id)

    async def save_messages(self, store_id: str, session_id: str, request: SessionMessagesIn) -> SavedMessages:
        """Keep messages of a conversation in their order. A message that is known by id and content is not kept again.

        Nothing is learned from them and no recall finds them. Errors: NotFound (store), InvalidInput.
        """
        return await self._messages.save(store_id, session_id, request)

    async def messages(
        self,
        store_id: str,
        actor_id: str,
        session_id: str,
        *,
        order: Order = "oldest",
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[SessionMessage]:
        """One page of what was kept of a conversation, from the oldest or the newest message on.

        A session without any has an empty page. Errors: NotFound (store), InvalidInput (token).
        """
        page = await self._messages.page(
            store_id, actor_id, session_id, order=order, page_size=page_size, page_token=page_token
        )
        if not page.items:
            await self._stores.get(store_id)
        return page

    async def erase_messages(
        self, store_id: str, actor_id: str, session_id: str, *, last: int | None = None
    ) -> ErasedMessages:
        """Erase what was kept of a conversation, or only its last messages (1 to 200), which are then given.

        What was learned in the session stays; `forget` erases that. Errors: NotFound (store), InvalidInput.
        """
        erased = await self._messages.erase(store_id, actor_id, session_id, last=last)
        if not erased.erased:
            await self._stores.get(store_id)
        return erased

    async def open_items(
        self,
        store_id: str,
        actor_id: str,
        *,
        session_id: str | None = None,
        order: Order = "oldest",
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[OpenItem]:
        """One page of what an actor's sessions left open. Errors: NotFound (store), InvalidInput (token)."""
        await self._stores.get(store_id)
        owner, kind = owner_key(store_id, actor_id), _kind("open-items", order)
        at, key, index = _place(position(page_token, kind), 3, order)
        rows = await self._database.run(
            "manage/open_items",
            {
                "owner_key": owner,
                "session_key": None if session_id is None else hash_key(owner, session_id),
                "newest": order == "newest",
                "after_at": at,
                "after_key": key,
                "after_index": place(index) if index else -1,
                "limit": page_size + 1,
            },
        )
        items = [(_item(row), f"{_token(row['session'])}|{row['index']}") for row in rows]
        page = page_of(items, page_size, kind, lambda item: item[1])
        return Page[OpenItem](items=tuple(item for item, _ in page.items), next_page_token=page.next_page_token)

    async def _rows(
        self, owner: str, key: str | None, at: datetime, after: str, limit: int, order: Order = "oldest"
    ) -> list[Row]:
        asked = {"owner_key": owner, "session_key": key, "after_at": at, "after_key": after, "limit": limit}
        asked["newest"] = order == "newest"
        return await self._database.run("manage/sessions", asked)


def _token(session: Row) -> str:
    return f"{session['started_at'].isoformat()}|{session['key']}"


def _kind(name: str, order: Order) -> str:
    return name if order == "oldest" else f"{name}-{order}"


def _place(held: str, parts: int, order: Order) -> tuple[Any, ...]:
    """Where the page begins, from what its token holds. Errors: InvalidInput."""
    if not held:
        return (BEGINNING if order == "oldest" else OPEN_END, "", "")[:parts]
    at, *rest = held.split("|")
    try:
        begun = datetime.fromisoformat(at)
        if len(rest) != parts - 1 or begun.tzinfo is None:
            raise ValueError
    except ValueError:
        raise InvalidInput("page_token was not given by this list.", field="page_token") from None
    return (begun, *rest)


def _session(row: Row) -> Session:
    node = row["session"]
    lines = _lines(node.get("summary"), node.get("summary_from"))
    items = _lines(node.get("open_items"), node.get("open_from"))
    return Session(
        **{name: node.get(name) for name in _FIELDS},
        summary=_joined([text for text, _ in lines]),
        sentences=tuple(SummaryLine(text=text, episode_ids=ids) for text, ids in lines),
        facts=tuple(LearnedFact(**fact) for fact in row["facts"]),
        open_items=tuple(OpenItem(text=text, session_id=node["id"], episode_ids=ids) for text, ids in items),
        episodes=row["episodes"],
        learned=row["learned"],
        summarised_by=node.get("summary_by"),
    )


def _lines(texts: list[str] | None, sources: list[str] | None) -> list[tuple[str, tuple[str, ...]]]:
    return [(text, tuple(ids.split())) for text, ids in zip(texts or (), sources or (), strict=True)]


def _joined(texts: list[str]) -> str | None:
    """One text; sentences that end without a mark get one."""
    if not texts:
        return None
    ends = [text if text[-1] in _ENDS else text + ("。" if _is_wide(text) else ".") for text in texts]
    return "".join(end if _is_wide(end) else f"{end} " for end in ends).strip()


def _is_wide(text: str) -> bool:
    return ord(text[-1]) > 0x2E7F


def _item(row: Row) -> OpenItem:
    return OpenItem(text=row["text"], session_id=row["session"]["id"], episode_ids=tuple(row["source"].split()))
