"""The client and the library say the same, over a real socket."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from graphmem import AsyncGraphMem, GraphMem, Memory
from graphmem.errors import AlreadyExists, NotFound, PreconditionFailed
from graphmem.models.episode import FactIn, RememberRequest
from graphmem.models.fact import Fact, FactQuery
from graphmem.models.manage import ForgetRequest, ForgetTarget, Page, StoreIn, StorePatch
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope, Scope
from graphmem.models.session import SessionMessageIn, SessionMessagesIn

MIO = Scope(actor_id="澪 & co/1")
"""An actor whose name needs care in an address."""
ALL = FactQuery(actor_id=MIO.actor_id, validity="any")


def lasting(found: Fact | Page[Fact]) -> Any:
    """A fact or facts without the retention, which fades from one read to the next."""
    facts = [found] if isinstance(found, Fact) else found.items
    return [fact.model_copy(update={"retention": 1.0}) for fact in facts]


def lives_in(place: str, since: str, text: str | None = None) -> RememberRequest:
    fact = {"subject": "user", "predicate": "lives_in", "object": place, "valid_at": since}
    return RememberRequest(
        scope=MIO,
        text=text or f"I live in {place}.",
        occurred_at="2026-01-05T09:00:00+09:00",  # type: ignore[arg-type]
        facts=(FactIn.model_validate(fact),),
    )


async def test_remember_recall_and_forget(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    said = await client.remember(store_id, lives_in("札幌", "2019"))
    fact = said.facts[0].fact
    assert (fact.valid_at.year, fact.valid_at_precision) == (2019, "year")
    moved = await client.remember(store_id, lives_in("Osaka", "2025-06"))
    assert moved.facts[0].superseded == (fact.id,)
    assert lasting(await client.list_facts(store_id, ALL)) == lasting(await memory.list_facts(store_id, ALL))
    own = (store_id, MIO.actor_id, fact.id)
    assert lasting(await client.get_fact(*own)) == lasting(await memory.get_fact(*own))
    assert await client.fact_history(*own) == await memory.fact_history(*own)
    assert await client.list_episodes(store_id, MIO.actor_id) == await memory.list_episodes(store_id, MIO.actor_id)

    question = RecallRequest(scope=ReadScope(actor_id=MIO.actor_id), query="Where do I live? Osaka?", kinds=("fact",))
    assert (await client.recall(store_id, question)).items[0].text == moved.facts[0].fact.text

    receipt = await client.forget(store_id, ForgetRequest(scope=MIO, target=ForgetTarget(all=True), mode="erase"))
    assert receipt.verified
    assert (await client.list_facts(store_id, ALL)).items == ()


async def test_stores_and_health(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    assert (await client.health()).ready
    assert (await client.alive()).status == "ok"
    assert await client.get_store(store_id) == await memory.get_store(store_id)
    changed = await client.update_store(store_id, StorePatch(description="x"), if_match=1)
    assert (changed.description, changed.version) == ("x", 2)
    with pytest.raises(PreconditionFailed):
        await client.update_store(store_id, StorePatch(description="y"), if_match=1)
    with pytest.raises(AlreadyExists):
        await client.create_store(StoreIn(id=store_id))
    await client.delete_store(store_id)
    with pytest.raises(NotFound):
        await client.get_store(store_id)


async def test_a_sync_client_within_a_running_loop_and_threads(address: str, store_id: str) -> None:
    def work() -> None:
        with GraphMem(address) as client:
            threads = [
                threading.Thread(target=client.remember, args=(store_id, lives_in(f"Town {n}", f"20{n}")))
                for n in range(10, 14)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(list(client.iter_facts(store_id, ALL))) == 4

    await asyncio.to_thread(work)


async def test_messages_of_a_session(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    said = [SessionMessageIn(id=f"m{n}", role="user", content=f"行 {n}", data={"n": n}) for n in range(3)]
    request = SessionMessagesIn(scope=MIO, messages=tuple(said))
    saved = await client.sessions.save_messages(store_id, "s1 会話", request)
    assert [(m.position, m.duplicate) for m in saved.items] == [(1, False), (2, False), (3, False)]
    again = await client.sessions.save_messages(store_id, "s1 会話", request)
    assert all(m.duplicate for m in again.items)
    place = (store_id, MIO.actor_id, "s1 会話")
    newest = await client.sessions.messages(*place, order="newest", page_size=2)
    assert [m.id for m in newest.items] == ["m2", "m1"]
    assert newest == await memory.sessions.messages(*place, order="newest", page_size=2)
    assert [m.data async for m in client.sessions.iter_messages(*place)] == [{"n": n} for n in range(3)]
