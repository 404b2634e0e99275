"""The connection: runs checked queries, translates errors, gives plain Python values."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Any, LiteralString, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, RoutingControl
from neo4j.exceptions import ClientError, DriverError, Neo4jError, ServiceUnavailable
from neo4j.time import Date, DateTime

from ..errors import ConfigurationError, DatabaseError, DatabaseUnavailable, GraphMemError
from .catalog import query

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


def plain(value: Any) -> Any:
    """Driver values as Python's own: times become aware datetimes, nodes become dicts."""
    if isinstance(value, DateTime | Date):
        return value.to_native()
    if isinstance(value, list):
        # vectors are long lists of floats: one look at the first item is enough
        return value if value and isinstance(value[0], float) else [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, neo4j.graph.Node | neo4j.graph.Relationship):
        return {k: plain(value[k]) for k in value}
    return value


def _rows(records: Iterable[neo4j.Record]) -> list[Row]:
    return [{key: plain(record[key]) for key in dict(record)} for record in records]


def _translated(error: Exception) -> GraphMemError:
    """The driver's messages may quote values, so only their codes are passed on."""
    # AuthError, or AuthenticationRateLimit after three of them
    if isinstance(error, Neo4jError) and (error.code or "").startswith("Neo.ClientError.Security."):
        return DatabaseUnavailable("Neo4j refused the user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD.")
    if isinstance(error, ServiceUnavailable):
        return DatabaseUnavailable("Neo4j cannot be reached; run `graphmem doctor`, or check NEO4J_URI.")
    if isinstance(error, Neo4jError):
        return DatabaseError(f"Neo4j failed a query ({error.code}); run `graphmem doctor`.")
    return DatabaseUnavailable(f"The connection to Neo4j failed ({type(error).__name__}); run `graphmem doctor`.")


async def _despite_erasing(once: Callable[[], Awaitable[T]]) -> T:
    """The result of `once`, which runs again where a record was erased under its hands: then it is not found at all."""
    for _ in range(_ERASED_TRIES):
        try:
            return await once()
        except ClientError as error:
            if error.code != _ERASED_MEANWHILE:
                raise
    return await once()


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

    def __init__(self, driver: AsyncDriver, database: str, observer: Observer | None = None) -> None:
        self.driver = driver
        self.database = database
        self._observer = observer

    @classmethod
    async def connect(cls, uri: str, username: str, password: str, database: str) -> Database:
        """Open and check a connection. Errors: DatabaseUnavailable, ConfigurationError."""
        try:
            driver = AsyncGraphDatabase.driver(
                uri,
                auth=(username, password),
                connection_acquisition_timeout=30,
                max_transaction_retry_time=30,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        except (ValueError, neo4j.exceptions.ConfigurationError) as error:
            raise ConfigurationError("NEO4J_URI is not an address such as bolt://localhost:7687.") from error
        try:
            await driver.verify_connectivity()
        except (Neo4jError, DriverError, OSError) as error:
            await driver.close()
            raise _translated(error) from error
        return cls(driver, database)

    def observed(self, observer: Observer) -> Database:
        """The same database, whose queries and steps are told to the observer; it shares the connections."""
        return Database(self.driver, self.database, observer)

    def timed(self, what: str) -> AbstractContextManager[None]:
        """A context that tells the observer, if there is one, how long a step took that is no query."""
        return Watch(self._observer).timed(what)

    async def close(self) -> None:
        """Close the connection pool."""
        await self.driver.close()

    async def run(self, name: str, parameters: Parameters) -> list[Row]:
        """Rows of one query in its own transaction, routed by its header's mode."""
        checked = query(name)
        routing = RoutingControl.READ if checked.mode == "read" else RoutingControl.WRITE

        async def once() -> list[Row]:
            result = await self.driver.execute_query(
                checked.text, parameters_={"given": parameters}, routing_=routing, database_=self.database
            )
            return _rows(result.records)

        async with translated_errors():
            with self.timed(name):
                return await _despite_erasing(once)

    async def run_auto(self, name: str, parameters: Parameters) -> None:
        """Run schema statements outside a managed transaction, as index commands need; `;` ends each.

        Processes that migrate at one moment get in each other's way, so a clash is tried again.
        """
        async with translated_errors():
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
        async with translated_errors(), self.driver.session(database=self.database) as session:
            result = await _despite_erasing(lambda: session.execute_write(lambda tx: work(Transaction(tx, watch))))
            watch.rest(COMMIT)
            return result


@asynccontextmanager
async def translated_errors() -> AsyncIterator[None]:
    """Driver errors become the package's, with the cause kept."""
    try:
        yield
    except GraphMemError:
        raise
    except (Neo4jError, DriverError, OSError) as error:
        raise _translated(error) from error


__all__ = ["ClientError", "Database", "Row", "Transaction"]
