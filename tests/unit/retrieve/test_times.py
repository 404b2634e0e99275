"""Times that the recall query gives as text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.retrieve.candidates import TIMES, with_times

NINE = datetime(2026, 2, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-03T09:00Z",
        "2026-02-03T09:00:00Z",
        "2026-02-03T09:00:00.000000999Z",
        "2026-02-03T09:00:00Z[UTC]",
        "2026-02-03T18:00:00+09:00",
        "2026-02-03T18:00:00+09:00[Asia/Tokyo]",
    ],
)
def test_every_way_in_which_neo4j_writes_a_time(text: str) -> None:
    found = with_times({"memory": dict.fromkeys(TIMES, text), "sources": [{"occurred_at": text}]})
    assert set(found["memory"].values()) == {NINE} == {source["occurred_at"] for source in found["sources"]}


def test_no_time_is_none() -> None:
    assert set(with_times({"memory": dict.fromkeys(TIMES), "sources": []})["memory"].values()) == {None}
