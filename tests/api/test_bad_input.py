"""What is refused, by the place that is named; nothing of what was sent comes back."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from .conftest import Client, fields, problem

JSON = {"content-type": "application/json"}
SCOPE = {"actor_id": "haruka"}
SECRET = "合言葉はひらけごま"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(b"", "body", id="empty"),
        pytest.param(b"null", "body", id="null"),
        pytest.param(b"[1,2,3]", "body", id="array"),
        pytest.param(b'"text"', "body", id="string"),
        pytest.param(b'{"text": "x",}', "body", id="trailing-comma"),
        pytest.param(b'{"text": "\xff"}', "body", id="not-utf8"),
        pytest.param('{"text": "x"}'.encode("utf-16"), "body", id="utf16"),
        pytest.param(b"\xef\xbb\xbf{}", "body", id="byte-order-mark"),
        pytest.param(b"[" * 100_000, "body", id="deep"),
        pytest.param(b"[" + b"[0]," * 100_000 + b"0]", "body", id="many-values"),
        pytest.param(b'{"text": ' + b"1" * 5_000 + b"}", "body", id="long-number"),
        pytest.param(b'{"text": NaN}', "text", id="nan"),
        pytest.param(b'{"messages": [{"content": -Infinity}]}', "messages.0.content", id="infinity"),
        pytest.param(b'{"text": 1e999}', "text", id="overflow"),
        pytest.param(b'{"scope": {"actor_id": "a", "actor_id": "b"}}', "scope.actor_id", id="twice"),
        pytest.param(b'{"messages": [{"content": "\\ud800"}]}', "messages.0.content", id="surrogate"),
        pytest.param(b'{"text": "a\\u0000b"}', "text", id="nul"),
        pytest.param(b'{"\\udfff": 1}', "body", id="surrogate-in-name"),
    ],
)
async def test_malformed_json_names_the_place(client: Client, store: str, body: bytes, field: str) -> None:
    answer = await client.post(f"{store}/episodes", content=body, headers=JSON)

    assert fields(answer) == [field]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": None}, "body"),
        ({"messages": [{"content": "x"}]}, "body"),
        ({"text": 12345}, "text"),
        ({"text": " \n\u3000"}, "text"),
        ({"text": ""}, "text"),
        ({"text": "長" * 50_001}, "text"),
        ({"scope": {}}, "scope.actor_id"),
        ({"scope": {"actor_id": 5}}, "scope.actor_id"),
        ({"scope": {"actor_id": " a"}}, "scope.actor_id"),
        ({"scope": {"actor_id": "a", "userid": "b"}}, "scope.userid"),
        ({"wait": 1}, "wait"),
        ({"wait": "true"}, "wait"),
        ({"occurred_at": 1760000000}, "occurred_at"),
        ({"occurred_at": "1760000000"}, "occurred_at"),
        ({"occurred_at": "昨日"}, "occurred_at"),
        ({"text": None, "messages": []}, "messages"),
        ({"text": None, "messages": [{"content": "x"}, {"content": "x", "role": "boss"}]}, "messages.1.role"),
        ({"facts": [{"subject": "a", "predicate": "b"}]}, "facts.0.object"),
        ({"facts": [{"subject": "a", "predicate": "b", "object": 3}]}, "facts.0.object"),
        ({"facts": [{"subject": {"idd": "a"}, "predicate": "b", "object": "c"}]}, "facts.0.subject.idd"),
        (
            {"facts": [{"subject": "a", "predicate": "b", "object": "c", "confidence": True}]},
            "facts.0.confidence",
        ),
        (
            {"facts": [{"subject": "a", "predicate": "b", "object": "c", "valid_at": "2019-13"}]},
            "facts.0.valid_at",
        ),
        ({"txet": "x"}, "txet"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_is_stored(
    client: Client, store: str, change: dict[str, Any], field: str
) -> None:
    body = {"scope": SCOPE, "text": "Haruka lives in Osaka.", "extraction": "none"} | change

    answer = await client.post(f"{store}/episodes", json=body)

    assert field in fields(answer)
    stored = await client.get(f"{store}/episodes", params=SCOPE)
    assert stored.json()["items"] == []


@pytest.mark.parametrize("limit", ["5", True, 5.5, 0, -1, 101, None])
async def test_a_limit_is_a_whole_number_in_its_range(client: Client, store: str, limit: Any) -> None:
    answer = await client.post(f"{store}/recall", json={"scope": SCOPE, "query": "x", "limit": limit})

    assert fields(answer) == ["limit"]


async def test_every_wrong_field_is_named_at_once(client: Client, store: str) -> None:
    body = {"scope": {"actor_id": 1}, "query": "", "mode": "psychic", "kinds": []}

    answer = await client.post(f"{store}/recall", json=body)

    assert fields(answer) == ["scope.actor_id", "query", "mode", "kinds"]


async def test_no_value_comes_back(client: Client, store: str) -> None:
    bad = {"scope": {"actor_id": SECRET + "\n"}, "text": [SECRET], "wait": SECRET, "occurred_at": SECRET}

    answers = [
        await client.post(f"{store}/episodes", json=bad),
        await client.post(f"{store}/episodes", content=f'{{"text": "{SECRET}'.encode(), headers=JSON),
        await client.get(f"{store}/facts", params={"actor_id": SECRET + "\n", "as_of": SECRET}),
    ]

    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert not [answer for answer in answers if SECRET in answer.text]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "query.actor_id"),
        ("actor_id=", "query.actor_id"),
        ("actor_id=%20%20", "query.actor_id"),
        ("actor_id=a%00b", "query.actor_id"),
        ("actor_id=a&actor_id=b", "query.actor_id"),
        ("actor_id=%ff", "query"),
        ("actor_id=%ed%a0%80", "query"),
        ("actor_id=a&asof=2020-01-01T00:00:00Z", "query.asof"),
        ("actor_id=a&as_of=2020", "query.as_of"),
        ("actor_id=a&page_size=0", "query.page_size"),
        ("actor_id=a&page_size=201", "query.page_size"),
        ("actor_id=a&page_size=-1", "query.page_size"),
        ("actor_id=a&page_size=5.0", "query.page_size"),
        ("actor_id=a&page_size=%EF%BC%95", "query.page_size"),
        ("actor_id=a&page_token=", "query.page_token"),
        ("actor_id=a&page_token=nonsense", "query.page_token"),
        ("actor_id=a&status=lost", "query.status"),
        ("actor_id=a&%E8%8A%B1=1", "query.花"),
    ],
)
async def test_a_wrong_query_parameter_is_named(client: Client, store: str, query: str, field: str) -> None:
    assert fields(await client.get(f"{store}/facts?{query}")) == [field]


@pytest.mark.parametrize("name", ["ab", "Default", "1st", "a_b", "default-", "x" * 57, "ストア", "abc%0A"])
async def test_a_store_id_that_cannot_be_is_named(client: Client, name: str) -> None:
    assert fields(await client.get(f"/v1/stores/{name}")) == ["path.store"]
    assert fields(await client.post("/v1/stores", json={"id": name})) == ["id"]


async def test_a_record_id_that_cannot_be_is_named(client: Client, store: str) -> None:
    assert fields(await client.get(f"{store}/facts/%00?actor_id=a")) == ["path.id"]
    assert fields(await client.get(f"{store}/facts/{'x' * 257}?actor_id=a")) == ["path.id"]


@pytest.mark.parametrize("key", ["x" * 257, "tab\tinside", "", "clé"])
async def test_an_idempotency_key_is_short_and_printable(client: Client, store: str, key: str) -> None:
    body = {"scope": SCOPE, "text": "Haruka lives in Osaka.", "extraction": "none"}
    headers = {"idempotency-key": key.encode()}

    answer = await client.post(f"{store}/episodes", json=body, headers=headers)  # type: ignore[arg-type]

    assert fields(answer) == ["header.Idempotency-Key"]


@pytest.mark.parametrize("mark", ["not a mark", "3", '"x"', '"3', '"1", "2"', ""])
async def test_an_if_match_that_is_no_etag_is_named(client: Client, store: str, mark: str) -> None:
    answer = await client.patch(store, json={"description": "x"}, headers={"if-match": mark})

    assert fields(answer) == ["header.If-Match"]
    assert (await client.get(store)).json()["description"] == ""


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", None]
)
async def test_other_content_types_are_415(client: Client, store: str, kind: str | None) -> None:
    headers = {"content-type": kind} if kind else {}

    answer = await client.post(f"{store}/recall", content=b'{"query": "x"}', headers=headers)

    problem(answer, 415, "UNSUPPORTED_MEDIA_TYPE")


async def test_a_client_that_takes_no_json_is_406(client: Client) -> None:
    problem(await client.get("/v1/stores", headers={"accept": "text/csv"}), 406, "NOT_ACCEPTABLE")
    browser = "text/html,application/xhtml+xml,*/*;q=0.8"
    assert (await client.get("/v1/stores", headers={"accept": browser})).status_code == 200


@pytest.mark.parametrize("patch", [{}, {"text": None}, {"tags": None, "pinned": None}, {"status": "active"}])
async def test_a_patch_says_what_changes(client: Client, store: str, patch: dict[str, Any]) -> None:
    answer = await client.patch(f"{store}/facts/x?actor_id=a", json=patch)

    assert fields(answer) == ["status" if "status" in patch else "body"]


async def test_a_number_with_a_point_is_whole_when_it_is(client: Client, store: str) -> None:
    body = b'{"scope": {"actor_id": "a"}, "query": "x", "limit": 5.0}'

    assert (await client.post(f"{store}/recall", content=body, headers=JSON)).status_code == 200


async def test_a_period_that_ends_before_it_begins_names_its_end(client: Client, store: str) -> None:
    target = {"since": "2025-02-01T00:00:00Z", "until": "2025-01-01T00:00:00Z"}
    answer = await client.post(f"{store}/forget", json={"scope": {"actor_id": "a"}, "target": target})
    found = problem(answer, 400, "INVALID_INPUT")
    assert [e["field"] for e in found["errors"]] == ["target.until"]


async def test_what_is_wrong_is_told_in_plain_words(client: Client, store: str) -> None:
    body = {
        "scope": SCOPE,
        "query": 5,
        "kinds": [],
        "mode": "psychic",
        "limit": "many",
        "dry_run": "no",
        "gate": {"max_age_days": 1e29, "exempt_tags": "x", "max_hits": 0},
        "filter": [],
    }
    answer = await client.post(f"{store}/recall", json=body)
    told = {error["field"]: error["message"] for error in problem(answer, 400)["errors"]}
    assert told == {
        "query": "must be a text",
        "kinds": "must have 1 or more items",
        "mode": "must be 'keyword', 'vector', 'hybrid' or 'semantic'",
        "limit": "must be a whole number",
        "dry_run": "must be true or false",
        "gate.max_age_days": "must be at most 36525",
        "gate.exempt_tags": "must be a list",
        "gate.max_hits": "must be at least 1",
        "filter": "must be an object",
    }


async def test_a_compressed_body_is_refused(client: Client, store: str) -> None:
    raw = b'{"scope": {"actor_id": "haruka"}, "text": "Haruka lives in Osaka."}'
    for content in (raw, gzip.compress(raw)):
        headers = JSON | {"content-encoding": "gzip"}
        problem(await client.post(f"{store}/episodes", content=content, headers=headers), 415)
    assert (await client.post(f"{store}/episodes", content=raw, headers=JSON)).status_code == 201


async def test_a_slash_in_a_name_is_no_step_of_an_address(client: Client, store: str) -> None:
    for address in (f"{store}%2ffacts", f"{store}%2F/facts", f"{store}/facts%2Fx"):
        problem(await client.get(address, params=SCOPE), 404)
    assert (await client.get(f"{store}/entries?actor_id=haruka&path=%2fa.md")).status_code == 200


@pytest.mark.parametrize("field", ["opposite", "inverse"])
async def test_an_opposite_is_the_name_of_a_relation(client: Client, store: str, field: str) -> None:
    for name in ("*", "...", "1"):
        assert fields(await client.patch(f"{store}/predicates/likes", json={field: name})) == [field]
    problem(await client.get(f"{store}/predicates/*"), 404)
