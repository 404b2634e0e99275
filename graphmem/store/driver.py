"""The connection: runs checked queries, translates errors, gives plain Python values."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Any, LiteralString, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, RoutingControl
from neo4j.exceptions import (
    ClientError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)
from neo4j.time import Date, DateTime

from ..errors import ConfigurationError, DatabaseError, DatabaseUnavailable, GraphMemError
from .catalog import query
from .link import Address, Given, Link, Place

T = TypeVar("T")
_ERASED_MEANWHILE = "Neo.ClientError.Statement.EntityNotFound"
_ERASED_TRIES = 4
Row = dict[str, Any]
Parameters = dict[str, Any]
Observer = Callable[[str, float, float], None]
"""Is told what ran, and when it began and ended by `time.perf_counter`."""
COMMIT = "commit"
"""What an observer is told of the end of a write transaction, from its last query on."""
_SCHEMA_TRIES = 8
_CONNECT_SECONDS = 4.0
"""How long a server may take to accept a connection: longer, and whoever waits is told that it is away."""
_POOL_SECONDS = 15.0
"""How long a query waits for one of the connections, which are all in use when very many ask at once."""
_IDLE_SECONDS = 60.0
"""A connection that was idle for so long is looked at before it is used: the server may have ended meanwhile."""
_DEADLOCK_SECONDS = 30.0
"""How long work is tried again that others get in the way of."""


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def plain(value: Any) -> Any:
    """Driver values as Python's own: times become aware datetimes, nodes become dicts."""
    if isinstance(value, dict):
        # most values are text and numbers: a recall has thousands, so they are not asked again what they are
        return {k: v if type(v) in _AS_THEY_ARE else plain(v) for k, v in value.items()}
    if isinstance(value, list):
        # vectors are long lists of floats: one look at the first item is enough
        return value if value and isinstance(value[0], float) else [plain(v) for v in value]
    if isinstance(value, DateTime | Date):
        return value.to_native()
    if isinstance(value, neo4j.graph.Node | neo4j.graph.Relationship):
        return {k: plain(value[k]) for k in value}
    return value


def _rows(records: Iterable[neo4j.Record]) -> list[Row]:
    return [{key: plain(record[key]) for key in dict(record)} for record in records]


def _is_away(error: Exception) -> bool:
    """Whether no database answered; one that is starting up says that it is not available."""
    return isinstance(error, DriverError | OSError) or _code(error).endswith(".DatabaseUnavailable")


def _code(error: Exception) -> str:
    return (error.code or "") if isinstance(error, Neo4jError) else ""


def _translated(error: Exception, place: Place) -> GraphMemError:
    """The driver's messages may quote values, so only their codes are passed on."""
    # AuthError, or AuthenticationRateLimit after three of them
    if _code(error).startswith("Neo.ClientError.Security."):
        return DatabaseUnavailable("Neo4j refused the user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD.")
    if _is_away(error):
        return DatabaseUnavailable(place.advice)
    return DatabaseError(f"Neo4j failed a query ({_code(error)}); run `graphmem doctor`.")


async def _insisted(once: Callable[[], Awaitable[T]]) -> T:
    """The result of `once`, which runs again where others are in its way.

    That is a record that was erased under its hands, which then is not found at all, or a deadlock.
    """
    erased, until = 0, time.monotonic() + _DEADLOCK_SECONDS
    while True:
        try:
            return await once()
        except ClientError as error:
            erased += 1
            if error.code != _ERASED_MEANWHILE or erased > _ERASED_TRIES:
                raise
        except TransientError as error:
            if _is_away(error) or not error.is_retryable() or time.monotonic() > until:
                raise
            await asyncio.sleep(random.uniform(0.05, 0.5))  # noqa: S311  a pause, not a secret


def _driver(address: Address) -> AsyncDriver:
    """Errors: ConfigurationError for what is no address."""
    try:
        return AsyncGraphDatabase.driver(
            address.uri,
            auth=(address.username, address.password),
            connection_timeout=_CONNECT_SECONDS,
            connection_acquisition_timeout=_POOL_SECONDS,
            liveness_check_timeout=_IDLE_SECONDS,
            max_transaction_retry_time=0,  # twice at once: a broken connection is replaced, and nobody is kept waiting
            notifications_min_severity="OFF",
            telemetry_disabled=True,
        )
    except (ValueError, neo4j.exceptions.ConfigurationError) as error:
        raise ConfigurationError("NEO4J_URI is not an address such as bolt://localhost:7687.") from error


