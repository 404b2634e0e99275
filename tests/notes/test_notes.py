"""Notes on the real engine: links, what takes whose place, versions, erasure; in English and Japanese."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import Conflict, NotFound, PreconditionFailed
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import ForgetRequest
from graphmem.models.note import EntryIn, EntryPut, EntrySearch, Note, NoteIn, NotePatch, NoteQuery
from graphmem.models.recall import RecallRequest, RecallResult

ACTOR = "花"
SCOPE = {"actor_id": ACTOR}


async def write(memory: Memory, store: str, body: str, **more: Any) -> Note:
    return await memory.notes.create(store, NoteIn.model_validate({"scope": SCOPE, "body": body, **more}))


async def read(memory: Memory, store: str, note: Note) -> Note:
    return await memory.notes.get(store, ACTOR, note.id)


async def recalled(memory: Memory, store: str, query: str, **more: Any) -> RecallResult:
    request = {"scope": SCOPE, "query": query, "kinds": ("note",), **more}
    return await memory.recall(store, RecallRequest.model_validate(request))


TOPICS = {
    "en": ("Deploy window", "Deploys happen on {} at 14:00.", ("Tuesday", "Wednesday", "Thursday")),
    "ja": ("デプロイの時間帯", "デプロイは{}の14時に行う。", ("火曜日", "水曜日", "木曜日")),
}


@pytest.mark.parametrize("language", TOPICS)
@pytest.mark.parametrize("order", list(itertools.permutations(range(3)))[::2])
async def test_a_newer_statement_on_a_topic_ends_the_older(
    memory: Memory, store_id: str, language: str, order: tuple[int, ...]
) -> None:
    title, body, days = TOPICS[language]
    dates = ("2025-01-01", "2025-03-01", "2025-06-01")
    notes = {i: await write(memory, store_id, body.format(days[i]), title=title, valid_at=dates[i]) for i in order}

    found = [await read(memory, store_id, notes[i]) for i in range(3)]
    now = await recalled(memory, store_id, title)
    then = await recalled(memory, store_id, title, as_of="2025-04-01T00:00:00Z")

    assert [n.status for n in found] == ["superseded", "superseded", "active"]
    assert [n.invalid_at and str(n.invalid_at)[:10] for n in found] == ["2025-03-01", "2025-06-01", None]
    assert [n.superseded_by for n in found] == [found[2].id, found[2].id, None]
    assert found[2].supersedes == (found[1].id,)
    assert [item.id for item in now.items] == [found[2].id]
    assert now.items[0].text == f"{title}: {body.format(days[2])}"
    assert [item.id for item in then.items] == [found[1].id]
    assert (await memory.notes.get(store_id, ACTOR, found[0].id, newest=True)).id == found[2].id


async def test_other_notes_of_one_title_stay_beside_each_other(memory: Memory, store_id: str) -> None:
    one = await write(memory, store_id, "Discussed the login bug with Kenji.", title="Standup", valid_at="2025-01-01")
    await write(memory, store_id, "The offsite hotel in Kyoto is booked.", title="Standup", valid_at="2025-02-01")
    await write(memory, store_id, "Discussed the login bug with Kenji.", title="Standup", valid_at="2025-03-01")

    assert (await read(memory, store_id, one)).status == "active"


async def test_links_are_proposed_with_kind_score_and_reason(memory: Memory, store_id: str) -> None:
    temples = await write(memory, store_id, "Temples in Kyoto worth seeing: Kiyomizu-dera, Ginkaku-ji.")
    bread = await write(memory, store_id, "Sourdough starter needs feeding every day with rye flour.")
    rule = await write(memory, store_id, "The office wifi password rotates every 30 days.", valid_at="2025-01-01")

    trip = await write(memory, store_id, "京都旅行。祇園の近くに泊まり、寺を巡った。")
    other = await write(memory, store_id, "オフィスのWi-Fiパスワードは90日ごとに変わる。")

    assert {link.target for link in trip.links} == {temples.id}
    link = trip.links[0]
    assert (link.kind, link.by, link.direction) == ("related", "auto", "out")
    assert 0 < link.score <= 1
    assert "cosine" in link.reason
    assert [(link.target, link.kind) for link in other.links] == [(rule.id, "contradicts")]
    back = await memory.notes.links(store_id, ACTOR, temples.id)
    assert [(b.target, b.direction) for b in back.backlinks] == [(trip.id, "in")]
    orphans = await memory.notes.page(store_id, NoteQuery(actor_id=ACTOR, orphans=True))
    assert [n.id for n in orphans.items] == [bread.id]
    alone = await write(memory, store_id, "Temples of Kyoto again.", auto_link=False)
    assert alone.links == ()


async def test_shared_entities_link_notes(memory: Memory, store_id: str) -> None:
    facts = [{"subject": "user", "predicate": "works_at", "object": "青空ロボティクス"}]
    told = await memory.remember(
        store_id,
        RememberRequest.model_validate(
            {
                "scope": SCOPE,
                "text": "青空ロボティクスに入社した。",
                "facts": facts,
                "occurred_at": "2025-04-01T00:00:00Z",
            }
        ),
    )
    first = await write(memory, store_id, "青空ロボティクスの面接は三回あった。", title="面接")
    second = await write(memory, store_id, "入社の手続き。", title="手続き", episode_ids=[told.episodes[0].id])

    assert [e.name for e in second.about] == ["青空ロボティクス"]
    assert second.sources[0].episode_id == told.episodes[0].id
    assert str(second.valid_at)[:10] == "2025-04-01"
    assert first.about == second.about
    assert "青空ロボティクス" in next(link.reason for link in second.links if link.target == first.id)
    with pytest.raises(NotFound) as error:
        await write(memory, store_id, "x", episode_ids=["nothing"])
    assert error.value.field == "episode_ids.0"


async def test_links_to_what_is_not_there_yet_are_made_when_it_arrives(memory: Memory, store_id: str) -> None:
    asking = await write(memory, store_id, "See [[人/田中|田中さん]] and [[Later#Part]].", auto_link=False)
    before = await memory.notes.links(store_id, ACTOR, asking.id)
    later = await write(memory, store_id, "Here.", title="Later", auto_link=False)
    await memory.entries.create(
        store_id, EntryIn.model_validate({"scope": SCOPE, "path": "人/田中.md", "content": "設計者。"})
    )
    after = await memory.notes.links(store_id, ACTOR, asking.id)

    assert before.unresolved == ("人/田中", "Later")
    assert after.unresolved == ()
    assert {(link.title, link.by) for link in after.links} == {("田中", "wiki"), ("Later", "wiki")}

    await memory.notes.update(store_id, ACTOR, later.id, NotePatch(title="Renamed"))
    assert (await memory.notes.links(store_id, ACTOR, asking.id)).unresolved == ("Later",)
    await memory.notes.update(store_id, ACTOR, later.id, NotePatch(aliases=("later",)))
    assert (await memory.notes.links(store_id, ACTOR, asking.id)).unresolved == ()


async def test_the_neighbourhood_reaches_over_links(memory: Memory, store_id: str) -> None:
    plain = {"auto_link": False}
    names = ["A", "B", "C", "D"]
    notes = [
        await write(memory, store_id, f"[[{after}]]", title=name, **plain)
        for name, after in zip(names, [*names[1:], "none"], strict=True)
    ]

    near = await memory.notes.links(store_id, ACTOR, notes[0].id, hops=1)
    far = await memory.notes.links(store_id, ACTOR, notes[0].id, hops=3)

    assert [(n.title, n.distance) for n in near.notes] == [("B", 1)]
    assert [(n.title, n.distance) for n in far.notes] == [("B", 1), ("C", 2), ("D", 3)]
    assert {(e.source, e.target) for e in far.edges} == {(a.id, b.id) for a, b in itertools.pairwise(notes)}


async def test_a_declared_chain_is_followed_and_no_cycle_is_made(memory: Memory, store_id: str) -> None:
    first = await write(memory, store_id, "The plan: sail.", valid_at="2025-01-01")
    second = await write(memory, store_id, "By train instead.", valid_at="2025-02-01", supersedes=first.id)
    third = await write(memory, store_id, "We stay at home.", valid_at="2025-03-01", supersedes=first.id)

    assert third.supersedes == (second.id,)
    found = await read(memory, store_id, first)
    assert (found.status, found.superseded_by) == ("superseded", third.id)
    for target in (first, second, third):
        with pytest.raises(Conflict):
            await memory.notes.update(store_id, ACTOR, first.id, NotePatch(supersedes=target.id))
    with pytest.raises(Conflict):
        await memory.notes.update(store_id, ACTOR, second.id, NotePatch(supersedes=third.id))
    with pytest.raises(NotFound):
        await write(memory, store_id, "x", supersedes="nothing")
    page = await memory.notes.page(store_id, NoteQuery(actor_id=ACTOR))
    assert [n.id for n in page.items] == [third.id]
    every = await memory.notes.page(store_id, NoteQuery(actor_id=ACTOR, status="superseded"))
    assert [n.id for n in every.items] == [first.id, second.id]
    history = await memory.notes.history(store_id, ACTOR, second.id)
    assert [(h.event, h.reason, h.note_id) for h in history] == [
        ("created", "created", second.id),
        ("supersedes", "declared", first.id),
        ("superseded", "declared", third.id),
    ]

    await memory.notes.delete(store_id, ACTOR, second.id)
    assert (await read(memory, store_id, first)).superseded_by == third.id
    await memory.notes.delete(store_id, ACTOR, third.id)
    restored = await read(memory, store_id, first)
    assert (restored.status, restored.invalid_at, restored.superseded_by) == ("active", None, None)


async def test_a_correction_of_the_same_date_was_never_true(memory: Memory, store_id: str) -> None:
    wrong = await write(memory, store_id, "The key is under the mat.", valid_at="2025-01-01")
    right = await write(memory, store_id, "The key is under the pot.", valid_at="2025-01-01", supersedes=wrong.id)

    then = await recalled(memory, store_id, "Where is the key?", as_of="2025-06-01T00:00:00Z")

    assert (await read(memory, store_id, wrong)).status == "superseded"
    assert [item.id for item in then.items] == [right.id]


async def test_a_change_is_a_version(memory: Memory, store_id: str) -> None:
    note = await write(memory, store_id, "猫を二匹飼っている。", title="ペット")
    second = await memory.notes.update(store_id, ACTOR, note.id, NotePatch(body="猫を三匹飼っている。"), if_match=1)
    same = await memory.notes.update(store_id, ACTOR, note.id, NotePatch(body="猫を三匹飼っている。"))
    with pytest.raises(PreconditionFailed):
        await memory.notes.update(store_id, ACTOR, note.id, NotePatch(title="x"), if_match=1)

    history = await memory.notes.history(store_id, ACTOR, note.id)

    assert (second.id, second.version, same.version) == (note.id, 2, 2)
    assert [(h.event, h.version, h.body) for h in history] == [
        ("created", 1, "猫を二匹飼っている。"),
        ("edited", 2, "猫を三匹飼っている。"),
    ]
    former = await memory.notes.get(store_id, ACTOR, history[0].note_id)
    assert (former.status, former.version_of, former.superseded_by) == ("superseded", note.id, note.id)
    with pytest.raises(Conflict):
        await memory.notes.update(store_id, ACTOR, former.id, NotePatch(title="x"))
    found = await recalled(memory, store_id, "猫は何匹いますか", validity="any")
    assert [item.text for item in found.items] == ["ペット: 猫を三匹飼っている。"]


async def test_evolution_is_a_version_and_goes_with_its_cause(memory: Memory, store_id: str) -> None:
    body = "Temples in Kyoto worth seeing: Kiyomizu-dera, Ginkaku-ji."
    old = await write(memory, store_id, body, keywords=["temples"])
    far = await write(memory, store_id, "Sourdough starter needs feeding every day.", keywords=["bread"])
    plain = await write(memory, store_id, "Temples in Kyoto in autumn.", keywords=["autumn"])
    assert (await read(memory, store_id, old)).version == 1

    new = await write(memory, store_id, "Kyoto temples open early.", keywords=["mornings", "temple"], evolve=True)

    enriched = await read(memory, store_id, old)
    assert (enriched.keywords, enriched.version, enriched.body) == (("temples", "mornings"), 2, body)
    assert (await read(memory, store_id, far)).version == 1
    event = (await memory.notes.history(store_id, ACTOR, old.id))[-1]
    assert (event.event, event.by_note) == ("evolved", new.id)
    await memory.notes.delete(store_id, ACTOR, new.id)
    assert (await read(memory, store_id, old)).keywords == ("temples",)
    assert (await read(memory, store_id, plain)).keywords == ("autumn",)


async def test_what_is_recalled_grows_stronger(memory: Memory, store_id: str) -> None:
    note = await write(memory, store_id, "The boiler was serviced by Marta.")

    await recalled(memory, store_id, "Who serviced the boiler?")
    await recalled(memory, store_id, "Who serviced the boiler?", dry_run=True)

    assert (await read(memory, store_id, note)).access_count == 1


async def test_another_actor_and_session_see_nothing(memory: Memory, store_id: str) -> None:
    note = await write(memory, store_id, "The safe code is 4471.", scope={**SCOPE, "session_id": "s1"})
    for reading in (memory.notes.get, memory.notes.links, memory.notes.history, memory.notes.delete):
        with pytest.raises(NotFound):
            await reading(store_id, "someone", note.id)
    other = RecallRequest.model_validate({"scope": {"actor_id": "someone"}, "query": "safe code"})
    assert (await memory.recall(store_id, other)).items == ()
    elsewhere = await recalled(memory, store_id, "safe code", scope={**SCOPE, "session_id": "s2"})
    here = await recalled(memory, store_id, "safe code", scope={**SCOPE, "session_id": "s1"})
    assert (len(elsewhere.items), len(here.items)) == (0, 1)


async def test_everything_of_an_actor_is_erased(memory: Memory, store_id: str) -> None:
    note = await write(memory, store_id, "秘密の合言葉は山川。", title="合言葉")
    await memory.notes.update(store_id, ACTOR, note.id, NotePatch(body="秘密の合言葉は海空。"))
    kept = await memory.notes.create(store_id, NoteIn.model_validate({"scope": {"actor_id": "b"}, "body": "kept"}))

    request = ForgetRequest.model_validate({"scope": SCOPE, "target": {"all": True}, "mode": "erase"})
    receipt = await memory.forget(store_id, request)

    assert receipt.verified
    assert receipt.counts["notes"] == 1
    rows = await memory.database.driver.execute_query(
        "MATCH (n:Note {store_id: $store}) RETURN n.id AS id", store=store_id
    )
    assert [row["id"] for row in rows.records] == [kept.id]


async def test_an_erased_episode_takes_its_notes_along(memory: Memory, store_id: str) -> None:
    body = {"scope": SCOPE, "text": "We met at the pier.", "extraction": "none"}
    told = await memory.remember(store_id, RememberRequest.model_validate(body))
    note = await write(memory, store_id, "The meeting at the pier.", episode_ids=[told.episodes[0].id])

    await memory.delete_episode(store_id, ACTOR, told.episodes[0].id)

    with pytest.raises(NotFound):
        await read(memory, store_id, note)


async def test_parallel_writers_end_as_one_entry(memory: Memory, store_id: str) -> None:
    def put(number: int, *, append: bool) -> Any:
        entry = {"scope": SCOPE, "path": "/設定/文体.md", "content": f"行{number}", "append": append}
        return memory.entries.put(store_id, EntryPut.model_validate(entry))

    made = await asyncio.gather(*(put(i, append=False) for i in range(4)))
    assert sorted(new for _, new in made) == [False, False, False, True]
    assert len({entry.id for entry, _ in made}) == 1
    await asyncio.gather(*(put(i, append=True) for i in range(10, 14)))
    entry = await memory.entries.get(store_id, ACTOR, made[0][0].id)
    assert sorted(entry.content.split("\n")[1:]) == [f"行{i}" for i in range(10, 14)]
    assert entry.version == 8


async def test_parallel_writers_of_two_processes_end_as_one_entry(memory: Memory, store_id: str) -> None:
    """Two services over one database share no lock but the database's."""
    async with Memory.open(memory.settings) as other:
        entry = EntryPut.model_validate({"scope": SCOPE, "path": "/a.md", "content": "line", "append": True})
        await asyncio.gather(*(m.entries.put(store_id, entry) for m in (memory, other) * 3))
        page = await memory.entries.page(store_id, NoteQuery(actor_id=ACTOR))

    assert [e.content for e in page.items] == ["\n".join(["line"] * 6)]


