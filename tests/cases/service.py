"""The service under test: the real application on a real Neo4j, its model a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

import httpx
from pydantic import SecretStr

from .replies import CheckFailed
from .steps import Hints, NotAvailable

if TYPE_CHECKING:
    from graphmem import Memory
    from graphmem.config import Settings
    from graphmem.ports import Identity, Vectors
    from tests.support.openai_server import OpenAIServer


_ADDRESS = "http://127.0.0.1:8080"


class SwitchedEmbedder:
    """The shipped encoder; with `by_endpoint` the same vectors from the scripted endpoint, which can be spoiled."""

    def __init__(self, settings: Settings) -> None:
        from graphmem.providers.local_embedder import LocalEmbedder
        from graphmem.providers.openai_embedder import OpenAIEmbedder

        self.by_endpoint = False
        self._local = LocalEmbedder()
        self._remote = OpenAIEmbedder(settings)

    async def __aenter__(self) -> Self:
        await self._local.prepare()
        await self._remote.prepare()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._local.close()
        await self._remote.close()

    @property
    def identity(self) -> Identity:
        return self._local.identity

    async def prepare(self) -> None:
        """Both are."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await (self._remote if self.by_endpoint else self._local).embed_passages(texts)

    async def embed_query(self, text: str) -> Vectors:
        return await (self._remote if self.by_endpoint else self._local).embed_query(text)

    async def close(self) -> None:
        """It is closed where it was opened."""


def _opened(service: LiveService) -> AbstractAsyncContextManager[Memory]:
    from graphmem import Memory

    return Memory.open(service._settings, embedder=service._embedder)


class LiveService:
    """The application in this process, called over ASGI so that calls made at once run at once.

    `hints` says where the triples of a case go: to the scripted model, or into the request.
    """

    hints: Hints = "scripted"

    def __init__(self, settings: Settings, model: OpenAIServer) -> None:
        self._settings = settings.model_copy(update={"openai_base_url": model.url, "openai_api_key": SecretStr("test")})
        self._model = model
        self._embedder: SwitchedEmbedder
        self.memory: Memory
        self.client: httpx.AsyncClient

    async def start(self) -> None:
        """Open everything in a task of its own: what is opened in a task has to be closed in it."""
        self._stopping = asyncio.Event()
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._serve(ready))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({self._task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._task.done():
            self._task.result()

    async def stop(self) -> None:
        self._stopping.set()
        await self._task

    async def _serve(self, ready: asyncio.Event) -> None:
        from graphmem.api.app import create_app

        async with SwitchedEmbedder(self._settings) as self._embedder, _opened(self) as self.memory:
            app = create_app(self._settings, memory=self.memory)
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            self.client = httpx.AsyncClient(transport=transport, base_url=_ADDRESS, timeout=60)
            self._app = app
            async with app.lifespan(), self.client:
                ready.set()
                await self._stopping.wait()

    async def call_tool(
        self, store_id: str, actor_id: str, name: str, arguments: Mapping[str, Any]
    ) -> tuple[bool | None, Any, str]:
        """Whether the result is an error, its data and its text; from the MCP client that the SDK has."""
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        headers = {"X-Graphmem-Actor": quote(actor_id), "X-Graphmem-Store": store_id}
        web = httpx2.AsyncClient(transport=httpx2.ASGITransport(self._app), headers=headers, timeout=60)
        async with web, Client(streamable_http_client(f"{_ADDRESS}/mcp", http_client=web)) as client:
            result = await client.call_tool(name, dict(arguments))
            text = "\n".join(getattr(part, "text", "") for part in result.content)
            return result.is_error, result.structured_content, text

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

    async def wait_idle(self, store_id: str, actor_ids: Iterable[str], seconds: float) -> None:
        """Until nothing of these actors is pending; other stores of the same database may be busy."""
        try:
            async with asyncio.timeout(seconds):
                for actor_id in actor_ids:
                    while (await self.memory.list_episodes(store_id, actor_id, status="pending")).items:  # noqa: ASYNC110
                        await asyncio.sleep(0.1)
        except TimeoutError:
            raise CheckFailed(f"work is still pending after {seconds} seconds") from None

    def script(self, facts: Mapping[str, list[dict[str, Any]]]) -> None:
        """What an ideal extractor finds in these texts."""
        self._model.script_facts(dict(facts))

    def inject(self, target: str, mode: str, value: Any, times: Any) -> None:
        """Spoil the next answers of a model endpoint."""
        if target == "embedder":
            self._embedder.by_endpoint = True
        elif target != "llm":
            raise NotAvailable(f"no fault injection for the {target}")
        self._model.inject(target, mode, value, times=times)

    def reset(self) -> None:
        """Nothing is scripted or injected any more."""
        self._embedder.by_endpoint = False
        self._model.reset()
