"""Health, errors, log and life of the application."""

from __future__ import annotations

import logging

import httpx
import pytest
from litestar import get
from litestar.params import FromPath
from litestar.testing import AsyncTestClient

from graphmem import Memory, errors
from graphmem.api import create_app
from graphmem.config import Settings
from graphmem.errors import GraphMemError
from tests.support.neo4j import settings_for_tests

from .conftest import Client, problem

SECRET = "合言葉はひらけごま"


def kinds(base: type[GraphMemError] = GraphMemError) -> list[type[GraphMemError]]:
    """Every error of the package."""
    direct = [kind for kind in base.__subclasses__() if kind.__module__ == errors.__name__]
    return [*direct, *(inner for kind in direct for inner in kinds(kind))]


async def test_alive_and_ready(client: Client) -> None:
    alive, ready = await client.get("/healthz"), await client.get("/readyz")

    assert alive.json()["status"] == "ok"
    assert ready.status_code == 200, ready.text
    assert ready.json()["ready"]
    assert ready.json()["checks"]


async def test_every_error_of_the_package_is_a_problem_of_its_status(memory: Memory) -> None:
    by_name = {kind.__name__: kind for kind in kinds()}

    @get("/raise/{name:str}")
    async def fail(name: FromPath[str]) -> None:
        raise by_name[name]("Run `graphmem doctor`.")

    app = create_app(settings_for_tests(), memory=memory)
    app.register(fail)
    async with AsyncTestClient(app, raise_server_exceptions=False) as client:
        for name, kind in by_name.items():
            body = problem(await client.get(f"/raise/{name}"), kind.status, kind.code)
            assert ("doctor" in body["detail"]) == (kind.status != 500)
        down = await client.get("/raise/DatabaseUnavailable")
    assert int(down.headers["retry-after"]) > 0


async def test_an_unexpected_error_shows_and_logs_no_text(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    @get("/boom")
    async def boom() -> None:
        raise RuntimeError(SECRET)

    app = create_app(settings_for_tests(), memory=memory)
    app.register(boom)
    async with AsyncTestClient(app, raise_server_exceptions=False) as client:
        answer = await client.get("/boom")

    assert problem(answer, 500, "INTERNAL").keys() == {"type", "title", "status", "detail", "code"}
    assert SECRET not in answer.text + caplog.text
    assert "RuntimeError at boom" in caplog.text


async def test_the_log_has_the_template_and_nothing_that_was_sent(
    client: Client, store: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "graphmem"):
        await client.get(f"{store}/facts/{SECRET}", params={"actor_id": SECRET})
        await client.post(f"{store}/episodes/{SECRET}:retry", params={"actor_id": SECRET})
        await client.post(f"{store}/recall", json={"scope": {"actor_id": SECRET}, "query": SECRET})
        await client.post(f"{store}/recall", json={"scope": {"actor_id": SECRET}, "query": [SECRET]})

    lines = [record.getMessage() for record in caplog.records if record.name.startswith("graphmem")]
    assert any(line.startswith("GET /v1/stores/{store}/facts/{id} 404 ") for line in lines)
    assert any(line.startswith("POST /v1/stores/{store}/episodes/{id}:retry 404 ") for line in lines)
    assert not [line for line in lines if SECRET in line]


async def test_unknown_addresses_and_methods(client: Client, store: str) -> None:
    problem(await client.get("/nope"), 404, "NOT_FOUND")
    refused = await client.put(store, json={})
    problem(refused, 405, "METHOD_NOT_ALLOWED")
    allowed = await client.options(store)
    assert refused.headers["allow"] == allowed.headers["allow"] == "DELETE, GET, OPTIONS, PATCH"


async def test_a_body_over_the_limit_is_413(memory: Memory) -> None:
    app = create_app(settings_for_tests(max_body_bytes=1_000), memory=memory)
    body = {"scope": {"actor_id": "a"}, "query": "長" * 1_000}
    async with AsyncTestClient(app) as client:
        announced = await client.post("/v1/stores/default/recall", json=body)
        streamed = await client.post(
            "/v1/stores/default/recall",
            content=b"x" * 2_000,
            headers={"content-type": "application/json", "content-length": "10"},
        )

    problem(announced, 413, "TOO_LARGE")
    problem(streamed, 413, "TOO_LARGE")


async def test_answers_are_not_kept_by_caches(client: Client, store: str) -> None:
    for answer in (await client.get(store), await client.get("/nope")):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_given_memory_stays_open(memory: Memory, store_id: str) -> None:
    app = create_app(settings_for_tests(), memory=memory)
    transport = httpx.ASGITransport(app=app)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get(f"/v1/stores/{store_id}")).status_code == 200

    assert (await memory.get_store(store_id)).id == store_id


async def test_settings_come_from_the_memory_when_only_that_is_given(memory: Memory, neo4j_settings: Settings) -> None:
    app = create_app(memory=memory)

    assert app.request_max_body_size == neo4j_settings.max_body_bytes
