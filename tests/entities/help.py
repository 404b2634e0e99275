"""What the tests of entities share: saying facts, and reading what came of them."""

from __future__ import annotations

from typing import Any

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Entity, Fact, FactQuery, RememberResult
from graphmem.models.recall import RecallRequest

ACTOR = "ana"


async def say(
    memory: Memory,
    store: str,
    *facts: tuple[Any, str, Any] | dict[str, Any],
    text: str = "",
    at: str = "2026-02-03T09:00:00Z",
) -> RememberResult:
    """Remember facts given as triples or whole."""
    given = [f if isinstance(f, dict) else {"subject": f[0], "predicate": f[1], "object": f[2]} for f in facts]
    body = {"scope": {"actor_id": ACTOR}, "text": text or f"{given} at {at}", "occurred_at": at, "facts": given}
    return await memory.remember(store, RememberRequest.model_validate(body))


async def entities(memory: Memory, store: str, name: str | None = None) -> list[Entity]:
    """The entities of the actor, by name."""
    page = await memory.list_entities(store, ACTOR, name=name, page_size=200)
    return sorted(page.items, key=lambda e: e.name)


async def names(memory: Memory, store: str, name: str | None = None) -> list[str]:
    """Their names."""
    return [e.name for e in await entities(memory, store, name)]


async def entity(memory: Memory, store: str, name: str) -> Entity:
    """The only entity of a name."""
    found = await entities(memory, store, name)
    assert len(found) == 1, found
    return found[0]


async def facts(memory: Memory, store: str, **query: Any) -> list[Fact]:
    """The actor's facts, oldest first."""
    page = await memory.list_facts(store, FactQuery(actor_id=ACTOR, **query), page_size=200)
    return sorted(page.items, key=lambda f: (f.valid_at, f.text))


async def recalled(memory: Memory, store: str, query: str, **more: Any) -> list[str]:
    """Sentences of the facts that a query finds, best first."""
    body = {"scope": {"actor_id": ACTOR}, "query": query, "kinds": ["fact"], "dry_run": True, **more}
    result = await memory.recall(store, RecallRequest.model_validate(body))
    return [item.text for item in result.items]


def objects(found: list[Fact]) -> list[str]:
    """What the facts say of their subjects."""
    return [f.object.name if f.object else f.literal or "" for f in found]
