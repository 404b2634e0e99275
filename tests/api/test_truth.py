"""Decisions about facts, disputes and relations over REST: status, bodies, headers, refusals."""

from __future__ import annotations

from typing import Any

from .conftest import Client, fields, problem

ACTOR = {"actor_id": "ana"}
SCOPE = {"scope": ACTOR}


async def remember(client: Client, store: str, object_: str, at: str, **given: Any) -> dict[str, Any]:
    fact = {"subject": "user", "predicate": "lives_in", "object": object_, **given}
    body = {**SCOPE, "text": f"{object_} {at} {given}", "occurred_at": at, "facts": [fact]}
    answer = await client.post(f"{store}/episodes", json=body)
    assert answer.status_code == 201, answer.text
    decision: dict[str, Any] = answer.json()["facts"][0]
    return decision


async def test_decisions_about_a_fact(client: Client, store: str) -> None:
    fact = (await remember(client, store, "大阪", "2024-01-01T00:00:00Z"))["fact"]
    place = f"{store}/facts/{fact['id']}"

    confirmed = await client.post(f"{place}:confirm", json={**SCOPE, "reason": "本人に確認"})
    assert confirmed.status_code == 200, confirmed.text
    assert confirmed.json()["learning_state"] == "confirmed"
    assert confirmed.headers["etag"] == f'"{confirmed.json()["version"]}"'
    pinned = await client.post(f"{place}:pin", json={**SCOPE, "pinned": True})
    assert pinned.json()["pinned"]
    assert (await client.post(f"{place}:approve", json=SCOPE)).status_code == 200
    rejected = await client.post(f"{place}:reject", json=SCOPE)
    assert rejected.json()["approval"] == "rejected"
    problem(await client.post(f"{place}:confirm", json=SCOPE), 409, "CONFLICT")

    key = {"Idempotency-Key": "once"}
    for _ in range(2):
        restored = await client.post(f"{place}:restore", json=SCOPE, headers=key)
        assert restored.status_code == 200, restored.text
    problem(await client.post(f"{place}:restore", json=SCOPE), 409, "CONFLICT")
    problem(await client.post(f"{place}:restore", json={**SCOPE, "reason": "x"}, headers=key), 409, "CONFLICT")

    history = (await client.get(f"{place}/history", params=ACTOR)).json()["items"]
    assert [(h["event"], h["by"]) for h in history] == [
        ("created", None),
        *((event, "ana") for event in ("confirmed", "pinned", "rejected", "restored")),
    ]
    assert history[1]["reason"] == "confirmed: 本人に確認"


async def test_decisions_are_refused_with_the_place(client: Client, store: str) -> None:
    assert fields(await client.post(f"{store}/facts/x:confirm", json=SCOPE), 404) == ["path.id"]
    assert fields(await client.post(f"{store}/facts/x:reject", json={})) == ["scope"]
    assert fields(await client.post(f"{store}/facts/x:pin", json={**SCOPE, "pinned": "yes"})) == ["pinned"]
    assert fields(await client.post(f"{store}/contradictions/x:resolve", json={**SCOPE, "resolution": "x"})) == [
        "resolution"
    ]
    assert fields(await client.get(f"{store}/contradictions", params={**ACTOR, "state": "x"})) == ["query.state"]
    assert fields(await client.get(f"{store}/contradictions/x", params=ACTOR), 404) == ["path.id"]
    assert fields(await client.get(f"{store}/predicates/never_heard_of"), 404) == ["path.name"]
    assert fields(await client.patch(f"{store}/predicates/likes", json={"kind": None}))
    assert fields(await client.get(f"{store}/entities/x/timeline", params=ACTOR)) == ["query.predicate"]


async def test_a_dispute_is_listed_read_and_resolved(client: Client, store: str) -> None:
    await remember(client, store, "京都", "2024-01-01T00:00:00Z")
    decision = await remember(client, store, "奈良", "2024-01-01T00:00:00Z")
    (opened,) = (await client.get(f"{store}/contradictions", params={**ACTOR, "state": "open"})).json()["items"]
    assert opened["id"] == decision["contradictions"][0]
    place = f"{store}/contradictions/{opened['id']}"
    read = (await client.get(place, params=ACTOR)).json()
    assert (read["kind"], len(read["facts"])) == ("same time", 2)
    assert all(fact["sources"] for fact in read["facts"])

    refused = await client.post(f"{place}:resolve", json={**SCOPE, "resolution": "keep_one"})
    assert fields(refused) == ["keep"]
    body = {**SCOPE, "resolution": "keep_one", "keep": decision["fact"]["id"]}
    answer = await client.post(f"{place}:resolve", json=body)
    assert (answer.status_code, answer.json()["state"], answer.json()["resolution"]) == (200, "resolved", "keep_one")
    problem(await client.post(f"{place}:resolve", json=body), 409, "CONFLICT")


async def test_a_relation_is_read_and_defined(client: Client, store: str) -> None:
    await remember(client, store, "Oslo", "2024-01-01T00:00:00Z")
    await remember(client, store, "Bergen", "2025-01-01T00:00:00Z")
    read = await client.get(f"{store}/predicates/住んでいる")
    assert (read.json()["name"], read.headers["etag"]) == ("lives_in", '"1"')
    changed = await client.patch(
        f"{store}/predicates/lives_in", json={"cardinality": "many"}, headers={"If-Match": '"1"'}
    )
    assert (changed.status_code, changed.json()["cardinality"], changed.headers["etag"]) == (200, "many", '"2"')
    stale = await client.patch(f"{store}/predicates/lives_in", json={"kind": "event"}, headers={"If-Match": '"1"'})
    problem(stale, 412, "PRECONDITION_FAILED")
    facts = (await client.get(f"{store}/facts", params=ACTOR)).json()["items"]
    assert len(facts) == 2
    page = (await client.get(f"{store}/predicates", params={"page_size": 1})).json()
    assert (len(page["items"]), bool(page["next_page_token"])) == (1, True)


async def test_timeline_and_profile(client: Client, store: str) -> None:
    first = (await remember(client, store, "Oslo", "2024-01-01T00:00:00Z"))["fact"]
    await remember(client, store, "Bergen", "2025-01-01T00:00:00Z")
    line = await client.get(
        f"{store}/entities/{first['subject']['id']}/timeline", params={**ACTOR, "predicate": "lives_in"}
    )
    assert [stay["fact"]["object"]["name"] for stay in line.json()["stays"]] == ["Oslo", "Bergen"]
    then = await client.get(f"{store}/profile", params={**ACTOR, "as_of": "2024-06-01T00:00:00Z"})
    assert [fact["id"] for fact in then.json()["sections"][0]["facts"]] == [first["id"]]
