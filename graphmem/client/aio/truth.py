"""Parts of the client: decisions about facts, disputes, views over time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Literal

from graphmem.models.fact import Fact
from graphmem.models.manage import Page, Receipt
from graphmem.models.truth import Contradiction, FactAction, PinAction, Profile, Resolution, Timeline

from .. import routes
from ..wire import Route
from .http import MOST, AsyncHttp, every


class AsyncTruth:
    """Decisions about facts; without a `key` each makes one, so that a retry decides nothing twice."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def _decide(
        self, route: Route[Fact], store_id: str, fact_id: str, action: FactAction, key: str | None
    ) -> Fact:
        return await self._http.ask(route, {"store": store_id, "id": fact_id}, body=action, key=key)

    async def confirm(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Say that a fact is right; open disputes about it are decided. Errors: NotFound, Conflict (withdrawn)."""
        return await self._decide(routes.CONFIRM_FACT, store_id, fact_id, action, key)

    async def reject(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Say that a fact is wrong; what it had ended holds again. Errors: NotFound, Conflict (withdrawn)."""
        return await self._decide(routes.REJECT_FACT, store_id, fact_id, action, key)

    async def approve(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Let a draft be recalled. Errors: NotFound, Conflict (rejected, withdrawn)."""
        return await self._decide(routes.APPROVE_FACT, store_id, fact_id, action, key)

    async def restore(self, store_id: str, fact_id: str, action: FactAction, key: str | None = None) -> Fact:
        """Let a withdrawn, deleted, archived, rejected or ended fact hold again. Errors: NotFound, Conflict."""
        return await self._decide(routes.RESTORE_FACT, store_id, fact_id, action, key)

    async def pin(self, store_id: str, fact_id: str, action: PinAction, key: str | None = None) -> Fact:
        """Keep a fact from fading, or let it fade again. Errors: NotFound."""
        return await self._decide(routes.PIN_FACT, store_id, fact_id, action, key)

    async def delete(self, store_id: str, actor_id: str, fact_id: str) -> Receipt:
        """Withdraw a fact: it is no longer recalled or listed, what it had ended holds again. Errors: NotFound."""
        place = {"store": store_id, "id": fact_id}
        return await self._http.ask(routes.DELETE_FACT, place, query={"actor_id": actor_id})


class AsyncDisputes:
    """Facts that cannot all hold."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def page(
        self,
        store_id: str,
        actor_id: str,
        state: Literal["open", "resolved"] | None = None,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Contradiction]:
        """One page of an owner's disputes. Errors: NotFound (store)."""
        query = {"actor_id": actor_id, "state": state, "page_size": page_size, "page_token": page_token}
        return await self._http.ask(routes.LIST_DISPUTES, {"store": store_id}, query=query)

    def iter(
        self, store_id: str, actor_id: str, state: Literal["open", "resolved"] | None = None, *, page_size: int = MOST
    ) -> AsyncIterator[Contradiction]:
        """All of an owner's disputes. Errors: NotFound (store)."""
        return every(lambda token: self.page(store_id, actor_id, state, page_size, token))

    async def get(self, store_id: str, actor_id: str, dispute_id: str) -> Contradiction:
        """One dispute with its sides and their sources. Errors: NotFound."""
        place = {"store": store_id, "id": dispute_id}
        return await self._http.ask(routes.GET_DISPUTE, place, query={"actor_id": actor_id})

    async def resolve(self, store_id: str, dispute_id: str, wish: Resolution, key: str | None = None) -> Contradiction:
        """Decide a dispute. Errors: NotFound, Conflict (decided before), InvalidInput (keep, times)."""
        place = {"store": store_id, "id": dispute_id}
        return await self._http.ask(routes.RESOLVE_DISPUTE, place, body=wish, key=key)


class AsyncTimelines:
    """Views over time."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def of_entity(self, store_id: str, actor_id: str, entity_id: str, predicate: str) -> Timeline:
        """All stays of a relation of an entity, in the order of valid time. Errors: NotFound."""
        place = {"store": store_id, "id": entity_id}
        query = {"actor_id": actor_id, "predicate": predicate}
        return await self._http.ask(routes.TIMELINE, place, query=query)

    async def profile(self, store_id: str, actor_id: str, as_of: datetime | None = None) -> Profile:
        """What holds about the actor now, or held at a time, by category. Errors: NotFound (store)."""
        query = {"actor_id": actor_id, "as_of": as_of}
        return await self._http.ask(routes.PROFILE, {"store": store_id}, query=query)
