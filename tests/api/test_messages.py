"""Messages of sessions over HTTP: kept in order, known ones once, erased with what they belong to."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from pydantic import ValidationError

from graphmem import Memory
from graphmem.errors import DatabaseUnavailable, InvalidInput
from graphmem.models.manage import Page
from graphmem.models.session import SessionMessage, SessionMessageIn
from graphmem.store.driver import Database

from .conftest import Client, problem


def message(number: int | str, content: str = "", **more: Any) -> dict[str, Any]:
    return {"id": f"m{number}", "role": "user", "content": content or f"Line {number}.", **more}


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = {"a": value}
    return value


async def keep(
    client: Client, store: str, *messages: dict[str, Any], session: str = "s1", status: int = 201, **scope: Any
) -> Any:
    body = {"scope": {"actor_id": "ana", **scope}, "messages": messages}
    answer = await client.post(f"{store}/sessions/{session}/messages", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def kept(client: Client, store: str, session: str = "s1", actor: str = "ana", **query: Any) -> list[Any]:
    items, token = [], None
    while True:
        params = {"actor_id": actor, **query} | ({"page_token": token} if token else {})
        answer = await client.get(f"{store}/sessions/{session}/messages", params=params)
        assert answer.status_code == 200, answer.text
        items += answer.json()["items"]
        token = answer.json()["next_page_token"]
        if token is None:
            return items


async def test_messages_come_back_in_order_as_they_were(client: Client, store: str) -> None:
    call = {"contents": [{"type": "function_call", "arguments": '{"city": "大阪"}', "n": 1.5, "none": None}]}
    said = [
        message(1, "大阪の天気は?", name="遥"),
        {"id": "m2", "role": "assistant", "data": call},
        {"id": "m3", "role": "tool", "content": "晴れ", "occurred_at": "2026-03-01T09:00:00+09:00"},
    ]
    saved = await keep(client, store, *said, agent_id="travel", route_id="web")
    assert saved["items"] == [{"id": f"m{n}", "position": n, "duplicate": False} for n in (1, 2, 3)]
    items = await kept(client, store)
    assert [(m["id"], m["role"], m["name"], m["content"], m["data"]) for m in items] == [
        ("m1", "user", "遥", "大阪の天気は?", None),
        ("m2", "assistant", None, "", call),
        ("m3", "tool", None, "晴れ", None),
    ]
    assert {(m["session_id"], m["agent_id"], m["route_id"]) for m in items} == {("s1", "travel", "web")}
    assert items[2]["occurred_at"] == "2026-03-01T00:00:00Z"


async def test_pages_in_both_directions(client: Client, store: str) -> None:
    for number in range(7):
        await keep(client, store, message(number))
    ids = [f"m{n}" for n in range(7)]
    assert [m["id"] for m in await kept(client, store, page_size=3)] == ids
    assert [m["id"] for m in await kept(client, store, page_size=3, order="newest")] == ids[::-1]
    assert await kept(client, store, session="none") == []
    assert await kept(client, store, actor="ben") == []
    first = await client.get(f"{store}/sessions/s1/messages", params={"actor_id": "ana", "page_size": 2})
    wrong = {"actor_id": "ana", "page_token": first.json()["next_page_token"], "order": "newest"}
    problem(await client.get(f"{store}/sessions/s1/messages", params=wrong), 400)


async def test_a_transcript_that_is_sent_again_adds_only_what_is_new(client: Client, store: str) -> None:
    await keep(client, store, message(1), message(2))
    again = await keep(client, store, message(1), message(2), status=200)
    assert [item["duplicate"] for item in again["items"]] == [True, True]
    more = await keep(client, store, message(1), message(2), message(3), message(3))
    assert [(item["position"], item["duplicate"]) for item in more["items"]] == [
        (1, True),
        (2, True),
        (3, False),
        (3, True),
    ]
    edited = await keep(client, store, message(2, "Line 2, put otherwise."))
    assert edited["items"][0] == {"id": "m2", "position": 4, "duplicate": False}
    await keep(client, store, message(1), session="s2")
    assert [m["position"] for m in await kept(client, store, session="s2")] == [1]


async def test_writers_at_once_leave_each_message_once_and_in_one_order(client: Client, store: str) -> None:
    calls = [keep(client, store, message(n), message("all"), status=201) for n in range(8)]
    await asyncio.gather(*calls)
    items = await kept(client, store)
    assert sorted(m["id"] for m in items) == sorted([f"m{n}" for n in range(8)] + ["mall"])
    assert [m["position"] for m in items] == list(range(1, 10))


async def test_nothing_is_learned_from_them_and_no_recall_finds_them(client: Client, store: str) -> None:
    await keep(client, store, message(1, "I live in Osaka."))
    assert (await client.get(f"{store}/facts?actor_id=ana")).json()["items"] == []
    assert (await client.get(f"{store}/episodes?actor_id=ana")).json()["items"] == []
    asked = {"scope": {"actor_id": "ana"}, "query": "Where do I live? Osaka", "gate": {"min_score": 0}}
    assert (await client.post(f"{store}/recall", json=asked)).json()["items"] == []
    (session,) = (await client.get(f"{store}/sessions?actor_id=ana")).json()["items"]
    assert (session["id"], session["episodes"]) == ("s1", 0)
    closed = await client.post(f"{store}/sessions/s1:close?actor_id=ana")
    assert (closed.status_code, closed.json()["summary"]) == (200, None)


async def test_secrets_are_taken_out_of_text_and_data(client: Client, store: str) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    saved = await keep(client, store, message(1, f"The key is {key}.", data={"contents": [{"text": f"key {key}"}]}))
    assert {r["field"] for r in saved["redacted"]} == {"messages.0.content", "messages.0.data.contents.0.text"}
    assert key not in str(await kept(client, store))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"scope": {"actor_id": "ana"}, "messages": []}, "messages"),
        ({"scope": {"actor_id": "ana", "session_id": "s2"}, "messages": [message(1)]}, "scope.session_id"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, role="judge")]}, "messages.0.role"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, "\u0000")]}, "messages.0.content"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, data={"x": "y" * 200_001})]}, "messages.0.data"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, data=["x"])]}, "messages.0.data"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, data=nested(101))]}, "messages.0.data"),
        ({"scope": {"actor_id": "ana"}, "messages": [message(1, extra=1)]}, "messages.0.extra"),
    ],
)
async def test_what_is_not_acceptable_is_told_by_field(
    client: Client, store: str, body: dict[str, Any], field: str
) -> None:
    told = problem(await client.post(f"{store}/sessions/s1/messages", json=body), 400)
    assert [e["field"] for e in told["errors"]] == [field]
    assert await kept(client, store) == []


@pytest.mark.parametrize("place", ["9" * 30, "-1", "٣", "1e3"])
async def test_a_page_that_no_list_gave(client: Client, store: str, place: str) -> None:
    lists = {"sessions/s1/messages": "messages-oldest", "open-items": "open-items:2026-01-01T00:00:00+00:00|k|"}
    for path, kind in lists.items():
        held = kind + place if kind.endswith("|") else f"{kind}:{place}"
        query = {"actor_id": "ana", "page_token": urlsafe_b64encode(held.encode()).decode()}
        told = problem(await client.get(f"{store}/{path}", params=query), 400)
        assert [e["field"] for e in told["errors"]] == ["query.page_token"]


async def test_what_a_message_may_hold_can_be_read_again(client: Client, store: str) -> None:
    await keep(client, store, message(1, data=nested(100)))
    assert (await kept(client, store))[0]["data"] == nested(100)
    page = (await client.get(f"{store}/sessions/s1/messages", params={"actor_id": "ana"})).content
    assert Page[SessionMessage].model_validate_json(page).items[0].data == nested(100)
    for wrong in ({"a": "\ud800"}, {"\ud800": 1}, {"a": float("nan")}, {"a": object()}, nested(5_000)):
        with pytest.raises(ValidationError):
            SessionMessageIn(id="m2", role="user", data=wrong)


async def test_places_that_are_not_there(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "messages": [message(1)]}
    problem(await client.post("/v1/stores/t-none-here/sessions/s1/messages", json=body), 404)
    problem(await client.get("/v1/stores/t-none-here/sessions/s1/messages", params={"actor_id": "ana"}), 404)
    problem(await client.post(f"{store}/sessions/{'s' * 300}/messages", json=body), 400)
    problem(await client.post(f"{store}/sessions/a%01b/messages", json=body), 400)


async def erase(client: Client, store: str, session: str = "s1", **query: Any) -> Any:
    answer = await client.delete(f"{store}/sessions/{session}/messages", params={"actor_id": "ana", **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_last_messages_are_erased_and_given(client: Client, store: str) -> None:
    await keep(client, store, *(message(n, data={"n": n}) for n in range(4)))
    await keep(client, store, message(9), session="s2")
    both = await kept(client, store, order="newest")
    assert await erase(client, store, last=2) == {"erased": 2, "items": both[:2]}
    assert [m["id"] for m in await kept(client, store)] == ["m0", "m1"]
    again = await keep(client, store, message(3))
    assert again["items"] == [{"id": "m3", "position": 5, "duplicate": False}], "an erased message is not known"
    assert [m["id"] for m in (await erase(client, store, last=200))["items"]] == ["m3", "m1", "m0"]
    assert await erase(client, store, last=1) == {"erased": 0, "items": []}
    assert await erase(client, store, actor_id="ben", session="s2") == {"erased": 0, "items": []}
    assert len(await kept(client, store, session="s2")) == 1


async def test_those_who_erase_the_last_at_once_get_one_each(client: Client, store: str) -> None:
    await keep(client, store, *(message(n) for n in range(6)))
    given = [a["items"] for a in await asyncio.gather(*(erase(client, store, last=1) for _ in range(8)))]
    assert sorted(m["id"] for items in given for m in items) == [f"m{n}" for n in range(6)]


async def test_all_messages_of_a_session_are_erased_and_what_was_learned_stays(
    client: Client, store: str, memory: Memory
) -> None:
    said = {"actor_id": "ana", "session_id": "s1"}
    await client.post(f"{store}/episodes", json={"scope": said, "text": "I live in Osaka."})
    await keep(client, store, *(message(n) for n in range(7)))
    erased = await memory.sessions._messages.erase(store.rpartition("/")[2], "ana", "s1", last=None, batch=3)
    assert (erased.erased, erased.items) == (7, ())
    await keep(client, store, message(1))
    assert await erase(client, store) == {"erased": 1, "items": []}
    assert await kept(client, store) == []
    assert len((await client.get(f"{store}/facts?actor_id=ana")).json()["items"]) == 1
    missing = await client.delete("/v1/stores/t-none-here/sessions/s1/messages", params={"actor_id": "ana"})
    problem(missing, 404)
    for last in (0, 201):
        with pytest.raises(InvalidInput):
            await memory.sessions.erase_messages(store.rpartition("/")[2], "ana", "s1", last=last)
    for odd in (0, 201, "x"):
        wrong = await client.delete(f"{store}/sessions/s1/messages", params={"actor_id": "ana", "last": odd})
        assert [e["field"] for e in problem(wrong, 400)["errors"]] == ["query.last"]


async def forget(client: Client, store: str, target: dict[str, Any], **more: Any) -> Any:
    body = {"scope": {"actor_id": "ana"}, "target": target, "mode": "erase", **more}
    answer = await client.post(f"{store}/forget", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_erasing_takes_them_along(client: Client, store: str) -> None:
    for session in ("s1", "s2", "s3"):
        await keep(client, store, message(1), message(2, occurred_at="2026-01-05T00:00:00Z"), session=session)
    hidden = await forget(client, store, {"session_id": "s1"}, dry_run=True)
    assert hidden["counts"]["messages"] == 2
    assert len(await kept(client, store, "s1")) == 2
    done = await forget(client, store, {"session_id": "s1"})
    assert (done["counts"]["messages"], done["verified"]) == (2, True)
    assert await kept(client, store, "s1") == []
    assert [s["id"] for s in (await client.get(f"{store}/sessions?actor_id=ana")).json()["items"]] == ["s2", "s3"]

    period = {"since": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"}
    assert (await forget(client, store, period))["counts"]["messages"] == 2
    assert [m["id"] for m in await kept(client, store, "s2")] == ["m1"]
    await keep(client, store, message(3), session="s2")
    assert [m["position"] for m in await kept(client, store, "s2")] == [1, 3], "a place is not given twice"

    await keep(client, store, message(1), actor_id="ben")
    assert (await forget(client, store, {"all": True}))["counts"]["messages"] == 3
    assert await kept(client, store, "s2") == []
    assert len(await kept(client, store, actor="ben")) == 1


async def test_what_an_erased_episode_came_from_goes_with_it(client: Client, store: str) -> None:
    said = [message(1, "I live in Osaka."), message(2, "I like green tea.")]
    await keep(client, store, *said)
    body = {"scope": {"actor_id": "ana", "session_id": "s1"}, "messages": said}
    told = await client.post(f"{store}/episodes", json=body)
    ids = [e["id"] for e in told.json()["episodes"]]
    erased = await client.delete(f"{store}/episodes/{ids[0]}?actor_id=ana")
    assert erased.json()["counts"]["messages"] == 1
    assert [m["id"] for m in await kept(client, store)] == ["m2"]
    assert (await forget(client, store, {"query": "green tea"}))["counts"]["messages"] == 1
    assert await kept(client, store) == []


async def test_an_erasure_that_broke_off_can_be_done_again(
    client: Client, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = message(1, "I live in Osaka.")
    await keep(client, store, said)
    body = {"scope": {"actor_id": "ana", "session_id": "s1"}, "messages": [said]}
    told = (await client.post(f"{store}/episodes", json=body)).json()["episodes"][0]["id"]
    run = Database.run

    async def breaks(database: Database, name: str, *given: Any) -> Any:
        if name == "manage/erase_messages":
            raise DatabaseUnavailable("away")
        return await run(database, name, *given)

    with monkeypatch.context() as broken:
        broken.setattr(Database, "run", breaks)
        assert (await client.delete(f"{store}/episodes/{told}?actor_id=ana")).status_code == 503
    assert (await client.delete(f"{store}/episodes/{told}?actor_id=ana")).json()["counts"]["messages"] == 1
    assert await kept(client, store) == []


async def test_a_store_takes_its_messages_with_it(client: Client, store: str, memory: Memory) -> None:
    await keep(client, store, message(1))
    await client.delete(store)
    left = await memory.database.driver.execute_query(
        "MATCH (m:Message {store_id: $store}) RETURN count(*) AS n", {"store": store.rsplit("/", 1)[1]}
    )
    assert left.records[0]["n"] == 0
