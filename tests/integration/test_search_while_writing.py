"""Searching while others write and erase: every recall is answered, by vectors too."""

from __future__ import annotations

import asyncio
import uuid

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import StoreIn
from graphmem.models.recall import RecallRequest


async def churn(memory: Memory, rounds: int) -> None:
    """Stores that come and go, each searched while the others write."""
    for _ in range(rounds):
        store = f"t-{uuid.uuid4().hex[:16]}"
        await memory.create_store(StoreIn(id=store))
        said = RememberRequest.model_validate(
            {
                "scope": {"actor_id": "遥"},
                "text": "I like rain.",
                "facts": [{"subject": "user", "predicate": "likes", "object": "rain"}],
            }
        )
        await memory.remember(store, said)
        for query in ("What do I like?", "雨は好き?"):
            answer = await memory.recall(
                store,
                RecallRequest.model_validate(
                    {
                        "scope": {"actor_id": "遥"},
                        "query": query,
                        "mode": "vector",
                        "gate": {"min_score": 0.0},
                    }
                ),
            )
            assert answer.items
            assert answer.degraded == ()
        await memory.delete_store(store)


async def test_vector_search_answers_while_others_write_and_erase(memory: Memory) -> None:
    async with asyncio.timeout(240):
        await asyncio.gather(*(churn(memory, 8) for _ in range(4)))
