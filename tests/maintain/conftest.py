"""Remembering facts and moving the clock, for the tests of upkeep."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery
from graphmem.models.maintenance import MaintenanceRequest, MaintenanceResult
from graphmem.models.manage import StoreSettings
from graphmem.models.recall import RecallRequest, RecallResult


class World:
    """One store, one actor."""

    def __init__(self, memory: Memory, store: str) -> None:
        self.memory, self.store, self.actor = memory, store, "ana"

    async def say(self, text: str, *facts: dict[str, Any], at: str | None = None) -> list[Fact]:
        """Remember facts; `predicate` is likes and `subject` is the user unless given."""
        given = [{"subject": "user", "predicate": "likes", **fact} for fact in facts]
        body = {"scope": {"actor_id": self.actor}, "text": text, "occurred_at": at, "facts": given}
        result = await self.memory.remember(self.store, RememberRequest.model_validate(body))
        return [decision.fact for decision in result.facts]

    async def one(self, object_: str, **fact: Any) -> Fact:
        """The fact made by one statement."""
        return (await self.say(f"{object_} {fact}", {"object": object_, **fact}))[0]

    async def fact(self, fact_id: str) -> Fact:
        """The fact as it is now."""
        return await self.memory.get_fact(self.store, self.actor, fact_id)

    async def facts(self, **query: Any) -> list[Fact]:
        """Facts of the actor; current ones unless asked otherwise."""
        page = await self.memory.list_facts(self.store, FactQuery(actor_id=self.actor, **query), page_size=200)
        return list(page.items)

    async def recall(self, query: str, **more: Any) -> RecallResult:
        """Facts that answer a query."""
        body = {"scope": {"actor_id": self.actor}, "query": query, "kinds": ["fact"], **more}
        return await self.memory.recall(self.store, RecallRequest.model_validate(body))

    async def decay(self, days: float = 0, **request: Any) -> MaintenanceResult:
        """A decay pass so many days from now."""
        return await self.memory.decay(self.store, MaintenanceRequest(as_of=later(days), **request))

    async def purge(self, days: float = 0, **request: Any) -> MaintenanceResult:
        """A purge so many days from now."""
        return await self.memory.purge(self.store, MaintenanceRequest(as_of=later(days), **request))

    async def settings(self, **decay: Any) -> None:
        """Change the store's decay settings."""
        from graphmem.models.manage import StorePatch

        patch = StorePatch(settings=StoreSettings.model_validate({"decay": decay}))
        await self.memory.update_store(self.store, patch)

    async def snapshot(self) -> list[dict[str, Any]]:
        """Every node of the store as it is, but for what a reader may touch."""
        found = await self.memory.database.driver.execute_query(
            "MATCH (n {store_id: $store}) RETURN labels(n) AS labels, properties(n) AS held ORDER BY n.id",
            {"store": self.store},
            database_=self.memory.database.database,
        )
        return [record.data() for record in found.records]

    async def count(self, label: str) -> int:
        """How many nodes of a label the store has."""
        rows = await self.snapshot()
        return sum(label in row["labels"] for row in rows)


def later(days: float) -> datetime:
    """So many days from now."""
    return datetime.now(UTC) + timedelta(days=days)


@pytest.fixture
def world(memory: Memory, store_id: str) -> World:
    """A fresh store."""
    return World(memory, store_id)
