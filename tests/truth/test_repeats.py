"""What is said hundreds of times stays one fact, and a later word still takes its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from tests.support.saying import named, say

REPEATS = 400
"""With one gigabyte of heap the history of 300 repeats did not fit, when each step of it kept all steps before."""


async def test_a_statement_repeated_hundreds_of_times(memory: Memory, store_id: str) -> None:
    begin = datetime(2025, 1, 1, tzinfo=UTC)
    messages = [
        {"role": "user", "content": "I live in Oslo.", "id": f"m{n}", "occurred_at": begin + timedelta(hours=n)}
        for n in range(REPEATS)
    ]
    request = {"scope": {"actor_id": "ana"}, "messages": messages, "extraction": "offline"}
    answer = await memory.remember(store_id, RememberRequest.model_validate(request))
    assert {episode.status for episode in answer.episodes} == {"processed"}
    oslo = await named(memory, store_id, "Oslo")
    assert oslo.valid_at == begin
    await say(memory, store_id, "Bergen", "2026-01-01T00:00:00Z")
    assert (await named(memory, store_id, "Oslo")).invalid_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert (await named(memory, store_id, "Bergen")).invalid_at is None
