"""Entries over HTTP: notes by actor, session and path."""

from __future__ import annotations

from typing import Any

from .conftest import Client, fields, problem

ACTOR = {"actor_id": "user-花"}


def entry(path: str, content: str, **more: Any) -> dict[str, Any]:
    session = {"session_id": more.pop("session_id")} if "session_id" in more else {}
    return {"scope": ACTOR | session, "path": path, "content": content} | more


async def test_a_path_is_taken_once(client: Client, store: str) -> None:
    first = await client.post(
        f"{store}/entries", json=entry("/設定/連絡.md", "メールが好き。", description="連絡の好み")
    )
    again = await client.post(f"{store}/entries", json=entry("/設定/連絡.md", "電話が好き。"))
    inside = await client.post(f"{store}/entries", json=entry("/設定/連絡.md", "この回だけ。", session_id="s1"))

    assert first.status_code == 201, first.text
    assert first.json()["description"] == "連絡の好み"
    assert fields(again, 409) == ["path"]
    assert again.json()["code"] == "ALREADY_EXISTS"
    assert inside.status_code == 201
    exact = await client.get(f"{store}/entries", params=ACTOR | {"path": "/設定/連絡.md"})
    assert [e["content"] for e in exact.json()["items"]] == ["メールが好き。", "この回だけ。"]
    only = await client.get(f"{store}/entries", params=ACTOR | {"path": "/設定/連絡.md", "session_id": "s1"})
    assert [e["content"] for e in only.json()["items"]] == ["この回だけ。"]


async def test_put_makes_replaces_and_appends(client: Client, store: str) -> None:
    made = await client.put(f"{store}/entries", json=entry("/a/log.md", "one", description="a log"))
    replaced = await client.put(f"{store}/entries", json=entry("/a/log.md", "two"))
    added = await client.put(f"{store}/entries", json=entry("/a/log.md", "three", append=True))
    again = await client.put(f"{store}/entries?append=true", json=entry("/a/log.md", "four"))

    assert [a.status_code for a in (made, replaced, added, again)] == [201, 200, 200, 200]
    assert len({a.json()["id"] for a in (made, replaced, added, again)}) == 1
    assert again.json()["content"] == "two\nthree\nfour"
    assert (again.json()["version"], again.json()["description"]) == (4, "a log")
    long = await client.put(f"{store}/entries", json=entry("/a/log.md", "x" * 49_990, append=True))
    assert fields(long, 413) == ["content"]


async def test_entries_are_listed_read_revised_and_erased(client: Client, store: str) -> None:
    for path in ("/a/one.md", "/a/two.md", "/b/one.md"):
        made = await client.post(f"{store}/entries", json=entry(path, path))
    await client.post(f"{store}/notes", json={"scope": ACTOR, "body": "A note without a path."})
    address = f"{store}/entries/{made.json()['id']}"

    listed = await client.get(f"{store}/entries", params=ACTOR | {"prefix": "/a/"})
    every = await client.get(f"{store}/entries", params=ACTOR | {"page_size": 2})
    moved = await client.patch(address, params=ACTOR, json={"path": "/c.md"}, headers={"if-match": '"1"'})
    onto = await client.patch(address, params=ACTOR, json={"path": "/a/one.md"})

    assert [e["path"] for e in listed.json()["items"]] == ["/a/one.md", "/a/two.md"]
    assert every.json()["next_page_token"]
    assert moved.status_code == 200, moved.text
    assert (moved.json()["path"], moved.json()["version"]) == ("/c.md", 2)
    problem(onto, 409, "ALREADY_EXISTS")
    assert (await client.post(f"{store}/entries", json=entry("/b/one.md", "free again"))).status_code == 201
    assert (await client.delete(address, params=ACTOR)).json()["verified"]
    problem(await client.get(address, params=ACTOR), 404, "NOT_FOUND")
    problem(await client.get(address, params={"actor_id": "other"}), 404, "NOT_FOUND")


async def test_search_finds_entries_by_meaning(client: Client, store: str) -> None:
    await client.post(f"{store}/entries", json=entry("/prefs/contact.md", "Prefers email over phone."))
    await client.post(f"{store}/entries", json=entry("/prefs/food.md", "Never eats shellfish."))

    body = {"scope": ACTOR, "query": "communication by email or phone", "limit": 5}
    found = await client.post(f"{store}/entries:search", json=body)
    elsewhere = await client.post(f"{store}/entries:search", json=body | {"prefix": "/other/"})

    assert found.status_code == 200, found.text
    assert found.json()["items"][0]["entry"]["path"] == "/prefs/contact.md"
    assert 0 < found.json()["items"][0]["score"] <= 1
    assert elsewhere.json()["items"] == []
    assert fields(await client.post(f"{store}/entries:search", json=body | {"limit": 101})) == ["limit"]


async def test_an_entry_carries_data_of_its_caller(client: Client, store: str) -> None:
    data = {"n": 1.5, "文": ["雪", None, {"deep": True}]}
    made = await client.put(f"{store}/entries", json=entry("/a.md", "one", data=data))
    assert made.json()["data"] == data
    address = f"{store}/entries/{made.json()['id']}"
    kept = await client.put(f"{store}/entries", json=entry("/a.md", "two"))
    assert (kept.json()["data"], kept.json()["version"]) == (data, 2)
    other = await client.put(f"{store}/entries", json=entry("/a.md", "two", data={"n": 2}))
    same = await client.put(f"{store}/entries", json=entry("/a.md", "two", data={"n": 2}))
    assert (other.json()["data"], other.json()["version"], same.json()["version"]) == ({"n": 2}, 3, 3)
    (listed,) = (await client.get(f"{store}/entries", params=ACTOR)).json()["items"]
    assert listed["data"] == {"n": 2}
    patched = await client.patch(address, params=ACTOR, json={"data": None})
    assert (patched.json()["data"], patched.json()["content"]) == (None, "two")
    for odd in ({"x": "y" * 200_001}, ["x"], "x"):
        assert fields(await client.put(f"{store}/entries", json=entry("/b.md", "b", data=odd))) == ["data"]
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    clean = await client.post(f"{store}/entries", json=entry("/c.md", "c", data={"key": f"it is {key}"}))
    assert [r["field"] for r in clean.json()["redacted"]] == ["data.key"]
    assert key not in clean.text


async def test_data_is_not_searched(client: Client, store: str) -> None:
    await client.put(f"{store}/entries", json=entry("/a.md", "The parcel is here.", data={"text": "purple elephants"}))
    body = {"scope": ACTOR, "query": "purple elephants"}
    assert (await client.post(f"{store}/entries:search", json=body)).json()["items"] == []


async def test_a_tag_narrows_before_anything_is_ranked(client: Client, store: str) -> None:
    """More entries than a search ranks answer better; they do not take the place of the tagged one."""
    path, tea = "/tea/{}.md", "Green tea is what Maya drinks in the morning."
    for n in range(101):
        await client.put(f"{store}/entries", json=entry(path.format(n), tea))
    await client.put(f"{store}/entries", json=entry("/mine.md", "In the morning Maya drinks coffee.", tags=["mine"]))
    body = {"scope": ACTOR, "query": "What does Maya drink in the morning? Green tea", "limit": 100}
    found = await client.post(f"{store}/entries:search", json=body | {"tag": "mine"})
    assert [hit["entry"]["path"] for hit in found.json()["items"]] == ["/mine.md"]
    every = await client.post(f"{store}/entries:search", json=body)
    assert "/mine.md" not in [hit["entry"]["path"] for hit in every.json()["items"]]
