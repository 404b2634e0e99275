"""The REST API over a memory of its own on the real Neo4j."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient

from graphmem.api import create_app
from graphmem.config import Settings

Client = AsyncTestClient[Litestar]


@pytest.fixture(scope="session")
async def client(neo4j_settings: Settings) -> AsyncIterator[Client]:
    """A client of an application that opened its own memory, without an API key."""
    async with AsyncTestClient(create_app(neo4j_settings), raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
async def store(client: Client) -> AsyncIterator[str]:
    """The address of a fresh store; it is gone after the test."""
    name = f"t-{uuid.uuid4().hex[:16]}"
    answer = await client.post("/v1/stores", json={"id": name})
    assert answer.status_code == 201, answer.text
    yield f"/v1/stores/{name}"
    await client.delete(f"/v1/stores/{name}")


async def idle(client: Client, store: str, actor_id: str = "ana") -> dict[str, int]:
    """How many episodes of an actor have each status, once none is pending."""
    async with asyncio.timeout(50):
        while True:
            answer = await client.get(f"{store}/episodes:counts", params={"actor_id": actor_id})
            assert answer.status_code == 200, answer.text
            counts: dict[str, int] = answer.json()
            if not counts["pending"]:
                return counts
            await asyncio.sleep(0.1)


def problem(answer: httpx.Response, status: int, code: str | None = None) -> dict[str, Any]:
    """The problem details of an answer, after checking their form."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == status
    assert {"type", "title", "detail", "code"} <= body.keys()
    assert code is None or body["code"] == code
    return body


def fields(answer: httpx.Response, status: int = 400) -> list[str]:
    """The fields that a refused request's problem names."""
    return [error["field"] for error in problem(answer, status)["errors"]]
