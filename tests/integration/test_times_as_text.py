"""Times that a candidate brings as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope
from graphmem.retrieve.candidates import TIMES, with_times


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-01-01T00:00Z", datetime(2024, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("0001-01-01T00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("2026-02-03T09:00:01.123456789Z", datetime(2026, 2, 3, 9, 0, 1, 123456, tzinfo=UTC)),
        ("2026-02-03T09:00:01.5+09:00", datetime(2026, 2, 3, 9, 0, 1, 500000, tzinfo=timezone(timedelta(hours=9)))),
        ("2026-02-03T09:00:01.596328Z[UTC]", datetime(2026, 2, 3, 9, 0, 1, 596328, tzinfo=UTC)),
        (None, None),
    ],
)
def test_as_neo4j_writes_them(text: str | None, time: datetime | None) -> None:
    candidate = {"memory": dict.fromkeys(TIMES, text) | {"id": "x"}, "sources": [{"occurred_at": text}], "score": 1.0}
    read = with_times(candidate)
    assert read == {
        "memory": dict.fromkeys(TIMES, time) | {"id": "x"},
        "sources": [{"occurred_at": time}],
        "score": 1.0,
    }


async def test_to_the_microsecond(memory: Memory, store_id: str) -> None:
    said, since = "2025-04-05T06:07:08.123456+09:00", "2025-03-02T01:00:00.000001Z"
    fact = {"subject": "user", "predicate": "lives_in", "object": "Kobe", "text": "I live in Kobe", "valid_at": since}
    body = {
        "scope": {"actor_id": "a"}, "facts": [fact], "extraction": "none",
        "messages": [{"id": "m", "content": "I live in Kobe", "occurred_at": said}],
    }  # fmt: skip
    await memory.remember(store_id, RememberRequest.model_validate(body))
    found = await memory.recall(store_id, RecallRequest(scope=ReadScope(actor_id="a"), query="Where do I live? Kobe?"))
    item = next(item for item in found.items if item.kind == "fact")
    assert item.valid_at == datetime.fromisoformat(since)
    assert item.sources[0].occurred_at == datetime.fromisoformat(said)
