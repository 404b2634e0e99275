"""Parts of the client: many texts at once, audits of recalls, sessions, relations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

from graphmem.models.bulk import BulkRequest, BulkResult, EpisodeCounts
from graphmem.models.manage import Page
from graphmem.models.recall import RecallRecord
from graphmem.models.session import (
    ErasedMessages,
    OpenItem,
    Order,
    SavedMessages,
    Session,
    SessionMessage,
    SessionMessagesIn,
)
from graphmem.models.truth import PredicateOut, PredicatePatch

from .. import routes
from .http import MOST, AsyncHttp, every


class AsyncBulk:
    """Remembering many texts at once."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def remember(self, store_id: str, request: BulkRequest, *, idempotency_key: str | None = None) -> BulkResult:
        """Save many texts, all or none, to be processed later. Errors: NotFound, InvalidInput, Conflict."""
        return await self._http.ask(routes.REMEMBER_MANY, {"store": store_id}, body=request, key=idempotency_key)

    async def counts(self, store_id: str, actor_id: str, *, session_id: str | None = None) -> EpisodeCounts:
        """How many of an actor's episodes have each status. Errors: NotFound (store)."""
        query = {"actor_id": actor_id, "session_id": session_id}
        return await self._http.ask(routes.COUNT_EPISODES, {"store": store_id}, query=query)


class AsyncRecalls:
    """The audits of recalls."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

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
        """One page of an actor's recalls, the last first. Errors: NotFound (store)."""
        query = {
            "actor_id": actor_id,
            "since": since,
            "until": until,
            "page_size": page_size,
            "page_token": page_token,
        }
        return await self._http.ask(routes.LIST_RECALLS, {"store": store_id}, query=query)

    def iter(
        self,
        store_id: str,
        actor_id: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        page_size: int = MOST,
    ) -> AsyncIterator[RecallRecord]:
        """All of an actor's recalls, the last first. Errors: NotFound (store)."""
        return every(
            lambda token: self.page(store_id, actor_id, since=since, until=until, page_size=page_size, page_token=token)
        )

    async def get(self, store_id: str, actor_id: str, recall_id: str) -> RecallRecord:
        """The audit of one recall. Errors: NotFound."""
        place = {"store": store_id, "id": recall_id}
        return await self._http.ask(routes.GET_RECALL, place, query={"actor_id": actor_id})


class AsyncSessions:
    """The sessions of an actor."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def page(
        self,
        store_id: str,
        actor_id: str,
        *,
        order: Order = "oldest",
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Session]:
        """One page of an actor's sessions, by when they began. Errors: NotFound (store)."""
        query = {"actor_id": actor_id, "order": order, "page_size": page_size, "page_token": page_token}
        return await self._http.ask(routes.LIST_SESSIONS, {"store": store_id}, query=query)

    def iter(
        self, store_id: str, actor_id: str, *, order: Order = "oldest", page_size: int = MOST
    ) -> AsyncIterator[Session]:
        """All of an actor's sessions, by when they began. Errors: NotFound (store)."""
        return every(lambda token: self.page(store_id, actor_id, order=order, page_size=page_size, page_token=token))

    async def close(self, store_id: str, actor_id: str, session_id: str) -> Session:
        """Say that a session has ended, and summarise it. Errors: NotFound."""
        place = {"store": store_id, "id": session_id}
        return await self._http.ask(routes.CLOSE_SESSION, place, query={"actor_id": actor_id})

    async def save_messages(self, store_id: str, session_id: str, request: SessionMessagesIn) -> SavedMessages:
        """Keep messages of a conversation in their order; known ones are kept once. Errors: NotFound, InvalidInput."""
        place = {"store": store_id, "id": session_id}
        return await self._http.ask(routes.SAVE_MESSAGES, place, body=request)

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
        """One page of what was kept of a conversation. Errors: NotFound (store), InvalidInput (token)."""
        place = {"store": store_id, "id": session_id}
        query = {"actor_id": actor_id, "order": order, "page_size": page_size, "page_token": page_token}
        return await self._http.ask(routes.LIST_MESSAGES, place, query=query)

    def iter_messages(
        self, store_id: str, actor_id: str, session_id: str, *, order: Order = "oldest", page_size: int = MOST
    ) -> AsyncIterator[SessionMessage]:
        """All that was kept of a conversation. Errors: NotFound (store)."""
        return every(
            lambda token: self.messages(
                store_id, actor_id, session_id, order=order, page_size=page_size, page_token=token
            )
        )

    async def erase_messages(
        self, store_id: str, actor_id: str, session_id: str, *, last: int | None = None
    ) -> ErasedMessages:
        """Erase what was kept of a conversation, or only its last messages (1 to 200), which are then given.

        Errors: NotFound (store), InvalidInput.
        """
        place, query = {"store": store_id, "id": session_id}, {"actor_id": actor_id, "last": last}
        return await self._http.ask(routes.ERASE_MESSAGES, place, query=query)

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
        """One page of what an actor's sessions left open. Errors: NotFound (store)."""
        query = {
            "actor_id": actor_id,
            "session_id": session_id,
            "order": order,
            "page_size": page_size,
            "page_token": page_token,
        }
        return await self._http.ask(routes.LIST_OPEN_ITEMS, {"store": store_id}, query=query)

    def iter_open_items(
        self,
        store_id: str,
        actor_id: str,
        *,
        session_id: str | None = None,
        order: Order = "oldest",
        page_size: int = MOST,
    ) -> AsyncIterator[OpenItem]:
        """All that an actor's sessions left open. Errors: NotFound (store)."""
        return every(
            lambda token: self.open_items(
                store_id, actor_id, session_id=session_id, order=order, page_size=page_size, page_token=token
            )
        )


class AsyncPredicates:
    """The relations of a store."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def page(self, store_id: str, page_size: int = 50, page_token: str | None = None) -> Page[PredicateOut]:
        """One page of relations by name. Errors: NotFound."""
        query = {"page_size": page_size, "page_token": page_token}
        return await self._http.ask(routes.LIST_PREDICATES, {"store": store_id}, query=query)

    def iter(self, store_id: str, *, page_size: int = MOST) -> AsyncIterator[PredicateOut]:
        """All relations by name. Errors: NotFound."""
        return every(lambda token: self.page(store_id, page_size, token))

    async def get(self, store_id: str, name: str) -> PredicateOut:
        """One relation, by any of its names. Errors: NotFound (store, relation)."""
        return await self._http.ask(routes.GET_PREDICATE, {"store": store_id, "name": name})

    async def update(
        self, store_id: str, name: str, patch: PredicatePatch, if_match: int | None = None
    ) -> PredicateOut:
        """Define a relation for a store, and bring its facts in line.

        Errors: NotFound (store, relation), PreconditionFailed, InvalidInput.
        """
        place = {"store": store_id, "name": name}
        return await self._http.ask(routes.UPDATE_PREDICATE, place, body=patch, if_match=if_match)
