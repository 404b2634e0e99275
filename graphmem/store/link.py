"""The link to the database: it notices when the database is away, and is there again when the database is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from neo4j import AsyncDriver
from neo4j.exceptions import DriverError, Neo4jError

from ..errors import GraphMemError

if TYPE_CHECKING:
    from .local import LocalServer, ServerInfo

log = logging.getLogger(__name__)

_PAUSE = 1.0
"""Seconds between looks whether the database is back."""
_LONG_PAUSE = 15.0
"""Seconds after a start that failed."""
_LOOK_SECONDS = 10.0
"""A server that has not begun a transaction by then is away too, whatever it is doing."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is, and how to log in."""

    uri: str
    username: str
    password: str


class Place(Protocol):
    """A database that may go away and come back, perhaps elsewhere."""

    @property
    def advice(self) -> str:
        """What to do while it is away."""

    async def find(self) -> Address | None:
        """Where it is now; None while it is not there. Errors: GraphMemError when it cannot be brought back."""


@dataclass(frozen=True, slots=True)
class Given:
    """The server that the settings name."""

    address: Address
    advice: str = "Neo4j cannot be reached; run `graphmem doctor`, or check NEO4J_URI."

    async def find(self) -> Address | None:
        """The same place at all times."""
        return self.address


class Managed:
    """The local server of a data folder: started again when it ended by itself, not when somebody stopped it."""

    advice = "The local Neo4j is not running; where it does not start again by itself, run `graphmem db start`."

    def __init__(self, server: LocalServer) -> None:
        self._server = server
        self._failed = False

    async def find(self) -> Address | None:
        """Where it runs now; it is started where it died. Errors: LocalServerError."""
        status = await self._server.status()
        if status.state == "running":
            self._failed, info = False, status.info
        else:
            info = await self._started_again()
        return Address(info.bolt_uri, info.username, info.password) if info else None

    async def _started_again(self) -> ServerInfo | None:
        failed, self._failed = self._failed, True  # a start that failed leaves no sign that the server had died
        if failed:
            info: ServerInfo | None = await self._server.ensure_started()
        else:
            info = await self._server.revive() if self._server.has_died() else None
        self._failed = False
        return info


class Link:
    """The driver that all share; once told that the database is away, it looks for it until it is back."""

    def __init__(self, place: Place, address: Address, opened: Callable[[Address], AsyncDriver], database: str) -> None:
        self.place = place
        self.driver = opened(address)
        self.database = database
        self.away = False
        """Whether the database is known to be away, so that nobody need wait to find out."""
        self._address = address
        self._opened = opened
        self._task: asyncio.Task[None] | None = None

    def lost(self) -> None:
        """Tell that an operation found no database: from now on it is looked for, in the running event loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._restore(), name="graphmem-link")

    async def close(self) -> None:
        """Look no longer, and close the connections."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self.driver.close()

    async def _restore(self) -> None:
        if await self._answers(self._address):  # one connection broke, or a query took too long
            return
        log.warning("the database is away: %s", self.place.advice)
        self.away = True
        while not await self._found():  # noqa: ASYNC110  nobody tells when it is back
            await asyncio.sleep(_PAUSE)
        self.away = False
        log.warning("the database is back")

    async def _found(self) -> bool:
        try:
            address = await self.place.find()
        except (GraphMemError, OSError) as error:
            log.warning("the database does not start: %s", error)
            await asyncio.sleep(_LONG_PAUSE)
            return False
        if address is None or not await self._answers(address):
            return False
        if address != self._address:
            former, self.driver, self._address = self.driver, self._opened(address), address
            await former.close()
        return True

    async def _answers(self, address: Address) -> bool:
        """Whether a transaction can begin, which says that the database is open and not only its port.

        The connection is a new one: those that are open may all be in use.
        """
        driver = self._opened(address)
        try:
            async with asyncio.timeout(_LOOK_SECONDS), driver, driver.session(database=self.database) as session:
                await (await session.begin_transaction()).rollback()
                return True
        except (Neo4jError, DriverError, OSError, TimeoutError):
            return False


__all__ = ["Address", "Given", "Link", "Managed", "Place"]
