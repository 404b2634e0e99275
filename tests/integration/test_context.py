"""The context of a recall: what fits, what does not, disputes, and both of its forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.note import NoteIn
from graphmem.models.recall import RecallRequest, RecallResult

SCOPE = {"actor_id": "ana"}


async def tell(memory: Memory, store: str, text: str, *facts: tuple[str, str], **more: Any) -> None:
    given = [{"subject": "user", "predicate": p, "object": o} for p, o in facts]
    body = {"scope": SCOPE, "text": text, "occurred_at": "2026-01-10T09:00:00Z", "facts": given or None, **more}
    await memory.remember(store, RememberRequest.model_validate(body))


async def recall(memory: Memory, store: str, query: str, **more: Any) -> RecallResult:
    body = {"scope": SCOPE, "query": query, "gate": {"min_score": 0.0}, **more}
    return await memory.recall(store, RecallRequest.model_validate(body))


@pytest.mark.parametrize("form", ["markdown", "json"])
async def test_what_did_not_fit_is_among_the_items_and_counted(memory: Memory, store_id: str, form: str) -> None:
    await tell(memory, store_id, "About tea. " + "The tea was green and hot. " * 60, ("likes", "green tea"))
    found = await recall(memory, store_id, "green tea", kinds=["fact", "episode"], max_tokens=150, context_format=form)
    assert {item.kind: item.in_context for item in found.items} == {"fact": True, "episode": False}
    assert found.audit.accepted == len(found.items) == 2
    assert found.audit.reasons["over_budget"] == 1
    assert found.context_tokens <= 150
    assert found.token_count_method == "estimate"
    assert "The tea was green" not in found.context
    roomy = await recall(memory, store_id, "green tea", kinds=["fact", "episode"], max_tokens=5000)
    assert all(item.in_context for item in roomy.items)
    assert "over_budget" not in roomy.audit.reasons
    tight = await recall(memory, store_id, "green tea", max_tokens=1)
    assert (tight.context, tight.context_tokens) == ("", 0)
    assert not any(item.in_context for item in tight.items)


async def test_rival_values_stand_side_by_side(memory: Memory, store_id: str) -> None:
    await tell(
        memory, store_id, "Osaka, Kyoto.", ("lives_in", "Osaka"), ("lives_in", "Kyoto"), ("lives_near", "a park")
    )
    page = await memory.list_facts(store_id, FactQuery(actor_id="ana"))
    assert sum(fact.disputed for fact in page.items) == 2
    found = await recall(memory, store_id, "Does ana live in Osaka, near a park?", kinds=["fact"])
    disputed = [item for item in found.items if item.disputed]
    dispute = (await memory.disputes.page(store_id, "ana", "open", 50, None)).items[0]
    assert [item.contradictions for item in disputed] == [(dispute.id,), (dispute.id,)]
    lines = found.context.splitlines()[3:-1]
    assert len(lines) == 3
    sides = [n for n, line in enumerate(lines, 1) if "; disputed with" in line]
    assert len(sides) == 2
    assert sides[1] == sides[0] + 1
    assert f"disputed with {sides[1]};" in lines[sides[0] - 1]
    assert f"disputed with {sides[0]};" in lines[sides[1] - 1]


async def test_a_note_has_the_episodes_that_it_is_made_from(memory: Memory, store_id: str) -> None:
    await tell(memory, store_id, "The boiler needs new valves.", source={"id": "m7"}, extraction="none")
    episode = (await memory.list_episodes(store_id, "ana")).items[0]
    note = {"scope": SCOPE, "title": "Boiler", "body": "Valves are due.", "episode_ids": [episode.id]}
    await memory.notes.create(store_id, NoteIn.model_validate(note))
    found = await recall(memory, store_id, "boiler valves", kinds=["note"])
    assert [source.source_id for source in found.items[0].sources] == ["m7"]
    assert found.context.splitlines()[3].endswith("(source: m7)")
    by_source = {"field": "source_id", "op": "eq", "value": "m7"}
    assert [item.id for item in (await recall(memory, store_id, "boiler", kinds=["note"], filter=by_source)).items]


async def test_json_that_comes_back_teaches_nothing(memory: Memory, store_id: str) -> None:
    await tell(memory, store_id, "I live in Osaka.", ("lives_in", "Osaka"), ("owns", "a red bicycle"))
    found = await recall(memory, store_id, "Osaka bicycle", kinds=["fact"], context_format="json")
    inner = found.context.removeprefix("<memory-context>").removesuffix("</memory-context>")
    assert len(json.loads(inner)["memories"]) == 2
    for text in (found.context, inner.strip(), f"Here is what I know:\n{inner}"):
        for role in ("assistant", "user"):
            said = [{"role": role, "content": text}, {"role": "user", "content": "Fine."}]
            body = {"scope": {**SCOPE, "session_id": "s"}, "messages": said, "extraction": "offline"}
            result = await memory.remember(store_id, RememberRequest.model_validate(body))
            assert not result.facts
    assert len((await memory.list_facts(store_id, FactQuery(actor_id="ana"))).items) == 2
