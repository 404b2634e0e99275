"""Whose word weighs how much: a document reports, a candidate only supposes, and the lower never ends the higher."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem import Memory
from graphmem.ingest.draft import draft_of_candidate
from graphmem.ingest.job import EpisodeRow, load_job
from graphmem.ports import Candidate, EntityMention
from tests.support.saying import BY_ANA, facts, held, named, say

OLD, NEW, LATER = "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("source", ["document", "import", "file", "web", "email", "quote", "Document"])
async def test_a_report_does_not_end_the_users_own_word(memory: Memory, store_id: str, source: str) -> None:
    await say(memory, store_id, "東京", OLD)
    result = await say(memory, store_id, "大阪", NEW, source=source)
    assert len(result.facts[0].contradictions) == 1
    assert await held(memory, store_id) == ["東京 2024-01..", "大阪 2025-01.."]
    dispute = await memory.disputes.get(store_id, "ana", result.facts[0].contradictions[0])
    assert (dispute.kind, [f.sources[0].quote is not None for f in dispute.facts]) == ("less trusted", [True, True])


async def test_the_user_ends_a_report_and_reports_are_ordered_by_time(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Oslo", OLD, source="document")
    await say(memory, store_id, "Bergen", NEW, source="email")
    assert await held(memory, store_id) == ["Bergen 2025-01.."]
    await say(memory, store_id, "Tromsø", LATER)
    assert await held(memory, store_id) == ["Tromsø 2026-01.."]


async def test_a_report_takes_nothing_back(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Oslo", OLD)
    await say(memory, store_id, "tea", OLD, predicate="likes")
    await say(memory, store_id, "Oslo", NEW, event="retract", source="web")
    await say(memory, store_id, "tea", NEW, predicate="no longer likes", source="web")
    await say(memory, store_id, "milk", "2024-01-02T00:00:00Z", predicate="likes", correction=True, source="web")
    assert await held(memory, store_id) == ["Oslo 2024-01..", "tea 2024-01..", "milk 2024-01.."]


async def test_the_users_bounded_stay_is_not_cut_by_a_report(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", OLD)
    await say(memory, store_id, "Kobe", LATER, valid_at="2025-02", invalid_at="2025-06")
    await say(memory, store_id, "Nara", LATER, valid_at="2025-03", source="document")
    assert "Kobe 2025-02..2025-06" in await held(memory, store_id, validity="any")


async def test_a_candidate_ends_nothing_until_it_is_confirmed(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "東京", OLD)
    await say(memory, store_id, "大阪", NEW)
    osaka = await named(memory, store_id, "大阪")
    await memory.database.driver.execute_query(  # as if it had been inferred
        "MATCH (f:Fact {id: $id})-[d:DERIVED_FROM]->() SET d.trust = 0, f.learning_state = 'candidate'",
        {"id": osaka.id},
        database_=memory.database.database,
    )
    await say(memory, store_id, "東京", "2024-02-01T00:00:00Z")  # settles the slot
    assert await held(memory, store_id) == ["東京 2024-01.."]
    assert (await memory.disputes.page(store_id, "ana", None, 50, None)).items == ()
    confirmed = await memory.truth.confirm(store_id, osaka.id, BY_ANA)
    assert (confirmed.id, confirmed.learning_state) == (osaka.id, "confirmed")
    assert await held(memory, store_id, validity="any") == ["東京 2024-01..2025-01", "大阪 2025-01.."]


async def test_the_kind_of_source_survives_a_crash_between_saving_and_processing(memory: Memory, store_id: str) -> None:
    result = await say(memory, store_id, "Oslo", OLD, source="file")
    rows = await memory.database.driver.execute_query(
        "MATCH (e:Episode {id: $id}) RETURN e{.*} AS e",
        {"id": result.episodes[0].id},
        database_=memory.database.database,
    )
    row = {key: getattr(v, "to_native", lambda v=v: v)() for key, v in rows.records[0]["e"].items()}
    assert load_job([row | {"job": None}]).episodes[0].source_type == "file"
    assert (await facts(memory, store_id))[0].learning_state == "stated"


@pytest.mark.parametrize(
    ("role", "source", "trust"),
    [("user", "chat", 2), ("user", "pdf", 2), ("assistant", "chat", 1), ("user", "IMPORT", 1)],
)
def test_trust_of_a_statement(role: str, source: str, trust: int) -> None:
    episode = EpisodeRow("e", role, None, "Ana lives in Oslo", None, datetime.now(UTC), source_type=source)  # type: ignore[arg-type]
    ana, oslo = EntityMention("Ana"), EntityMention("Oslo")
    candidate = Candidate(0, "Ana lives in Oslo", ana, "lives_in", oslo, "Ana lives in Oslo", 0, 17)
    assert draft_of_candidate(candidate, episode, "offline").trust(episode) == trust


async def test_a_disputed_value_can_be_taken_back(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "東京", OLD)
    await say(memory, store_id, "大阪", NEW, source="document")
    osaka = await named(memory, store_id, "大阪")
    await say(memory, store_id, "大阪", "2025-02-01T00:00:00Z", source="document")
    await say(memory, store_id, "大阪", LATER, event="retract")
    assert await held(memory, store_id, validity="any") == [
        *("東京 2024-01..", "大阪 2025-01..2026-01", "大阪 2025-02..2026-01"),
    ]
    assert await held(memory, store_id) == ["東京 2024-01.."]
    assert (await memory.truth.restore(store_id, osaka.id, BY_ANA)).invalid_at is None
