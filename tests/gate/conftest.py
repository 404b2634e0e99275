"""One store to remember in, and recalls of it with their reasons."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactPatch
from graphmem.models.manage import StorePatch
from graphmem.models.recall import RecallRequest, RecallResult
from graphmem.models.scope import Scope
from graphmem.models.truth import FactAction

SCOPE = {"actor_id": "ana"}


class World:
    """One store, one actor."""

    def __init__(self, memory: Memory, store: str) -> None:
        self.memory, self.store = memory, store

    async def say(self, text: str, *facts: dict[str, Any], **more: Any) -> list[Fact]:
        """Remember a text with facts about the user."""
        given = [{"subject": "user", "predicate": "likes", **fact} for fact in facts]
        body = {"scope": SCOPE, "text": text, "facts": given, "extraction": "none", **more}
        result = await self.memory.remember(self.store, RememberRequest.model_validate(body))
        return [decision.fact for decision in result.facts]

    async def one(self, object_: str, **fact: Any) -> Fact:
        return (await self.say(f"{object_} {fact}", {"object": object_, **fact}))[0]

    async def tag(self, fact: Fact, *tags: str) -> None:
        await self.memory.update_fact(self.store, "ana", fact.id, FactPatch(tags=tags))

    async def gate(self, **gate: Any) -> None:
        """Set the store's gate, and with `gate_overrides` what calls may do."""
        overrides = {"gate_overrides": gate.pop("gate_overrides")} if "gate_overrides" in gate else {}
        patch = StorePatch.model_validate({"settings": {"gate": gate, **overrides}})
        await self.memory.update_store(self.store, patch)

    async def recall(self, query: str, *, narrow_only: bool = False, **more: Any) -> RecallResult:
        body = {"scope": SCOPE, "query": query, "kinds": ["fact"], **more}
        return await self.memory.recall(self.store, RecallRequest.model_validate(body), narrow_only=narrow_only)

    async def reasons(self, query: str, gate: dict[str, Any] | None = None, **more: Any) -> dict[str, str]:
        """Why each memory was left out, by its id; any score is enough."""
        audit = (await self.recall(query, explain=True, gate={"min_score": 0, **(gate or {})}, **more)).audit
        assert audit.rejected is not None
        return {rejected.id: rejected.reason for rejected in audit.rejected}

    async def snapshot(self) -> list[dict[str, Any]]:
        """Every node of the store and every edge between them, with all they hold."""
        found = await self.memory.database.driver.execute_query(
            "MATCH (n {store_id: $store}) RETURN labels(n) AS labels, properties(n) AS held,"
            " COLLECT { MATCH (n)-[r]->(m) RETURN [type(r), elementId(m), properties(r)] ORDER BY elementId(r) }"
            " AS edges"
            " ORDER BY elementId(n)",
            {"store": self.store},
            database_=self.memory.database.database,
        )
        return [record.data() for record in found.records]

    async def set_property(self, fact: Fact, **values: Any) -> None:
        """What no call of this release writes."""
        await self.memory.database.driver.execute_query(
            "MATCH (f:Fact {id: $id}) SET f += $values",
            {"id": fact.id, "values": values},
            database_=self.memory.database.database,
        )


def action() -> FactAction:
    return FactAction(scope=Scope(actor_id="ana"))


@pytest.fixture
def world(memory: Memory, store_id: str) -> World:
    return World(memory, store_id)
