"""`Memory`: the one facade. It opens and wires the parts, and delegates."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from .config import Settings
from .errors import DatabaseUnavailable
from .ingest.ahead import Ahead
from .ingest.budget import JobMeter
from .ingest.files import Files
from .ingest.pipeline import Ingest
from .ingest.predicates import sense_of
from .ingest.worker import Worker
from .maintain.schedule import regularly
from .maintain.sessions import Sessions
from .maintain.sources import Maker
from .maintain.upkeep import Upkeep
from .manage.bulk import Bulk
from .manage.disputes import Disputes
from .manage.entities import Entities
from .manage.episodes import Episodes
from .manage.facts import Facts
from .manage.forget import Forget
from .manage.health import check_health
from .manage.merge import Merges
from .manage.predicates import Predicates
from .manage.recalls import Recalls
from .manage.stores import Stores
from .manage.timeline import Timelines
from .manage.truth import Truth
from .models.entity import EntityMerge, EntitySplit
from .models.episode import Episode, RememberRequest
from .models.fact import (
    Entity,
    EntityGraph,
    Fact,
    FactPatch,
    FactQuery,
    HistoryEntry,
    RememberResult,
    SplitResult,
)
from .models.maintenance import MaintenanceRequest, MaintenanceResult
from .models.manage import ForgetRequest, Health, Page, Receipt, StoreIn, StoreOut, StorePatch, StoreUsage
from .models.recall import RecallRequest, RecallResult
from .notes.imports import Imports
from .notes.service import Entries, Notes
from .ports import Chat, Embedder, Reranker
from .providers import make_embedder
from .providers.asked import Questions
from .providers.extractors import Extractors
from .providers.keywords import Keywords
from .providers.offline.period import period_of
from .retrieve.pipeline import Retrieve
from .safety.redact import Secrets
from .store.driver import Database, Observer
from .store.migrate import check_embedder, migrate
from .store.reembed import reembed

if TYPE_CHECKING:
    from .store.local import ServerInfo

log = logging.getLogger(__name__)

Progress = Callable[[str, float | None], None]
DEFAULT_STORE = "default"


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The present."""
        return datetime.now(UTC)


