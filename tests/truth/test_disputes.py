"""Disputes: inspect both sides, decide, explain, undo."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.models.fact import Fact
from graphmem.models.truth import Contradiction, Resolution
from tests.support.saying import ANA, BY_ANA, because, facts, held, named, say, value

AT = "2024-01-01T00:00:00Z"


async def dispute(memory: Memory, store: str) -> tuple[Contradiction, Fact, Fact]:
    """Kyoto and Nara, said at one moment."""
    await say(memory, store, "京都", AT)
    await say(memory, store, "奈良", AT)
    found = (await memory.disputes.page(store, "ana", "open", 50, None)).items
    assert len(found) == 1
    kyoto, nara = await named(memory, store, "京都"), await named(memory, store, "奈良")
    return found[0], kyoto, nara


def wish(resolution: str, **values: object) -> Resolution:
    return Resolution.model_validate({"scope": ANA.model_dump(), "resolution": resolution, **values})


async def test_both_sides_show_with_their_sources(memory: Memory, store_id: str) -> None:
    opened, kyoto, nara = await dispute(memory, store_id)
    assert (opened.state, opened.kind) == ("open", "same time")
    assert {f.id for f in opened.facts} == {kyoto.id, nara.id}
    assert all(f.disputed and f.sources[0].quote for f in opened.facts)
    assert (await memory.disputes.page(store_id, "ana", "resolved", 50, None)).items == ()
    with pytest.raises(NotFound):
        await memory.disputes.get(store_id, "bo", opened.id)


async def test_keeping_one_withdraws_the_other_and_restoring_it_reopens_the_dispute(
    memory: Memory, store_id: str
) -> None:
    opened, kyoto, nara = await dispute(memory, store_id)
    for keep in (None, opened.id):
        with pytest.raises(InvalidInput) as refused:
            await memory.disputes.resolve(store_id, opened.id, wish("keep_one", keep=keep))
        assert refused.value.field == "keep"
    closed = await memory.disputes.resolve(store_id, opened.id, wish("keep_one", keep=nara.id, reason="住民票"))
    assert (closed.state, closed.resolution, closed.keep, closed.resolved_by) == (
        *("resolved", "keep_one", nara.id, "ana"),
    )
    assert closed.explanation == "one side was confirmed, the other withdrawn: 住民票"
    assert await held(memory, store_id) == ["奈良 2024-01.."]
    assert not (await named(memory, store_id, "奈良")).disputed
    history = await memory.fact_history(store_id, "ana", kyoto.id)
    assert [(h.event, h.reason) for h in history if h.by] == [
        ("withdrawn", "dispute: the other was confirmed: 住民票"),
    ]
    with pytest.raises(Conflict):
        await memory.disputes.resolve(store_id, opened.id, wish("reject_both"))
    await memory.truth.restore(store_id, kyoto.id, BY_ANA)
    assert await held(memory, store_id) == ["京都 2024-01..", "奈良 2024-01.."]
    assert all(f.disputed for f in await facts(memory, store_id))
    assert (await memory.disputes.get(store_id, "ana", opened.id)).state == "open"
    assert (await named(memory, store_id, "奈良")).learning_state == "stated"


async def test_confirming_one_side_decides_the_dispute(memory: Memory, store_id: str) -> None:
    opened, kyoto, nara = await dispute(memory, store_id)
    await memory.truth.confirm(store_id, kyoto.id, because("asked"))
    assert await held(memory, store_id) == ["京都 2024-01.."]
    closed = await memory.disputes.get(store_id, "ana", opened.id)
    assert (closed.resolution, closed.keep) == ("keep_one", kyoto.id)
    lost = await memory.get_fact(store_id, "ana", nara.id)
    assert lost.expired_at is not None
    history = await memory.fact_history(store_id, "ana", nara.id)
    assert [h.reason for h in history if h.by] == ["dispute: the other was confirmed: asked"]


async def test_rejecting_both_and_restoring_one(memory: Memory, store_id: str) -> None:
    opened, kyoto, nara = await dispute(memory, store_id)
    closed = await memory.disputes.resolve(store_id, opened.id, wish("reject_both"))
    assert (closed.resolution, {f.id for f in closed.facts}) == ("reject_both", {kyoto.id, nara.id})
    assert await held(memory, store_id) == []
    assert (await memory.truth.restore(store_id, kyoto.id, BY_ANA)).id == kyoto.id
    assert await held(memory, store_id) == ["京都 2024-01.."]
    assert (await memory.truth.restore(store_id, nara.id, BY_ANA)).id == nara.id
    assert all(f.disputed for f in await facts(memory, store_id))


async def test_both_stand_and_stay_so_when_more_is_said(memory: Memory, store_id: str) -> None:
    opened, kyoto, _ = await dispute(memory, store_id)
    await memory.disputes.resolve(store_id, opened.id, wish("keep_both"))
    await say(memory, store_id, "京都", AT)
    assert [(value(f), f.disputed) for f in await facts(memory, store_id)] == [("京都", False), ("奈良", False)]
    await memory.truth.restore(store_id, kyoto.id, BY_ANA)
    assert all(f.disputed for f in await facts(memory, store_id))


async def test_both_stand_at_other_times_and_that_can_be_undone(memory: Memory, store_id: str) -> None:
    opened, kyoto, nara = await dispute(memory, store_id)
    times = {kyoto.id: {"valid_at": "2019", "invalid_at": "2021-04"}, nara.id: {"valid_at": "2021-04"}}
    for wrong, field in (
        ({opened.id: {"valid_at": "2019"}}, f"times.{opened.id}"),
        ({kyoto.id: {"valid_at": "2019", "invalid_at": "2018"}}, f"times.{kyoto.id}.invalid_at"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await memory.disputes.resolve(store_id, opened.id, wish("keep_both", times=wrong))
        assert refused.value.field == field
    await memory.disputes.resolve(store_id, opened.id, wish("keep_both", times=times))
    assert await held(memory, store_id, validity="any") == ["京都 2019-01..2021-04", "奈良 2021-04.."]
    assert (await named(memory, store_id, "京都")).valid_at_precision == "year"
    assert (await named(memory, store_id, "奈良")).id == nara.id
    await memory.truth.restore(store_id, nara.id, BY_ANA)
    assert await held(memory, store_id) == ["京都 2024-01..", "奈良 2024-01.."]
