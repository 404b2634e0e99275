"""A store that can be read whole: every string that any node or edge of it holds."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery, RememberResult
from graphmem.models.recall import RecallRequest, RecallResult

SCOPE = {"actor_id": "ana"}


class World:
    """One store, one actor."""

    def __init__(self, memory: Memory, store: str) -> None:
        self.memory, self.store = memory, store

    async def say(self, text: str | None = None, key: str | None = None, **more: Any) -> RememberResult:
        """Remember a text, or the messages given."""
        body = {"scope": SCOPE, **({"text": text} if text is not None else {}), **more}
        return await self.memory.remember(self.store, RememberRequest.model_validate(body), idempotency_key=key)

    async def recall(self, query: str, **more: Any) -> RecallResult:
        return await self.memory.recall(
            self.store, RecallRequest.model_validate({"scope": SCOPE, "query": query, **more})
        )

    async def facts(self, **query: Any) -> list[Fact]:
        page = await self.memory.list_facts(self.store, FactQuery(actor_id="ana", **query), page_size=200)
        return list(page.items)

    async def everything(self) -> str:
        """Every property of every node and edge of the store, and of the keys and recalls that belong to it."""
        found = await self.memory.database.driver.execute_query(
            "MATCH (n {store_id: $store}) OPTIONAL MATCH (n)-[r]->()"
            " RETURN properties(n) AS node, properties(r) AS edge",
            {"store": self.store},
        )
        return "\n".join(str(dict(record)) for record in found.records)


@pytest.fixture
def world(memory: Memory, store_id: str) -> World:
    return World(memory, store_id)
