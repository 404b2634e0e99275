"""A database that is away: whoever asks is told so at once, and served again by itself once it is back."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient
from pydantic import SecretStr

from graphmem.api import create_app
from graphmem.config import Settings
from graphmem.store.process import is_free

from .graph import Graph

BUSY = 240.0
PATIENCE = 15.0
"""Seconds for an answer on a busy machine: half of what one attempt took when the driver tried again by itself."""
pytestmark = [
    pytest.mark.timeout(600),
    # the driver leaves a socket open when it is stopped amid a handshake
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
Client = AsyncTestClient[Litestar]
SAID = {"scope": {"actor_id": "haruka"}, "text": "I live in Osaka."}
READS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/readyz", None),
    ("POST", "/v1/stores/{store}/recall", {"scope": {"actor_id": "haruka"}, "query": "Osaka"}),
    ("GET", "/v1/stores/{store}/facts?actor_id=haruka", None),
    ("POST", "/v1/stores/{store}/episodes", SAID),
)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[tuple[Client, str]]:
    """The API with a store that holds one episode."""
    async with AsyncTestClient(create_app(settings), raise_server_exceptions=False) as client:
        store = f"away-{uuid.uuid4().hex[:12]}"
        assert (await client.post("/v1/stores", json={"id": store})).status_code == 201
        assert (await client.post(f"/v1/stores/{store}/episodes", json=SAID)).status_code == 201
        yield client, store


async def ask(client: Client, store: str, method: str, path: str, body: Any) -> httpx.Response:
    async with asyncio.timeout(PATIENCE):
        return await client.request(method, path.format(store=store), json=body)


async def refused(client: Client, store: str) -> list[str]:
    """Ask for everything and get 503 each time; what is said to do about it."""
    advice = []
    for request in READS:
        answer = await ask(client, store, *request)
        assert answer.status_code == 503, answer.text
        body = answer.json()
        if request[1] == "/readyz":
            advice += [check["fix"] for check in body["checks"] if not check["ok"]]
        else:
            assert body["code"] == "DATABASE_UNAVAILABLE"
            assert answer.headers["retry-after"]
            advice.append(body["detail"])
    return advice


async def ready_again(client: Client, store: str) -> None:
    """Wait for the database; what was acknowledged is there, and more can be written."""
    async with asyncio.timeout(BUSY):
        while (await client.get("/readyz")).status_code != 200:  # noqa: ASYNC110  it comes by itself
            await asyncio.sleep(0.5)
    episodes = (await client.get(f"/v1/stores/{store}/episodes", params={"actor_id": "haruka"})).json()["items"]
    assert [episode["content"] for episode in episodes] == [SAID["text"]]
    answer = await client.post(f"/v1/stores/{store}/episodes", json={**SAID, "text": "I like tea."})
    assert answer.status_code == 201, answer.text


@contextmanager
def taken(port: int) -> Iterator[None]:
    """Another program listens on this port."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        yield


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of the database."""
    return [r.getMessage().partition(":")[0] for r in caplog.records if r.name == "graphmem.store.link"]


async def test_killed_server_is_started_again(
    server_settings: Settings, graph: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(server_settings) as (client, store):
        await graph.kill()
        assert all("graphmem db start" in advice for advice in await refused(client, store))
        await ready_again(client, store)
    assert told(caplog) == ["the database is away", "the database is back"]


async def test_killed_server_comes_back_on_another_port(server_settings: Settings, graph: Graph) -> None:
    port = int(graph.info.bolt_uri.rpartition(":")[2])
    async with serving(server_settings) as (client, store):
        await graph.kill()
        while not is_free(port):  # noqa: ASYNC110  its process is dying
            await asyncio.sleep(0.05)
        with taken(port):
            await ready_again(client, store)
    info = (await graph.server.status()).info
    assert info is not None
    assert info.bolt_uri != graph.info.bolt_uri


async def test_stopped_server_stays_stopped_until_somebody_starts_it(server_settings: Settings, graph: Graph) -> None:
    async with serving(server_settings) as (client, store):
        await graph.server.stop()
        assert await graph.server.revive() is None
        for _ in range(3):
            assert all("graphmem db start" in advice for advice in await refused(client, store))
            await asyncio.sleep(1)
        assert (await graph.server.status()).state == "stopped"
        await graph.start()
        await ready_again(client, store)


async def test_server_of_the_settings_is_waited_for(server_settings: Settings, graph: Graph) -> None:
    named = {"neo4j_uri": graph.info.bolt_uri, "neo4j_password": SecretStr(graph.info.password)}
    given = server_settings.model_copy(update=named)
    async with serving(given) as (client, store):
        await graph.kill()
        assert all("NEO4J_URI" in advice for advice in await refused(client, store))
        await graph.start()
        await ready_again(client, store)


async def test_server_that_hangs_is_not_ready(server_settings: Settings, graph: Graph) -> None:
    async with serving(server_settings) as (client, store):
        os.kill(graph.info.pid, signal.SIGSTOP)
        try:
            assert (await ask(client, store, *READS[0])).status_code == 503
        finally:
            os.kill(graph.info.pid, signal.SIGCONT)
        await ready_again(client, store)