class Watch:
    """Tells an observer, if there is one, what runs and for how long."""

    def __init__(self, observer: Observer | None) -> None:
        self._observer = observer
        self.ended = time.perf_counter()
        """When the last of it ended."""

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Tell what the context holds."""
        if self._observer is None:
            yield
            return
        began = time.perf_counter()
        try:
            yield
        finally:
            self.ended = time.perf_counter()
            self._observer(what, began, self.ended)

    def rest(self, what: str) -> None:
        """Tell that this has run since the last of what was told."""
        if self._observer is not None:
            self._observer(what, self.ended, time.perf_counter())


class Transaction:
    """One unit of work: all its queries are committed together or not at all."""

    def __init__(self, transaction: AsyncManagedTransaction, watch: Watch | None = None) -> None:
        self._transaction = transaction
        self._watch = watch or Watch(None)

    async def run(self, name: str, parameters: Parameters) -> list[Row]:
        """Rows of one query of the catalog."""
        with self._watch.timed(name):
            result = await self._transaction.run(query(name).text, {"given": parameters})
            return _rows([record async for record in result])


class Database:
    """A Neo4j database. Only queries of the catalog run; retries of transient faults are the driver's."""

    def __init__(self, link: Link, observer: Observer | None = None) -> None:
        self._link = link
        self._observer = observer

    @classmethod
    async def connect(
        cls, uri: str, username: str, password: str, database: str, place: Place | None = None
    ) -> Database:
        """Open and check a connection; `place` says where the database is once it went away.

        Errors: DatabaseUnavailable, ConfigurationError.
        """
        address = Address(uri, username, password)
        link = Link(place or Given(address), address, _driver, database)
        try:
            await link.driver.verify_connectivity()
        except (Neo4jError, DriverError, OSError) as error:
            await link.close()
            raise _translated(error, link.place) from error
        return cls(link)

    @property
    def driver(self) -> AsyncDriver:
        """The connections as they are now; they are others when the database came back elsewhere."""
        return self._link.driver

    @property
    def database(self) -> str:
        """The name of the database."""
        return self._link.database

    def observed(self, observer: Observer) -> Database:
        """The same database, whose queries and steps are told to the observer; it shares the connections."""
        return Database(self._link, observer)

    def timed(self, what: str) -> AbstractContextManager[None]:
        """A context that tells the observer, if there is one, how long a step took that is no query."""
        return Watch(self._observer).timed(what)

    async def close(self) -> None:
        """Close the connection pool."""
        await self._link.close()

    def doubt(self) -> None:
        """Have it looked at, in the background, whether the database still answers."""
        self._link.lost()

    async def run(self, name: str, parameters: Parameters) -> list[Row]:
        """Rows of one query in its own transaction, routed by its header's mode."""
        if query(name).mode == "read":
            return await self._run(name, lambda: self._again_if_cut_off(lambda: self._at_once(name, parameters)))
        return await self._run(name, lambda: self._committed(name, parameters))

    async def run_at_once(self, name: str, parameters: Parameters) -> list[Row]:
        """Rows of one query that commits with its last row: one round trip, where `run` takes two for a write.

        Where the connection breaks it is not known whether it was committed, so it is not tried again.
        """
        return await self._run(name, lambda: self._at_once(name, parameters))

    async def _run(self, name: str, once: Callable[[], Awaitable[list[Row]]]) -> list[Row]:
        async with self._reached():
            with self.timed(name):
                return await _insisted(once)

    async def _committed(self, name: str, parameters: Parameters) -> list[Row]:
        result = await self.driver.execute_query(
            query(name).text,
            parameters_={"given": parameters},
            routing_=RoutingControl.WRITE,
            database_=self.database,
        )
        return _rows(result.records)

    async def _at_once(self, name: str, parameters: Parameters) -> list[Row]:
        checked, driver = query(name), self.driver
        session = driver.session(
            database=self.database,
            default_access_mode=neo4j.READ_ACCESS if checked.mode == "read" else neo4j.WRITE_ACCESS,
            bookmark_manager=driver.execute_query_bookmark_manager,  # in a cluster it sees what was written before
        )
        async with session:
            result = await session.run(checked.text, {"given": parameters})
            return _rows([record async for record in result])

    async def _again_if_cut_off(self, once: Callable[[], Awaitable[T]]) -> T:
        """The result of what only reads; once more where the server had closed the connection meanwhile."""
        try:
            return await once()
        except (ServiceUnavailable, SessionExpired) as error:
            if not error.is_retryable():
                raise
            return await once()

    async def plan(self, name: str) -> None:
        """Have a query of the catalog planned: it runs without parameters, and nothing of it is kept.

        Errors: DatabaseUnavailable.
        """
        checked = query(name)
        mode = neo4j.READ_ACCESS if checked.mode == "read" else neo4j.WRITE_ACCESS
        session = self.driver.session(database=self.database, default_access_mode=mode)
        async with self._reached(), session:
            transaction = await session.begin_transaction()
            async with transaction:
                with contextlib.suppress(ClientError):  # it misses its parameters; by then it is planned
                    await (await transaction.run(checked.text, {"given": {}})).consume()

    async def run_auto(self, name: str, parameters: Parameters) -> None:
        """Run schema statements outside a managed transaction, as index commands need; `;` ends each.

        Processes that migrate at one moment get in each other's way, so a clash is tried again.
        """
        async with self._reached():
            for statement in query(name).text.split(";\n"):
                if statement.strip():
                    await self._insist(statement, parameters)

    async def _insist(self, statement: LiteralString, parameters: Parameters) -> None:
        for attempt in range(_SCHEMA_TRIES):
            try:
                async with self.driver.session(database=self.database) as session:
                    await (await session.run(statement, parameters)).consume()
                return
            except Neo4jError as error:
                made_meanwhile = "AlreadyExists" in (error.code or "")
                if attempt == _SCHEMA_TRIES - 1 or not (error.is_retryable() or made_meanwhile):
                    raise
            await asyncio.sleep(random.uniform(0.1, 0.5) * (attempt + 1))  # noqa: S311  a pause, not a secret

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one write transaction; it may run again after a transient fault (a deadlock)."""
        watch = Watch(self._observer)
        async with self._reached(), self.driver.session(database=self.database) as session:
            result = await _insisted(lambda: session.execute_write(lambda tx: work(Transaction(tx, watch))))
            watch.rest(COMMIT)
            return result

    @asynccontextmanager
    async def _reached(self) -> AsyncIterator[None]:
        """Driver errors become the package's, with the cause kept; where the database is away, it is looked for."""
        if self._link.away:
            raise DatabaseUnavailable(self._link.place.advice)
        try:
            yield
        except GraphMemError:
            raise
        except (Neo4jError, DriverError, OSError) as error:
            if _is_away(error):
                self._link.lost()
            raise _translated(error, self._link.place) from error


__all__ = ["ClientError", "Database", "Row", "Transaction"]
