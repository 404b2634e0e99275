"""A database of its own: migrations at the same moment, a schema of the future, another embedder."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import EmbedderMismatch, SchemaTooNew
from graphmem.memory import connect
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest
from graphmem.store.local import LocalServer
from graphmem.store.migrate import migrations
from tests.support.neo4j import settings_for_tests
from tests.support.openai_server import OpenAIServer


@pytest.fixture(scope="module")
async def settings(server: LocalServer) -> Settings:
    info = await server.ensure_started()
    return settings_for_tests(neo4j_uri=info.bolt_uri, neo4j_password=info.password)


async def test_two_openers_migrate_an_empty_database_once(settings: Settings) -> None:
    async def stores() -> list[str]:
        async with Memory.open(settings) as memory:
            return [store.id for store in (await memory.list_stores()).items]

    assert await asyncio.gather(stores(), stores(), stores()) == [["default"]] * 3
    _, database = await connect(settings, None)
    applied = [row["version"] for row in await database.run("schema/applied", {})]
    await database.close()
    assert applied == [version for version, _ in migrations()]


async def test_another_embedder_is_refused_until_everything_is_embedded_again(settings: Settings) -> None:
    said = RememberRequest.model_validate({"scope": {"actor_id": "ana"}, "text": "I live in Oslo."})
    asked = RecallRequest.model_validate(
        {"scope": {"actor_id": "ana"}, "query": "Where do I live?", "mode": "vector", "gate": {"min_score": 0.0}}
    )
    async with Memory.open(settings) as memory:
        await memory.remember("default", said)
    with OpenAIServer(dimension=64) as endpoint:
        other = settings.model_copy(
            update={
                "embedder": "openai",
                "embedding_base_url": endpoint.url,
                "openai_base_url": endpoint.url,
            }
        )
        with pytest.raises(EmbedderMismatch, match="graphmem reembed"):
            async with Memory.open(other):
                pass
        async with Memory.open(other, check=False) as memory:
            assert await memory.reembed() >= 2
        async with Memory.open(other) as memory:
            assert (await memory.recall("default", asked)).items
    async with Memory.open(settings, check=False) as memory:
        await memory.reembed()
    async with Memory.open(settings) as memory:
        assert (await memory.recall("default", asked)).items[0].scores["vector"] > 0.2


async def test_a_schema_of_the_future_is_refused(settings: Settings) -> None:
    _, database = await connect(settings, None)
    await database.run("schema/record", {"version": 9999, "name": "schema/9999_later", "now": datetime.now(UTC)})
    await database.close()
    with pytest.raises(SchemaTooNew, match="upgrade graphmem"):
        async with Memory.open(settings):
            pass
