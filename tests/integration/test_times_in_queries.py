"""Words for a time in a query: what lies in that time comes first, also when it shares no other word with the query."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest, RecallResult

SAID = {
    "en": [
        ("2025-06-02T18:00+09:00", "I sold the old bicycle."),
        ("2025-06-10T18:00+09:00", "I fixed the garden gate."),
    ],
    "ja": [("2025-06-02T18:00+09:00", "古い自転車を売りました。"), ("2025-06-10T18:00+09:00", "庭の門を直しました。")],
}


async def recall(memory: Memory, store: str, query: str, **more: Any) -> RecallResult:
    body = {"scope": {"actor_id": "u"}, "query": query, "reference_time": "2025-06-11T08:00:00+09:00", **more}
    return await memory.recall(store, RecallRequest.model_validate(body))


@pytest.fixture(params=["en", "ja"])
async def told(request: pytest.FixtureRequest, memory: Memory, store_id: str) -> list[str]:
    """The two texts, the older first."""
    for actor in ("u", "other"):
        for when, text in SAID[request.param]:
            body = {"scope": {"actor_id": actor}, "text": text, "occurred_at": when}
            await memory.remember(store_id, RememberRequest.model_validate(body))
    return [text for _, text in SAID[request.param]]


@pytest.mark.parametrize("kinds", [["fact"], ["episode"], ["fact", "episode"]])
async def test_what_lies_in_the_time_comes_first(
    memory: Memory, store_id: str, told: list[str], kinds: list[str]
) -> None:
    japanese = not told[0].isascii()
    for query, text in zip(
        ("昨日は？", "先週は？") if japanese else ("And yesterday?", "And last week?"), told[::-1], strict=True
    ):
        found = await recall(memory, store_id, query, kinds=kinds)
        assert text.rstrip("。.")[-6:] in found.items[0].text
        assert found.items[0].scores["time"] == 1.0


async def test_days_are_those_of_the_asking_person(memory: Memory, store_id: str, told: list[str]) -> None:
    query = "And yesterday?" if told[0].isascii() else "昨日は？"
    found = await recall(memory, store_id, query, reference_time="2025-06-10T14:00:00-09:00")
    # the same moment, but there it is still the 10th
    assert [item for item in found.items if "time" in item.scores] == []


async def test_it_stays_inside_scope_and_validity(memory: Memory, store_id: str, told: list[str]) -> None:
    query = "And yesterday?" if told[0].isascii() else "昨日は？"
    found = await recall(memory, store_id, query, scope={"actor_id": "nobody"})
    assert found.items == ()
    before = await recall(memory, store_id, query, as_of="2025-06-05T00:00:00Z")
    assert all(item.text != told[1] and "time" not in item.scores for item in before.items)


async def test_a_query_without_a_time_knows_no_such_score(memory: Memory, store_id: str, told: list[str]) -> None:
    found = await recall(memory, store_id, told[0])
    assert found.items
    assert all("time" not in item.scores for item in found.items)
