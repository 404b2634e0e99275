"""Each reason, from the real graph: with `explain` or `dry_run` also for what the indexes leave out."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.models.fact import FactPatch
from graphmem.models.manage import ForgetRequest
from graphmem.models.note import NoteIn
from graphmem.models.recall import RecallRequest

from .conftest import SCOPE, World, action

HOME = {"predicate": "lives_in", "cardinality": "one"}


@pytest.mark.parametrize("asked", [{"explain": True}, {"dry_run": True}])
@pytest.mark.parametrize(
    ("object_", "query"), [("lapsang tea", "Which tea does Ana like?"), ("ほうじ茶", "ほうじ茶が好き")]
)
async def test_outside_the_agent_session_or_route(world: World, asked: Any, object_: str, query: str) -> None:
    inside = {"agent_id": "a1", "session_id": "s1", "route_id": "r1"}
    (mine,) = await world.say(f"inside {object_}", {"object": object_}, scope=SCOPE | inside)
    for key in inside:
        narrow = SCOPE | {key: "another"}
        answer = await world.recall(query, scope=narrow, **asked)
        assert answer.items == ()
        assert answer.audit.reasons == {"scope_mismatch": 1}
        assert [(r.id, r.reason) for r in answer.audit.rejected or ()] == [(mine.id, "scope_mismatch")]
        assert (await world.recall(query, scope=narrow)).audit.considered == 0
    assert [i.id for i in (await world.recall(query, scope=SCOPE | inside, **asked)).items] == [mine.id]


async def test_another_actors_memories_are_not_even_counted(world: World) -> None:
    await world.one("lapsang tea")
    audit = (await world.recall("lapsang tea", scope={"actor_id": "bo"}, explain=True)).audit
    assert (audit.considered, audit.reasons, audit.rejected) == (0, {}, ())


async def test_a_score_too_low(world: World) -> None:
    fact = await world.one("lapsang tea")
    assert await world.reasons("lapsang tea", gate={"min_score": 1}) == {fact.id: "low_score"}


async def test_too_old_unless_exempt(world: World) -> None:
    old = {"occurred_at": "2020-01-01T00:00:00Z"}
    (fact,) = await world.say("tea", {"object": "lapsang tea"}, **old)
    (policy,) = await world.say("policy", {"object": "oolong tea"}, **old)
    await world.tag(policy, "long_term_policy")
    for one in (fact, policy):
        await world.set_property(one, updated_at=fact.valid_at)
    answer = await world.recall("tea", gate={"max_age_days": 90}, explain=True)
    assert [i.id for i in answer.items] == [policy.id]
    assert answer.audit.reasons == {"stale": 1}
    said = await world.reasons("tea", kinds=["episode"], gate={"max_age_days": 90})
    assert list(said.values()) == ["stale", "stale"]  # an episode is as old as what was said


async def test_rejected_inferred_and_drafts(world: World) -> None:
    rejected, inferred, draft = [await world.one(f"{name} tea") for name in ("lapsang", "oolong", "green")]
    await world.memory.truth.reject(world.store, rejected.id, action())
    await world.set_property(inferred, state="candidate", learning_state="candidate")
    await world.set_property(draft, state="draft", approval="draft")
    assert set((await world.reasons("tea")).values()) == {"not_approved"}
    assert len(await world.reasons("tea")) == 3
    assert (await world.recall("tea")).audit.considered == 0


@pytest.mark.parametrize("by", ["store", "call"])
async def test_drafts_pass_where_they_are_allowed(world: World, by: str) -> None:
    draft = await world.one("lapsang tea")
    await world.set_property(draft, state="draft", approval="draft")
    gate = {"allow_draft": True}
    if by == "store":
        await world.gate(**gate)
    for _ in range(2):  # the store says it with the first answer, and is asked for drafts at once from then on
        answer = await world.recall("lapsang tea", **({"gate": gate} if by == "call" else {}))
        assert [i.id for i in answer.items] == [draft.id]
    await world.gate(allow_draft=False)
    assert (await world.recall("lapsang tea", gate=gate)).items == ()  # a call cannot open what the store closes
    assert await world.reasons("lapsang tea") == {draft.id: "not_approved"}


@pytest.mark.parametrize("tag", ["旧方針", "使用禁止"])
async def test_marked_as_out_of_use(world: World, tag: str) -> None:
    fact = await world.one("lapsang tea")
    await world.tag(fact, tag)
    note = {"scope": SCOPE, "title": "Lapsang tea", "body": "Boil the lapsang tea for an hour.", "tags": [tag]}
    made = await world.memory.notes.create(world.store, NoteIn.model_validate(note))
    assert await world.reasons("lapsang tea", kinds=["fact", "note"]) == {
        fact.id: "superseded",
        made.id: "superseded",
    }


async def test_labelled_as_out_of_use(world: World) -> None:
    note = {"scope": SCOPE, "title": "煎茶の淹れ方", "body": "旧方針として残す。使用禁止。煎茶は百度で淹れる。"}
    made = await world.memory.notes.create(world.store, NoteIn.model_validate(note))
    await world.say("【使用禁止】煎茶は百度で淹れる。", source={"type": "document", "id": "manual"})
    await world.say("煎茶の缶に【使用禁止】と書いてあった。")
    answer = await world.recall("煎茶", kinds=["note", "episode"], explain=True)
    assert [i.text for i in answer.items] == ["煎茶の缶に【使用禁止】と書いてあった。"]
    assert answer.audit.reasons == {"superseded": 2}
    assert made.id in {r.id for r in answer.audit.rejected or ()}
    assert all(r.stopped for r in answer.audit.rejected or ())


async def test_replaced_and_over_and_to_come(world: World) -> None:
    (old,) = await world.say("Ana lives in Tacoma", {**HOME, "object": "Tacoma"}, occurred_at="2024-01-01T00:00:00Z")
    await world.say("Ana lives in Boise", {**HOME, "object": "Boise"}, occurred_at="2025-01-01T00:00:00Z")
    over = {"object": "Ana's stay in Reno", "valid_at": "2024-01-01", "invalid_at": "2024-02-01"}
    (ended,) = await world.say("Reno", over)
    (planned,) = await world.say("Ojai", {"object": "Ana's stay in Ojai", "valid_at": "2999-01-01"})
    reasons = await world.reasons("Where does Ana live or stay? Tacoma Reno Ojai", limit=20)
    assert reasons == {old.id: "superseded", ended.id: "not_valid_at", planned.id: "not_valid_at"}
    then = await world.reasons("Tacoma Reno Ojai Boise", as_of="2023-01-01T00:00:00Z")
    assert set(then.values()) == {"not_valid_at"}
    whole = await world.recall("Tacoma Reno Ojai", validity="any", explain=True)
    assert {old.id, ended.id, planned.id} <= {i.id for i in whole.items}


async def test_corrected_and_deleted(world: World) -> None:
    fact, other = await world.one("lapsang tea"), await world.one("oolong tea")
    await world.memory.update_fact(world.store, "ana", fact.id, FactPatch(object="sencha"))
    await world.memory.delete_fact(world.store, "ana", other.id)
    assert await world.reasons("tea") == {fact.id: "superseded", other.id: "superseded"}


async def test_faded_or_archived(world: World) -> None:
    faint, hidden = await world.one("lapsang tea"), await world.one("oolong tea")
    target = {"scope": SCOPE, "target": {"ids": [hidden.id]}, "mode": "archive"}
    await world.memory.forget(world.store, ForgetRequest.model_validate(target))
    reasons = await world.reasons("tea", gate={"min_retention": 1})
    assert reasons[hidden.id] == reasons[faint.id] == "low_retention"
    await world.tag(faint, "legal_stopline")
    assert faint.id not in await world.reasons("tea", gate={"min_retention": 1})


async def test_personal_data_and_disputes_are_hidden_on_request(world: World) -> None:
    private = await world.one("lapsang tea")
    await world.memory.update_fact(world.store, "ana", private.id, FactPatch(sensitivity="private"))
    at = {"occurred_at": "2026-02-01T00:00:00Z"}
    sides = [(await world.say(f"Ana lives in {p}", {**HOME, "object": p}, **at))[0] for p in ("Kyoto", "Nara")]
    assert await world.reasons("lapsang tea", gate={"hide_sensitivity": ["private"]}) == {private.id: "sensitive"}
    query = "Where does Ana live?"
    assert {i.id for i in (await world.recall(query)).items} >= {f.id for f in sides}
    asked = await world.recall(query, kinds=["fact", "episode"], gate={"hide_disputed": True}, explain=True)
    assert asked.audit.reasons["disputed"] == 4  # both sides, and the words that say them
    assert "Kyoto" not in asked.context
    await world.gate(hide_disputed=True)
    opened = await world.recall(query, gate={"hide_disputed": False})
    assert not {i.id for i in opened.items} & {f.id for f in sides}


async def test_over_the_limit_or_the_stores_most(world: World) -> None:
    for number in range(4):
        await world.one(f"tea number {number}")
    assert (await world.recall("tea", limit=3)).audit.reasons == {"over_budget": 1}
    await world.gate(max_hits=2)
    answer = await world.recall("tea", limit=3, gate={"max_hits": 4})
    assert (answer.audit.accepted, answer.audit.reasons) == (2, {"over_budget": 2})


async def test_explain_has_every_input_and_no_word(world: World) -> None:
    shown = await world.one("lapsang tea")
    old = await world.one("lapsang souchong tea")
    await world.tag(old, "旧方針", "secretgarden")
    await world.gate(max_age_days=30, hide_sensitivity=["health"])
    answer = await world.recall("lapsang tea", explain=True, gate={"max_hits": 5})
    audit = answer.audit
    assert audit.gate is not None
    assert (audit.gate.max_age_days, audit.gate.max_hits, audit.gate.hide_sensitivity) == (30, 5, ("health",))
    assert audit.passed is not None
    assert audit.rejected is not None
    assert [p.id for p in audit.passed] == [i.id for i in answer.items] == [shown.id]
    assert audit.considered == len(audit.passed) + len(audit.rejected)
    (rejected,) = audit.rejected
    assert (rejected.id, rejected.reason, rejected.stopped) == (old.id, "superseded", True)
    for judged in (*audit.passed, rejected):
        assert set(judged.scores) >= {"vector", "keyword", "graph"}
        assert judged.score >= audit.gate.min_score
        assert 0 <= judged.age_days < 1
        assert judged.retention > 0.05
        assert (judged.approval, judged.state, judged.learning_state) == ("approved", "live", "stated")
        assert judged.valid_at is not None
    said = audit.model_dump_json()
    assert not [word for word in ("lapsang", "souchong", "secretgarden") if word in said]
    for rest in (answer.context, str(answer.items)):
        assert "souchong" not in rest
    plain = (await world.recall("lapsang tea")).audit
    assert (plain.gate, plain.passed, plain.rejected) == (None, None, None)


async def test_a_dry_run_touches_nothing(world: World) -> None:
    await world.one("lapsang tea")
    await world.say("Ana moved to Kyoto", {**HOME, "object": "Kyoto"}, scope=SCOPE | {"session_id": "s1"})
    before = await world.snapshot()
    assert any(row["edges"] for row in before)
    for mode in ("keyword", "vector", "hybrid", "semantic"):
        kinds = ["fact", "note", "episode"]
        answer = await world.recall("lapsang tea in Kyoto", mode=mode, dry_run=True, explain=True, kinds=kinds)
        assert answer.items
        await world.recall("tea", mode=mode, dry_run=True, scope=SCOPE | {"session_id": "s2"})
    assert await world.snapshot() == before
    kept = await world.recall("lapsang tea in Kyoto")
    after = await world.snapshot()
    assert after != before
    assert sum("Recall" in row["labels"] for row in after) == 1
    assert kept.audit.id is not None


async def test_a_caller_that_may_not_choose_only_narrows(world: World) -> None:
    fact = await world.one("lapsang tea")
    wide: dict[str, Any] = {"min_score": 0.0, "min_retention": 0.0, "allow_draft": True}
    query = "How is the weather on the moon?"
    assert [i.id for i in (await world.recall(query, gate=wide)).items] == [fact.id]
    assert (await world.recall(query, gate=wide, narrow_only=True)).items == ()
    await world.gate(gate_overrides="narrow")
    assert (await world.recall(query, gate=wide)).items == ()
    assert (await world.recall("lapsang tea", gate=wide)).items[0].id == fact.id


async def test_forgetting_by_query_is_not_held_back_by_the_gate(world: World) -> None:
    marked = await world.one("lapsang tea")
    await world.tag(marked, "使用禁止")
    await world.gate(min_score=0.99, max_age_days=0.000001, max_hits=1)
    assert (
        await world.memory.recall(world.store, RecallRequest.model_validate({"scope": SCOPE, "query": "tea"}))
    ).items == ()
    target = {"scope": SCOPE, "target": {"query": "lapsang tea"}, "mode": "erase", "dry_run": True}
    planned = await world.memory.forget(world.store, ForgetRequest.model_validate(target))
    assert planned.counts["facts"] == 1
