"""`POST …/episodes:bulk`: checked as a whole, saved at once, processed later."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Client, fields, idle, problem

ITEMS: list[dict[str, Any]] = [
    {"text": "I live in Oslo.", "occurred_at": "2025-01-01T00:00:00Z"},
    {"messages": [{"role": "user", "content": "私は紅茶が好きです。"}, {"role": "assistant", "content": "はい。"}]},
    {
        "text": "Ben moved.",
        "session_id": "s2",
        "facts": [{"subject": "Ben", "predicate": "lives_in", "object": "Rome"}],
        "source": {"type": "chat", "id": "m9"},
    },
]


async def sent(client: Client, store: str, items: list[dict[str, Any]], status: int = 202, **more: Any) -> Any:
    headers = more.pop("headers", {})
    body = {"scope": {"actor_id": "ana", "session_id": "s1"}, "items": items} | more
    answer = await client.post(f"{store}/episodes:bulk", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


async def episodes(client: Client, store: str, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get(f"{store}/episodes", params={"actor_id": "ana", "page_size": 200} | query)
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


async def test_all_are_saved_before_the_answer_and_processed_later(client: Client, store: str) -> None:
    done = await sent(client, store, ITEMS)

    refs = [ref for item in done["items"] for ref in item["episodes"]]
    assert [len(item["episodes"]) for item in done["items"]] == [1, 2, 1]
    assert done["counts"] == {"pending": 4, "processed": 0, "failed": 0, "duplicate": 0}
    found = {episode["id"]: episode for episode in await episodes(client, store)}
    assert [found[ref["id"]]["scope"]["session_id"] for ref in refs] == ["s1", "s1", "s1", "s2"]
    assert found[refs[3]["id"]]["source_id"] == "m9"
    assert await idle(client, store) == {"pending": 0, "processed": 4, "failed": 0}
    facts = (await client.get(f"{store}/facts", params={"actor_id": "ana"})).json()["items"]
    texts = " ".join(fact["text"] for fact in facts)
    assert all(word in texts for word in ("Oslo", "紅茶", "Rome"))
    assert not await episodes(client, store, status="pending")


async def test_what_is_known_is_not_saved_again(client: Client, store: str) -> None:
    first = await sent(client, store, [*ITEMS, ITEMS[0]])
    again = await sent(client, store, [*ITEMS, {"text": "New."}])

    assert [item["duplicate"] for item in first["items"]] == [False, False, False, True]
    assert first["items"][3]["episodes"][0]["id"] == first["items"][0]["episodes"][0]["id"]
    assert [item["duplicate"] for item in again["items"]] == [True, True, True, False]
    assert again["items"][:3] == [
        {"duplicate": True, "episodes": [ref | {"duplicate": True, "status": new["status"]} for ref, new in pairs]}
        for pairs in (
            zip(old["episodes"], new["episodes"], strict=True)
            for old, new in zip(first["items"][:3], again["items"][:3], strict=True)
        )
    ]
    await sent(client, store, ITEMS, status=200)
    assert len(await episodes(client, store)) == 5
    other = ITEMS[2] | {"text": "Ben stayed.", "facts": None}
    changed = await sent(client, store, [other])
    assert changed["counts"]["pending"] == 1


async def test_a_repeated_key_gives_the_same_episodes_and_writes_nothing(client: Client, store: str) -> None:
    headers = {"Idempotency-Key": "k1"}
    first = await sent(client, store, ITEMS, headers=headers)
    await sent(client, store, [ITEMS[2] | {"text": "Ben stayed.", "facts": None}])
    again = await sent(client, store, ITEMS, status=200, headers=headers)

    assert again["items"][0]["episodes"][0]["id"] == first["items"][0]["episodes"][0]["id"]
    assert len(await episodes(client, store)) == 5
    body = {"scope": {"actor_id": "ana"}, "items": ITEMS}
    problem(await client.post(f"{store}/episodes:bulk", json=body, headers=headers), 409, "CONFLICT")


async def test_waiting_answers_when_all_is_processed(client: Client, store: str) -> None:
    done = await sent(client, store, ITEMS, status=201, wait=True)
    assert done["counts"] == {"pending": 0, "processed": 4, "failed": 0, "duplicate": 0}


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"text": " "}, "items.3.text"),
        ({}, "items.3"),
        ({"text": "x", "messages": [{"content": "y"}]}, "items.3"),
        ({"text": "x", "sesion_id": "s"}, "items.3.sesion_id"),
        ({"text": "x" * 50_001}, "items.3.text"),
        ({"text": "x", "extraction": "llm"}, "items.3.extraction"),
        ({"text": "x", "session_id": "password: hunter2-Xq9"}, "items.3.session_id"),
        (
            {"text": "x", "facts": [{"subject": "a", "predicate": "b", "object": "c", "message_id": "none"}]},
            "items.3.facts.0.message_id",
        ),
    ],
)
async def test_one_bad_item_refuses_the_call_and_is_named(
    client: Client, store: str, item: dict[str, Any], field: str
) -> None:
    body = {"scope": {"actor_id": "ana"}, "items": [*ITEMS, item]}
    assert field in fields(await client.post(f"{store}/episodes:bulk", json=body))
    assert not await episodes(client, store)


async def test_limits_are_stated_and_kept(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "items": [{"text": "x"}] * 5_001}
    assert "items" in fields(await client.post(f"{store}/episodes:bulk", json=body))
    long = {"scope": {"actor_id": "ana"}, "items": [{"text": "x" * 50_000}] * 101}
    assert "items" in fields(await client.post(f"{store}/episodes:bulk", json=long), 413)
    many = {"scope": {"actor_id": "ana"}, "items": [{"messages": [{"content": "x"}] * 500}] * 11}
    assert "items" in fields(await client.post(f"{store}/episodes:bulk", json=many), 413)
    schema = (await client.get("/openapi.json")).json()["components"]["schemas"]["BulkRequest"]["properties"]["items"]
    assert (schema["minItems"], schema["maxItems"]) == (1, 5_000)
    assert not await episodes(client, store)


async def test_secrets_do_not_reach_the_graph(client: Client, store: str) -> None:
    done = await sent(client, store, [ITEMS[0], {"text": "password: hunter2-Xq9"}])
    assert done["items"][1]["episodes"][0]["redacted"] == [{"kind": "password", "count": 1, "field": "items.1.text"}]
    assert "hunter2" not in str(await episodes(client, store))


async def test_another_store_or_actor_is_not_reached(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "items": ITEMS}
    problem(await client.post("/v1/stores/no-such-store/episodes:bulk", json=body), 404)
    await sent(client, store, ITEMS)
    counts = await client.get(f"{store}/episodes:counts", params={"actor_id": "ben"})
    assert counts.json() == {"pending": 0, "processed": 0, "failed": 0}
