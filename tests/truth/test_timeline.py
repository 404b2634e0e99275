"""The history of one relation of an entity, and the profile of the actor."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem import Memory
from graphmem.errors import NotFound
from tests.support.saying import BY_ANA, named, say, value


async def test_where_has_she_lived(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "東京", "2024-01-01T00:00:00Z")
    moved = await say(memory, store_id, "大阪", "2025-01-01T00:00:00Z")
    await say(memory, store_id, "大阪", "2025-06-01T00:00:00Z", event="retract")
    await say(memory, store_id, "神戸", "2026-01-01T00:00:00Z")
    await say(memory, store_id, "猫", "2026-01-01T00:00:00Z", predicate="飼っている")
    wrong = await named(memory, store_id, "神戸")
    await memory.truth.reject(store_id, wrong.id, BY_ANA)
    tokyo, osaka = await named(memory, store_id, "東京"), await named(memory, store_id, "大阪")
    line = await memory.timelines.of_entity(store_id, "ana", tokyo.subject.id, "住んでいる")
    assert (line.entity.id, [value(s.fact) for s in line.stays]) == (tokyo.subject.id, ["東京", "大阪"])
    first, second = line.stays
    assert first.successor is not None
    assert (first.reason, first.by_episode, first.successor.id) == (
        *("a later value takes its place", moved.episodes[0].id, osaka.id),
    )
    assert (second.reason, second.successor, bool(second.fact.sources)) == ("said to hold no longer", None, True)
    with pytest.raises(NotFound):
        await memory.timelines.of_entity(store_id, "bo", tokyo.subject.id, "lives_in")


async def test_profile_now_and_then(memory: Memory, store_id: str) -> None:
    empty = await memory.timelines.profile(store_id, "ana", None)
    assert (empty.entity, empty.sections) == (None, ())
    await say(memory, store_id, "Oslo", "2024-01-01T00:00:00Z")
    await say(memory, store_id, "Bergen", "2025-01-01T00:00:00Z")
    await say(memory, store_id, "tea", "2025-01-01T00:00:00Z", predicate="likes")
    await say(memory, store_id, "Tromsø", "2025-01-01T00:00:00Z", subject="Bo")
    now = await memory.timelines.profile(store_id, "ana", None)
    shown = {section.category: [value(f) for f in section.facts] for section in now.sections}
    assert shown == {"profile": ["Bergen"], "preference": ["tea"]}
    then = await memory.timelines.profile(store_id, "ana", datetime(2024, 6, 1, tzinfo=UTC))
    assert [value(f) for section in then.sections for f in section.facts] == ["Oslo"]
