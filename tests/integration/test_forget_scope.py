"""Forget within a session, an agent or a route: nothing outside it goes, whatever the target."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import NotFound
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery, RememberResult
from graphmem.models.manage import ForgetRequest, Receipt
from graphmem.models.note import NoteIn, NoteQuery

SESSION_A: dict[str, Any] = {"actor_id": "ana", "agent_id": "travel", "session_id": "A", "route_id": "web"}
SESSION_B: dict[str, Any] = {"actor_id": "ana", "agent_id": "kitchen", "session_id": "B", "route_id": "phone"}


async def likes(memory: Memory, store: str, scope: dict[str, Any], object_: str) -> RememberResult:
    fact = {"subject": "user", "predicate": "likes", "object": object_}
    body = {
        "scope": scope,
        "text": f"I like {object_}, said in {scope['session_id']}.",
        "occurred_at": "2025-01-01T00:00:00Z",
        "source": {"type": "chat", "id": f"m-{object_}-{scope['session_id']}"},
        "facts": [fact],
    }
    return await memory.remember(store, RememberRequest.model_validate(body))


async def told(memory: Memory, store: str) -> dict[str, str]:
    """Tea in both sessions, coffee in A, milk in B, a note in each; ids by name."""
    found = {}
    for scope, object_ in ((SESSION_A, "tea"), (SESSION_B, "tea"), (SESSION_A, "coffee"), (SESSION_B, "milk")):
        result = await likes(memory, store, scope, object_)
        found[object_] = result.facts[0].fact.id
        found[f"{object_} {scope['session_id']}"] = result.episodes[0].id
    for scope in (SESSION_A, SESSION_B):
        note = NoteIn.model_validate({"scope": scope, "title": f"tea {scope['session_id']}", "body": "about tea"})
        found[f"note {scope['session_id']}"] = (await memory.notes.create(store, note)).id
    return found


async def left(memory: Memory, store: str) -> tuple[list[str], int, list[str]]:
    """What Ana likes, how many episodes she has, her notes."""
    facts = (await memory.list_facts(store, FactQuery(actor_id="ana"))).items
    episodes = (await memory.list_episodes(store, "ana")).items
    notes = (await memory.notes.page(store, NoteQuery(actor_id="ana", status="active"))).items
    liked = sorted(f.object.name if f.object else str(f.literal) for f in facts)
    return liked, len(episodes), sorted(n.title or "" for n in notes)


async def forget(memory: Memory, store: str, target: dict[str, Any], **more: Any) -> Receipt:
    body = {"scope": {"actor_id": "ana", "session_id": "A"}, "target": target, "mode": "erase", **more}
    planned = await memory.forget(store, ForgetRequest.model_validate(body | {"dry_run": True}))
    done = await memory.forget(store, ForgetRequest.model_validate(body))
    assert (planned.counts, done.verified) == (done.counts, True)
    return done


@pytest.mark.parametrize("key", ["session_id", "agent_id", "route_id"])
async def test_everything_of_a_scope_is_not_everything(memory: Memory, store_id: str, key: str) -> None:
    await told(memory, store_id)
    scope = {"actor_id": "ana", key: SESSION_A[key]}
    done = await forget(memory, store_id, {"all": True}, scope=scope)
    assert done.counts == {"facts": 1, "episodes": 2, "notes": 1}
    assert await left(memory, store_id) == (["milk", "tea"], 2, ["tea B"])


async def test_an_archive_of_a_session_leaves_the_others(memory: Memory, store_id: str) -> None:
    await told(memory, store_id)
    await forget(memory, store_id, {"all": True}, mode="archive")
    assert await left(memory, store_id) == (["milk", "tea"], 4, ["tea B"])


@pytest.mark.parametrize(
    ("target", "liked", "episodes"),
    [
        ({"since": "2024-01-01"}, ["milk", "tea"], 2),
        ({"query": "tea", "min_score": 0.0}, ["milk", "tea"], 2),
        ({"entity": "tea"}, ["coffee", "milk", "tea"], 3),
        ({"source_id": "m-coffee-A"}, ["milk", "tea"], 3),
        ({"session_id": "A"}, ["milk", "tea"], 2),
    ],
)
async def test_a_target_reaches_no_further_than_the_scope(
    memory: Memory, store_id: str, target: dict[str, Any], liked: list[str], episodes: int
) -> None:
    await told(memory, store_id)
    await forget(memory, store_id, target)
    now_liked, now_episodes, notes = await left(memory, store_id)
    assert (now_liked, now_episodes, "tea B" in notes) == (liked, episodes, True)


@pytest.mark.parametrize("name", ["milk", "milk B", "tea B", "note B", "tea"])
async def test_an_id_outside_the_scope_is_not_found(memory: Memory, store_id: str, name: str) -> None:
    ids = await told(memory, store_id)
    with pytest.raises(NotFound):
        await forget(memory, store_id, {"ids": [ids[name]]})
    assert await left(memory, store_id) == (["coffee", "milk", "tea"], 4, ["tea A", "tea B"])


async def test_ids_and_other_names_inside_the_scope(memory: Memory, store_id: str) -> None:
    ids = await told(memory, store_id)
    await forget(memory, store_id, {"ids": [ids["coffee"], ids["milk"], ids["note A"]]})
    assert await left(memory, store_id) == (["milk", "tea"], 3, ["tea B"])
    for target in ({"session_id": "B"}, {"source_id": "m-milk-B"}, {"entity": "milk"}):
        with pytest.raises(NotFound):
            await forget(memory, store_id, target)
