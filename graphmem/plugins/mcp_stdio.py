"""The MCP server over standard input and output, for hosts that start it themselves.

The protocol is answered at once, while the memory is opened beside it: a first start fetches Neo4j, which takes longer
than a host waits. A memory that cannot be opened is an error of each tool call, and is tried again by the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from mcp.server.stdio import stdio_server

from ..config import Settings
from ..errors import GraphMemError
from ..memory import Memory
from ..models.scope import Scope
from .mcp_server import Context, build_server
from .tools import Place, ToolFailed, explained

log = logging.getLogger(__name__)

START_SECONDS = 30.0
"""How long a call waits for the memory to be opened."""


async def serve_stdio(settings: Settings, store_id: str, scope: Scope) -> None:
    """Serve one host until it closes standard input; nothing but the protocol is written to standard output."""
    async with late_memory(settings) as late:

        async def locate(_: Context) -> Place[Memory]:
            return Place(await late.get(), store_id, scope)

        server = build_server(locate)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


@contextlib.asynccontextmanager
async def late_memory(settings: Settings) -> AsyncIterator[LateMemory]:
    """A memory that begins to open now, and is closed with the context."""
    late = LateMemory(settings)
    late.start()
    try:
        yield late
    finally:
        await late.close()


class LateMemory:
    """A memory that is opened in the background, again after it failed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[Memory] | None = None
        self._task: asyncio.Task[None] | None = None
        self._stage = "starting"

    def start(self) -> None:
        """Begin to open it, unless it is open or being opened."""
        if self._ready is None or (self._ready.done() and self._ready.exception() is not None):
            self._ready = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._ready))

    async def get(self) -> Memory:
        """The open memory. Errors: ToolFailed while it opens, or when it cannot be."""
        self.start()
        ready = self._ready
        assert ready is not None  # noqa: S101
        await asyncio.wait({ready}, timeout=START_SECONDS)
        if not ready.done():
            raise ToolFailed(
                f"The memory is not ready yet ({self._stage}). Go on without it, and try again in a minute."
            )
        error = ready.exception()
        if isinstance(error, GraphMemError):
            raise ToolFailed(explained(error))
        if error is not None:
            raise ToolFailed("The memory cannot be opened; its operator runs `graphmem doctor`.")
        return ready.result()

    async def close(self) -> None:
        """Close what is open; an opening that is under way is broken off."""
        self._stop.set()
        if self._task is None or self._ready is None:
            return
        if not self._ready.done():
            self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _hold(self, ready: asyncio.Future[Memory]) -> None:
        """Open and close in one task, as what is opened asks for."""
        try:
            async with Memory.open(self._settings, progress=self._note) as memory:
                memory.warm_up()
                ready.set_result(memory)
                await self._stop.wait()
        except Exception as error:  # noqa: BLE001 -- it is told by the next call, and must not end the server
            log.error("the memory: %s", type(error).__name__)
            if not ready.done():
                ready.set_exception(error)
                ready.exception()  # it was looked at, also when no call comes

    def _note(self, stage: str, _: float | None) -> None:
        self._stage = stage
