"""Several calls remembered in order: the same memory as one by one, and nothing of what was read ahead is left over."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from graphmem import Memory
from graphmem.errors import NotFound
from graphmem.ingest.ahead import coming_request
from graphmem.models.episode import Message, RememberRequest
from graphmem.models.fact import RememberResult
from graphmem.models.manage import StoreIn
from graphmem.models.scope import Scope

SAID = (
    ("My name is Haruka.", "I live in Kyoto.", "I work at Globex."),
    ("I moved to Osaka yesterday.", "I like green tea.", "My sister Anna lives in Berlin."),
    ("私は犬が好きです。", "妹はベルリンに住んでいます。"),
    ("I no longer work at Globex.", "I like green tea.", "My password is hunter2-Kq9zXw81."),
)


def calls(actor: str) -> list[RememberRequest]:
    """Calls ten days apart, in one session."""
    return [
        RememberRequest(
            scope=Scope(actor_id=actor, session_id="s"),
            messages=tuple(Message(id=f"{day}-{i}", content=text) for i, text in enumerate(texts)),
            occurred_at=datetime(2026, 3, 1 + 10 * day, 9, tzinfo=UTC),
            extraction="offline",
        )
        for day, texts in enumerate(SAID)
    ]


def decided(results: list[RememberResult]) -> list[list[tuple[object, ...]]]:
    """What came of each call, without what differs from store to store."""
    return [
        [
            (d.event, d.fact.text, d.fact.invalid_at and d.fact.invalid_at.isoformat(), len(d.superseded))
            for d in r.facts
        ]
        for r in results
    ]


async def test_it_remembers_what_single_calls_remember(memory: Memory, store_id: str) -> None:
    other = f"{store_id}-b"
    await memory.create_store(StoreIn(id=other))
    try:
        single = [await memory.remember(other, request) for request in calls("haruka")]
    finally:
        await memory.delete_store(other)
    together = [result async for result in memory.remember_all(store_id, calls("haruka"))]
    assert [[e.source_id for e in r.episodes] for r in together] == [
        [m.id for m in c.messages or ()] for c in calls("a")
    ]
    assert decided(together) == decided(single)
    assert sum(len(result.facts) for result in together) >= 6
    assert any(d.superseded for result in together for d in result.facts)


async def test_an_error_ends_it_at_its_call(memory: Memory, store_id: str) -> None:
    done: list[RememberResult] = []
    async for result in memory.remember_all(store_id, calls("haruka")):
        done.append(result)
        if len(done) == 2:
            await memory.delete_store(store_id)
            break
    with pytest.raises(NotFound):
        await anext(memory.remember_all(store_id, calls("haruka")))


async def test_vectors_made_ahead_are_those_of_the_embedder_and_given_once(memory: Memory, store_id: str) -> None:
    request = calls("haruka")[1]
    coming = coming_request(store_id, request, datetime.now(UTC))

    async def find() -> object:
        return coming

    ahead = memory._ahead
    async with ahead.reading(find):  # type: ignore[arg-type]
        pass
    texts = [*coming.passages, "Something else.", coming.passages[0]]
    assert set(coming.passages) <= set(ahead._known)
    found = await ahead.embed_passages(texts)
    assert np.allclose(found, await memory._embedder.embed_passages(texts), rtol=0, atol=1e-5)
    assert not set(coming.passages) & set(ahead._known)
    await ahead.close()
