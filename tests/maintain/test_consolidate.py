"""Consolidation: sessions get a summary, related episodes a theme, and nothing that was forgotten comes back."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import Conflict, DatabaseError
from graphmem.maintain import sources as sources_module
from graphmem.maintain import summaries as summaries_module
from graphmem.maintain import themes as themes_module
from graphmem.maintain.lease import leased
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery, RememberResult
from graphmem.models.maintenance import MaintenanceRequest, MaintenanceResult
from graphmem.models.manage import ForgetRequest
from graphmem.models.note import Note, NoteIn, NoteQuery
from graphmem.models.recall import RecallRequest
from graphmem.models.session import Session
from graphmem.models.truth import FactAction

from .conftest import World

GARDEN = [
    ("s1", "Orsini Freight moved its office to Tacoma.", ("Orsini Freight", "located_in", "Tacoma")),
    ("s1", "The drivers of Orsini Freight asked for new gloves.", ("Orsini Freight", "was asked for", "gloves")),
    ("s2", "Vela Quist founded Orsini Freight.", ("Vela Quist", "founded", "Orsini Freight")),
]
JAPANESE = [
    ("s1", "青葉運輸は仙台に事務所を移した。", ("青葉運輸", "所在地", "仙台")),
    ("s1", "青葉運輸の運転手は新しい手袋を頼んだ。", ("青葉運輸", "頼まれた物", "手袋")),
    ("s2", "志村さんは青葉運輸を設立した。", ("志村さん", "設立した", "青葉運輸")),
]


class Talk(World):
    """A store in which people talk in sessions."""

    async def tell(
        self, session: str | None, text: str, fact: tuple[str, str, str] | None = None, actor: str = "ana", **more: Any
    ) -> RememberResult:
        """One message, with the fact in it."""
        body: dict[str, Any] = {"scope": {"actor_id": actor, "session_id": session}, "text": text, **more}
        if fact is not None:
            body["facts"] = [dict(zip(("subject", "predicate", "object"), fact, strict=True))]
        return await self.memory.remember(self.store, RememberRequest.model_validate({"extraction": "none"} | body))

    async def tell_all(self, said: list[tuple[str, str, tuple[str, str, str]]], actor: str = "ana") -> list[str]:
        """Messages in order; the ids of their episodes."""
        return [(await self.tell(*one, actor=actor)).episodes[0].id for one in said]

    async def consolidate(self, **request: Any) -> MaintenanceResult:
        """A pass."""
        return await self.memory.consolidate(self.store, MaintenanceRequest(**request))

    async def sessions(self, actor: str = "ana") -> dict[str, Session]:
        """The sessions of an actor."""
        page = await self.memory.sessions.page(self.store, actor)
        return {session.id: session for session in page.items}

    async def themes(self, actor: str = "ana") -> list[Note]:
        """The themes of an actor."""
        page = await self.memory.notes.page(self.store, NoteQuery(actor_id=actor))
        return [note for note in page.items if note.category == "theme"]

    async def erase(self, **target: Any) -> None:
        """Erase without a trace."""
        await self._forget("erase", target)

    async def hide(self, **target: Any) -> None:
        """Forget, so that it can be brought back."""
        await self._forget("archive", target)

    async def _forget(self, mode: str, target: dict[str, Any]) -> None:
        request = {"scope": {"actor_id": "ana"}, "target": target, "mode": mode}
        done = await self.memory.forget(self.store, ForgetRequest.model_validate(request))
        assert done.verified

    async def derived(self) -> str:
        """All that summaries and themes hold."""
        rows = await self.snapshot()
        return str([row["held"] for row in rows if {"Session", "Note"} & set(row["labels"])])


@pytest.fixture
def talk(memory: Memory, store_id: str) -> Talk:
    """A fresh store."""
    return Talk(memory, store_id)


EN = ["I moved to Tacoma in March. The flat has three rooms.", "I still need to cancel the old lease.", "Thanks a lot!"]
JA = ["三月に仙台へ引っ越しました。部屋は三つあります。", "古い部屋の解約をしなければなりません。", "ありがとう。"]


@pytest.mark.parametrize(("texts", "item"), [(EN, "cancel the old lease"), (JA, "解約をしなければ")])
async def test_a_session_gets_a_summary_word_for_word_and_only_once(talk: Talk, texts: list[str], item: str) -> None:
    made = [(await talk.tell("s1", text)).episodes[0].id for text in texts]
    done = await talk.consolidate()
    assert (done.task, done.summarised, done.changed, done.llm_calls) == ("consolidate", 1, 1, 0)
    session = (await talk.sessions())["s1"]
    assert session.topic
    assert session.summarised_by == "offline"
    said = dict(zip(made, texts, strict=True))
    assert {line.episode_ids for line in session.sentences} == {(made[0],), (made[1],)}
    assert all(line.text.rstrip(".。") in said[line.episode_ids[0]] for line in session.sentences)
    assert [item in open_item.text for open_item in session.open_items] == [True]
    assert session.open_items[0].episode_ids == (made[1],)

    before = await talk.snapshot()
    again = await talk.consolidate()
    assert (again.changed, again.summarised, again.examined) == (0, 0, done.examined)
    assert _without_lease(await talk.snapshot()) == _without_lease(before)


def _without_lease(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["labels"] not in (["Lease"], ["OwnerLock"])]


async def test_facts_learned_are_told_and_a_new_message_renews_one_session(talk: Talk) -> None:
    await talk.tell("s1", "By the way, Kobe it is.", ("user", "lives_in", "Kobe"))
    await talk.tell("s2", "Rain all day long in the harbour.")
    assert (await talk.consolidate()).summarised == 2
    first = (await talk.sessions())["s1"]
    (fact,) = first.facts
    assert fact.text in [line.text for line in first.sentences]
    assert (first.episodes, first.learned) == (1, 1)
    await talk.tell("s2", "The ferry to the island was late.")
    done = await talk.consolidate()
    assert (done.summarised, done.changed) == (1, 1)
    assert "ferry" in str((await talk.sessions())["s2"].summary)
    assert (await talk.sessions())["s1"].summarised_at == first.summarised_at


async def test_what_the_assistant_said_or_was_recalled_is_no_summary(talk: Talk) -> None:
    messages = [
        {"role": "user", "content": "<memory-context>\nBen has llamas in Boise.\n</memory-context>"},
        {"role": "user", "content": "I planted basil."},
        {"role": "assistant", "content": "You should take up yoga in Reno."},
    ]
    body = {"scope": {"actor_id": "ana", "session_id": "s1"}, "messages": messages, "extraction": "none"}
    await talk.memory.remember(talk.store, RememberRequest.model_validate(body))
    await talk.consolidate()
    session = (await talk.sessions())["s1"]
    assert [line.text for line in session.sentences] == ["I planted basil."]
    assert session.open_items == ()


@pytest.mark.parametrize("said", [GARDEN, JAPANESE])
async def test_related_episodes_of_several_sessions_are_a_theme_renewed_with_them(talk: Talk, said: Any) -> None:
    made = await talk.tell_all(said)
    await talk.tell_all([("b1", text, fact) for _, text, fact in said[:2]], actor="ben")  # too few, and not hers
    facts = await _facts_and_entities(talk)
    done = await talk.consolidate()
    assert (done.themes, done.removed) == (1, 0)
    (theme,) = await talk.themes()
    assert theme.title == said[0][2][0]
    assert {source.episode_id for source in theme.sources} == set(made)
    assert (theme.version, [about.name for about in theme.about]) == (1, [theme.title])
    assert said[2][1].rstrip(".。") in theme.body or "founded" in theme.body or "設立" in theme.body
    assert await talk.themes("ben") == []
    assert await _facts_and_entities(talk) == facts  # originals and explicit facts stay
    assert (await talk.consolidate()).changed == 0

    subject = theme.title
    more = await talk.tell("s3", f"{subject} / Boise", (subject, "delivers to", "Boise"))
    assert (await talk.consolidate()).themes == 1
    (renewed,) = await talk.themes()
    assert (renewed.id, renewed.version) == (theme.id, 2)
    assert {s.episode_id for s in renewed.sources} == {*made, more.episodes[0].id}
    history = await talk.memory.notes.history(talk.store, "ana", theme.id)
    assert [entry.event for entry in history] == ["created", "edited"]


async def _facts_and_entities(talk: Talk) -> list[dict[str, Any]]:
    rows = await talk.snapshot()
    return [row for row in rows if {"Fact", "Entity", "Episode", "Alias"} & set(row["labels"])]


async def test_an_episode_that_is_near_belongs_to_the_theme_and_others_do_not(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    near = await talk.tell("s4", "The office of Orsini Freight in Tacoma, with its drivers, is open on Sundays.")
    far = await talk.tell("s5", "My aunt bakes plum cake with cinnamon.")
    await talk.consolidate()
    (theme,) = await talk.themes()
    found = {source.episode_id for source in theme.sources}
    assert near.episodes[0].id in found
    assert far.episodes[0].id not in found


async def test_one_session_or_two_episodes_are_no_theme(talk: Talk) -> None:
    await talk.tell_all([("s1", text, fact) for _, text, fact in GARDEN])
    assert (await talk.consolidate()).themes == 0
    await talk.tell_all([("s1", "Lena met Kai.", ("Lena", "met", "Kai")), ("s2", "Kai left.", ("Kai", "left", "Reno"))])
    assert (await talk.consolidate()).themes == 0


async def test_a_dry_run_names_what_a_pass_would_do_and_writes_nothing(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    before = await talk.snapshot()
    dry = await talk.consolidate(dry_run=True)
    assert await talk.snapshot() == before
    plans = [(plan["kind"], plan["actor_id"], plan["episodes"], plan["reason"]) for plan in dry.would_consolidate]
    assert sorted(plans) == [
        ("session", "ana", 1, "new"),
        ("session", "ana", 2, "new"),
        ("theme", "ana", 3, "new"),
    ]
    assert {plan["id"] for plan in dry.would_consolidate if plan["kind"] == "session"} == {"s1", "s2"}
    done = await talk.consolidate()
    assert (dry.changed, dry.summarised, dry.themes) == (done.changed, done.summarised, done.themes) == (3, 2, 1)
    assert done.would_consolidate == ()
    assert (await talk.consolidate(dry_run=True)).would_consolidate == ()


@pytest.mark.parametrize("said", [GARDEN, JAPANESE])
async def test_erasing_an_episode_takes_away_what_was_made_from_it(talk: Talk, said: Any) -> None:
    made = await talk.tell_all(said)
    await talk.tell("s3", f"{said[0][2][0]} / Boise", (said[0][2][0], "delivers to", "Boise"))
    await talk.consolidate()
    word = said[1][2][2]
    assert word in await talk.derived()
    await talk.erase(ids=[made[1]])
    assert word not in str(await talk.snapshot())
    assert await talk.themes() == []
    sessions = await talk.sessions()
    assert (sessions["s1"].summary, sessions["s1"].topic, sessions["s1"].sentences) == (None, None, ())
    assert sessions["s2"].summary is not None  # nothing of it was erased
    done = await talk.consolidate()
    assert (done.summarised, done.themes) == (1, 1)
    assert word not in str(await talk.snapshot())
    assert said[0][2][2] in str((await talk.sessions())["s1"].summary)


async def test_a_former_version_goes_with_what_it_was_made_from(talk: Talk) -> None:
    made = await talk.tell_all(GARDEN)
    await talk.consolidate()
    await talk.tell("s3", "Orsini Freight delivers to Boise.", ("Orsini Freight", "delivers to", "Boise"))
    await talk.consolidate()
    await talk.erase(ids=[made[1]])
    await talk.consolidate()
    (theme,) = await talk.themes()
    assert theme.version == 1
    assert "gloves" not in str(await talk.snapshot())


async def _delete(talk: Talk, fact_id: str, episode_id: str) -> None:
    await talk.memory.delete_fact(talk.store, "ana", fact_id)


async def _reject(talk: Talk, fact_id: str, episode_id: str) -> None:
    action = FactAction.model_validate({"scope": {"actor_id": "ana"}})
    await talk.memory.truth.reject(talk.store, fact_id, action)


async def _hide_fact(talk: Talk, fact_id: str, episode_id: str) -> None:
    await talk.hide(ids=[fact_id])


async def _hide_episode(talk: Talk, fact_id: str, episode_id: str) -> None:
    await talk.hide(ids=[episode_id])


@pytest.mark.parametrize(
    ("forget", "seen"),
    [
        (_delete, True),
        (_delete, False),
        (_reject, True),
        (_hide_fact, True),
        (_hide_fact, False),
        (_hide_episode, True),
    ],
)
async def test_what_was_forgotten_does_not_come_back(talk: Talk, forget: Any, seen: bool) -> None:
    await talk.tell_all(GARDEN)
    told = await talk.tell("s2", "弟は疲れると吃音が出る。", ("Orsini Freight", "症状", "吃音"))
    if seen:
        await talk.consolidate()
        assert "吃音" in await talk.derived()
    await forget(talk, told.facts[0].fact.id, told.episodes[0].id)
    assert "吃音" not in await talk.derived()
    done = await talk.consolidate()
    assert (done.themes, "吃音" in await talk.derived()) == (1, False)
    assert (await talk.sessions())["s2"].summary is not None
    assert (await talk.consolidate()).changed == 0


async def test_faded_facts_leave_a_summary_as_it_is_until_someone_forgets_them(talk: Talk) -> None:
    fact = {"subject": "user", "predicate": "likes", "object": "fog", "importance": 0.0}
    told = await talk.tell("s1", "Fog over the harbour, how lovely.", facts=[fact])
    await talk.consolidate()
    assert (await talk.decay(3000)).archived == 1
    assert (await talk.consolidate()).summarised == 0
    await talk.hide(ids=[told.facts[0].fact.id])
    await talk.consolidate()
    assert (await talk.sessions())["s1"].summary is None


async def test_a_corrected_value_and_what_has_ended_are_not_told_as_true(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    home = {"subject": "Orsini Freight", "predicate": "lives_in", "valid_at": "2024-01-01"}
    await talk.tell("s1", "Its home is Kyoto.", facts=[{**home, "object": "Kyoto"}], occurred_at="2024-02-01T00:00:00Z")
    fixed = {**home, "object": "Nara", "correction": True}
    await talk.tell("s3", "Sorry, it is Nara.", facts=[fixed], occurred_at="2024-02-02T00:00:00Z")
    over = {"subject": "Orsini Freight", "predicate": "rents", "object": "a barn", "invalid_at": "2025-01-01"}
    await talk.tell("s3", "It rents a barn.", facts=[{**over, "valid_at": "2024-01-01"}])
    await talk.consolidate()
    (theme,) = await talk.themes()
    assert "Nara" in theme.body
    assert "Kyoto" not in await talk.derived()
    assert "barn" not in theme.body


@pytest.mark.parametrize("module", [summaries_module, themes_module])
async def test_what_is_erased_while_it_is_read_is_not_written(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, module: Any
) -> None:
    made = await talk.tell_all(GARDEN)
    await talk.tell("s3", "Orsini Freight delivers to Boise.", ("Orsini Freight", "delivers to", "Boise"))
    read = sources_module.read_sources
    erased: list[str] = []

    async def slow(database: Any, owner: str, ids: Any, *args: Any, **more: Any) -> Any:
        found = await read(database, owner, ids, *args, **more)
        if made[1] in ids and not erased:
            erased.append(made[1])
            await talk.erase(ids=[made[1]])
        return found

    monkeypatch.setattr(module, "read_sources", slow)
    await talk.consolidate()
    assert erased
    assert "gloves" not in str(await talk.snapshot())
    monkeypatch.setattr(module, "read_sources", read)
    await talk.consolidate()
    assert (await talk.sessions())["s1"].summary is not None
    assert len(await talk.themes()) == 1


async def test_themes_are_no_evidence_and_no_answer(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    await talk.consolidate()
    body = {"scope": {"actor_id": "ana"}, "query": "Orsini Freight office in Tacoma", "limit": 50}
    found = await talk.memory.recall(talk.store, RecallRequest.model_validate(body))
    assert found.items
    assert {item.kind for item in found.items} == {"fact", "episode"}
    facts = await talk.memory.list_facts(talk.store, FactQuery(actor_id="ana"), 200)
    assert len(facts.items) == len(GARDEN)
    pending = [row for row in await talk.snapshot() if row["held"].get("status") == "pending"]
    assert pending == []


async def test_one_owner_never_gets_the_words_of_another(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    theirs = [(session, f"{text} Secretly.", fact) for session, text, fact in GARDEN]
    await talk.tell_all(theirs, actor="ben")
    done = await talk.consolidate()
    assert (done.summarised, done.themes) == (4, 2)
    (hers,), (his,) = await talk.themes("ana"), await talk.themes("ben")
    assert {s.episode_id for s in hers.sources}.isdisjoint(s.episode_id for s in his.sources)
    assert "Secretly" not in str((await talk.sessions("ana"), hers))


async def test_a_pass_is_one_at_a_time_cut_by_its_limit_and_goes_on_after_a_crash(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        await talk.tell(f"s{number}", f"The lighthouse number {number} was painted white.")
    async with leased(talk.memory.database, talk.store, "decay"):
        with pytest.raises(Conflict):
            await talk.consolidate()
        assert (await talk.consolidate(dry_run=True)).summarised == 3
    first = await talk.consolidate(limit=1)
    assert (first.summarised, first.next_page_token is not None) == (1, True)

    save = summaries_module.SessionWriter._save
    saved = 0

    async def broken(self: Any, *args: Any) -> bool:
        nonlocal saved
        saved += 1
        if saved == 2:
            raise DatabaseError("the server went away")
        return await save(self, *args)

    monkeypatch.setattr(summaries_module.SessionWriter, "_save", broken)
    with pytest.raises(DatabaseError):
        await talk.consolidate(page_token=first.next_page_token)
    monkeypatch.setattr(summaries_module.SessionWriter, "_save", save)
    rest = await talk.consolidate()
    assert (rest.resumed, rest.summarised) == (True, 1)
    assert all(session.summary for session in (await talk.sessions()).values())


async def test_a_note_is_not_linked_with_a_theme_by_itself(talk: Talk) -> None:
    await talk.tell_all(GARDEN)
    await talk.consolidate()
    words = {
        "body": "Orsini Freight: drivers, gloves and the office in Tacoma.",
        "keywords": ["Orsini Freight", "Tacoma"],
    }
    note = NoteIn.model_validate({"scope": {"actor_id": "ana"}, **words})
    assert (await talk.memory.notes.create(talk.store, note)).links == ()
