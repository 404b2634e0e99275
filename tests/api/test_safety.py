"""What the answers say of secrets, over HTTP."""

from __future__ import annotations

from .conftest import Client, fields

KEY = "AKIAZZFAKEFAKEFAKE12"
SCOPE = {"actor_id": "ana"}


async def test_the_answer_names_what_was_taken_out_and_where(client: Client, store: str) -> None:
    body = {"scope": SCOPE, "messages": [{"content": "hello"}, {"content": f"the key is {KEY}"}], "extraction": "none"}
    answer = await client.post(f"{store}/episodes", json=body)
    assert answer.status_code == 201
    taken = [episode["redacted"] for episode in answer.json()["episodes"]]
    assert taken == [[], [{"kind": "aws key", "count": 1, "field": "messages.1.content"}]]
    assert KEY not in answer.text
    listed = await client.get(f"{store}/episodes", params=SCOPE)
    assert "[redacted: aws key]" in listed.text
    assert KEY not in listed.text


async def test_a_secret_as_an_id_is_a_problem_that_does_not_repeat_it(client: Client, store: str) -> None:
    answer = await client.post(f"{store}/episodes", json={"scope": {"actor_id": KEY}, "text": "hello"})
    assert fields(answer) == ["scope.actor_id"]
    assert KEY not in answer.text
    entry = {"scope": SCOPE, "path": f"{KEY}.md", "content": "x"}
    assert fields(await client.post(f"{store}/entries", json=entry)) == ["path"]


async def test_a_query_is_answered_without_its_secret(client: Client, store: str) -> None:
    answer = await client.post(f"{store}/recall", json={"scope": SCOPE, "query": f"what is {KEY}?"})
    assert answer.json()["redacted"] == [{"kind": "aws key", "count": 1, "field": "query"}]
    assert KEY not in answer.text
