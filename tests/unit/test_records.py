"""Rows of the graph as records."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.store.records import sources_from


def test_an_episode_erased_while_it_was_read_is_no_source() -> None:
    there = {
        "episode_id": "e1",
        "source_id": None,
        "session_id": None,
        "quote": "Hi.",
        "occurred_at": datetime.now(UTC),
    }
    gone = dict.fromkeys(there)
    assert [source.episode_id for source in sources_from([gone, there])] == ["e1"]
