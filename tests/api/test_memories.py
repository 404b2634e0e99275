"""Remember, recall, correct and forget over HTTP, in English and Japanese."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .conftest import Client, problem

ACTOR = {"actor_id": "利用者・山辺 花"}


async def remember(client: Client, store: str, text: str, obj: str, **more: Any) -> dict[str, Any]:
    """One caller-given fact: the actor lives in a place."""
    body = {
        "scope": ACTOR,
        "text": text,
        "extraction": "none",
        "facts": [{"subject": "user", "predicate": "lives_in", "object": obj, "cardinality": "one"}],
    }
    answer = await client.post(f"{store}/episodes", json=body | more)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("actor", "text", "query", "name"),
    [
        ("Haruka", "I moved to Osaka. I work at Aozora Robotics.", "Where does Haruka live?", "Osaka"),
        ("花", "私は大阪に引っ越しました。青空ロボティクスで働いています。", "どこに住んでいますか", "大阪"),
    ],
)
async def test_what_was_said_is_recalled_with_its_source(
    client: Client, store: str, actor: str, text: str, query: str, name: str
) -> None:
    scope = {"actor_id": actor}
    message = {"id": "m/1 #花", "content": text, "occurred_at": "2026-02-03T09:00:00+09:00"}

    saved = await client.post(f"{store}/episodes", json={"scope": scope, "messages": [message]})
    answer = await client.post(f"{store}/recall", json={"scope": scope, "query": query})

    assert saved.status_code == 201, saved.text
    assert [episode["status"] for episode in saved.json()["episodes"]] == ["processed"]
    assert answer.status_code == 200, answer.text
    top = answer.json()["items"][0]
    assert name in top["text"]
    assert top["sources"][0]["source_id"] == "m/1 #花"
    assert answer.json()["audit"]["accepted"] == len(answer.json()["items"])


async def test_what_is_known_is_200_and_makes_nothing_new(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "text": "花は大阪に住む。", "source": {"id": "doc-1"}, "extraction": "none"}

    first = await client.post(f"{store}/episodes", json=body)
    again = await client.post(f"{store}/episodes", json=body)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["episodes"][0]["duplicate"]
    assert again.json()["episodes"][0]["id"] == first.json()["episodes"][0]["id"]
    listed = await client.get(f"{store}/episodes", params=ACTOR)
    assert len(listed.json()["items"]) == 1


async def test_without_waiting_the_answer_says_where_to_look(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "text": "I live in Kyoto.", "wait": False}

    answer = await client.post(f"{store}/episodes", json=body)

    assert answer.status_code == 202, answer.text
    for _ in range(300):
        episode = await client.get(answer.headers["location"])
        if episode.json()["status"] != "pending":
            break
        await asyncio.sleep(0.1)
    assert episode.json()["status"] == "processed"
    assert episode.json()["content"] == "I live in Kyoto."


async def test_an_idempotency_key_answers_once(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "text": "The kettle is on the third floor.", "extraction": "none"}
    key = {"idempotency-key": "order 7/花".encode("ascii", "ignore").decode()}

    first = await client.post(f"{store}/episodes", json=body, headers=key)
    again = await client.post(f"{store}/episodes", json=body, headers=key)
    other = await client.post(f"{store}/episodes", json=body | {"text": "Another text."}, headers=key)

    assert first.status_code == 201
    assert again.status_code in (200, 201)
    assert [e["id"] for e in again.json()["episodes"]] == [e["id"] for e in first.json()["episodes"]]
    problem(other, 409)


async def test_episodes_are_listed_read_and_erased(client: Client, store: str) -> None:
    made = await remember(client, store, "花は大阪に住んでいる。", "大阪")
    address = f"{store}/episodes/{made['episodes'][0]['id']}"

    listed = await client.get(f"{store}/episodes", params=ACTOR | {"status": "processed"})
    read = await client.get(address, params=ACTOR)
    erased = await client.delete(address, params=ACTOR)

    assert [episode["id"] for episode in listed.json()["items"]] == [made["episodes"][0]["id"]]
    assert read.json()["content"] == "花は大阪に住んでいる。"
    assert erased.status_code == 200
    assert erased.json()["verified"]
    problem(await client.get(address, params=ACTOR), 404, "NOT_FOUND")
    facts = await client.get(f"{store}/facts", params=ACTOR)
    assert facts.json()["items"] == []


async def test_a_processed_episode_is_not_processed_again(client: Client, store: str) -> None:
    made = await remember(client, store, "花は大阪に住んでいる。", "大阪")
    address = f"{store}/episodes/{made['episodes'][0]['id']}"

    answer = await client.post(f"{address}:retry", params=ACTOR)

    assert answer.status_code in (200, 409), answer.text
    problem(await client.post(f"{store}/episodes/nothing:retry", params=ACTOR), 404, "NOT_FOUND")
    refused = await client.post(address, params=ACTOR)
    problem(refused, 405, "METHOD_NOT_ALLOWED")
    assert refused.headers["allow"] == "DELETE, GET, OPTIONS"


async def test_a_fact_is_corrected_and_its_history_stays(client: Client, store: str) -> None:
    made = await remember(client, store, "花は大阪に住んでいる。", "大阪", occurred_at="2026-01-01T00:00:00Z")
    address = f"{store}/facts/{made['facts'][0]['fact']['id']}"
    read = await client.get(address, params=ACTOR)
    mark = {"if-match": read.headers["etag"]}

    changed = await client.patch(address, params=ACTOR, json={"importance": 0.9}, headers=mark)
    stale = await client.patch(address, params=ACTOR, json={"importance": 0.1}, headers=mark)
    corrected = await client.patch(address, params=ACTOR, json={"object": "神戸"})

    assert read.json()["object"]["name"] == "大阪"
    assert changed.status_code == 200, changed.text
    assert changed.json()["importance"] == 0.9
    assert changed.headers["etag"] == f'"{changed.json()["version"]}"' != mark["if-match"]
    problem(stale, 412, "PRECONDITION_FAILED")
    assert corrected.status_code == 200, corrected.text
    assert corrected.json()["object"]["name"] == "神戸"
    history = await client.get(f"{store}/facts/{corrected.json()['id']}/history", params=ACTOR)
    assert history.status_code == 200
    assert len(history.json()["items"]) >= 2


async def test_facts_are_listed_page_by_page_and_filtered(client: Client, store: str) -> None:
    for number in range(5):
        await remember(
            client,
            store,
            f"花は町{number}に住む。",
            f"町{number}",
            occurred_at=f"202{number}-01-01T00:00:00Z",
        )
    params: dict[str, Any] = ACTOR | {"validity": "any", "predicate": "lives_in", "page_size": 2}

    seen: list[str] = []
    while True:
        page = (await client.get(f"{store}/facts", params=params)).json()
        seen += [fact["object"]["name"] for fact in page["items"]]
        if page["next_page_token"] is None:
            break
        params["page_token"] = page["next_page_token"]

    assert sorted(seen) == [f"町{number}" for number in range(5)]
    now = (await client.get(f"{store}/facts", params=ACTOR)).json()["items"]
    assert [fact["object"]["name"] for fact in now] == ["町4"]
    then = await client.get(f"{store}/facts", params=ACTOR | {"as_of": "2021-06-01T00:00:00+09:00"})
    assert [fact["object"]["name"] for fact in then.json()["items"]] == ["町1"]


async def test_a_fact_is_withdrawn_and_its_episode_stays(client: Client, store: str) -> None:
    made = await remember(client, store, "花は大阪に住んでいる。", "大阪")
    address = f"{store}/facts/{made['facts'][0]['fact']['id']}"

    withdrawn = await client.delete(address, params=ACTOR)

    assert withdrawn.status_code == 200, withdrawn.text
    assert (await client.get(f"{store}/facts", params=ACTOR)).json()["items"] == []
    query = {"scope": ACTOR, "query": "どこに住んでいますか", "kinds": ["fact"]}
    assert (await client.post(f"{store}/recall", json=query)).json()["items"] == []
    assert (await client.get(address, params=ACTOR)).json()["status"] == "deleted"
    episodes = await client.get(f"{store}/episodes", params=ACTOR)
    assert len(episodes.json()["items"]) == 1


async def test_entities_and_the_graph_around_them(client: Client, store: str) -> None:
    await remember(client, store, "花は大阪に住んでいる。", "大阪")

    listed = await client.get(f"{store}/entities", params=ACTOR | {"name": "大阪"})
    entity = listed.json()["items"][0]
    read = await client.get(f"{store}/entities/{entity['id']}", params=ACTOR)
    graph = await client.get(f"{store}/entities/{entity['id']}/graph", params=ACTOR | {"hops": 2})

    assert read.json()["name"] == "大阪"
    assert graph.status_code == 200, graph.text
    assert [fact["object"]["name"] for fact in graph.json()["facts"]] == ["大阪"]


async def test_another_actor_sees_nothing(client: Client, store: str) -> None:
    made = await remember(client, store, "花は大阪に住んでいる。", "大阪")
    other = {"actor_id": "利用者・山辺"}
    paths = (
        f"facts/{made['facts'][0]['fact']['id']}",
        f"episodes/{made['episodes'][0]['id']}",
        f"entities/{made['entities'][0]['id']}",
    )

    for path in paths:
        problem(await client.get(f"{store}/{path}", params=other), 404, "NOT_FOUND")
        assert (await client.get(f"{store}/{path}", params=ACTOR)).status_code == 200


async def test_forget_everything_of_an_actor(client: Client, store: str) -> None:
    await remember(client, store, "花は大阪に住んでいる。", "大阪")
    request = {"scope": ACTOR, "target": {"all": True}, "mode": "erase"}

    planned = await client.post(f"{store}/forget", json=request | {"dry_run": True})
    still = await client.get(f"{store}/episodes", params=ACTOR)
    done = await client.post(f"{store}/forget", json=request)
    left = await client.get(f"{store}/episodes", params=ACTOR)

    assert planned.status_code == 200, planned.text
    assert planned.json()["dry_run"]
    assert len(still.json()["items"]) == 1
    assert done.json()["verified"]
    assert left.json()["items"] == []


async def test_a_store_that_is_not_there_is_404(client: Client) -> None:
    missing = "/v1/stores/no-such-store"
    body = {"scope": ACTOR, "text": "x", "extraction": "none"}

    problem(await client.post(f"{missing}/episodes", json=body), 404, "NOT_FOUND")
    problem(await client.post(f"{missing}/recall", json={"scope": ACTOR, "query": "x"}), 404, "NOT_FOUND")
    for path in ("facts", "episodes", "entities", "facts/x", "facts/x/history", "entities/x/graph"):
        problem(await client.get(f"{missing}/{path}", params=ACTOR), 404, "NOT_FOUND")


async def test_a_repeat_with_the_same_key_gets_the_same_answer(client: Client, store: str) -> None:
    body = {
        "scope": ACTOR,
        "messages": [
            {
                "id": "m1",
                "role": "user",
                "content": "I live in Kyoto. My key is sk-proj-abcdefghijklmnopqrstuvwxyz012345.",
            },
            {"id": "m2", "role": "user", "content": "I like green tea."},
        ],
    }
    key = {"Idempotency-Key": "k1"}
    first = await client.post(f"{store}/episodes", json=body, headers=key)
    again = await client.post(f"{store}/episodes", json=body, headers=key)

    assert first.status_code == again.status_code == 201
    assert len(first.json()["facts"]) > 1
    assert first.json()["episodes"][0]["redacted"]
    assert again.json() == first.json()

    # the first of its episodes and one that is new; then all known
    for messages, status in (
        ([body["messages"][0], {"id": "m3", "content": "I am 30."}], 201),
        (body["messages"], 200),
    ):
        key, mixed = {"Idempotency-Key": f"k-{status}"}, body | {"messages": messages}
        answers = [await client.post(f"{store}/episodes", json=mixed, headers=key) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [status, status]
        assert answers[1].json() == answers[0].json()
        assert len(answers[1].json()["episodes"]) == len(messages)


async def test_a_repeat_of_what_is_processed_later_is_202_again(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "text": "I live in Kyoto.", "wait": False}
    key = {"Idempotency-Key": "k1"}
    first = await client.post(f"{store}/episodes", json=body, headers=key)
    again = await client.post(f"{store}/episodes", json=body, headers=key)
    assert first.status_code == again.status_code == 202
    assert again.json() == first.json()
    assert again.headers["location"] == first.headers["location"]


async def test_an_answer_is_erased_with_its_episode_and_its_facts(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "text": "I live in Kyoto. I like Zanzibar tea."}
    key = {"Idempotency-Key": "k1"}
    made = (await client.post(f"{store}/episodes", json=body, headers=key)).json()
    gone = next(d["fact"]["id"] for d in made["facts"] if "Zanzibar" in d["fact"]["text"])
    forget = {"scope": ACTOR, "mode": "erase", "target": {"ids": [gone]}}
    assert (await client.post(f"{store}/forget", json=forget)).status_code == 200
    again = await client.post(f"{store}/episodes", json=body, headers=key)
    assert gone not in [d["fact"]["id"] for d in again.json()["facts"]]

    await client.delete(f"{store}/episodes/{made['episodes'][0]['id']}", params=ACTOR)
    again = await client.post(f"{store}/episodes", json=body, headers=key)
    assert again.json()["episodes"] == again.json()["facts"] == []
    assert (await client.get(f"{store}/episodes", params=ACTOR)).json()["items"] == []
