"""Confirm, reject, approve, restore and pin on the real engine: what holds afterwards, and what the history says."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.errors import Conflict, NotFound
from graphmem.models.fact import FactPatch
from graphmem.models.manage import ForgetRequest, ForgetTarget, StorePatch, StoreSettings
from graphmem.models.scope import Scope
from graphmem.models.truth import FactAction, PinAction
from tests.support.saying import ANA, BY_ANA, because, facts, held, named, say

TOKYO, OSAKA, KOBE = "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z", "2026-01-01T00:00:00Z"


async def steps(memory: Memory, store: str, fact_id: str) -> list[tuple[str, str | None]]:
    return [(h.event, h.by) for h in await memory.fact_history(store, "ana", fact_id)]


async def moved(memory: Memory, store: str) -> tuple[str, str]:
    """Ids of Tokyo and of Osaka, which took its place."""
    await say(memory, store, "東京", TOKYO)
    await say(memory, store, "大阪", OSAKA)
    old, new = await named(memory, store, "東京"), await named(memory, store, "大阪")
    return old.id, new.id


async def test_rejecting_brings_back_what_was_ended_and_restoring_undoes_it(memory: Memory, store_id: str) -> None:
    old, new = await moved(memory, store_id)
    rejected = await memory.truth.reject(store_id, new, because("聞き間違い"))
    assert (rejected.id, rejected.approval) == (new, "rejected")
    assert rejected.expired_at is not None
    assert await held(memory, store_id) == ["東京 2024-01.."]
    back = await memory.truth.restore(store_id, new, BY_ANA)
    assert (back.id, back.approval, back.expired_at) == (new, "approved", None)
    assert await held(memory, store_id, validity="any") == ["東京 2024-01..2025-01", "大阪 2025-01.."]
    assert (await named(memory, store_id, "東京")).id == old
    history = await memory.fact_history(store_id, "ana", new)
    assert [(h.event, h.by) for h in history if h.by] == [("rejected", "ana"), ("restored", "ana")]
    assert next(h.reason for h in history if h.event == "rejected") == "rejected: 聞き間違い"
    assert [h.at for h in history] == sorted(h.at for h in history)


async def test_restoring_an_ended_fact_withdraws_what_ended_it_and_back(memory: Memory, store_id: str) -> None:
    old, new = await moved(memory, store_id)
    again = await memory.truth.restore(store_id, old, BY_ANA)
    assert (again.id, again.invalid_at) == (old, None)
    assert await held(memory, store_id) == ["東京 2024-01.."]
    assert await steps(memory, store_id, new) == [("created", None), ("supersedes", None), ("withdrawn", "ana")] or (
        await steps(memory, store_id, new) == [("created", None), ("withdrawn", "ana")]
    )
    with pytest.raises(Conflict):
        await memory.truth.restore(store_id, old, BY_ANA)
    assert (await memory.truth.restore(store_id, new, BY_ANA)).id == new
    assert await held(memory, store_id, validity="any") == ["東京 2024-01..2025-01", "大阪 2025-01.."]
    assert (await named(memory, store_id, "東京")).id == old


async def test_restoring_undoes_a_retraction_for_good(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "猫", TOKYO, predicate="飼っている")
    await say(memory, store_id, "猫", OSAKA, predicate="飼っている", event="retract")
    cat = await named(memory, store_id, "猫")
    assert cat.invalid_at is not None
    assert (await memory.truth.restore(store_id, cat.id, BY_ANA)).invalid_at is None
    await memory.delete_fact(store_id, "ana", cat.id)
    assert await held(memory, store_id) == []
    back = await memory.truth.restore(store_id, cat.id, BY_ANA)
    assert (back.id, back.status, back.invalid_at) == (cat.id, "active", None)
    assert await steps(memory, store_id, cat.id) == [
        *(("created", None), ("restored", "ana"), ("withdrawn", "ana"), ("restored", "ana")),
    ]


async def test_a_deleted_stay_comes_back_with_its_id_though_the_value_was_said_again(
    memory: Memory, store_id: str
) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    await say(memory, store_id, "Kobe", OSAKA)
    first, kobe = await named(memory, store_id, "Osaka"), await named(memory, store_id, "Kobe")
    await memory.delete_fact(store_id, "ana", first.id)
    await say(memory, store_id, "Osaka", KOBE)
    assert await held(memory, store_id, validity="any") == ["Kobe 2025-01..2026-01", "Osaka 2026-01.."]
    back = await memory.truth.restore(store_id, first.id, BY_ANA)
    assert back.id == first.id
    every = await facts(memory, store_id, validity="any")
    assert [f.id for f in every][:2] == [first.id, kobe.id]
    assert await held(memory, store_id, validity="any") == [
        *("Osaka 2024-01..2025-01", "Kobe 2025-01..2026-01", "Osaka 2026-01.."),
    ]


async def test_restoring_what_a_patch_corrected_withdraws_the_correction(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    old = await named(memory, store_id, "Osaka")
    new = await memory.update_fact(store_id, "ana", old.id, FactPatch(object="Nara"))
    assert await held(memory, store_id) == ["Nara 2024-01.."]
    back = await memory.truth.restore(store_id, old.id, BY_ANA)
    assert (back.id, back.expired_at) == (old.id, None)
    assert await held(memory, store_id) == ["Osaka 2024-01.."]
    await memory.truth.restore(store_id, new.id, BY_ANA)
    assert await held(memory, store_id) == ["Nara 2024-01.."]


async def test_restoring_a_correction_among_values_that_coexist_keeps_both(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "コーヒー", TOKYO, predicate="好き")
    await say(memory, store_id, "紅茶", "2024-01-02T00:00:00Z", predicate="好き", correction=True)
    coffee = await named(memory, store_id, "コーヒー")
    assert await held(memory, store_id) == ["紅茶 2024-01.."]
    assert (await memory.truth.restore(store_id, coffee.id, BY_ANA)).id == coffee.id
    assert await held(memory, store_id) == ["コーヒー 2024-01..", "紅茶 2024-01.."]


async def test_a_resumed_stay_is_rejected_with_the_stay_it_goes_on_from(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", "2024-01-01T00:00:00Z")
    await say(memory, store_id, "Kobe", KOBE, valid_at="2025-02", invalid_at="2025-04")
    resumed = (await facts(memory, store_id))[-1]
    assert resumed.valid_at.month == 4
    rejected = await memory.truth.reject(store_id, resumed.id, BY_ANA)
    assert rejected.id == resumed.id
    assert await held(memory, store_id, validity="any") == ["Kobe 2025-02..2025-04"]
    assert (await memory.truth.restore(store_id, resumed.id, BY_ANA)).id == resumed.id
    assert await held(memory, store_id, validity="any") == [
        *("Osaka 2024-01..2025-02", "Kobe 2025-02..2025-04", "Osaka 2025-04.."),
    ]


async def test_an_archived_fact_is_shown_again(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    osaka = await named(memory, store_id, "Osaka")
    await memory.forget(store_id, ForgetRequest(scope=ANA, target=ForgetTarget(ids=(osaka.id,))))
    assert await held(memory, store_id) == []
    back = await memory.truth.restore(store_id, osaka.id, BY_ANA)
    assert (back.status, back.archived_at) == ("active", None)
    assert await held(memory, store_id) == ["Osaka 2024-01.."]


async def test_a_confirmed_value_takes_its_place_in_a_store_that_asks(memory: Memory, store_id: str) -> None:
    await memory.update_store(store_id, StorePatch(settings=StoreSettings(conflicts="ask")))
    old, new = await moved(memory, store_id)
    assert [f.disputed for f in await facts(memory, store_id)] == [True, True]
    dispute = (await memory.disputes.page(store_id, "ana", "open", 50, None)).items[0]
    assert dispute.kind == "to be confirmed"
    confirmed = await memory.truth.confirm(store_id, new, because("yes, she moved"))
    assert (confirmed.id, confirmed.learning_state, confirmed.disputed) == (new, "confirmed", False)
    assert await held(memory, store_id, validity="any") == ["東京 2024-01..2025-01", "大阪 2025-01.."]
    settled = await memory.disputes.get(store_id, "ana", dispute.id)
    assert (settled.state, settled.resolution, settled.keep) == ("resolved", "keep_one", new)
    version = confirmed.version
    assert (await memory.truth.confirm(store_id, new, BY_ANA)).version == version
    assert [e for e, by in await steps(memory, store_id, new) if by] == ["confirmed"]
    assert (await memory.truth.confirm(store_id, old, BY_ANA)).invalid_at is not None


async def test_drafts_are_approved_and_pins_are_history(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    osaka = await named(memory, store_id, "Osaka")
    await memory.database.driver.execute_query(
        "MATCH (f:Fact {id: $id}) SET f.approval = 'draft', f.state = 'draft'",
        {"id": osaka.id},
        database_=memory.database.database,
    )
    assert await held(memory, store_id) == []
    assert (await memory.truth.approve(store_id, osaka.id, BY_ANA)).approval == "approved"
    assert await held(memory, store_id) == ["Osaka 2024-01.."]
    pinned = await memory.truth.pin(store_id, osaka.id, PinAction(scope=ANA))
    assert pinned.pinned
    await memory.truth.pin(store_id, osaka.id, PinAction(scope=ANA, pinned=False))
    assert [event for event, by in await steps(memory, store_id, osaka.id) if by] == ["approved", "pinned", "unpinned"]


async def test_a_withdrawn_fact_is_not_confirmed_and_another_actors_is_not_found(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    osaka = await named(memory, store_id, "Osaka")
    with pytest.raises(NotFound):
        await memory.truth.confirm(store_id, osaka.id, FactAction(scope=Scope(actor_id="bo")))
    await memory.delete_fact(store_id, "ana", osaka.id)
    with pytest.raises(Conflict):
        await memory.truth.confirm(store_id, osaka.id, BY_ANA)
    with pytest.raises(Conflict):
        await memory.truth.reject(store_id, osaka.id, BY_ANA)


async def test_erasing_takes_the_decisions_along(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Osaka", TOKYO)
    osaka = await named(memory, store_id, "Osaka")
    await memory.truth.confirm(store_id, osaka.id, because("a private reason"))
    await memory.forget(store_id, ForgetRequest(scope=ANA, target=ForgetTarget(ids=(osaka.id,)), mode="erase"))
    left = await memory.database.driver.execute_query(
        "MATCH (c:Change {store_id: $store}) RETURN count(c) AS n",
        {"store": store_id},
        database_=memory.database.database,
    )
    assert left.records[0]["n"] == 0
