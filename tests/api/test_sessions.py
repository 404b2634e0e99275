"""Sessions, open items and consolidation over HTTP."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from .conftest import Client, fields, problem


async def tell(client: Client, store: str, session: str, *texts: str, actor: str = "ana") -> list[str]:
    body = {
        "scope": {"actor_id": actor, "session_id": session},
        "messages": [{"content": text} for text in texts],
        "extraction": "none",
    }
    answer = await client.post(f"{store}/episodes", json=body)
    assert answer.status_code == 201, answer.text
    return [episode["id"] for episode in answer.json()["episodes"]]


async def test_a_session_is_closed_with_its_summary(client: Client, store: str) -> None:
    made = await tell(client, store, "s/1 会話", "The ferry to Sado leaves at nine.", "I still have to book the hotel.")
    (before,) = (await client.get(f"{store}/sessions?actor_id=ana")).json()["items"]
    assert (before["id"], before["ended_at"], before["summary"], before["episodes"]) == ("s/1 会話", None, None, 2)

    await tell(client, store, "s1", "The ferry to Sado leaves at nine.", "I still have to book the hotel.")
    closed = await client.post(f"{store}/sessions/s1:close?actor_id=ana")
    assert closed.status_code == 200, closed.text
    session = closed.json()
    assert session["ended_at"] is not None
    assert session["topic"]
    assert session["summary"] == "The ferry to Sado leaves at nine. I still have to book the hotel."
    assert [item["text"] for item in session["open_items"]] == ["I still have to book the hotel."]
    assert {len(line["episode_ids"]) for line in session["sentences"]} == {1}
    again = (await client.post(f"{store}/sessions/s1:close?actor_id=ana")).json()
    assert (again["ended_at"], again["summarised_at"]) == (session["ended_at"], session["summarised_at"])
    assert (await client.post(f"{store}/maintenance:consolidate", json={})).json()["summarised"] == 1  # the other one

    await tell(client, store, "s1", "The hotel is booked, in Ryotsu.")
    later = (await client.post(f"{store}/sessions/s1:close?actor_id=ana")).json()
    assert later["ended_at"] > session["ended_at"]
    assert "Ryotsu" in later["summary"]
    assert made


async def test_sessions_and_open_items_come_page_by_page(client: Client, store: str) -> None:
    for number in range(5):
        await tell(client, store, f"s{number}", f"I need to paint wall {number}.", f"I must oil door {number}.")
    await tell(client, store, "s0", "I need to hide the gift.", actor="ben")
    assert (await client.post(f"{store}/maintenance:consolidate", json={})).json()["summarised"] == 6

    async def all_of(address: str, size: int) -> list[dict[str, Any]]:
        items, token = [], ""
        while token is not None:
            answer = await client.get(f"{store}/{address}page_size={size}" + (f"&page_token={token}" if token else ""))
            assert answer.status_code == 200, answer.text
            items += answer.json()["items"]
            token = answer.json()["next_page_token"]
        return items

    sessions = await all_of("sessions?actor_id=ana&", 2)
    assert [session["id"] for session in sessions] == [f"s{number}" for number in range(5)]
    items = await all_of("open-items?actor_id=ana&", 3)
    expected = [text for n in range(5) for text in (f"I need to paint wall {n}.", f"I must oil door {n}.")]
    assert [item["text"] for item in items] == expected
    assert [item["session_id"] for item in items] == [f"s{n}" for n in range(5) for _ in range(2)]
    only = await all_of("open-items?actor_id=ana&session_id=s3&", 50)
    assert [item["text"] for item in only] == ["I need to paint wall 3.", "I must oil door 3."]
    sessions = await all_of("sessions?actor_id=ana&order=newest&", 2)
    assert [session["id"] for session in sessions] == [f"s{number}" for number in (4, 3, 2, 1, 0)]
    items = await all_of("open-items?actor_id=ana&order=newest&", 3)
    assert [item["session_id"] for item in items] == [f"s{n}" for n in (4, 3, 2, 1, 0) for _ in range(2)]
    assert [item["text"] for item in items[:2]] == ["I need to paint wall 4.", "I must oil door 4."]


async def test_what_is_not_there_or_not_theirs_is_404(client: Client, store: str) -> None:
    await tell(client, store, "s1", "Fog over the bay.")
    problem(await client.post(f"{store}/sessions/s1:close?actor_id=ben"), 404, "NOT_FOUND")
    problem(await client.post(f"{store}/sessions/s2:close?actor_id=ana"), 404, "NOT_FOUND")
    for address in ("sessions", "open-items"):
        problem(await client.get(f"/v1/stores/no-such-store/{address}?actor_id=ana"), 404, "NOT_FOUND")
        assert (await client.get(f"{store}/{address}?actor_id=ben")).json()["items"] == []


@pytest.mark.parametrize("address", ["sessions", "open-items"])
async def test_bad_values_are_named(client: Client, store: str, address: str) -> None:
    assert fields(await client.get(f"{store}/{address}")) == ["query.actor_id"]
    assert fields(await client.get(f"{store}/{address}?actor_id=ana&page_size=0")) == ["query.page_size"]
    assert fields(await client.get(f"{store}/{address}?actor_id=ana&order=latest")) == ["query.order"]
    for held in ("x", "x|y|z", "2026-01-01|a", "2026-01-01T00:00:00+00:00|a|b", "2026-01-01T00:00:00+00:00"):
        token = base64.urlsafe_b64encode(f"{address}:{held}".encode()).decode()
        assert fields(await client.get(f"{store}/{address}?actor_id=ana&page_token={token}")) == ["query.page_token"]
