"""Facts said to a memory, and what it believes afterwards, for tests of truth."""

from __future__ import annotations

from typing import Any

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery, RememberResult
from graphmem.models.scope import Scope
from graphmem.models.truth import FactAction

ANA = Scope(actor_id="ana")


async def say(memory: Memory, store: str, object_: str, at: str, **given: Any) -> RememberResult:
    """One fact of Ana in an episode of its own; where she lives unless a predicate is given."""
    call = {key: given.pop(key) for key in ("source", "role") if key in given}
    fact = {"subject": "user", "predicate": "lives_in", "object": object_, **given}
    message = {"role": call.get("role", "user"), "content": f"{fact} said at {at}", "occurred_at": at}
    source = {"source": {"type": call["source"]}} if "source" in call else {}
    return await memory.remember(
        store,
        RememberRequest.model_validate(
            {"scope": {"actor_id": "ana"}, "messages": [message], "facts": [fact], "extraction": "none", **source}
        ),
    )


async def facts(memory: Memory, store: str, **query: Any) -> list[Fact]:
    """Ana's facts in the order of valid time; those that hold now unless the query says otherwise."""
    page = await memory.list_facts(store, FactQuery(actor_id="ana", **query))
    return sorted(page.items, key=lambda f: (f.valid_at, value(f)))


def value(fact: Fact) -> str:
    """The object's name."""
    return fact.object.name if fact.object else fact.literal or ""


async def held(memory: Memory, store: str, **query: Any) -> list[str]:
    """What Ana's facts say, as `Osaka 2025-01..2026-02`; what was never true is left out."""
    return [
        f"{value(f)} {f.valid_at:%Y-%m}..{f.invalid_at.strftime('%Y-%m') if f.invalid_at else ''}"
        for f in await facts(memory, store, **query)
        if f.expired_at is None
    ]


async def named(memory: Memory, store: str, object_: str) -> Fact:
    """The one fact with this object, whatever became of it."""
    found = [f for f in await facts(memory, store, validity="any") if value(f) == object_]
    assert len(found) == 1, found
    return found[0]


def because(reason: str) -> FactAction:
    """An action of Ana with a reason."""
    return FactAction(scope=ANA, reason=reason)


BY_ANA = FactAction(scope=ANA)
