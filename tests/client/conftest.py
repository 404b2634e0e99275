"""The service on a real socket, and clients of it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn

from graphmem import AsyncGraphMem, Memory
from graphmem.api import create_app


@pytest.fixture(scope="session")
async def address(memory: Memory) -> AsyncIterator[str]:
    """Where the service of the tests' memory answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(create_app(memory=memory), log_config=None, lifespan="on")
        server = uvicorn.Server(config)
        # the signals of the test run are not its
        serving = asyncio.create_task(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        await serving


@pytest.fixture
async def client(address: str) -> AsyncIterator[AsyncGraphMem]:
    async with AsyncGraphMem(address, backoff=0.001) as opened:
        yield opened
