"""The audit of recalls over HTTP: what was given and why the rest was not, without a word of it."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory

from .conftest import Client, fields, problem

ANA = {"actor_id": "ana"}


async def remember(client: Client, store: str, text: str, object_: str, **more: Any) -> dict[str, Any]:
    given = {"subject": "user", "predicate": "likes", "object": object_}
    body = {"scope": ANA, "text": text, "facts": [given], "extraction": "none", **more}
    answer = await client.post(f"{store}/episodes", json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def recall(client: Client, store: str, query: str, **more: Any) -> dict[str, Any]:
    answer = await client.post(f"{store}/recall", json={"scope": ANA, "query": query, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def listed(client: Client, store: str, actor: str = "ana", **query: Any) -> list[dict[str, Any]]:
    answer = await client.get(f"{store}/recalls", params={"actor_id": actor, **query})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


@pytest.mark.parametrize(
    ("text", "object_", "query"),
    [
        ("Ana likes lapsang tea.", "lapsang tea", "Which tea does Ana like?"),
        ("ほうじ茶が好き。", "ほうじ茶", "ほうじ茶"),
    ],
)
async def test_a_recall_is_kept_without_any_text(
    client: Client, store: str, text: str, object_: str, query: str
) -> None:
    made = await remember(client, store, text, object_)
    answer = await recall(client, store, query, mode="keyword", ranking="recent", kinds=["fact"], limit=5)
    read = await client.get(f"{store}/recalls/{answer['audit']['id']}", params=ANA)
    assert read.status_code == 200, read.text
    kept = read.json()
    item = answer["items"][0]
    assert item["id"] == made["facts"][0]["fact"]["id"]
    assert kept["used"] == [{"kind": "fact", "id": item["id"], "rank": 1, "score": item["score"]}]
    assert {k: kept[k] for k in ("mode", "ranking", "kinds", "limit")} == {
        "mode": "keyword",
        "ranking": "recent",
        "kinds": ["fact"],
        "limit": 5,
    }
    for name in ("considered", "accepted", "rejected_count", "reasons"):
        assert kept[name] == answer["audit"][name]
    assert set(kept["gate"]) >= {"min_score", "max_age_days", "allow_draft", "max_hits", "min_retention"}
    assert await listed(client, store) == [kept]
    for word in (object_, query, text, "likes"):
        assert word not in read.text


async def test_the_query_is_hidden_by_a_key_of_the_store(client: Client, store: str, memory: Memory) -> None:
    from graphmem.models.ids import hash_key

    for query in ("tea", "tea", "coffee"):
        await recall(client, store, query)
    one, same, other = (row["query_hash"] for row in reversed(await listed(client, store)))
    assert one == same != other
    assert hash_key("tea") != one
    rows = await memory.database.run("manage/store", {"store_id": store.rpartition("/")[2]})
    key = rows[0]["store"]["audit_key"]
    assert len(key) >= 32
    assert key not in (await client.get(store)).text


async def test_the_last_is_first_and_pages_hold_each_once(client: Client, store: str) -> None:
    asked = [(await recall(client, store, f"question {n}"))["audit"]["id"] for n in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"page_size": 2}
    while True:
        page = (await client.get(f"{store}/recalls", params=ANA | query)).json()
        seen += [row["id"] for row in page["items"]]
        if len(seen) == 2:
            await recall(client, store, "one more")  # what comes meanwhile is on no later page
        if page["next_page_token"] is None:
            break
        query["page_token"] = page["next_page_token"]
    assert seen == asked[::-1]


async def test_a_time_range_holds_its_start_and_not_its_end(client: Client, store: str) -> None:
    for number in range(3):
        await recall(client, store, f"question {number}")
    last, middle, first = await listed(client, store)
    assert await listed(client, store, since=middle["at"]) == [last, middle]
    assert await listed(client, store, until=middle["at"]) == [first]
    assert await listed(client, store, since=middle["at"], until=last["at"]) == [middle]
    assert await listed(client, store, since="2999-01-01T00:00:00Z") == []


async def test_another_actor_sees_nothing(client: Client, store: str) -> None:
    mine = (await recall(client, store, "tea"))["audit"]["id"]
    assert await listed(client, store, "bo") == []
    problem(await client.get(f"{store}/recalls/{mine}", params={"actor_id": "bo"}), 404, "NOT_FOUND")
    problem(await client.get(f"{store}/recalls/nothing", params=ANA), 404, "NOT_FOUND")
    problem(await client.get("/v1/stores/no-such-store/recalls", params=ANA), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "query.actor_id"),
        (ANA | {"since": "soon"}, "query.since"),
        (ANA | {"until": "12"}, "query.until"),
        (ANA | {"page_size": "0"}, "query.page_size"),
        (ANA | {"dry_run": "true"}, "query.dry_run"),
    ],
)
async def test_bad_queries_are_named(client: Client, store: str, query: dict[str, str], field: str) -> None:
    assert fields(await client.get(f"{store}/recalls", params=query)) == [field]


async def test_a_token_of_another_list_is_refused(client: Client, store: str) -> None:
    for number in range(3):
        await remember(client, store, f"text {number}", f"thing {number}")
    token = (await client.get(f"{store}/facts", params=ANA | {"page_size": 1})).json()["next_page_token"]
    answer = await client.get(f"{store}/recalls", params=ANA | {"page_token": token})
    assert fields(answer) == ["query.page_token"]


async def test_a_dry_run_is_not_kept_and_has_no_id(client: Client, store: str) -> None:
    await remember(client, store, "Ana likes tea.", "tea")
    answer = await recall(client, store, "tea", dry_run=True)
    assert answer["items"]
    assert answer["audit"]["id"] is None
    assert await listed(client, store) == []


async def test_what_is_erased_is_no_longer_named(client: Client, store: str) -> None:
    made = await remember(client, store, "Ana likes tea.", "tea")
    kept = await remember(client, store, "Ana likes teapots.", "teapots")
    asked = await recall(client, store, "tea teapots", kinds=["fact"])
    assert asked["audit"]["accepted"] == 2
    target = {"ids": [made["episodes"][0]["id"]]}
    forgotten = await client.post(f"{store}/forget", json={"scope": ANA, "target": target, "mode": "erase"})
    assert forgotten.status_code == 200, forgotten.text
    (row,) = await listed(client, store)
    assert [used["id"] for used in row["used"]] == [kept["facts"][0]["fact"]["id"]]
    assert row["accepted"] == 2


async def test_the_audits_go_with_their_actor_and_with_their_session(client: Client, store: str) -> None:
    await remember(client, store, "Ana likes tea.", "tea", scope=ANA | {"session_id": "s1"})
    inside = await recall(client, store, "tea", scope=ANA | {"session_id": "s1"})
    outside = await recall(client, store, "tea")
    assert [row["session_id"] for row in await listed(client, store)] == [None, "s1"]
    other = {"scope": {"actor_id": "bo"}, "query": "tea"}
    assert (await client.post(f"{store}/recall", json=other)).status_code == 200

    async def erase(target: dict[str, Any]) -> None:
        answer = await client.post(f"{store}/forget", json={"scope": ANA, "target": target, "mode": "erase"})
        assert answer.status_code == 200, answer.text

    await erase({"session_id": "s1"})
    left = [row["id"] for row in await listed(client, store)]
    assert inside["audit"]["id"] not in left
    assert left == [outside["audit"]["id"]]
    await erase({"all": True})
    assert await listed(client, store) == []
    assert len(await listed(client, store, "bo")) == 1


async def test_a_secret_among_the_ids_of_a_call_is_not_kept(client: Client, store: str) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    await recall(
        client, store, f"which key is {key}?", scope=ANA | {"session_id": key}, gate={"hide_sensitivity": [key]}
    )
    answer = await client.get(f"{store}/recalls", params=ANA)
    assert len(answer.json()["items"]) == 1
    assert key not in answer.text


async def test_explain_names_rules_and_reasons_and_a_store_may_let_calls_only_narrow(
    client: Client, store: str
) -> None:
    await remember(client, store, "ほうじ茶が好き。", "ほうじ茶")
    wide = {"min_score": 0, "min_retention": 0}
    query = "明日の月の天気は"
    opened = await recall(client, store, query, kinds=["fact"], gate=wide, explain=True)
    assert opened["audit"]["accepted"] == 1
    assert opened["audit"]["gate"]["min_score"] == 0
    assert opened["audit"]["passed"][0]["id"] == opened["items"][0]["id"]
    settings = {"gate_overrides": "narrow", "gate": {"hide_disputed": True}}
    patched = await client.patch(store, json={"settings": settings})
    assert patched.status_code == 200, patched.text
    closed = await recall(client, store, query, kinds=["fact"], gate=wide, explain=True)
    assert closed["items"] == []
    assert closed["audit"]["gate"]["min_score"] > 0
    assert closed["audit"]["gate"]["hide_disputed"]
    (left,) = closed["audit"]["rejected"]
    assert (left["reason"], left["state"], left["approval"]) == ("low_score", "live", "approved")
    assert "ほうじ茶" not in str(closed["audit"])
    wrong = await client.patch(store, json={"settings": {"gate_overrides": "wide"}})
    assert fields(wrong) == ["settings.gate_overrides"]
