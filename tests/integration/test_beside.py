"""Turns are found by what was said beside them, and nothing erased stays beside its neighbours."""

from __future__ import annotations

from typing import Any

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import ForgetRequest
from graphmem.models.recall import RecallRequest

SCOPE = {"actor_id": "u", "session_id": "s"}
TALK = [
    ("Ana", "We could meet at the harbour."),
    ("Ben", "When does the zeppelin museum open again?"),
    ("Ana", "Not before Thursday, they told me."),
    ("Ben", "Then Thursday it is."),
    ("Ana", "I will bring sandwiches."),
    ("Ben", "And I the tickets."),
]


async def remember(memory: Memory, store_id: str, parts: list[list[tuple[str, str]]]) -> None:
    """Each part by a call of its own; a turn's id is its place."""
    number = 0
    for part in parts:
        messages = []
        for name, content in part:
            messages.append({"id": f"m{number}", "role": "user", "name": name, "content": content})
            number += 1
        request = {"scope": SCOPE, "messages": messages, "extraction": "none"}
        await memory.remember(store_id, RememberRequest.model_validate(request))


async def found(memory: Memory, store_id: str, query: str, **more: Any) -> list[str | None]:
    request = {"scope": {"actor_id": "u"}, "query": query, "kinds": ["episode"], "mode": "keyword", **more}
    result = await memory.recall(store_id, RecallRequest.model_validate(request))
    return [item.sources[0].source_id for item in result.items]


async def test_a_turn_is_found_by_the_words_of_two_turns_on_each_side(memory: Memory, store_id: str) -> None:
    for parts in ([TALK], [[turn] for turn in TALK]):  # in one call, and as they come
        await memory.forget(store_id, forget({"all": True}))
        await remember(memory, store_id, parts)
        ids = await found(memory, store_id, "zeppelin", gate={"min_score": 0})
        assert ids[0] == "m1"
        assert set(ids) == {"m0", "m1", "m2", "m3"}


async def test_the_speaker_whom_the_query_names_comes_first(memory: Memory, store_id: str) -> None:
    same = "The lighthouse was splendid."
    await remember(memory, store_id, [[("Ana", same)], [("Ben", same)], [("Cleo", same)]])
    for name, expected in (("Ana", "m0"), ("Ben", "m1"), ("Cleo", "m2")):
        ids = await found(memory, store_id, f"What did {name} say about the lighthouse?", mode="hybrid")
        assert ids[0] == expected


async def test_what_is_erased_stays_beside_no_turn(memory: Memory, store_id: str) -> None:
    await remember(memory, store_id, [TALK])
    await memory.forget(store_id, forget({"source_id": "m1"}))
    assert await found(memory, store_id, "zeppelin museum", gate={"min_score": 0}) == []


def forget(target: dict[str, Any]) -> ForgetRequest:
    return ForgetRequest.model_validate({"scope": {"actor_id": "u"}, "target": target, "mode": "erase"})
