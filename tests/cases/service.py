"""The service under test: the real application on a real Neo4j, its model a scripted server."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import SecretStr

from .replies import CheckFailed
from .steps import Hints, NotAvailable

if TYPE_CHECKING:
    from graphmem import Memory
    from graphmem.config import Settings
    from tests.support.openai_server import OpenAIServer


class LiveService:
    """The application in this process, called over ASGI so that calls made at once run at once.

    `hints` says where the triples of a case go: to the scripted model, or into the request.
    """

    hints: Hints = "scripted"

    def __init__(self, settings: Settings, model: OpenAIServer) -> None:
        self._settings = settings.model_copy(
            update={"openai_base_url": model.url, "openai_api_key": SecretStr("test")}
        )
        self._model = model
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
        """What an ideal extractor finds in these texts."""
        self._model.script_facts(dict(facts))

    def inject(self, target: str, mode: str, value: Any, times: Any) -> None:
        """Spoil the next answers of a model endpoint."""
        if target != "llm":
            raise NotAvailable(f"no fault injection for the {target}")
        self._model.inject("llm", mode, value, times=times)

    def reset(self) -> None:
        """Nothing is scripted or injected any more."""
        self._model.reset()
