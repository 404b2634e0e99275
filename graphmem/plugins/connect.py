"""Which memory a provider uses: one of this process, or a service; one of its own is opened when it is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from ..errors import ConfigurationError, DatabaseUnavailable
from .backend import Backend

if TYPE_CHECKING:
    from pydantic import SecretStr

Open = Callable[[], AbstractAsyncContextManager[Any]]
"""How a memory of the plug-in's own is opened, and closed again."""


class Connection:
    """A memory that is there already, or one that is opened at the first use and closed with the plug-in.

    One that is given stays open: who made it closes it. Opening goes on when the one who waits for it gives up, so that
    a server that starts slowly is there at a later call. Use it within one event loop.
    """

    def __init__(self, given: Backend | None, opened: Open | None) -> None:
        if given is not None and opened is not None:
            raise ConfigurationError("Give a memory, a client or an address, and only one of them.")
        self._given = given
        self._open = opened
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Any] | None = None
        self._stop: asyncio.Event | None = None

    async def get(self) -> Any:
        """The memory. Errors: those of opening it; the next call tries again."""
        if self._given is not None:
            return self._given
        if self._task is None or self._task.done():
            self._ready, self._stop = asyncio.get_running_loop().create_future(), asyncio.Event()
            self._task = asyncio.create_task(self._hold(self._ready, self._stop), name="graphmem-plugin")
        assert self._ready is not None  # noqa: S101 - made with the task
        return await asyncio.shield(self._ready)

    async def _hold(self, ready: asyncio.Future[Any], stop: asyncio.Event) -> None:
        """Open, say so, and close when told to: entered and left in one task, as cancel scopes require."""
        try:
            async with self._open_one() as backend:
                ready.set_result(backend)
                await stop.wait()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
            ready.exception()  # it is no fault when nobody waits any more

    def _open_one(self) -> AbstractAsyncContextManager[Any]:
        if self._open is None:
            raise ConfigurationError("There is no memory: give `memory`, `client` or `base_url`.")
        return self._open()

    async def close(self) -> None:
        """Close what was opened here; it is opened again when it is needed again."""
        task, self._task = self._task, None
        if task is None or self._stop is None or self._ready is None:
            return
        if self._ready.done():
            self._stop.set()
        else:
            task.cancel()
        await asyncio.wait([task])
        if not self._ready.done():  # whoever waits is told, also when the task had not begun
            self._ready.set_exception(DatabaseUnavailable("The memory was closed while it was being opened."))
            self._ready.exception()  # it is no fault when nobody waits


class Connected:
    """What a provider has of its connection: `async with` opens it ahead, `close()` closes what it opened itself."""

    _connection: Connection

    async def __aenter__(self) -> Self:
        """Open the memory now, so that the first run need not wait for it. Errors: those of opening it."""
        await self._connection.get()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close what the provider opened itself."""
        await self._connection.close()


def connection(
    memory: Backend | None, client: Backend | None, base_url: str | None, api_key: str | SecretStr | None
) -> Connection:
    """The one given, or one to be opened: a client of `base_url`, else the library. Errors: ConfigurationError."""
    if sum(given is not None for given in (memory, client, base_url)) > 1:
        raise ConfigurationError("Give `memory`, `client` or `base_url`, and only one of them.")
    if api_key is not None and base_url is None:
        raise ConfigurationError("`api_key` goes with `base_url`.")
    given = memory if memory is not None else client
    if given is not None:
        return Connection(given, None)
    if base_url is None:
        return Connection(None, _open_memory)
    from ..client import AsyncGraphMem

    secret = api_key if api_key is None or isinstance(api_key, str) else api_key.get_secret_value()
    client_of = partial(AsyncGraphMem, base_url, api_key=secret)
    client_of()  # an address or key that cannot be right is told now
    return Connection(None, client_of)


def _open_memory() -> AbstractAsyncContextManager[Any]:
    from ..memory import Memory

    return Memory.open()
