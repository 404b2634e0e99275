"""What is left when one side of a truth is taken away: what holds again, what is disputed, what the receipt says."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import Conflict
from graphmem.models.manage import ForgetRequest, Receipt
from tests.support.saying import BY_ANA, facts, held, named, say

EARLY, LATE = "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"


async def forget(memory: Memory, store: str, target: dict[str, Any], mode: str = "erase") -> Receipt:
    body = {"scope": {"actor_id": "ana"}, "target": target, "mode": mode}
    return await memory.forget(store, ForgetRequest.model_validate(body))


async def disputed(memory: Memory, store: str) -> tuple[str, str]:
    """Two places at one time: the fact of the first, the fact and the episode of the second."""
    await say(memory, store, "京都", EARLY)
    said = await say(memory, store, "神戸", EARLY)
    assert [f.disputed for f in await facts(memory, store)] == [True, True]
    return (await named(memory, store, "神戸")).id, said.episodes[0].id


async def test_the_receipt_of_an_undo_names_what_went_and_what_holds_again(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Kyoto", EARLY)
    said = await say(memory, store_id, "Osaka", LATE)
    kyoto = await named(memory, store_id, "Kyoto")
    receipt = await memory.delete_episode(store_id, "ana", said.episodes[0].id)
    assert receipt.counts == {"facts": 1, "episodes": 1, "notes": 0}
    assert (receipt.restored, receipt.verified) == ((kyoto.id,), True)
    assert await held(memory, store_id) == ["Kyoto 2024-01.."]


async def test_what_only_lasted_until_now_in_the_past_does_not_hold_again(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Kyoto", EARLY)
    said = await say(memory, store_id, "Nara", "2024-06-01T00:00:00Z")
    await say(memory, store_id, "Osaka", LATE)
    receipt = await memory.delete_episode(store_id, "ana", said.episodes[0].id)
    assert (receipt.counts["facts"], receipt.restored) == (1, ())
    assert await held(memory, store_id, validity="any") == ["Kyoto 2024-01..2025-01", "Osaka 2025-01.."]


async def test_a_corrected_a_retracted_and_a_deleted_fact_are_named_when_they_hold_again(
    memory: Memory, store_id: str
) -> None:
    await say(memory, store_id, "tea", EARLY, predicate="likes")
    wrong = await say(memory, store_id, "milk", "2024-01-02T00:00:00Z", predicate="likes", correction=True)
    tea = await named(memory, store_id, "tea")
    assert (await memory.delete_episode(store_id, "ana", wrong.episodes[0].id)).restored == (tea.id,)
    over = await say(memory, store_id, "tea", LATE, predicate="likes", event="retract")
    again = await forget(memory, store_id, {"ids": [over.episodes[0].id]})
    assert (again.counts["facts"], again.restored) == (0, (tea.id,))
    await say(memory, store_id, "Kyoto", EARLY)
    await say(memory, store_id, "Osaka", LATE)
    kyoto, osaka = await named(memory, store_id, "Kyoto"), await named(memory, store_id, "Osaka")
    assert (await memory.delete_fact(store_id, "ana", osaka.id)).restored == (kyoto.id,)


@pytest.mark.parametrize("way", ["episode", "fact", "archive"])
async def test_nothing_is_disputed_by_what_is_gone(memory: Memory, store_id: str, way: str) -> None:
    fact_id, episode_id = await disputed(memory, store_id)
    if way == "episode":
        await memory.delete_episode(store_id, "ana", episode_id)
    else:
        await forget(memory, store_id, {"ids": [fact_id]}, "archive" if way == "archive" else "erase")
    left = await facts(memory, store_id)
    assert [(f.object.name if f.object else "", f.disputed) for f in left] == [("京都", False)]
    assert (await memory.disputes.page(store_id, "ana", "open", 10, None)).items == ()


async def test_an_archived_rival_disputes_again_when_it_is_restored(memory: Memory, store_id: str) -> None:
    fact_id, _ = await disputed(memory, store_id)
    await forget(memory, store_id, {"ids": [fact_id]}, "archive")
    closed = (await memory.disputes.page(store_id, "ana", "resolved", 10, None)).items
    assert [d.resolution for d in closed] == ["a side was archived"]
    await memory.truth.restore(store_id, fact_id, BY_ANA)
    assert [f.disputed for f in await facts(memory, store_id)] == [True, True]
    assert len((await memory.disputes.page(store_id, "ana", "open", 10, None)).items) == 1


async def test_a_denial_that_is_gone_disputes_nothing(memory: Memory, store_id: str) -> None:
    for way in ("archive", "erase"):
        await say(memory, store_id, "京都", EARLY)
        await say(memory, store_id, "京都", EARLY, polarity=False)
        every = await facts(memory, store_id, validity="any")
        assert sorted((f.polarity, f.disputed) for f in every) == [(False, True), (True, True)]
        denial = next(f for f in every if not f.polarity)
        await forget(memory, store_id, {"ids": [denial.id]}, way)
        assert [f.disputed for f in await facts(memory, store_id) if f.polarity] == [False]
        if way == "archive":
            await memory.truth.restore(store_id, denial.id, BY_ANA)
            assert [f.disputed for f in await facts(memory, store_id) if f.polarity] == [True]


async def test_a_deleted_fact_is_not_approved(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "Kyoto", EARLY)
    fact = await named(memory, store_id, "Kyoto")
    await memory.delete_fact(store_id, "ana", fact.id)
    with pytest.raises(Conflict):
        await memory.truth.approve(store_id, fact.id, BY_ANA)
