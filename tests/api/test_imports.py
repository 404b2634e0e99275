"""`POST …/import`: files as notes and as documents, one outcome each."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Client, fields, idle, problem

PERSON = {"path": "people/Freya Lundahl.md", "content": "---\naliases: [Frey]\n---\nFreya Lundahl lives in Oslo.\n"}
LOG = {"path": "log.md", "content": "---\ndate: 2024-05\n---\n[[Freya Lundahl|Freya]] bought a **loom**.\n"}
DIARY = {"path": "日記/春.md", "content": "---\n日付: 2023年4月2日\n---\n[[山田太郎|山田]]さんは京都に住んでいます。\n"}


async def taken(client: Client, store: str, files: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    body = {"scope": {"actor_id": "ana"}, "files": files, "extraction": "offline"} | more
    answer = await client.post(f"{store}/import", json=body)
    assert answer.status_code in (200, 202), answer.text
    found: dict[str, Any] = answer.json()
    return found


async def rows(client: Client, store: str, kind: str, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get(f"{store}/{kind}", params={"actor_id": "ana", "page_size": 200} | query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


async def test_a_file_is_a_note_and_a_document_whose_text_becomes_facts(client: Client, store: str) -> None:
    done = await taken(client, store, [PERSON, LOG, DIARY])

    assert [file["outcome"] for file in done["files"]] == ["made"] * 3
    assert done["counts"] == {"made": 3, "changed": 0, "same": 0, "failed": 0}
    assert all(file["facts"] for file in done["files"])
    loom, *_ = [f for f in await rows(client, store, "facts", validity="any") if "loom" in f["text"]]
    assert (loom["valid_at"][:10], loom["valid_at_precision"]) == ("2024-05-01", "month")
    assert loom["subject"]["name"] == "Freya Lundahl"
    whole = (await client.get(f"{store}/facts/{loom['id']}", params={"actor_id": "ana"})).json()
    (source,) = whole["sources"]
    assert (source["source_id"], source["quote"]) == ("log.md", "Freya bought a loom.")
    names = [entity["name"] for entity in await rows(client, store, "entities")]
    assert "Freya Lundahl" in names
    assert not {"Freya", "Frey", "山田"} & set(names)
    assert "山田太郎" in names
    kyoto = next(f for f in await rows(client, store, "facts", validity="any") if "京都" in f["text"])
    assert kyoto["valid_at"].startswith("2023-04-02")
    assert {note["path"] for note in await rows(client, store, "notes")} == {
        PERSON["path"],
        LOG["path"],
        DIARY["path"],
    }


async def test_the_same_file_again_changes_nothing_and_another_text_is_a_new_version(
    client: Client, store: str
) -> None:
    text = "Torvald bought a loom.\n\nTorvald lives in Bergen.\n"
    first = await taken(client, store, [{"path": "a.md", "content": text}])
    before = await rows(client, store, "facts", validity="any")
    again = await taken(client, store, [{"path": "a.md", "content": text}])

    assert again["files"][0]["outcome"] == "same"
    assert again["files"][0]["episode"]["id"] == first["files"][0]["episode"]["id"]
    assert await rows(client, store, "facts", validity="any") == before

    changed = await taken(client, store, [{"path": "a.md", "content": text.replace("bought a loom", "sold a wheel")}])
    assert changed["files"][0]["outcome"] == "changed"
    assert changed["files"][0]["note_id"] == first["files"][0]["note_id"]
    texts = " ".join(fact["text"] for fact in await rows(client, store, "facts"))
    assert "Bergen" in texts
    assert "wheel" in texts
    assert "loom" not in texts
    bergen = [fact["valid_at"] for fact in await rows(client, store, "facts") if "Bergen" in fact["text"]]
    assert bergen == [fact["valid_at"] for fact in before if "Bergen" in fact["text"]]
    loom = next(fact for fact in before if "loom" in fact["text"])
    history = (await client.get(f"{store}/facts/{loom['id']}/history", params={"actor_id": "ana"})).json()
    assert "a new version of its source" in str(history), history


async def test_a_new_date_alone_is_a_new_version(client: Client, store: str) -> None:
    for date in ("2024-05-17", "2024-06-18"):
        content = f"---\ndate: {date}\n---\nTorvald bought a loom.\n"
        await taken(client, store, [{"path": "a.md", "content": content}])
        (loom,) = [f for f in await rows(client, store, "facts") if "loom" in f["text"]]
        assert loom["valid_at"].startswith(date)


async def test_erasing_the_source_erases_note_and_facts(client: Client, store: str) -> None:
    await taken(client, store, [LOG])
    await taken(client, store, [LOG | {"content": "[[Freya Lundahl|Freya]] sold a wheel."}])
    body = {"scope": {"actor_id": "ana"}, "target": {"source_id": "log.md"}, "mode": "erase"}
    receipt = (await client.post(f"{store}/forget", json=body)).json()

    assert receipt["verified"] is True
    assert receipt["counts"] == {"facts": receipt["counts"]["facts"], "episodes": 2, "notes": 1}
    for kind in ("facts", "notes", "entities", "episodes"):
        found = await rows(
            client, store, kind, **({"validity": "any"} if kind != "episodes" and kind != "entities" else {})
        )
        assert not [row for row in found if not row.get("is_actor")]


async def test_one_bad_file_does_not_stop_the_others(client: Client, store: str) -> None:
    files = [
        {"path": "../x.md", "content": "a"},
        {"path": "long.md", "content": "x " * 30_000},
        LOG,
        {"path": "/log.md", "content": "again"},
        {"path": "sk.md", "content": "password: hunter2-Xq9\n"},
        {"path": "empty.md", "content": ""},
        {"path": "deep.md", "content": ">" * 5_000 + "[" * 5_000 + "x"},
    ]
    done = {file["path"]: file for file in (await taken(client, store, files))["files"]}

    assert {path for path, file in done.items() if file["outcome"] == "failed"} == {"../x.md", "long.md", "/log.md"}
    assert all(file["reason"] for file in done.values() if file["outcome"] == "failed")
    assert [r["kind"] for r in done["sk.md"]["redacted"]] == ["password"]
    assert done["sk.md"]["redacted"][0]["field"] == "files.4.content"
    assert "hunter2" not in str(await rows(client, store, "episodes")) + str(await rows(client, store, "notes"))


async def test_without_waiting_all_is_saved_and_facts_come_later(client: Client, store: str) -> None:
    done = await taken(client, store, [LOG], wait=False)
    (file,) = done["files"]
    assert (file["outcome"], file["episode"]["status"]) == ("made", "pending")
    await idle(client, store)
    facts = await rows(client, store, "facts", validity="any")
    assert [(f["subject"]["name"], f["valid_at_precision"]) for f in facts if "loom" in f["text"]] == [
        ("Freya Lundahl", "month")
    ]


async def test_notes_only_and_then_the_text_too(client: Client, store: str) -> None:
    done = await taken(client, store, [LOG], notes_only=True)
    assert done["files"][0]["episode"] is None
    assert not await rows(client, store, "episodes")
    assert (await taken(client, store, [LOG]))["files"][0]["outcome"] == "changed"
    (note,) = await rows(client, store, "notes")
    assert [source["source_id"] for source in note["sources"]] == ["log.md"]


async def test_a_repeated_key_writes_nothing(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "files": [LOG], "extraction": "offline"}
    headers = {"Idempotency-Key": "k1"}
    first = (await client.post(f"{store}/import", json=body, headers=headers)).json()
    note = first["files"][0]["note_id"]
    await client.patch(f"{store}/notes/{note}", params={"actor_id": "ana"}, json={"body": "Mine."})
    again = (await client.post(f"{store}/import", json=body, headers=headers)).json()

    assert again["files"][0]["outcome"] == "same"
    assert again["files"][0]["note_id"] == note
    assert again["files"][0]["episode"]["id"] == first["files"][0]["episode"]["id"]
    assert (await client.get(f"{store}/notes/{note}", params={"actor_id": "ana"})).json()["body"] == "Mine."
    other = await client.post(f"{store}/import", json=body | {"files": [PERSON]}, headers=headers)
    problem(other, 409, "CONFLICT")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"files": []}, "files"),
        ({"files": [{"path": "a.md", "content": "x", "mode": 1}]}, "files.0.mode"),
        ({"files": [{"path": "", "content": "x"}]}, "files.0.path"),
        ({"files": [{"path": "a.md", "content": "x" * 100_001}]}, "files.0.content"),
        ({"format": "docx"}, "format"),
        ({"extraction": "llm"}, "extraction"),
        ({"wait": "no"}, "wait"),
    ],
)
async def test_a_bad_call_is_refused_whole(client: Client, store: str, change: dict[str, Any], field: str) -> None:
    body = {"scope": {"actor_id": "ana"}, "files": [LOG]} | change
    assert field in fields(await client.post(f"{store}/import", json=body))
    assert not await rows(client, store, "notes")


@pytest.mark.parametrize("first", ["said", "imported"])
async def test_no_document_makes_the_owner_somebody_else(client: Client, store: str, first: str) -> None:
    evil = {"path": "Evil.md", "content": "---\naliases: [ana, user, I, me, 私]\n---\nEvil lives in Hellmouth.\n"}
    said = {"scope": {"actor_id": "ana"}, "text": "I live in Paris.", "extraction": "offline"}
    if first == "imported":
        await taken(client, store, [evil])
    assert (await client.post(f"{store}/episodes", json=said)).status_code == 201
    if first == "said":
        await taken(client, store, [evil])
    facts = await rows(client, store, "facts")
    owner = next(f["subject"]["id"] for f in facts if "Paris" in f["text"])
    assert next(f["subject"]["id"] for f in facts if "Hellmouth" in f["text"]) != owner
    names = {entity["name"]: entity["aliases"] for entity in await rows(client, store, "entities")}
    assert names["ana"] == []
    assert not {"I", "me", "user", "私"} & set(names["Evil"])
