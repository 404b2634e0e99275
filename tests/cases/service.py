"""The service under test: the real application on a real Neo4j, its model a scripted server."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx

from .replies import CheckFailed
from .steps import Hints, NotAvailable

if TYPE_CHECKING:
    from graphmem import Memory
    from graphmem.config import Settings


class LiveService:
    """The application in this process, called over ASGI so that calls made at once run at once."""

    hints: Hints = "given"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open = AsyncExitStack()
        self.memory: Memory
        self.client: httpx.AsyncClient

    async def start(self) -> None:
        from graphmem import Memory
        from graphmem.api.app import create_app

        stack = AsyncExitStack()
        self.memory = await stack.enter_async_context(Memory.open(self._settings))
        app = create_app(self._settings, memory=self.memory)
        await stack.enter_async_context(app.lifespan())
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080", timeout=60)
        self.client = await stack.enter_async_context(client)
        self._open = stack

    async def stop(self) -> None:
        await self._open.aclose()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    @asynccontextmanager
    async def fresh_store(self) -> AsyncIterator[str]:
        """The id of an empty store; afterwards it is deleted and nothing is injected any more."""
        from graphmem.errors import NotFound
        from graphmem.models.manage import StoreIn

        name = f"case-{uuid.uuid4().hex[:16]}"
        await self.memory.create_store(StoreIn(id=name))
        try:
            yield name
        finally:
            self.reset()
            with contextlib.suppress(NotFound):
                await self.memory.delete_store(name)

    async def wait_idle(self, seconds: float) -> None:
        try:
            await self.memory.wait_idle(timeout=seconds)
        except TimeoutError:
            raise CheckFailed(f"work is still pending after {seconds} seconds") from None

    def script(self, facts: Mapping[str, list[dict[str, Any]]]) -> None:
        raise NotAvailable("no scripted model server")

    def inject(self, target: str, mode: str, value: Any, times: Any) -> None:
        raise NotAvailable(f"no fault injection for the {target}")

    def reset(self) -> None:
        """Nothing is scripted or injected any more."""
