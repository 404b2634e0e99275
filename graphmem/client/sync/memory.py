# Made from ../aio/memory.py by tests/support/sync_client.py: change that one.
"""`GraphMem`: the calls of `graphmem.Memory`, answered by a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from datetime import datetime
from types import TracebackType
from typing import Self

import httpx

from graphmem.models.entity import EntityMerge, EntitySplit
from graphmem.models.episode import Episode, RememberRequest
from graphmem.models.fact import (
    Entity,
    EntityGraph,
    Fact,
    FactPatch,
    FactQuery,
    HistoryEntry,
    RememberResult,
    SplitResult,
)
from graphmem.models.maintenance import MaintenanceRequest, MaintenanceResult
from graphmem.models.manage import (
    Alive,
    ForgetRequest,
    Health,
    Page,
    Receipt,
    StoreIn,
    StoreOut,
    StorePatch,
    StoreUsage,
)
from graphmem.models.recall import RecallRequest, RecallResult

from .. import routes
from ..options import (
    DEFAULT_URL,
    Options,
    Timeout,
    checked_backoff,
    checked_headers,
    checked_key,
    checked_retries,
    checked_url,
    time_limits,
)
from ..wire import paged
from .http import MOST, Http, every
from .notes import Entries, Imports, Notes
from .parts import Bulk, Predicates, Recalls, Sessions
from .truth import Disputes, Timelines, Truth


class GraphMem:
    """A graphmem service: remember, recall and manage, with the names and models of `graphmem.Memory`.

    Open it with `with GraphMem(...) as memory`, or call `close` at the end; threads may share it.
    Errors of every call: those of `graphmem.errors` that the service answers with, and ServiceError when it cannot
    be reached or something else answers.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: Timeout | float | None = Timeout(),  # noqa: B008  frozen
        max_retries: int = 2,
        backoff: float = 0.5,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """A client of the service at `base_url`; nothing is sent yet. Errors: ConfigurationError.

        `base_url` is that of `http_client` if it has one, else http://127.0.0.1:8080. `timeout` in seconds is for the
        whole call; `Timeout` has more, None is without limit. `backoff` is the wait in seconds before the first of at
        most `max_retries`. `headers` go with every call. `http_client` takes the place of the client's own and stays
        open.
        """
        given = str(http_client.base_url) if base_url is None and http_client is not None else base_url
        options = Options(
            checked_url(given or DEFAULT_URL),
            checked_key(api_key),
            time_limits(timeout),
            checked_retries(max_retries),
            checked_backoff(backoff),
            checked_headers(headers, has_key=api_key is not None),
        )
        self._use(Http(options, http_client))

    def _use(self, http: Http) -> None:
        self._http = http
        self.recalls = Recalls(http)
        self.bulk = Bulk(http)
        self.imports = Imports(http)
        self.notes = Notes(http)
        self.entries = Entries(http)
        self.sessions = Sessions(http)
        self.truth = Truth(http)
        self.disputes = Disputes(http)
        self.predicates = Predicates(http)
        self.timelines = Timelines(http)

    def with_options(self, *, timeout: Timeout | float | None = None, max_retries: int | None = None) -> Self:
        """The same client with other limits, over the same connections: `with_options(timeout=2).recall(...)`.

        What is not given stays. Closing it closes nothing. Errors: ConfigurationError.
        """
        options = self._http.options
        other = copy(self)
        other._use(
            self._http.changed(
                timeout=options.timeout if timeout is None else time_limits(timeout),
                max_retries=options.max_retries if max_retries is None else checked_retries(max_retries),
            )
        )
        return other

    def close(self) -> None:
        """Close the connections; an `http_client` that was given stays open."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._http.options.base_url!r})"

    def remember(
        self, store_id: str, request: RememberRequest, *, idempotency_key: str | None = None
    ) -> RememberResult:
        """Save what was said and what follows from it. Errors: NotFound, InvalidInput, Conflict.

        Without a key the client makes one, so that a retry saves nothing twice. If the connection breaks while facts
        are looked for, a retry may find the episodes still pending.
        """
        place = {"store": store_id}
        return self._http.ask(routes.REMEMBER, place, body=request, key=idempotency_key, settle=request.wait)

    def remember_all(self, store_id: str, requests: Iterable[RememberRequest]) -> Iterator[RememberResult]:
        """Remember several calls, one after the other; one result each. Errors: as `remember`; the rest is not sent."""
        for request in requests:
            yield self.remember(store_id, request)

    def recall(self, store_id: str, request: RecallRequest) -> RecallResult:
        """The memories that answer a query. Errors: NotFound."""
        return self._http.ask(routes.RECALL, {"store": store_id}, body=request)

    def create_store(self, store: StoreIn) -> StoreOut:
        """Make a store. Errors: AlreadyExists."""
        return self._http.ask(routes.CREATE_STORE, {}, body=store)

    def list_stores(self, page_size: int = 50, page_token: str | None = None) -> Page[StoreOut]:
        """One page of stores."""
        query = {"page_size": page_size, "page_token": page_token}
        return self._http.ask(routes.LIST_STORES, {}, query=query)

    def iter_stores(self, *, page_size: int = MOST) -> Iterator[StoreOut]:
        """All stores."""
        return every(lambda token: self.list_stores(page_size, token))

    def get_store(self, store_id: str) -> StoreOut:
        """One store. Errors: NotFound."""
        return self._http.ask(routes.GET_STORE, {"store": store_id})

    def update_store(self, store_id: str, patch: StorePatch, if_match: int | None = None) -> StoreOut:
        """Change a store; `if_match` is the version that it must still have. Errors: NotFound, PreconditionFailed."""
        return self._http.ask(routes.UPDATE_STORE, {"store": store_id}, body=patch, if_match=if_match)

    def store_usage(self, store_id: str) -> StoreUsage:
        """Model calls and tokens of a store today, and its budget. Errors: NotFound."""
        return self._http.ask(routes.STORE_USAGE, {"store": store_id})

    def delete_store(self, store_id: str) -> None:
        """Erase a store and everything in it. Errors: NotFound."""
        self._http.ask(routes.DELETE_STORE, {"store": store_id})

    def list_episodes(
        self,
        store_id: str,
        actor_id: str,
        *,
        session_id: str | None = None,
        source_id: str | None = None,
        status: str | None = None,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Episode]:
        """One page of an actor's episodes. Errors: NotFound (store)."""
        query = {
            "actor_id": actor_id,
            "session_id": session_id,
            "source_id": source_id,
            "status": status,
            "page_size": page_size,
            "page_token": page_token,
        }
        return self._http.ask(routes.LIST_EPISODES, {"store": store_id}, query=query)

    def iter_episodes(
        self,
        store_id: str,
        actor_id: str,
        *,
        session_id: str | None = None,
        source_id: str | None = None,
        status: str | None = None,
        page_size: int = MOST,
    ) -> Iterator[Episode]:
        """All of an actor's episodes, in the order of the list. Errors: NotFound (store)."""
        return every(
            lambda token: self.list_episodes(
                store_id,
                actor_id,
                session_id=session_id,
                source_id=source_id,
                status=status,
                page_size=page_size,
                page_token=token,
            )
        )

    def get_episode(self, store_id: str, actor_id: str, episode_id: str) -> Episode:
        """One episode. Errors: NotFound."""
        place = {"store": store_id, "id": episode_id}
        return self._http.ask(routes.GET_EPISODE, place, query={"actor_id": actor_id})

    def delete_episode(self, store_id: str, actor_id: str, episode_id: str) -> Receipt:
        """Erase an episode and undo what it caused. Errors: NotFound."""
        place = {"store": store_id, "id": episode_id}
        return self._http.ask(routes.DELETE_EPISODE, place, query={"actor_id": actor_id})

    def retry_episode(self, store_id: str, actor_id: str, episode_id: str) -> RememberResult:
        """Process a pending or failed episode again. Errors: NotFound, ProviderError."""
        place = {"store": store_id, "id": episode_id}
        return self._http.ask(routes.RETRY_EPISODE, place, query={"actor_id": actor_id})

    def list_facts(
        self, store_id: str, query: FactQuery, page_size: int = 50, page_token: str | None = None
    ) -> Page[Fact]:
        """One page of an actor's facts. Errors: NotFound (store)."""
        asked = paged(query, page_size, page_token)
        return self._http.ask(routes.LIST_FACTS, {"store": store_id}, query=asked)

    def iter_facts(self, store_id: str, query: FactQuery, *, page_size: int = MOST) -> Iterator[Fact]:
        """All of an actor's facts that the query means, in the order of the list. Errors: NotFound (store)."""
        return every(lambda token: self.list_facts(store_id, query, page_size, token))

    def get_fact(self, store_id: str, actor_id: str, fact_id: str) -> Fact:
        """One fact with its sources. Errors: NotFound."""
        place = {"store": store_id, "id": fact_id}
        return self._http.ask(routes.GET_FACT, place, query={"actor_id": actor_id})

    def update_fact(
        self, store_id: str, actor_id: str, fact_id: str, patch: FactPatch, if_match: int | None = None
    ) -> Fact:
        """Change or correct a fact; `if_match` is the version that it must still have.

        Errors: NotFound, PreconditionFailed, Conflict, InvalidInput.
        """
        place = {"store": store_id, "id": fact_id}
        return self._http.ask(routes.UPDATE_FACT, place, query={"actor_id": actor_id}, body=patch, if_match=if_match)

    def delete_fact(self, store_id: str, actor_id: str, fact_id: str) -> Receipt:
        """Withdraw a fact. Errors: NotFound."""
        place = {"store": store_id, "id": fact_id}
        return self._http.ask(routes.DELETE_FACT, place, query={"actor_id": actor_id})

    def fact_history(self, store_id: str, actor_id: str, fact_id: str) -> tuple[HistoryEntry, ...]:
        """The life of a fact, oldest step first. Errors: NotFound."""
        place = {"store": store_id, "id": fact_id}
        return (self._http.ask(routes.FACT_HISTORY, place, query={"actor_id": actor_id})).items

    def list_entities(
        self,
        store_id: str,
        actor_id: str,
        *,
        name: str | None = None,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Entity]:
        """One page of an actor's entities. Errors: NotFound (store)."""
        query = {"actor_id": actor_id, "name": name, "page_size": page_size, "page_token": page_token}
        return self._http.ask(routes.LIST_ENTITIES, {"store": store_id}, query=query)

    def iter_entities(
        self, store_id: str, actor_id: str, *, name: str | None = None, page_size: int = MOST
    ) -> Iterator[Entity]:
        """All of an actor's entities, in the order of the list. Errors: NotFound (store)."""
        return every(
            lambda token: self.list_entities(store_id, actor_id, name=name, page_size=page_size, page_token=token)
        )

    def get_entity(self, store_id: str, actor_id: str, entity_id: str) -> Entity:
        """One entity. Errors: NotFound."""
        place = {"store": store_id, "id": entity_id}
        return self._http.ask(routes.GET_ENTITY, place, query={"actor_id": actor_id})

    def entity_graph(
        self,
        store_id: str,
        actor_id: str,
        entity_id: str,
        *,
        hops: int = 1,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> EntityGraph:
        """An entity with the facts around it. Errors: NotFound."""
        place = {"store": store_id, "id": entity_id}
        query = {"actor_id": actor_id, "hops": hops, "as_of": as_of, "known_at": known_at}
        return self._http.ask(routes.ENTITY_GRAPH, place, query=query)

    def merge_entities(self, store_id: str, request: EntityMerge) -> Entity:
        """Make several entities one, until they are split. Errors: NotFound, InvalidInput, Conflict."""
        return self._http.ask(routes.MERGE_ENTITIES, {"store": store_id}, body=request)

    def split_entity(self, store_id: str, entity_id: str, request: EntitySplit) -> SplitResult:
        """Undo merges, or move facts to a new entity. Errors: NotFound, Conflict."""
        place = {"store": store_id, "id": entity_id}
        return self._http.ask(routes.SPLIT_ENTITY, place, body=request)

    def forget(self, store_id: str, request: ForgetRequest) -> Receipt:
        """Archive or erase. Errors: NotFound."""
        return self._http.ask(routes.FORGET, {"store": store_id}, body=request)

    def decay(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Refresh retention, archive what has faded or expired. Errors: NotFound, InvalidInput, Conflict."""
        return self._http.ask(routes.DECAY, {"store": store_id}, body=request or MaintenanceRequest())

    def purge(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Erase what has been archived or deleted for long. Errors: NotFound, InvalidInput, Conflict."""
        return self._http.ask(routes.PURGE, {"store": store_id}, body=request or MaintenanceRequest())

    def consolidate(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Summarise sessions, gather related episodes into themes. Errors: NotFound, InvalidInput, Conflict."""
        return self._http.ask(routes.CONSOLIDATE, {"store": store_id}, body=request or MaintenanceRequest())

    def alive(self) -> Alive:
        """That the service answers, and its version; asks no database and needs no key."""
        return self._http.ask(routes.ALIVE, {})

    def health(self) -> Health:
        """What works and what does not, with what to do; also when the service is not ready."""
        return self._http.ask(routes.READY, {})
