"""The runner's own checks, on fabricated replies: each has to fail where it should."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from .checks import _CHECKS, verify
from .edits import edited
from .generators import CLOSE_TAG, CLOSE_TAG_NESTED, OPEN_TAG, CaseError, expand
from .replies import CheckFailed, Reply
from .steps import NotAvailable, Request, available, recall, remember, remember_batch
from .view import View
from .world import World

NOW = "2026-02-03T09:00:00Z"


def fact(text: str, **values: Any) -> dict[str, Any]:
    names = {
        "subject": {"id": "e1", "name": "Mira"},
        "object": {"id": "e2", "name": "Bergen"},
        "literal": None,
    }
    times = {"valid_at": NOW, "invalid_at": None}
    return {
        "id": text,
        "text": text,
        "predicate": "lives_in",
        "polarity": True,
        "disputed": False,
        **names,
        **times,
        **values,
    }


def item(text: str, kind: str = "fact", score: Any = 0.5) -> dict[str, Any]:
    return {"kind": kind, "id": text, "text": text, "score": score, "valid_at": None, "invalid_at": None}


def returned(*items: Any, op: str = "recall", **values: Any) -> Reply:
    body = {"items": list(items), "context": "", "next_page_token": None, **values}
    return Reply(op, 200, body, json.dumps(body))


def world(reply: Reply, stored: Mapping[str, Any] | None = None, **replies: Reply) -> World:
    """A world with one reply, `q`, and a store that holds these rows by path."""

    async def send(request: Request, op: str) -> Reply:
        rows = (stored or {}).get(request.path)
        if rows is None:
            return Reply(op, 404)
        if request.query.get("validity") == "current":
            rows = [row for row in rows if row["invalid_at"] is None]
        return returned(*rows, op=op) if isinstance(rows, list) else Reply(op, 200, rows, json.dumps(rows))

    return World({"q": reply, **replies}, reply, "u1", View(send))


async def holds(check: dict[str, Any], of: World) -> bool:
    try:
        await verify(check, of)
    except CheckFailed:
        return False
    return True


ENTITY = {"id": "e1", "name": "Mira Sand", "aliases": ["Mimi"], "is_actor": False}
ACTOR = {"id": "e0", "name": "Hana", "aliases": [], "is_actor": True}
STORED = {
    "/facts": [fact("Mira lives in Bergen"), fact("Mira lived in Oslo", invalid_at="2026-02-01T00:00:00Z")],
    "/entities": [ENTITY, ACTOR],
    "/episodes": [{"id": "p1", "content": "Hi"}],
    "/facts/Mira%20lives%20in%20Bergen": fact("Mira lives in Bergen", sources=[{"episode_id": "p1"}]),
}
BLOCK = f"{OPEN_TAG}\n- tea\n{CLOSE_TAG}"

# check, a reply for which it holds, a reply for which it does not
PAIRS: list[tuple[dict[str, Any], Reply, Reply]] = [
    (
        {"check": "tool_error", "value": True},
        Reply("remember", 400, tool_error=True),
        Reply("remember", 200, tool_error=False),
    ),
    ({"check": "contains", "text": "Ｔea"}, returned(item("green  tea")), returned(item("coffee"))),
    ({"check": "contains", "text": "tea"}, returned(item("tea")), returned(item("tea", "episode"))),
    (
        {"check": "contains", "text": "tea"},
        returned(item("tea")),
        Reply("recall", 500, {"items": [item("tea")]}),
    ),
    ({"check": "contains", "text": "no "}, returned(item("has no dog")), returned(item("now knows"))),
    ({"check": "contains", "text": "Tea", "exact": True}, returned(item("Tea")), returned(item("tea"))),
    ({"check": "contains", "text": "é", "in": "any"}, returned(x="É"), returned(item("e"))),
    ({"check": "contains", "any_of": ["a1", "b2"]}, returned(item("b2")), returned(item("c3"))),
    ({"check": "not_contains", "text": "tea"}, returned(item("tea", "episode")), returned(item("TEA"))),
    ({"check": "not_contains", "text": "tea"}, returned(), Reply("recall", 400, {"detail": "no"})),
    ({"check": "not_contains", "text": "tea"}, returned(), Reply("recall", 200, {})),
    (
        {"check": "not_contains", "text": "tea", "in": "any"},
        Reply("recall", 400, {"d": "x"}),
        returned(z="tea"),
    ),
    (
        {"check": "top_contains", "text": "tea"},
        returned(item("tea"), item("x")),
        returned(item("x"), item("tea")),
    ),
    ({"check": "top_contains", "text": "tea"}, returned(item("tea")), returned()),
    ({"check": "empty"}, returned(), returned(item("x", "episode"))),
    ({"check": "empty"}, returned(), Reply("recall", 200, {"context": ""})),
    ({"check": "status", "code": "2xx"}, Reply("x", 201), Reply("x", 302)),
    ({"check": "status", "code": [404, 422]}, Reply("x", 422), Reply("x", 400)),
    (
        {"check": "status", "code": "2xx"},
        Reply("x", 200),
        Reply("x", 201, calls=[Reply("y", 201), Reply("y", 500)]),
    ),
    ({"check": "status_not", "code": "5xx"}, Reply("x", 404), Reply("x", 503)),
    ({"check": "status_not", "code": "5xx"}, Reply("x", 404), Reply("x", 0)),
    ({"check": "count", "field": "items", "max": 1}, returned(item("x")), returned(item("x"), item("y"))),
    ({"check": "count", "field": "items", "value": 0}, returned(), Reply("list", 500)),
    (
        {"check": "count", "field": "items", "value": 1, "where": {"text": "tea"}},
        returned(item("tea"), item("tea!", "episode")),
        returned(item("tea"), item("tea!")),
    ),
    (
        {"check": "score_between", "min": 0, "max": 1},
        returned(item("x", score=1)),
        returned(item("x", score=1.01)),
    ),
    ({"check": "score_between", "min": 0, "max": 1}, returned(item("x")), returned()),
    ({"check": "finite"}, returned(item("x", score=7)), returned(item("x", score=float("nan")))),
    ({"check": "finite"}, returned(item("x", score=7)), returned(item("x", score=None))),
    (
        {"check": "field", "path": "degraded", "cmp": "eq", "value": True},
        returned(degraded=["v"]),
        returned(),
    ),
    ({"check": "field", "path": "pending", "cmp": "truthy"}, returned(pending=1), returned()),
    ({"check": "field", "path": "next_cursor", "cmp": "truthy"}, returned(next_page_token="t"), returned()),
    (
        {"check": "field", "path": "items.0.status", "cmp": "ne", "value": "done"},
        returned({"status": "failed"}),
        returned({"status": "processed"}),
    ),
    (
        {"check": "field", "path": "items.0.status", "cmp": "ne", "value": "x"},
        returned({"status": "y"}),
        returned(),
    ),
    ({"check": "wrapped_once"}, returned(op="context", context=BLOCK), returned(op="context", context="tea")),
    (
        {"check": "wrapped_once"},
        returned(op="context", context=BLOCK),
        returned(op="context", context=BLOCK * 2),
    ),
    (
        {"check": "wrapped_once"},
        returned(op="context", context=BLOCK),
        returned(op="context", context=BLOCK + "x"),
    ),
    ({"check": "max_seconds", "value": 2}, Reply("x", 200, seconds=1.0), Reply("x", 200, seconds=3.0)),
    ({"check": "max_bytes", "value": 3}, Reply("x", 200, text="あ"), Reply("x", 200, text="ああ")),
    ({"check": "statuses", "value": {"2xx": 1}}, Reply("x", 200), Reply("x", 409)),
    ({"check": "unique", "field": "ids"}, returned(item("x"), item("y")), returned(item("x"), item("x"))),
    (
        {"check": "pages", "pages": 1},
        Reply("l", 200, calls=[returned()]),
        Reply("l", 200, calls=[returned()] * 2),
    ),
    (
        {"check": "pages", "duplicates": 0},
        Reply("l", 200, calls=[returned()]),
        Reply("l", 200, calls=[Reply("l", 500)]),
    ),
    (
        {"check": "pages", "unique_ids": 1, "contains": ["x"]},
        Reply("list_all", 200, calls=[returned(item("x"))]),
        Reply("list_all", 200, calls=[returned(item("y"))]),
    ),
    (
        {
            "check": "any",
            "of": [[{"check": "status", "code": 404}], [{"check": "empty"}, {"check": "alive"}]],
        },
        Reply("x", 404),
        returned(),
    ),
]


@pytest.mark.parametrize(("check", "good", "bad"), PAIRS, ids=[f"{n}-{p[0]['check']}" for n, p in enumerate(PAIRS)])
async def test_a_check_of_a_reply_can_hold_and_can_fail(check: dict[str, Any], good: Reply, bad: Reply) -> None:
    assert await holds(check, world(good))
    assert not await holds(check, world(bad))


BY_TEXT = {"check": "fact", "where": {"text": "oslo"}, "field": "valid_to", "cmp": "date_eq"}
OF_THE_STORE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # a check that holds for STORED, and the change that makes it fail
    ({"check": "count", "field": "facts", "value": 2}, {"value": 1}),
    ({"check": "count", "field": "facts", "value": 1, "where": {"current": True}}, {"value": 2}),
    ({"check": "count", "field": "facts", "value": 1, "where": {"current": False}}, {"value": 0}),
    ({"check": "count", "field": "facts", "value": 2, "where": {"object_contains": "berg"}}, {"value": 0}),
    ({"check": "count", "field": "facts", "value": 2, "where": {"predicate": "lives_in"}}, {"value": 0}),
    ({"check": "count", "field": "facts", "value": 0, "where": {"subject": ["user", "I"]}}, {"value": 1}),
    ({"check": "count", "field": "entities", "value": 1, "where": {"names": ["mimi"]}}, {"value": 0}),
    ({"check": "count", "field": "entities", "value": 1, "where": {"name_starts": "Mira"}}, {"value": 2}),
    ({"check": "count", "field": "episodes", "value": 1}, {"value": 0}),
    ({"check": "count", "field": "contradictions", "value": 0}, {"value": 1}),
    ({**BY_TEXT, "value": "2026-02-01"}, {"value": "2026-02-02"}),
    (
        {**BY_TEXT, "field": "valid_from", "cmp": "between", "value": [NOW, NOW]},
        {"value": ["2027-01-01", NOW]},
    ),
    (
        {"check": "fact", "where": {"text": "Bergen"}, "field": "sources_count", "cmp": "eq", "value": 1},
        {"value": 2},
    ),
    (
        {"check": "fact", "where": {"text": "Bergen"}, "field": "valid_from", "cmp": "eq", "value": NOW},
        {"where": {"text": "Rome"}},
    ),
    ({"check": "no_fact_matches", "pattern": "Oslo"}, {"pattern": "Bergen"}),
    ({"check": "max_length", "field": "entities.name", "value": 9}, {"value": 8}),
]


@pytest.mark.parametrize(("check", "change"), OF_THE_STORE)
async def test_a_check_of_the_store_can_hold_and_can_fail(check: dict[str, Any], change: dict[str, Any]) -> None:
    assert await holds(check, world(returned(), STORED))
    assert not await holds({**check, **change}, world(returned(), STORED))
    assert not await holds(check, world(returned()))  # a store that cannot be read


async def test_the_person_of_the_scope_is_called_user() -> None:
    own = fact("Hana eats barley", subject={"id": "e0", "name": "Hana"})
    of = world(returned(), {**STORED, "/facts": [own]})
    assert await holds({"check": "count", "field": "facts", "value": 1, "where": {"subject": ["user"]}}, of)
    assert not await holds({"check": "no_fact_matches", "pattern": "(?i)^user[^.]*barley"}, of)


async def test_a_day_is_right_in_the_zone_of_a_message() -> None:
    ended = fact("Oslo", invalid_at="2026-01-31T15:00:00Z")
    of = world(returned(), {"/facts": [ended]})
    assert not await holds({**BY_TEXT, "value": "2026-02-01"}, of)
    of.said = ["2026-02-03T09:00:00+09:00"]
    assert await holds({**BY_TEXT, "value": "2026-02-01"}, of)


async def test_an_open_end_is_no_day() -> None:
    of = world(returned(), {"/facts": [fact("Oslo")]})
    assert not await holds({**BY_TEXT, "value": "2026-02-01"}, of)


async def test_not_stored_looks_at_every_path() -> None:
    empty: dict[str, Any] = {"/facts": [], "/entities": [], "/episodes": [], "/recall": {"items": []}}
    check = {"check": "not_stored", "text": "Bergen"}
    assert await holds(check, world(returned(), empty))
    for path in empty:
        assert not await holds(check, world(returned(), {k: v for k, v in empty.items() if k != path})), path
    assert not await holds(check, world(returned(), {**empty, "/recall": {"context": "bergen"}}))
    assert not await holds(check, world(returned(), {**empty, "/export": {"line": "ＢＥＲＧＥＮ"}}))
    assert not await holds(check, world(returned(), {**empty, "/recalls": {"items": [{"query": "bergen"}]}}))
    history = {"/facts/f1": {"id": "f1"}, "/facts/f1/history": {"items": [{"text": "was Bergen"}]}}
    assert not await holds(check, world(returned(), {**empty, "/facts": [fact("x", id="f1")], **history}))


async def test_two_replies_are_compared() -> None:
    same = {"check": "same", "steps": ["q", "r"], "field": "items"}
    assert await holds(same, world(returned(item("x")), r=returned(item("x", score=0.4))))
    assert not await holds(same, world(returned(item("x")), r=returned(item("y"))))
    same["field"] = "id"
    assert await holds(same, world(Reply("w", 201, {"episodes": [{"id": "1"}]}), r=Reply("g", 200, {"id": "1"})))
    assert not await holds(same, world(Reply("w", 201, {"episodes": []}), r=Reply("g", 201, {"episodes": []})))
    order = {"check": "not_greater", "steps": ["q", "r"], "field": "total"}
    assert await holds(order, world(returned(total=1), r=returned(total=1)))
    assert not await holds(order, world(returned(total=2), r=returned(total=1)))


async def test_alive_asks_the_service() -> None:
    assert await holds({"check": "alive"}, world(returned(), {"//healthz": {"ok": True}}))
    assert not await holds({"check": "alive"}, world(returned()))


async def test_what_the_runner_does_not_know_is_an_error_of_its_own() -> None:
    of = world(returned())
    for check in (
        {"check": "smells_good"},
        {"check": "empty", "unless": True},
        {"check": "contains", "text": ""},
        {"check": "count", "field": "facts"},
        {"check": "count", "field": "moods", "value": 0},
        {"check": "empty", "step": "nowhere"},
        {"check": "any", "of": [[{"check": "smells_good"}], [{"check": "empty"}]]},
    ):
        with pytest.raises(CaseError):
            await verify(check, of)
    with pytest.raises(CaseError):
        available({"op": "recall", "scope": "u1", "query": "x", "colour": "red"})
    with pytest.raises(NotAvailable):
        available({"op": "recall", "scope": "u1", "query": "x", "via": "plugin"})


def test_every_check_is_tried_here() -> None:
    tried = {check["check"] for check, *_ in PAIRS} | {check["check"] for check, _ in OF_THE_STORE}
    assert set(_CHECKS) <= tried | {"alive", "not_stored", "same", "not_greater"}


def test_generators_write_out_texts_and_series() -> None:
    assert (
        expand({"gen": "repeat", "prefix": "a", "unit": "bc", "times": 2, "suffix": "{{close_tag}}"})
        == f"abcbc{CLOSE_TAG}"
    )
    assert expand({"gen": "nest", "open": "(", "inner": "x", "close": ")", "times": 2}) == "((x))"
    hint = [{"s": "Jar {i}", "p": "p", "o": "o"}]
    rows = expand({"gen": "series", "template": "Jar {i}", "from": 2, "to": 3, "facts": hint})
    assert [row["text"] for row in rows] == ["Jar 2", "Jar 3"]
    assert rows[1]["facts"][0]["s"] == "Jar 3"
    assert expand({"text": "{{step:c}}!"}, lambda kind, name: f"{kind}-{name}") == {"text": "step-c!"}
    assert CLOSE_TAG_NESTED.replace(CLOSE_TAG, "") == CLOSE_TAG


def test_steps_become_requests() -> None:
    step = {
        "op": "remember",
        "scope": "u1",
        "text": "猫",
        "at": NOW,
        "source_id": "s/1",
        "idempotency_key": "k",
    }
    request = remember({**step, "facts": [{"s": "a", "p": "b", "o": "c", "valid_from": "2019"}]}, "given")
    assert request.headers == {"Idempotency-Key": "k"}
    assert request.body == {
        "scope": {"actor_id": "u1"},
        "text": "猫",
        "occurred_at": NOW,
        "source": {"id": "s/1"},
        "extraction": "none",
        "facts": [{"subject": "a", "predicate": "b", "object": "c", "valid_at": "2019"}],
    }
    assert (remember(step, "scripted").body or {})["extraction"] == "offline"
    assert (remember({**step, "facts": []}, "scripted").body or {})["extraction"] == "llm"
    spoken = remember({**step, "role": "assistant", "conversation": "c1"}, "given").body or {}
    assert spoken["messages"] == [{"role": "assistant", "content": "猫", "occurred_at": NOW}]
    assert spoken["scope"] == {"actor_id": "u1", "session_id": "c1"}
    batch = (
        remember_batch({"scope": "u1", "items": [{"text": "a", "source_id": "1"}, {"text": "b"}]}, "given").body or {}
    )
    assert [message.get("id") for message in batch["messages"]] == ["1", None]


def test_edits_change_the_request_as_told() -> None:
    base = recall({"op": "recall", "scope": "u1", "query": "x", "as_of": NOW, "min_score": 0.5})

    def sent(*edits: dict[str, Any]) -> bytes:
        return edited(base, "recall", edits).payload() or b""

    assert b"NaN" in sent({"set_raw": {"min_score": "NaN"}})
    assert json.loads(sent({"rename": {"as_of": "asof"}}))["asof"] == NOW
    assert "scope" not in json.loads(sent({"remove": "scope"}))
    assert sent({"insert_before_end": ","}).endswith(b",}")
    assert sent({"replace_body": ""}) == b""
    assert json.loads(sent({"set_raw": {"limit": "1e999"}}, {"remove": "as_of"}).replace(b"1e999", b"1"))["limit"] == 1
    assert "as_of" in (base.body or {})  # the request that is edited stays as it was
    for edit in ({"remove": "colour"}, {"rename": {"colour": "color"}}, {"paint": "red"}):
        with pytest.raises(CaseError):
            sent(edit)
    page = Request("GET", "/facts", query={"actor_id": "u1"})
    assert edited(page, "list", [{"remove": "scope"}]).url("s") == "/v1/stores/s/facts"
    assert edited(page, "list", [{"query_string_unescaped": "scope"}]).url("s").endswith("?actor_id=u1")
