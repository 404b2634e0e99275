"""Stores over HTTP."""

from __future__ import annotations

import uuid

from .conftest import Client, fields, problem


async def test_a_store_from_first_to_last(client: Client) -> None:
    name = f"t-{uuid.uuid4().hex[:16]}"
    address = f"/v1/stores/{name}"

    made = await client.post("/v1/stores", json={"id": name, "description": "旅行の記憶"})
    assert made.status_code == 201
    assert made.headers["location"] == address
    assert made.json()["description"] == "旅行の記憶"

    read = await client.get(address)
    assert read.status_code == 200
    assert read.json() == made.json()
    assert read.headers["etag"] == made.headers["etag"] == f'"{read.json()["version"]}"'

    assert (await client.delete(address)).status_code == 204
    problem(await client.get(address), 404, "NOT_FOUND")
    assert fields(await client.delete(address), 404) == ["path.store"]


async def test_an_id_that_is_taken_is_409(client: Client, store: str) -> None:
    name = store.rpartition("/")[2]

    problem(await client.post("/v1/stores", json={"id": name}), 409, "ALREADY_EXISTS")


async def test_the_second_of_two_writers_is_412(client: Client, store: str) -> None:
    mark = {"if-match": (await client.get(store)).headers["etag"]}

    first = await client.patch(store, json={"description": "first"}, headers=mark)
    second = await client.patch(store, json={"description": "second"}, headers=mark)

    assert first.status_code == 200
    assert first.headers["etag"] != mark["if-match"]
    problem(second, 412, "PRECONDITION_FAILED")
    assert (await client.get(store)).json()["description"] == "first"


async def test_settings_are_kept(client: Client, store: str) -> None:
    settings = {"gate": {"min_score": 0.5}, "conflicts": "ask", "languages": ["ja"]}

    await client.patch(store, json={"settings": settings}, headers={"if-match": "*"})

    kept = (await client.get(store)).json()["settings"]
    assert kept["conflicts"] == "ask"
    assert kept["languages"] == ["ja"]
    assert kept["gate"]["min_score"] == 0.5


async def test_stores_are_listed_page_by_page(client: Client, store: str) -> None:
    found: list[str] = []
    params = {"page_size": "1"}
    while True:
        page = await client.get("/v1/stores", params=params)
        assert page.status_code == 200, page.text
        found += [item["id"] for item in page.json()["items"]]
        if page.json()["next_page_token"] is None:
            break
        params["page_token"] = page.json()["next_page_token"]

    assert len(found) == len(set(found))
    assert store.rpartition("/")[2] in found
