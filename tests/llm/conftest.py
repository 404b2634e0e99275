"""A memory whose model is a scripted endpoint, on the real Neo4j."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery, RememberResult
from tests.support.openai_server import OpenAIServer


@pytest.fixture(scope="session")
def running_model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def model(running_model: OpenAIServer) -> Iterator[OpenAIServer]:
    """The scripted endpoint, without a script."""
    running_model.reset()
    yield running_model
    running_model.reset()


@pytest.fixture(scope="session")
def model_settings(neo4j_settings: Settings, running_model: OpenAIServer) -> Settings:
    """Settings with that endpoint, and little patience."""
    changes = {"openai_base_url": running_model.url, "llm_timeout": 3.0, "job_retry": 0.2}
    return neo4j_settings.model_copy(update=changes)


@pytest.fixture(scope="session")
async def reading(model_settings: Settings) -> AsyncIterator[Memory]:
    """A memory that reads with the model."""
    async with Memory.open(model_settings) as opened:
        yield opened


class World:
    """One store, one actor: Haruka."""

    def __init__(self, memory: Memory, model: OpenAIServer, store: str) -> None:
        self.memory, self.model, self.store = memory, model, store

    async def say(self, text: str, *facts: dict[str, Any], **more: Any) -> RememberResult:
        """Remember a text in which an ideal model finds these facts about the speaker."""
        self.model.script_facts({text: [{"s": "user", "p": "likes", **fact} for fact in facts]})
        message = {"name": "Haruka", "content": text, "occurred_at": more.pop("at", None)}
        body = {"scope": {"actor_id": "haruka"}, "messages": [message], **more}
        return await self.memory.remember(self.store, RememberRequest.model_validate(body))

    async def facts(self, **query: Any) -> list[Fact]:
        """The facts that hold now, unless asked otherwise."""
        page = await self.memory.list_facts(self.store, FactQuery(actor_id="haruka", **query), page_size=200)
        return list(page.items)

    async def texts(self, **query: Any) -> list[str]:
        """Their sentences, sorted."""
        return sorted(fact.text for fact in await self.facts(**query))

    async def states(self) -> dict[str, int]:
        """How many episodes are in which state."""
        page = await self.memory.list_episodes(self.store, "haruka", page_size=200)
        found: dict[str, int] = {}
        for episode in page.items:
            found[episode.status] = found.get(episode.status, 0) + 1
        return found


@pytest.fixture
async def world(reading: Memory, model: OpenAIServer, store_id: str) -> World:
    return World(reading, model, store_id)