async def test_a_note_takes_a_path_over(memory: Memory, store_id: str) -> None:
    old = await write(memory, store_id, "Short answers.", path="/style.md", valid_at="2025-01-01")
    new = await write(memory, store_id, "Long answers.", path="style.md", valid_at="2025-02-01")

    page = await memory.entries.page(store_id, NoteQuery(actor_id=ACTOR))
    assert [e.id for e in page.items] == [new.id]
    assert new.supersedes == (old.id,)
    assert (await memory.notes.history(store_id, ACTOR, old.id))[-1].reason == "same path"
    await memory.notes.delete(store_id, ACTOR, new.id)
    assert (await memory.entries.get(store_id, ACTOR, old.id)).content == "Short answers."


async def test_entries_are_searched_within_their_session(memory: Memory, store_id: str) -> None:
    for session, text in (("s1", "好みの返答は短く。"), (None, "好みの返答は長く。")):
        entry = {"scope": {**SCOPE, "session_id": session}, "path": "/好み.md", "content": text}
        await memory.entries.create(store_id, EntryIn.model_validate(entry))
    await write(memory, store_id, "好みの返答についての覚え書き。")

    def search(**scope: str) -> Any:
        return memory.entries.search(
            store_id, EntrySearch.model_validate({"scope": {**SCOPE, **scope}, "query": "返答の好み"})
        )

    assert [hit.entry.content for hit in (await search(session_id="s1")).items] == ["好みの返答は短く。"]
    assert len((await search()).items) == 2
