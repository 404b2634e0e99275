"""Secrets do not reach the graph, by whatever way they are sent."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.models.entity import EntitySplit
from graphmem.models.fact import FactPatch
from graphmem.models.ids import hash_key
from graphmem.models.manage import ForgetRequest, StoreIn, StorePatch
from graphmem.models.note import EntryIn, EntryPatch, EntryPut, NoteIn, NotePatch
from graphmem.models.scope import Scope
from graphmem.models.truth import FactAction

from .conftest import SCOPE, World

KEY = "AKIAZZFAKEFAKEFAKE12"
PASSWORD = "kumo-9182-sora"


async def nothing_of(world: World, *secrets: str) -> None:
    """Neither the secrets nor a hash of them is in the store."""
    stored = await world.everything()
    assert stored
    for secret in secrets:
        assert secret not in stored
        assert secret.casefold() not in stored.casefold()
        assert hash_key(secret) not in stored
        assert hashlib.sha256(secret.encode()).hexdigest() not in stored


@pytest.mark.parametrize("text", [f"The bucket is called larkspur and its key is {KEY}.", f"合言葉のキーは{KEY}です。"])
async def test_a_text_keeps_everything_but_its_secret(world: World, text: str) -> None:
    result = await world.say(text)
    (episode,) = result.episodes
    assert [(r.kind, r.count, r.field) for r in episode.redacted] == [("aws key", 1, "text")]
    kept = await world.memory.get_episode(world.store, "ana", episode.id)
    assert kept.content == text.replace(KEY, "[redacted: aws key]")
    await nothing_of(world, KEY)


async def test_every_field_of_a_remember_call_is_looked_at(world: World) -> None:
    result = await world.say(
        messages=[
            {"id": f"m-{KEY}", "name": f"Ana {KEY}", "content": f"password: {PASSWORD}"},
            {"id": "m2", "content": "I live in Kyoto."},
        ],
        source={"type": "chat", "id": f"https://example.com/?access_token={'a1b2c3d4' * 4}"},
        facts=[
            {"subject": f"Ben {KEY}", "predicate": "lives_in", "object": "Oslo", "message_id": "m2"},
            {"subject": "user", "predicate": "wifi_password", "object": "swordfish", "message_id": "m2"},
            {"subject": "user", "predicate": "likes", "object": "tea", "text": f"tea {KEY}", "category": f"c {KEY}"},
        ],
    )
    first, second = result.episodes
    assert {r.field for r in first.redacted} >= {"messages.0.id", "messages.0.name", "messages.0.content", "source.id"}
    assert {r.field for r in second.redacted} >= {"source.id", "facts.0.subject", "facts.1.object", "facts.2.text"}
    assert "facts.0.subject" not in {r.field for r in first.redacted}
    await nothing_of(world, KEY, PASSWORD, "swordfish", "a1b2c3d4" * 4)


async def test_equal_texts_but_for_the_secret_are_one_and_a_key_is_repeated(world: World) -> None:
    first = await world.say(f"password: {PASSWORD}", key="k1", source={"id": "s1"})
    second = await world.say("password: other-5555-word", key="k2", source={"id": "s1"})
    repeat = await world.say("password: third-7777-word", key="k1", source={"id": "s1"})
    assert second.episodes[0].duplicate
    assert first.episodes[0].id == second.episodes[0].id == repeat.episodes[0].id
    await nothing_of(world, PASSWORD, "other-5555-word", "third-7777-word")


async def test_sources_whose_ids_were_secrets_do_not_replace_one_another(world: World) -> None:
    for city, token in (("Kyoto", "ghp_" + "a1B2" * 9), ("Oslo", "ghp_" + "c3D4" * 9)):
        await world.say(f"Ben visited {city}.", source={"id": token})
    page = await world.memory.list_episodes(world.store, "ana")
    assert [e.source_id for e in page.items] == ["[redacted: github token]"] * 2
    assert (await world.recall("Kyoto", mode="keyword")).items


@pytest.mark.parametrize("place", ["actor_id", "agent_id", "session_id", "route_id"])
async def test_a_secret_as_a_scope_is_refused(world: World, place: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await world.say("hello", scope={"actor_id": "ana", place: KEY})
    assert refused.value.field == f"scope.{place}"
    assert KEY not in str(refused.value)


async def test_a_query_is_searched_and_audited_without_its_secret(world: World) -> None:
    await world.say("Ben lives in Oslo.")
    result = await world.recall(f"Where does Ben live? my password is {PASSWORD}")
    assert [(r.kind, r.field) for r in result.redacted] == [("password", "query")]
    await nothing_of(world, PASSWORD)
    assert hash_key(f"Where does Ben live? my password is {PASSWORD}") not in await world.everything()


async def test_corrections_and_decisions(world: World) -> None:
    (decision,) = (await world.say("I live in Kyoto.")).facts
    fact = decision.fact
    changed = await world.memory.update_fact(
        world.store, "ana", fact.id, FactPatch(text=f"ana lives in Oslo {KEY}", tags=(f"t {KEY}",))
    )
    assert {r.field for r in changed.redacted} == {"text", "tags.0"}
    action = FactAction(scope=Scope(actor_id="ana"), reason=f"because {KEY}")
    await world.memory.truth.confirm(world.store, changed.id, action, "key")
    given = [{"subject": "user", "predicate": "api_key", "object": "y"}]
    other = (await world.say("x", facts=given)).facts[0]
    patched = await world.memory.update_fact(world.store, "ana", other.fact.id, FactPatch(object="plainword"))
    assert "plainword" not in patched.text
    assert patched.object is None or patched.object.name == "[redacted: password]"
    await nothing_of(world, KEY, "plainword")


async def test_notes_entries_and_folders(world: World, tmp_path: Path) -> None:
    notes, entries = world.memory.notes, world.memory.entries
    note = await notes.create(
        world.store,
        NoteIn.model_validate(
            {
                "scope": SCOPE,
                "title": f"Keys {KEY}",
                "body": f"pw: {PASSWORD}",
                "tags": [f"t {KEY}"],
            }
        ),
        idempotency_key="n1",
    )
    assert {r.field for r in note.redacted} == {"title", "body", "tags.0"}
    revised = await notes.update(world.store, "ana", note.id, NotePatch(body=f"password: {PASSWORD} {KEY}"))
    assert sum(r.count for r in revised.redacted) == 2
    entry = await entries.create(
        world.store, EntryIn.model_validate({"scope": SCOPE, "path": "a.md", "content": f"x {KEY}"})
    )
    assert [r.field for r in entry.redacted] == ["content"]
    put = {"scope": SCOPE, "path": "a.md", "content": f"password: {PASSWORD}", "append": True}
    assert (await entries.put(world.store, EntryPut.model_validate(put)))[0].redacted
    assert (await entries.update(world.store, "ana", entry.id, EntryPatch(description=f"d {KEY}"))).redacted
    with pytest.raises(InvalidInput) as refused:
        await entries.create(world.store, EntryIn.model_validate({"scope": SCOPE, "path": f"{KEY}.md", "content": "x"}))
    assert refused.value.field == "path"
    (tmp_path / "n.md").write_text(f"---\naliases: [k {KEY}]\nother: {KEY}\n---\npassword: {PASSWORD}\n[[{KEY}]]\n")
    done = [d async for d in world.memory.imports.folder(world.store, Scope(actor_id="ana"), tmp_path)]
    assert [(d.outcome, bool(d.redacted)) for d in done] == [("made", True)]
    await nothing_of(world, KEY, PASSWORD)


async def test_entities_and_stores(world: World) -> None:
    given = [{"subject": "Ben", "predicate": "likes", "object": o} for o in ("tea", "jam")]
    decisions = (await world.say("x", facts=given)).facts
    subject = decisions[0].fact.subject.id
    split = EntitySplit.model_validate(
        {"scope": SCOPE, "fact_ids": [decisions[0].fact.id], "name": f"Ben {KEY}", "context": f"c {KEY}", "reason": KEY}
    )
    await world.memory.split_entity(world.store, subject, split)
    await world.memory.update_store(world.store, StorePatch(description=f"store {KEY}"))
    assert (await world.memory.get_store(world.store)).description == "store [redacted: aws key]"
    with pytest.raises(InvalidInput):
        await world.memory.create_store(StoreIn(id="sk-ant-a1b2c3d4e5f6g7h8i9j0k1l2m3"))
    await nothing_of(world, KEY)


async def test_work_that_waits_is_kept_without_secrets(world: World) -> None:
    facts: list[dict[str, Any]] = [{"subject": "Ben", "predicate": "has", "object": f"key {KEY}"}]
    await world.say(f"The key is {KEY}", facts=facts, wait=False)
    await nothing_of(world, KEY)
    await world.memory.wait_idle()
    await nothing_of(world, KEY)


async def test_no_entity_is_named_after_a_marker(world: World) -> None:
    result = await world.say(f"My card number is 4111 1111 1111 1111, my password is {PASSWORD}, I live in Kobe.")
    names = {entity.name for entity in result.entities}
    assert not any("redacted" in name for name in names)


async def test_refusing_names_the_field_and_the_kind_and_stores_nothing(world: World, neo4j_settings: Settings) -> None:
    settings = neo4j_settings.model_copy(update={"secrets": "refuse"})
    async with Memory.open(settings) as memory:
        refusing = World(memory, world.store)
        with pytest.raises(InvalidInput) as refused:
            await refusing.say(messages=[{"content": "hello"}, {"content": f"the key is {KEY}"}])
        assert refused.value.field == "messages.1.content"
        assert "aws key" in refused.value.message
        assert KEY not in refused.value.message
        assert memory.secrets.counts == {"aws key": 1}
        assert (await refusing.recall(f"what is {KEY}?")).redacted
    assert not (await world.memory.list_episodes(world.store, "ana")).items


async def test_a_long_call_is_looked_at_as_well(world: World) -> None:
    words = "Ben keeps bees near the old mill. " * 900
    await world.say(f"{words}\n{KEY}", extraction="none")
    await nothing_of(world, KEY)
    assert world.memory.secrets.counts["aws key"] > 0


async def test_what_is_hidden_can_still_be_forgotten(world: World) -> None:
    await world.say("I am allergic to peanuts.")
    patch = StorePatch.model_validate({"settings": {"gate": {"hide_sensitivity": ["health"]}}})
    await world.memory.update_store(world.store, patch)
    assert not (await world.recall("peanut allergy")).items
    target = {"scope": SCOPE, "target": {"query": "allergic to peanuts"}, "mode": "erase"}
    receipt = await world.memory.forget(world.store, ForgetRequest.model_validate(target))
    assert receipt.counts["facts"] + receipt.counts["episodes"] >= 1
    assert "peanuts" not in await world.everything()


async def test_a_name_in_the_settings_is_looked_at(world: World) -> None:
    decay = {"half_life_by_category": {f"my password is {PASSWORD}": 3}}
    with pytest.raises(InvalidInput) as refused:
        await world.memory.update_store(world.store, StorePatch.model_validate({"settings": {"decay": decay}}))
    assert refused.value.field == "settings.decay.half_life_by_category"
    assert PASSWORD not in refused.value.message
    await world.say("Ben lives in Oslo.")
    await nothing_of(world, PASSWORD)
