"""The client and the library say the same, over a real socket."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncGraphMem, GraphMem, Memory
from graphmem.errors import AlreadyExists, Conflict, NotFound, PreconditionFailed
from graphmem.models.bulk import BulkRequest
from graphmem.models.episode import FactIn, RememberRequest
from graphmem.models.fact import Fact, FactPatch, FactQuery
from graphmem.models.manage import ForgetRequest, ForgetTarget, Page, StoreIn, StorePatch
from graphmem.models.note import EntryIn, EntryPut, NoteIn, NotePatch, NoteQuery
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope, Scope, SessionScope
from graphmem.models.session import SessionMessageIn, SessionMessagesIn
from graphmem.models.times import ValidTime
from graphmem.models.truth import FactAction, PinAction, PredicatePatch

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
    request = SessionMessagesIn(scope=SessionScope(actor_id=MIO.actor_id), messages=tuple(said))
    saved = await client.sessions.save_messages(store_id, "s1 会話", request)
    assert [(m.position, m.duplicate) for m in saved.items] == [(1, False), (2, False), (3, False)]
    again = await client.sessions.save_messages(store_id, "s1 会話", request)
    assert all(m.duplicate for m in again.items)
    place = (store_id, MIO.actor_id, "s1 会話")
    newest = await client.sessions.messages(*place, order="newest", page_size=2)
    assert [m.id for m in newest.items] == ["m2", "m1"]
    assert newest == await memory.sessions.messages(*place, order="newest", page_size=2)
    assert [m.data async for m in client.sessions.iter_messages(*place)] == [{"n": n} for n in range(3)]


async def test_lists_are_read_to_their_end(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    items = [{"text": f"Note {n} of the day.", "extraction": "none", "session_id": f"s-{n}"} for n in range(7)]
    saved = await client.bulk.remember(
        store_id, BulkRequest.model_validate({"scope": MIO.model_dump(), "items": items, "wait": True})
    )
    assert saved.counts["processed"] == 7
    counts = await client.bulk.counts(store_id, MIO.actor_id)
    assert counts == await memory.bulk.counts(store_id, MIO.actor_id)
    first = await client.list_episodes(store_id, MIO.actor_id, page_size=3)
    second = await client.list_episodes(store_id, MIO.actor_id, page_size=3, page_token=first.next_page_token)
    rest = [e async for e in client.iter_episodes(store_id, MIO.actor_id, page_size=3)]
    assert rest[:6] == [*first.items, *second.items]
    assert len({episode.id for episode in rest}) == 7
    assert len([s async for s in client.sessions.iter(store_id, MIO.actor_id, page_size=2)]) == 7
    assert len([p async for p in client.predicates.iter(store_id, page_size=9)]) > 18
    with pytest.raises(NotFound):
        await anext(aiter(client.iter_facts("no-such-store", ALL)))


async def test_notes_entries_and_conditions(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    note = await client.notes.create(store_id, NoteIn(scope=MIO, body="# 出張\n来週は札幌。", description="Trip."))
    patch = NotePatch.model_validate({"body": "# 出張\n来週は大阪。", "description": None})
    changed = await client.notes.update(store_id, MIO.actor_id, note.id, patch, if_match=note.version)
    assert (changed.description, changed.version) == (None, 2)
    with pytest.raises(PreconditionFailed):
        await client.notes.update(store_id, MIO.actor_id, note.id, patch, if_match=note.version)
    own = (store_id, MIO.actor_id, note.id)
    assert await client.notes.history(*own) == await memory.notes.history(*own)
    assert await client.notes.links(*own, hops=2) == await memory.notes.links(*own, hops=2)

    entry = EntryPut(scope=MIO, path="/style.md", content="Short sentences.")
    made, new = await client.entries.put(store_id, entry)
    assert new
    longer, new = await client.entries.put(store_id, entry.model_copy(update={"content": "No jargon."}), append=True)
    assert not new
    assert longer.content == "Short sentences.\nNo jargon."
    with pytest.raises(AlreadyExists):
        await client.entries.create(store_id, EntryIn(scope=MIO, path="style.md", content="Again."))
    query = NoteQuery(actor_id=MIO.actor_id, prefix="/")
    assert [e.id async for e in client.entries.iter(store_id, query)] == [made.id]
    assert await client.entries.delete(store_id, MIO.actor_id, made.id)


async def test_decisions_and_views(client: AsyncGraphMem, memory: Memory, store_id: str) -> None:
    fact = (await client.remember(store_id, lives_in("Nara", "2020"))).facts[0].fact
    action = FactAction(scope=MIO, reason="she said so")
    assert (await client.truth.confirm(store_id, fact.id, action)).learning_state == "confirmed"
    assert (await client.truth.pin(store_id, fact.id, PinAction(scope=MIO))).pinned
    moved = await client.update_fact(
        store_id,
        MIO.actor_id,
        fact.id,
        FactPatch(valid_at=ValidTime(at=datetime(2021, 3, 1, tzinfo=UTC), precision="month")),
    )
    assert (moved.valid_at.month, moved.valid_at_precision) == (3, "month")
    profile = await client.timelines.profile(store_id, MIO.actor_id)
    assert [f.id for section in profile.sections for f in section.facts] == [moved.id]
    entity = moved.subject.id
    view = (store_id, MIO.actor_id, entity)
    assert len((await client.timelines.of_entity(*view, "lives_in")).stays) == len(
        (await memory.timelines.of_entity(*view, "lives_in")).stays
    )
    graph = await client.entity_graph(*view, as_of=datetime(2022, 1, 1, tzinfo=UTC))
    assert [f.id for f in graph.facts] == [moved.id]
    assert (await client.disputes.page(store_id, MIO.actor_id, "open")).items == ()
    described = await client.predicates.update(store_id, "lives_in", PredicatePatch(half_life_days=10))
    assert (await memory.predicates.get(store_id, "lives_in")).half_life_days == described.half_life_days == 10
    assert (await client.decay(store_id)).task == "decay"
    await client.truth.delete(store_id, MIO.actor_id, moved.id)
    with pytest.raises(Conflict):
        await client.truth.confirm(store_id, moved.id, action)


async def test_what_is_asked_arrives_as_it_was_meant(client: AsyncGraphMem, store_id: str) -> None:
    await client.remember(store_id, lives_in("Kobe", "2020-05-01"))
    condition = {
        "and": [
            {"field": "valid_at", "op": "lt", "value": "2021"},
            {"not": {"field": "pinned", "op": "eq", "value": True}},
        ]
    }
    asked = {
        "scope": {"actor_id": [MIO.actor_id, "team"]},
        "query": "Kobe",
        "kinds": ["fact"],
        "filter": condition,
        "reference_time": "2026-01-05T23:00:00+09:00",
        "gate": {"min_score": 0.0},
        "dry_run": True,
    }
    answer = await client.recall(store_id, RecallRequest.model_validate(asked))
    assert [item.kind for item in answer.items] == ["fact"]
    assert answer.audit.id is None
    late = asked | {"filter": {"field": "valid_at", "op": "gt", "value": "2021"}}
    assert (await client.recall(store_id, RecallRequest.model_validate(late))).items == ()
