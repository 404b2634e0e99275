"""Notes over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Client, fields, problem

ACTOR = {"actor_id": "利用者・花"}


async def write(client: Client, store: str, **note: Any) -> dict[str, Any]:
    answer = await client.post(f"{store}/notes", json={"scope": ACTOR, "auto_link": False} | note)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_note_is_written_read_and_revised(client: Client, store: str) -> None:
    body = {"scope": ACTOR, "title": "合言葉", "body": "山と川。", "tags": ["秘密"]}
    made = await client.post(f"{store}/notes", json=body)
    address = made.headers["location"]
    mark = {"if-match": made.headers["etag"]}

    revised = await client.patch(address, json={"body": "海と空。"}, headers=mark)
    stale = await client.patch(address, json={"body": "空。"}, headers=mark)
    history = await client.get(address.replace("?", "/history?"))

    assert made.status_code == 201, made.text
    assert made.json()["keywords"]
    assert revised.status_code == 200, revised.text
    assert (revised.json()["id"], revised.json()["version"]) == (made.json()["id"], 2)
    assert revised.headers["etag"] == '"2"'
    problem(stale, 412, "PRECONDITION_FAILED")
    assert [step["body"] for step in history.json()["items"]] == ["山と川。", "海と空。"]
    assert (await client.get(address)).json()["body"] == "海と空。"
    erased = await client.delete(address)
    assert erased.json()["verified"]
    problem(await client.get(address), 404, "NOT_FOUND")


async def test_notes_are_listed_page_by_page_and_filtered(client: Client, store: str) -> None:
    for number in range(5):
        await write(
            client, store, title=f"N{number}", body=f"[[N{number + 1}]]", tags=["odd" if number % 2 else "even"]
        )
    await write(client, store, title="alone", body="nothing", keywords=["Bicycles"])
    params: dict[str, Any] = ACTOR | {"page_size": 4}

    first = (await client.get(f"{store}/notes", params=params)).json()
    second = (await client.get(f"{store}/notes", params=params | {"page_token": first["next_page_token"]})).json()

    async def titles(**where: str) -> list[str]:
        answer = await client.get(f"{store}/notes", params=ACTOR | where)
        assert answer.status_code == 200, answer.text
        return [note["title"] for note in answer.json()["items"]]

    assert [n["title"] for n in first["items"] + second["items"]] == ["N0", "N1", "N2", "N3", "N4", "alone"]
    assert second["next_page_token"] is None
    assert await titles(tag="odd") == ["N1", "N3"]
    assert await titles(orphans="true") == ["alone"]
    assert await titles(title="n2") == ["N2"]
    assert await titles(keyword="bicycle") == ["alone"]
    assert await titles(status="superseded") == []


async def test_supersession_and_links(client: Client, store: str) -> None:
    old = await write(client, store, body="The plan: sail.", valid_at="2025-01")
    new = await write(client, store, body="By train. [[Map]]", valid_at="2025-02", supersedes=old["id"])
    linked = await write(
        client,
        store,
        title="Map",
        body="A map.",
        links=[{"target": new["id"], "kind": "supports", "reason": "shows it"}],
    )
    address = f"{store}/notes/{old['id']}"

    newest = await client.get(address, params=ACTOR | {"newest": "true"})
    cycle = await client.patch(address, params=ACTOR, json={"supersedes": new["id"]})
    links = await client.get(f"{store}/notes/{new['id']}/links", params=ACTOR | {"hops": 2})

    assert newest.json()["id"] == new["id"]
    assert (await client.get(address, params=ACTOR)).json()["superseded_by"] == new["id"]
    assert fields(cycle, 409) == ["supersedes"]
    assert [(x["title"], x["by"]) for x in links.json()["links"]] == [("Map", "wiki")]
    back = links.json()["backlinks"]
    assert [(b["target"], b["kind"], b["reason"], b["by"]) for b in back] == [
        (linked["id"], "supports", "shows it", "user")
    ]
    assert fields(await client.get(f"{store}/notes/{new['id']}/links", params=ACTOR | {"hops": 4})) == ["query.hops"]


async def test_an_idempotency_key_writes_once(client: Client, store: str) -> None:
    body, key = {"scope": ACTOR, "body": "once"}, {"idempotency-key": "k1"}

    first = await client.post(f"{store}/notes", json=body, headers=key)
    again = await client.post(f"{store}/notes", json=body, headers=key)
    other = await client.post(f"{store}/notes", json=body | {"body": "twice"}, headers=key)

    assert first.json()["id"] == again.json()["id"]
    problem(other, 409, "CONFLICT")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"body": " "}, "body"),
        ({"title": ""}, "title"),
        ({"path": "a/../b"}, "path"),
        ({"path": "/"}, "path"),
        ({"tags": "x"}, "tags"),
        ({"importance": 2}, "importance"),
        ({"links": [{"target": "x", "kind": "loves"}]}, "links.0.kind"),
        ({"valid_at": "yesterday"}, "valid_at"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_is_wrong_is_named(client: Client, store: str, change: dict[str, Any], field: str) -> None:
    assert fields(await client.post(f"{store}/notes", json={"scope": ACTOR, "body": "x"} | change)) == [field]


async def test_what_is_not_there_is_named(client: Client, store: str) -> None:
    gone = {
        "supersedes": ("nothing", "supersedes"),
        "episode_ids": (["nothing"], "episode_ids.0"),
        "links": ([{"target": "nothing"}], "links.0.target"),
        "about": (["nobody"], "about.0"),
    }
    for name, (value, field) in gone.items():
        answer = await client.post(f"{store}/notes", json={"scope": ACTOR, "body": "x", name: value})
        assert fields(answer, 404) == [field]
    assert fields(await client.get(f"{store}/notes/nothing", params=ACTOR), 404) == ["path.id"]
    problem(await client.get("/v1/stores/no-such-store/notes", params=ACTOR), 404, "NOT_FOUND")
    assert fields(await client.patch(f"{store}/notes/x", params=ACTOR, json={})) == ["body"]
    assert (await client.get(f"{store}/notes", params=ACTOR)).json()["items"] == []
