"""Whoever reads while something is erased gets an answer: the record is there, or it is not."""

from __future__ import annotations

import asyncio

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.recall import RecallRequest

ACTOR = "遥"


async def test_reads_succeed_while_episodes_are_erased(memory: Memory, store_id: str) -> None:
    ids = []
    for number in range(16):
        fact = {"subject": "Anatole", "predicate": "owns", "object": f"loom {number}"}
        request = {"scope": {"actor_id": ACTOR}, "text": f"Anatole owns loom {number}", "facts": [fact]}
        result = await memory.remember(store_id, RememberRequest.model_validate(request))
        ids.append(result.episodes[0].id)
    recall = RecallRequest.model_validate({"scope": {"actor_id": ACTOR}, "query": "What does Anatole own?"})
    query = FactQuery(actor_id=ACTOR)
    await memory.recall(store_id, recall)
    erased = asyncio.Event()

    async def erase() -> None:
        for episode_id in ids:
            await memory.delete_episode(store_id, ACTOR, episode_id)
        erased.set()

    async def read() -> int:
        reads = 0
        while not erased.is_set():
            await memory.recall(store_id, recall)
            await memory.list_facts(store_id, query)
            reads += 1
        return reads

    _, *reads = await asyncio.gather(erase(), read(), read(), read())
    assert all(reads)
    assert (await memory.list_facts(store_id, query)).items == ()
