"""Who may call: with a key only its holder, without one only this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from litestar.testing import AsyncTestClient

from graphmem import Memory
from graphmem.api import create_app
from graphmem.errors import ConfigurationError
from tests.support.neo4j import settings_for_tests

from .conftest import Client, fields, problem

KEY = "k-4711-abc"


@pytest.fixture
async def locked(memory: Memory) -> AsyncIterator[Client]:
    """A client of an application with an API key."""
    app = create_app(settings_for_tests(api_key=KEY, host="0.0.0.0"), memory=memory)
    async with AsyncTestClient(app, base_url="https://memory.example.test") as client:
        yield client


@pytest.mark.parametrize(
    "header", [None, "", KEY, "Bearer", "Bearer x", f"Basic {KEY}", f"Bearer {KEY}x", "Bearer clé"]
)
async def test_without_the_key_everything_but_liveness_is_401(locked: Client, header: str | None) -> None:
    headers = {} if header is None else {"authorization": header.encode()}

    for path in ("/v1/stores", "/readyz", "/openapi.json", "/docs", "/v1/stores/default/facts"):
        answer = await locked.get(path, headers=headers)  # type: ignore[arg-type]
        problem(answer, 401, "NOT_AUTHENTICATED")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert (await locked.get("/healthz", headers=headers)).status_code == 200  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
async def test_with_the_key_requests_are_served_from_anywhere(locked: Client, scheme: str) -> None:
    headers = {"authorization": f"{scheme} {KEY}", "origin": "https://app.example.test"}

    assert (await locked.get("/openapi.json", headers=headers)).status_code == 200
    assert fields(await locked.post("/v1/stores", json={}, headers=headers)) == ["id"]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "memory.example.test", "::"])
async def test_an_open_address_needs_a_key(memory: Memory, host: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_API_KEY"):
        create_app(settings_for_tests(host=host), memory=memory)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
async def test_a_loopback_address_needs_none(memory: Memory, host: str) -> None:
    create_app(settings_for_tests(host=host), memory=memory)


async def test_an_empty_key_is_no_key(memory: Memory) -> None:
    with pytest.raises(ConfigurationError):
        create_app(settings_for_tests(host="0.0.0.0", api_key=""), memory=memory)


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"])
async def test_this_machine_is_served(client: Client, host: str) -> None:
    assert (await client.get("/healthz", headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.test", "localhost.evil.test", "192.0.2.7:80", "127.0.0.1.evil.test"])
async def test_a_rebound_name_is_403(client: Client, host: str) -> None:
    for path in ("/v1/stores", "/openapi.json", "/healthz"):
        problem(await client.get(path, headers={"host": host}), 403, "NOT_PERMITTED")


@pytest.mark.parametrize("origin", ["https://evil.test", "null", "http://localhost.evil.test", "file://"])
async def test_a_page_of_another_site_cannot_write(client: Client, store: str, origin: str) -> None:
    headers = {"origin": origin}

    problem(await client.patch(store, json={"description": "x"}, headers=headers), 403, "NOT_PERMITTED")
    problem(await client.delete(store, headers=headers), 403, "NOT_PERMITTED")
    assert (await client.get(store, headers=headers)).json()["description"] == ""


async def test_the_own_docs_page_can_write(client: Client, store: str) -> None:
    headers = {"origin": "http://localhost:8080"}

    answer = await client.patch(store, json={"description": "x"}, headers=headers)

    assert answer.status_code == 200
