"""A value and its denial said at the same time, where values exclude one another: a dispute, not a coin toss."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery
from graphmem.models.truth import Contradiction, Resolution

AT = "2024-01-01T00:00:00Z"
KYOTO = {"subject": "user", "predicate": "lives_in", "object": "Kyoto"}


async def remember(memory: Memory, store: str, text: str, *facts: dict[str, object], at: str = AT) -> str:
    body = {"scope": {"actor_id": "ana"}, "text": text, "occurred_at": at, "facts": list(facts) or None}
    return (await memory.remember(store, RememberRequest.model_validate(body))).episodes[0].id


async def facts(memory: Memory, store: str, validity: str = "current") -> list[Fact]:
    query = FactQuery.model_validate({"actor_id": "ana", "validity": validity})
    return list((await memory.list_facts(store, query)).items)


async def opened(memory: Memory, store: str) -> list[Contradiction]:
    return list((await memory.disputes.page(store, "ana", "open", 50, None)).items)


async def state(memory: Memory, store: str) -> set[tuple[bool, bool, bool]]:
    """Polarity, dispute and whether it goes on, of what is shown."""
    return {(f.polarity, f.disputed, f.invalid_at is None) for f in await facts(memory, store)}


BOTH = {(True, True, True), (False, True, True)}


@pytest.mark.parametrize("order", [1, -1])
async def test_given_facts(memory: Memory, store_id: str, order: int) -> None:
    said = [("a", KYOTO), ("b", KYOTO | {"polarity": False})][::order]
    for text, fact in said:
        await remember(memory, store_id, text, fact)
    assert await state(memory, store_id) == BOTH
    (dispute,) = await opened(memory, store_id)
    assert (dispute.kind, {f.polarity for f in dispute.facts}) == ("denied", {True, False})


async def test_one_message(memory: Memory, store_id: str) -> None:
    await remember(memory, store_id, "I live in Kyoto. I don't live in Kyoto.")
    assert await state(memory, store_id) == BOTH


async def test_later_it_only_ends(memory: Memory, store_id: str) -> None:
    await remember(memory, store_id, "a", KYOTO)
    await remember(memory, store_id, "b", KYOTO | {"polarity": False}, at="2024-02-01T00:00:00Z")
    assert await state(memory, store_id) == {(False, False, True)}
    assert await opened(memory, store_id) == []


async def test_taking_either_back_settles_it(memory: Memory, store_id: str) -> None:
    said = [
        await remember(memory, store_id, "a", KYOTO),
        await remember(memory, store_id, "b", KYOTO | {"polarity": False}),
    ]
    await memory.delete_episode(store_id, "ana", said[1])
    assert await state(memory, store_id) == {(True, False, True)}
    again = await remember(memory, store_id, "c", KYOTO | {"polarity": False})
    assert await state(memory, store_id) == BOTH
    await memory.delete_episode(store_id, "ana", said[0])
    assert await state(memory, store_id) == {(False, False, True)}
    assert await opened(memory, store_id) == []
    await memory.delete_episode(store_id, "ana", again)
    assert await facts(memory, store_id, "any") == []


@pytest.mark.parametrize("keep", [True, False])
async def test_it_is_decided(memory: Memory, store_id: str, keep: bool) -> None:
    await remember(memory, store_id, "a", KYOTO)
    await remember(memory, store_id, "b", KYOTO | {"polarity": False})
    (dispute,) = await opened(memory, store_id)
    kept = next(f.id for f in dispute.facts if f.polarity is keep)
    wish = {"scope": {"actor_id": "ana"}, "resolution": "keep_one", "keep": kept}
    await memory.disputes.resolve(store_id, dispute.id, Resolution.model_validate(wish))
    assert await state(memory, store_id) == {(keep, False, True)}
    assert await opened(memory, store_id) == []


async def test_a_move_afterwards_ends_it(memory: Memory, store_id: str) -> None:
    await remember(memory, store_id, "a", KYOTO)
    await remember(memory, store_id, "b", KYOTO | {"polarity": False})
    await remember(memory, store_id, "c", KYOTO | {"object": "Nara"}, at="2024-03-01T00:00:00Z")
    current = [f for f in await facts(memory, store_id) if f.polarity]
    assert [f.object.name for f in current if f.object] == ["Nara"]
    assert not current[0].disputed