class Memory:
    """Remember, recall and manage; open with `async with Memory.open() as memory`."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        embedder: Embedder,
        server: ServerInfo | None = None,
        chat: Chat | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self.settings = settings
        self.database = database
        self._embedder = embedder
        self._server = server
        self._extractors = Extractors(settings, embedder, chat, reranker)
        clock = self._clock = SystemClock()
        secrets = self.secrets = Secrets(settings.secrets)
        self._ahead = Ahead(database, embedder, self._extractors, settings, clock, secrets)
        self._ingest = Ingest(database, self._ahead, self._extractors, settings, clock, secrets)
        self._retrieve = Retrieve(database, embedder, clock, secrets, period_of, sense_of, self._reranker, Questions())
        self._stores = Stores(database, clock, secrets)
        self.recalls = Recalls(database, self._stores, embedder, clock, self._retrieve.matches)
        self._facts = Facts(database, embedder, clock, secrets)
        self._entities = Entities(database, clock)
        self._merges = Merges(database, clock, secrets)
        self._forget = Forget(database, clock, self._retrieve.matches)
        self._episodes = Episodes(database, self._forget)
        self._worker = Worker(self._ingest)
        self.files = Files(database, clock, self.remember, self.retry_episode)
        self.notes = Notes(database, embedder, clock, Keywords(), self._forget, secrets)
        self.entries = Entries(self.notes, self._retrieve.recall)
        self.imports = Imports(self.notes, self._ingest, self._worker.wake, self.remember)
        self.bulk = Bulk(self._ingest, self._worker.wake)
        self._upkeep = Upkeep(database, clock, embedder, self._summaries)
        self.sessions = Sessions(database, self._stores, clock, self._summaries, secrets)
        self.truth = Truth(database, self._facts, clock, secrets)
        self.disputes = Disputes(database, self._stores, self._facts, clock, secrets)
        self.predicates = Predicates(database, self._stores, clock, secrets)
        self.timelines = Timelines(database, self._stores, self._facts, clock)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings | None = None,
        *,
        progress: Progress | None = None,
        check: bool = True,
        chat: Chat | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        observer: Observer | None = None,
        work: bool = True,
    ) -> AsyncIterator[Memory]:
        """Start or join the database, migrate it, check the embedder, and close what was opened at the end.

        `check=False` leaves the embedder unchecked, for re-embedding. `chat`, `embedder` and `reranker` take the
        place of those that the settings name, and stay open. `observer` is told of every query and step. With
        `work=False` the queue is left to other processes. Errors: LocalServerError, DatabaseUnavailable, SchemaTooNew,
        EmbedderMismatch, ConfigurationError.
        """
        settings = settings or Settings()
        server, database = await connect(settings, progress)
        database = database.observed(observer) if observer else database
        encoder = embedder or make_embedder(settings)
        try:
            await migrate(database)
            if check:
                await encoder.prepare()
                await check_embedder(database, encoder.identity)
            memory = cls(settings, database, encoder, server, chat, reranker)
            await memory._stores.ensure(DEFAULT_STORE)
            if work:
                memory._worker.start()
            try:
                yield memory
            finally:
                await memory._worker.stop()
                await memory._extractors.close()
        finally:
            if embedder is None:
                await encoder.close()
            await database.close()

    def server_info(self) -> ServerInfo | None:
        """The managed local server; None when another one is used."""
        return self._server

    def warm_up(self) -> None:
        """Have the queries of remembering planned in the background, which a server just started needs seconds for."""
        self._worker.warm_up()

    async def remember(
        self, store_id: str, request: RememberRequest, *, idempotency_key: str | None = None
    ) -> RememberResult:
        """Save what was said and what follows from it. Errors: NotFound, InvalidInput, Conflict."""
        result, job = await self._ingest.remember(store_id, request, idempotency_key)
        if job is not None:
            self._worker.wake()
        return result

    def remember_all(self, store_id: str, requests: Iterable[RememberRequest]) -> AsyncIterator[RememberResult]:
        """Remember several calls, each after the one before it, which is faster than one by one: the next is read
        while the present one is written. One result each, in order. Errors: as `remember`; later calls are not made.
        """
        return self._ahead.each(store_id, requests, lambda request: self.remember(store_id, request))

    async def recall(self, store_id: str, request: RecallRequest, *, narrow_only: bool = False) -> RecallResult:
        """The memories that answer a query. Errors: NotFound.

        With `narrow_only` the request's gate can let nothing pass that would not pass without it.
        """
        return await self._retrieve.recall(store_id, request, narrow_only=narrow_only)

    async def create_store(self, store: StoreIn) -> StoreOut:
        """Make a store. Errors: AlreadyExists."""
        return await self._stores.create(store)

    async def list_stores(self, page_size: int = 50, page_token: str | None = None) -> Page[StoreOut]:
        """One page of stores."""
        return await self._stores.page(page_size, page_token)

    async def get_store(self, store_id: str) -> StoreOut:
        """One store. Errors: NotFound."""
        return await self._stores.get(store_id)

    async def update_store(self, store_id: str, patch: StorePatch, if_match: int | None = None) -> StoreOut:
        """Change a store. Errors: NotFound, PreconditionFailed."""
        return await self._stores.update(store_id, patch, if_match)

    async def store_usage(self, store_id: str) -> StoreUsage:
        """Model calls and tokens of a store today, and its budget. Errors: NotFound."""
        return await self._stores.usage(store_id)

    async def delete_store(self, store_id: str) -> None:
        """Erase a store and everything in it. Errors: NotFound."""
        await self._stores.delete(store_id)

    async def list_episodes(
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
        await self._stores.get(store_id)
        return await self._episodes.page(
            store_id,
            actor_id,
            session_id=session_id,
            source_id=source_id,
            status=status,
            page_size=page_size,
            page_token=page_token,
        )

    async def get_episode(self, store_id: str, actor_id: str, episode_id: str) -> Episode:
        """One episode. Errors: NotFound."""
        return await self._episodes.get(store_id, actor_id, episode_id)

    async def delete_episode(self, store_id: str, actor_id: str, episode_id: str) -> Receipt:
        """Erase an episode and undo what it caused. Errors: NotFound."""
        return await self._episodes.delete(store_id, actor_id, episode_id)

    async def retry_episode(self, store_id: str, actor_id: str, episode_id: str) -> RememberResult:
        """Process a pending or failed episode again. Errors: NotFound, ProviderError."""
        await self._episodes.get(store_id, actor_id, episode_id)
        return await self._ingest.retry(store_id, actor_id, episode_id)

    async def list_facts(
        self, store_id: str, query: FactQuery, page_size: int = 50, page_token: str | None = None
    ) -> Page[Fact]:
        """One page of an actor's facts. Errors: NotFound (store)."""
        await self._stores.get(store_id)
        return await self._facts.page(store_id, query, page_size, page_token)

    async def get_fact(self, store_id: str, actor_id: str, fact_id: str) -> Fact:
        """One fact with its sources. Errors: NotFound."""
        return await self._facts.get(store_id, actor_id, fact_id)

    async def update_fact(
        self, store_id: str, actor_id: str, fact_id: str, patch: FactPatch, if_match: int | None = None
    ) -> Fact:
        """Change or correct a fact. Errors: NotFound, PreconditionFailed, Conflict, InvalidInput."""
        return await self._facts.update(store_id, actor_id, fact_id, patch, if_match)

    async def delete_fact(self, store_id: str, actor_id: str, fact_id: str) -> Receipt:
        """Withdraw a fact. Errors: NotFound."""
        return await self.truth.delete(store_id, actor_id, fact_id)

    async def fact_history(self, store_id: str, actor_id: str, fact_id: str) -> tuple[HistoryEntry, ...]:
        """The life of a fact, oldest step first. Errors: NotFound."""
        return await self._facts.history(store_id, actor_id, fact_id)

    async def list_entities(
        self,
        store_id: str,
        actor_id: str,
        *,
        name: str | None = None,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page[Entity]:
        """One page of an actor's entities. Errors: NotFound (store)."""
        await self._stores.get(store_id)
        return await self._entities.page(store_id, actor_id, name=name, page_size=page_size, page_token=page_token)

    async def get_entity(self, store_id: str, actor_id: str, entity_id: str) -> Entity:
        """One entity. Errors: NotFound."""
        return await self._entities.get(store_id, actor_id, entity_id)

    async def entity_graph(
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
        return await self._entities.graph(store_id, actor_id, entity_id, hops, as_of, known_at)

    async def merge_entities(self, store_id: str, request: EntityMerge) -> Entity:
        """Make several entities one, until they are split. Errors: NotFound, InvalidInput, Conflict."""
        await self._stores.get(store_id)
        merged = await self._merges.merge(store_id, request)
        return await self._entities.get(store_id, request.scope.actor_id, merged)

    async def split_entity(self, store_id: str, entity_id: str, request: EntitySplit) -> SplitResult:
        """Undo merges, or move facts to a new entity. Errors: NotFound, Conflict."""
        await self._stores.get(store_id)
        apart = await self._merges.split(store_id, entity_id, request)
        actor = request.scope.actor_id
        return SplitResult(entities=tuple([await self._entities.get(store_id, actor, e) for e in apart]))

    async def forget(self, store_id: str, request: ForgetRequest) -> Receipt:
        """Archive or erase. Errors: NotFound."""
        await self._stores.get(store_id)
        return await self._forget.forget(store_id, request)

    async def decay(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Refresh retention, archive what has faded or expired. Errors: NotFound, InvalidInput, Conflict."""
        return await self._upkeep.decay(store_id, request or MaintenanceRequest())

    async def purge(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Erase what has been archived or deleted for long. Errors: NotFound, InvalidInput, Conflict."""
        return await self._upkeep.purge(store_id, request or MaintenanceRequest())

    async def consolidate(self, store_id: str, request: MaintenanceRequest | None = None) -> MaintenanceResult:
        """Summarise sessions, gather related episodes into themes. Errors: NotFound, InvalidInput, Conflict."""
        return await self._upkeep.consolidate(store_id, request or MaintenanceRequest())

    def _reranker(self, store_id: str) -> Reranker | None:
        return self._extractors.reranker(JobMeter(self.database, store_id, self._clock))

    def _summaries(self, store_id: str) -> Maker:
        offline = self._extractors.summariser(None)
        model = self._extractors.summariser(JobMeter(self.database, store_id, self._clock))
        return Maker(model if model.name == "llm" else None, offline)

    def regular_upkeep(self) -> AbstractAsyncContextManager[None]:
        """Decay, summaries and purge of every store at the interval of the settings, while the context is open."""
        return regularly(self._upkeep, self.settings.maintenance_interval)

    async def health(self) -> Health:
        """What works and what does not, with what to do."""
        return await check_health(self.database, self.settings)

    async def reembed(self, progress: Progress | None = None) -> int:
        """Embed everything again with the configured embedder; how many memories. Errors: ProviderError."""
        await self._embedder.prepare()
        return await reembed(self.database, self._embedder, progress)

    async def wait_idle(self, timeout: float = 60.0) -> None:  # noqa: ASYNC109  the caller's patience, as in the client
        """Return when no episode is pending. Errors: TimeoutError."""
        async with asyncio.timeout(timeout):
            while await self._busy():
                self._worker.wake()
                await asyncio.sleep(0.05)

    async def _busy(self) -> bool:
        try:
            return await self._ingest.pending() > 0
        except DatabaseUnavailable:  # it may come back while the caller waits
            return True


async def connect(settings: Settings, progress: Progress | None) -> tuple[ServerInfo | None, Database]:
    """The configured server, or the managed local one, started when it is not running."""
    if settings.neo4j_uri is not None:
        return None, await Database.connect(
            settings.neo4j_uri,
            settings.neo4j_username,
            settings.neo4j_password.get_secret_value(),
            settings.neo4j_database,
        )
    from .store.link import Managed
    from .store.local import LocalServer

    local = LocalServer(settings)
    server = await local.ensure_started(progress)
    address = (server.bolt_uri, server.username, server.password)
    return server, await Database.connect(*address, "neo4j", Managed(local))


__all__ = ["DEFAULT_STORE", "Memory"]
