"""Messages of sessions: kept in their order, read forwards or from the newest, never searched or learned from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from ..errors import InvalidInput, NotFound
from ..models.base import MAX_PAGE
from ..models.ids import hash_key, owner_key
from ..models.manage import ForgetTarget, Page
from ..models.scope import Scope, SessionScope
from ..models.session import (
    ErasedMessages,
    Order,
    SavedMessage,
    SavedMessages,
    SessionMessage,
    SessionMessageIn,
    SessionMessagesIn,
)
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row, Transaction
from .paging import page_of, place, position

_BEYOND = 2**62
"""A place that no message reaches."""


class Messages:
    """The messages of the sessions of a database."""

    def __init__(self, database: Database, clock: Clock, secrets: Secrets) -> None:
        self._database = database
        self._clock = clock
        self._secrets = secrets

    async def save(self, store_id: str, session_id: str, request: SessionMessagesIn) -> SavedMessages:
        """Put messages behind those of the session; known ones stay. Errors: NotFound (store), InvalidInput."""
        scope, now = _within(request.scope, session_id), self._clock.now()
        self._secrets.check(session_id, "session_id")
        clean = await self._secrets.clean(request)
        owner = owner_key(store_id, scope.actor_id)
        session_key = hash_key(owner, session_id)
        rows = [_row(session_key, scope, m, now, i) for i, m in enumerate(clean.value.messages)]
        saved = await self._database.run(
            "manage/save_messages",
            {
                "store_id": store_id,
                "owner_key": owner,
                "session_key": session_key,
                "session": {"id": session_id, "actor_id": scope.actor_id, "agent_id": scope.agent_id},
                "messages": list({row["key"]: row for row in rows}.values()),
                "now": now,
            },
        )
        if not saved:
            raise NotFound(f"There is no store {store_id}.", field="store")
        return SavedMessages(items=_answered(rows, saved), redacted=clean.redacted)

    async def page(
        self,
        store_id: str,
        actor_id: str,
        session_id: str,
        *,
        order: Order = "oldest",
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[SessionMessage]:
        """One page of a session's messages; none for a session that is not there. Errors: InvalidInput (token)."""
        owner = owner_key(store_id, actor_id)
        kind = f"messages-{order}"
        asked: dict[str, Any] = {"owner_key": owner, "session_key": hash_key(owner, session_id), "limit": page_size + 1}
        held = position(page_token, kind)
        at = place(held) if held else 0
        if order == "newest":
            rows = await self._database.run("manage/messages_newest", asked | {"before": at or _BEYOND})
        else:
            rows = await self._database.run("manage/messages", asked | {"after": at})
        return page_of([_message(row["message"]) for row in rows], page_size, kind, lambda m: str(m.position))

    async def erase(
        self, store_id: str, actor_id: str, session_id: str, *, last: int | None, batch: int = 500
    ) -> ErasedMessages:
        """Erase the last messages of a session and give them, or all of them, in small transactions.

        Errors: InvalidInput (last).
        """
        if last is not None and not 1 <= last <= MAX_PAGE:
            raise InvalidInput(f"must be from 1 to {MAX_PAGE}", field="last")
        owner = owner_key(store_id, actor_id)
        asked = {"owner_key": owner, "session_key": hash_key(owner, session_id), "now": self._clock.now()}
        asked |= {"limit": last or batch, "give": last is not None}
        erased = 0
        while True:
            rows = await self._database.run("manage/erase_newest_messages", asked)
            erased += len(rows)
            if last is not None or len(rows) < batch:
                given = tuple(_message(row["message"]) for row in rows if last is not None)
                return ErasedMessages(erased=erased, items=given)


async def select_messages(
    database: Database | Transaction,
    owner: str,
    episodes: Sequence[str],
    target: ForgetTarget | None = None,
    scope: Scope | None = None,
) -> list[str]:
    """Keys of the messages that these episodes came from, and of those that a target names within a scope."""
    asked = {
        "owner_key": owner,
        "everything": target is not None and target.all is True,
        "by_session": target and target.session_id,
        "since": target and target.since,
        "until": target and target.until,
        "episode_ids": list(episodes),
        "agent_id": scope and scope.agent_id,
        "session_id": scope and scope.session_id,
        "route_id": scope and scope.route_id,
    }
    return [row["key"] for row in await database.run("manage/select_messages", asked)]


async def erase_messages(database: Database, owner: str, keys: Sequence[str], batch: int = 500) -> int:
    """Erase messages in small transactions; how many there were."""
    erased = 0
    for start in range(0, len(keys), batch):
        part = {"owner_key": owner, "keys": list(keys[start : start + batch])}
        erased += (await database.run("manage/erase_messages", part))[0]["erased"]
    return erased


def _within(scope: SessionScope, session_id: str) -> Scope:
    try:
        return Scope(**scope.model_dump(), session_id=session_id)
    except ValidationError as error:
        raise InvalidInput(f"{error.errors()[0]['msg']}.", field="session_id") from None


def _row(session_key: str, scope: Scope, message: SessionMessageIn, now: datetime, index: int) -> dict[str, Any]:
    data = None if message.data is None else json.dumps(message.data, ensure_ascii=False, sort_keys=True)
    at = message.occurred_at or now + timedelta(milliseconds=index)
    return {
        "id": message.id,
        "key": hash_key(session_key, message.id, message.role, message.content, None if message.content else data),
        "properties": {
            "id": message.id,
            "actor_id": scope.actor_id,
            "agent_id": scope.agent_id,
            "route_id": scope.route_id,
            "role": message.role,
            "name": message.name,
            "content": message.content,
            "data": data,
            "occurred_at": at.astimezone(UTC),
        },
    }


def _answered(rows: Sequence[dict[str, Any]], saved: Sequence[Row]) -> tuple[SavedMessage, ...]:
    """One answer for each message of the call; the same message twice in one call is one."""
    known = {row["key"]: row for row in saved}
    seen: set[str] = set()
    items = []
    for row in rows:
        found = known[row["key"]]
        duplicate = found["duplicate"] or row["key"] in seen
        items.append(SavedMessage(id=row["id"], position=found["position"], duplicate=duplicate))
        seen.add(row["key"])
    return tuple(items)


def _message(node: Row) -> SessionMessage:
    fields = {name: node.get(name) for name in SessionMessage.model_fields}
    return SessionMessage(**fields | {"data": json.loads(node["data"]) if node.get("data") else None})
