"""The graph arm: questions that are answered by a path from whom they name, and what the path tells."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallItem, RecallRequest

ACTOR = {"actor_id": "ken"}
MANAGERS = {"Falcon": "Kim", "Heron": "Lena", "Osprey": "Marco", "Kite": "Nadia", "Merlin": "Olaf"}
HOMES = {"Kim": "Osaka", "Lena": "Bergen", "Marco": "Turin", "Nadia": "Tunis", "Olaf": "Malmo", "Anna": "Ghent"}


@pytest.fixture
async def company(memory: Memory, store_id: str) -> str:
    """Anna is on one of five teams, each of which has a manager, each of whom has a home."""
    given: list[dict[str, Any]] = [{"subject": person("Anna"), "predicate": "member_of", "object": "Falcon"}]
    given += [{"subject": team, "predicate": "managed_by", "object": person(boss)} for team, boss in MANAGERS.items()]
    given += [{"subject": person(name), "predicate": "lives_in", "object": home} for name, home in HOMES.items()]
    given += [{"subject": person(f"Guest {n}"), "predicate": "lives_in", "object": f"Town {n}"} for n in range(40)]
    request = {"scope": ACTOR, "text": "The staff list was sent round.", "facts": given}
    await memory.remember(store_id, RememberRequest.model_validate(request))
    return store_id


def person(name: str) -> dict[str, str]:
    """As an extractor gives it: who is a person is known."""
    return {"name": name, "type": "person"}


async def recall(memory: Memory, store_id: str, query: str, **more: Any) -> tuple[RecallItem, ...]:
    request = {"scope": ACTOR, "query": query, "kinds": ["fact"], "limit": 5, **more}
    return (await memory.recall(store_id, RecallRequest.model_validate(request))).items


async def test_a_path_of_three_facts_answers_and_is_told(memory: Memory, company: str) -> None:
    items = await recall(memory, company, "Where does the manager of Anna's team live?")
    found = next((i for i in items if i.text.endswith("Osaka")), None)
    assert found is not None, [i.text for i in items]
    assert found.path == ("Anna", "member_of", "Falcon", "managed_by", "Kim", "lives_in", "Osaka")
    assert not {"Bergen", "Turin", "Tunis", "Malmo"} & {i.path[-1] for i in items}


async def test_hops_are_the_steps_from_whom_the_query_names(memory: Memory, company: str) -> None:
    reached = []
    for hops in (0, 1, 2):
        items = await recall(memory, company, "What about Anna?", hops=hops, limit=50, gate={"min_score": 0})
        reached.append({i.path[-1] for i in items if i.scores["graph"] > 0})
    assert reached == [{"Falcon", "Ghent"}, {"Falcon", "Ghent", "Kim"}, {"Falcon", "Ghent", "Kim", "Osaka"}]


async def test_each_step_counts_less(memory: Memory, company: str) -> None:
    items = await recall(memory, company, "What about Anna?", limit=50, gate={"min_score": 0})
    by_end = {i.path[-1]: i.scores["graph"] for i in items}
    assert by_end["Falcon"] > by_end["Kim"] > by_end["Osaka"] > 0


async def test_what_everything_leads_to_leads_on_less(memory: Memory, company: str) -> None:
    """Two ways of one length: one through a rare thing, one through a city of many."""
    given = [{"subject": "Vera", "predicate": "collects", "object": thing} for thing in ("Zorillo", "Paper")]
    given += [{"subject": thing, "predicate": "sold_at", "object": f"{thing} Shop"} for thing in ("Zorillo", "Paper")]
    given += [{"subject": f"Guest {n}", "predicate": "collects", "object": "Paper"} for n in range(30)]
    request = {"scope": ACTOR, "text": "The collectors met.", "facts": given}
    await memory.remember(company, RememberRequest.model_validate(request))
    items = await recall(memory, company, "What about Vera?", limit=100, gate={"min_score": 0})
    by_end = {i.path[-1]: i.scores["graph"] for i in items}
    assert by_end["Zorillo Shop"] > 1.5 * by_end["Paper Shop"] > 0
