"""Merge and split over HTTP: statuses, fields and shapes."""

from __future__ import annotations

from typing import Any

import httpx

from .conftest import Client

SCOPE = {"actor_id": "ana"}


async def remember(client: Client, store: str, *facts: dict[str, Any]) -> httpx.Response:
    return await client.post(f"{store}/episodes", json={"scope": SCOPE, "text": "notes", "facts": list(facts)})


async def listed(client: Client, store: str, **query: str) -> list[dict[str, Any]]:
    answer = await client.get(f"{store}/entities", params={**SCOPE, **query})
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


async def test_merge_and_split(client: Client, store: str) -> None:
    await remember(
        client, store, {"subject": "Bob", "predicate": "likes", "object": "tea"},
        {"subject": "Robert", "predicate": "likes", "object": "ale"},
    )  # fmt: skip
    bob, robert = [(await listed(client, store, name=n))[0]["id"] for n in ("Bob", "Robert")]
    body = {"scope": SCOPE, "source_ids": [bob], "target_id": robert, "reason": "one person"}
    merged = await client.post(f"{store}/entities:merge", json=body)
    assert merged.status_code == 200, merged.text
    assert [m["reason"] for m in merged.json()["merged_from"]] == ["one person"]
    assert [e["id"] for e in await listed(client, store, name="bob")] == [robert]
    gone = (await client.get(f"{store}/entities/{bob}", params=SCOPE)).json()
    assert gone["merged_into"] == {"id": robert, "name": "Robert"}
    apart = await client.post(f"{store}/entities/{robert}:split", json={"scope": SCOPE})
    assert [e["id"] for e in apart.json()["entities"]] == [bob]
    assert [e["id"] for e in await listed(client, store, name="bob")] == [bob]


async def test_refusals_name_the_place(client: Client, store: str) -> None:
    await remember(client, store, {"subject": "Bob", "predicate": "likes", "object": "tea"})
    bob = (await listed(client, store, name="Bob"))[0]["id"]
    for body, status, field in (
        ({"source_ids": [bob], "target_id": bob}, 400, "source_ids.0"),
        ({"source_ids": ["none"], "target_id": bob}, 404, "source_ids.0"),
        ({"source_ids": [bob], "target_id": "none"}, 404, "target_id"),
        ({"source_ids": [], "target_id": bob}, 400, "source_ids"),
    ):
        answer = await client.post(f"{store}/entities:merge", json={"scope": SCOPE, **body})
        assert answer.status_code == status, answer.text
        assert [e["field"] for e in answer.json()["errors"]] == [field]
    for entity_id, status in ((bob, 409), ("none", 404)):
        answer = await client.post(f"{store}/entities/{entity_id}:split", json={"scope": SCOPE})
        assert answer.status_code == status, answer.text


async def test_a_pronoun_in_a_fact_is_refused_by_place(client: Client, store: str) -> None:
    answer = await remember(client, store, {"subject": "Mia", "predicate": "knows", "object": "Bob"},
                            {"subject": "彼女", "predicate": "likes", "object": "it"})  # fmt: skip
    assert answer.status_code == 400
    assert [e["field"] for e in answer.json()["errors"]] == ["facts.1.subject", "facts.1.object"]
    assert (await client.get(f"{store}/episodes", params=SCOPE)).json()["items"] == []
