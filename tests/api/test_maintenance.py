"""Maintenance over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Client, fields, problem

FAR = "2040-01-01T00:00:00Z"
LATER = "2040-06-01T00:00:00Z"


async def remember(client: Client, store: str, **fact: Any) -> dict[str, Any]:
    given = {"subject": "user", "predicate": "likes", "object": "fog", "importance": 0.0, **fact}
    body = {"scope": {"actor_id": "ana"}, "text": f"{given}", "facts": [given]}
    answer = await client.post(f"{store}/episodes", json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()["facts"][0]["fact"]
    return made


@pytest.mark.parametrize("object_", ["fog", "霧"])
async def test_fade_look_and_purge(client: Client, store: str, object_: str) -> None:
    fact = await remember(client, store, object=object_)

    dry = await client.post(f"{store}/maintenance:decay", json={"dry_run": True, "as_of": FAR})
    assert dry.status_code == 200, dry.text
    body = dry.json()
    assert body["would_change"] == [
        {
            "id": fact["id"],
            "from": 1.0,
            "to": pytest.approx(0, abs=1e-3),
            "status": "archived",
            "reason": "low_retention",
        }
    ]
    assert (body["examined"], body["archived"], body["purged"], body["next_page_token"]) == (1, 1, 0, None)

    assert (await client.post(f"{store}/maintenance:decay", json={"as_of": FAR})).json()["archived"] == 1
    held = (await client.get(f"{store}/facts/{fact['id']}?actor_id=ana")).json()
    assert (held["status"], held["archived_reason"]) == ("archived", "low_retention")

    done = await client.post(f"{store}/maintenance:purge", json={"as_of": LATER})
    assert done.json()["purged"] == 1
    problem(await client.get(f"{store}/facts/{fact['id']}?actor_id=ana"), 404, "NOT_FOUND")


async def test_an_expiry_is_set_moved_and_taken_away(client: Client, store: str) -> None:
    fact = await remember(client, store, expires_at="2020-01-01T00:00:00+09:00")
    assert fact["expires_at"] == "2019-12-31T15:00:00Z"
    listed = await client.get(f"{store}/facts?actor_id=ana")
    assert listed.json()["items"] == []
    address = f"{store}/facts/{fact['id']}?actor_id=ana"
    assert (await client.patch(address, json={"expires_at": FAR})).json()["expires_at"] == FAR
    assert (await client.patch(address, json={"expires_at": None})).json()["expires_at"] is None
    assert len((await client.get(f"{store}/facts?actor_id=ana")).json()["items"]) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"as_of": "soon"}, "as_of"),
        ({"dry_run": "maybe"}, "dry_run"),
        ({"page_token": "elsewhere"}, "page_token"),
        ({"unknown": 1}, "unknown"),
    ],
)
@pytest.mark.parametrize("task", ["decay", "purge", "consolidate"])
async def test_bad_values_are_named(client: Client, store: str, task: str, body: dict[str, Any], field: str) -> None:
    assert fields(await client.post(f"{store}/maintenance:{task}", json=body)) == [field]


async def test_an_unknown_store_or_task_is_404(client: Client, store: str) -> None:
    problem(await client.post("/v1/stores/no-such-store/maintenance:decay", json={}), 404, "NOT_FOUND")
    problem(await client.post(f"{store}/maintenance:dance", json={}), 404)


async def test_the_stores_decay_settings_are_kept_and_checked(client: Client, store: str) -> None:
    decay = {"archive_below": 0.2, "half_life_by_layer": {"episodic": 14}, "half_life_by_category": {"予定": 3}}
    kept = await client.patch(store, json={"settings": {"decay": decay}})
    assert kept.status_code == 200, kept.text
    assert kept.json()["settings"]["decay"] | decay == kept.json()["settings"]["decay"]
    assert kept.json()["settings"]["decay"]["purge_after_days"] == 90
    for wrong in ({"archive_below": 2}, {"half_life_by_layer": {"dreams": 1}}, {"half_life_by_category": {"x": 0}}):
        assert (await client.patch(store, json={"settings": {"decay": wrong}})).status_code == 400
