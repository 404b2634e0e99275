"""Every route has a client method, every method a route, and both say what the OpenAPI document and `Memory` say."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal, get_args, get_origin, get_type_hints

import httpx
import pytest
from pydantic import BaseModel

from graphmem import AsyncGraphMem, Memory
from graphmem.api import create_app
from graphmem.client import routes
from graphmem.client.wire import Nothing, Route
from graphmem.errors import GraphMemError
from graphmem.models.note import NoteQuery
from tests.support.neo4j import settings_for_tests
from tests.support.sync_client import BY_HAND, SYNC, modules

PARTS = (
    *("bulk", "disputes", "entries", "imports", "notes", "predicates", "recalls", "sessions", "timelines", "truth"),
)
OWN = {"alive", "close", "with_options"}
"""What a client has beside the calls of `Memory`, and its iterators."""
LEFT_OUT = {"recall": {"narrow_only"}}
"""Arguments that HTTP has not: there the store's settings decide."""
SEVERAL = {"truth.delete"}
"""Second names of a call, as `Memory` has them."""
ENTRY_CONDITIONS = {"actor_id": "x", "session_id": "x", "path": "x", "prefix": "x"}


@pytest.fixture(scope="module")
def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """The operations of the OpenAPI document, by method and path."""
    document = create_app(settings_for_tests()).state.openapi()
    return {(verb.upper(), path): found for path, verbs in document["paths"].items() for verb, found in verbs.items()}


def all_routes() -> dict[tuple[str, str], Route[Any]]:
    return {(r.method, r.path): r for r in vars(routes).values() if isinstance(r, Route)}


def methods(of: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, found in inspect.getmembers(of, inspect.isfunction):
        if not name.startswith(("_", "iter")) and not (prefix == "" and name in OWN):
            yield f"{prefix}{name}", found


def client_methods() -> dict[str, Any]:
    client = AsyncGraphMem()
    return dict(methods(AsyncGraphMem)) | {
        name: found for part in PARTS for name, found in methods(type(getattr(client, part)), f"{part}.")
    }


METHODS = client_methods()
CALLS = [name for name in METHODS if name != "remember_all"] + ["alive"]


def test_every_operation_has_a_route(operations: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert all_routes().keys() == operations.keys()


def test_the_parts_are_those_of_the_client() -> None:
    assert {name for name, value in vars(AsyncGraphMem()).items() if not name.startswith("_")} == set(PARTS)


@pytest.mark.parametrize("route", all_routes().values(), ids=lambda r: f"{r.method} {r.path}")
def test_the_answer_of_a_route(route: Route[Any], operations: dict[tuple[str, str], dict[str, Any]]) -> None:
    operation = operations[route.method, route.path]
    found = {
        content["schema"]["$ref"].rpartition("/")[2]
        for status, response in operation["responses"].items()
        if int(status) < 300 or int(status) in route.also
        for media, content in response.get("content", {}).items()
        if media == "application/json"
    }
    expected = set() if route.answer is Nothing else {re.sub(r"\W", "_", route.answer.__name__)}
    assert found == expected
    takes_key = any(p["name"] == "Idempotency-Key" for p in operation["parameters"])
    assert takes_key == (route.repeat == "keyed")
    assert route.repeat != "read" or route.method == "GET" or route.path.endswith(("recall", ":search"))


def sample(annotation: Any, name: str) -> Any:
    """A value for an argument: bodies are empty, every condition of a query is set."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)[-1]
    if get_origin(annotation) is not None:
        return sample(get_args(annotation)[0], name)
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        if name != "query":
            return annotation.model_construct()
        return annotation.model_construct(**{n: sample(f.annotation, n) for n, f in annotation.model_fields.items()})
    return {str: "x", int: 7, bool: True, datetime: datetime(2026, 1, 1, tzinfo=UTC)}[annotation]


async def sent_by(name: str) -> httpx.Request:
    """What a method sends when every argument is given."""
    sent: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(404, json={"code": "NOT_FOUND"}, headers={"content-type": "application/problem+json"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(refuse)) as recorder:
        client = AsyncGraphMem(http_client=recorder)
        part, _, method = name.rpartition(".")
        call = getattr(getattr(client, part) if part else client, method)
        arguments = {n: sample(kind, n) for n, kind in get_type_hints(call).items() if n != "return"}
        if name == "entries.page":
            arguments["query"] = NoteQuery.model_construct(**ENTRY_CONDITIONS)  # type: ignore[arg-type]
        with pytest.raises(GraphMemError):
            await call(**arguments)
    (request,) = sent
    return request


def operation_of(request: httpx.Request, operations: dict[tuple[str, str], dict[str, Any]]) -> tuple[str, str]:
    """The most literal one whose path has the form."""
    fitting = [
        (method, path)
        for method, path in operations
        if method == request.method and re.fullmatch(re.sub(r"\\{\w+\\}", "[^/:]+", re.escape(path)), request.url.path)
    ]
    assert fitting, f"{request.method} {request.url.path} is no call of the contract"
    return min(fitting, key=lambda found: found[1].count("{"))


async def test_methods_send_what_the_contract_takes(operations: dict[tuple[str, str], dict[str, Any]]) -> None:
    called = []
    for name in CALLS:
        request = await sent_by(name)
        key = operation_of(request, operations)
        if name not in SEVERAL:
            called.append(key)
        parameters = operations[key]["parameters"]
        documented = {p["name"] for p in parameters if p["in"] == "query"}
        assert set(request.url.params) == documented, name
        headers = {p["name"].lower() for p in parameters if p["in"] == "header"}
        assert {h for h in ("if-match", "idempotency-key") if h in request.headers} == headers, name
        assert bool(request.content) == ("requestBody" in operations[key]), name
    assert sorted(called) == sorted(operations)


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_those_of_the_memory(name: str, memory: Memory) -> None:
    part, _, method = name.rpartition(".")
    twin = getattr(type(getattr(memory, part)) if part else Memory, method)
    ours, theirs = inspect.signature(METHODS[name]).parameters, inspect.signature(twin).parameters
    kept = [p for n, p in theirs.items() if n not in LEFT_OUT.get(name, ())]
    assert [(p.name, p.kind) for p in ours.values()] == [(p.name, p.kind) for p in kept]
    for own, other in zip(ours.values(), kept, strict=True):
        assert other.default in (own.default, inspect.Parameter.empty), f"{name}: default of {own.name}"
    hints, wanted = get_type_hints(METHODS[name]), get_type_hints(twin)
    assert hints == {n: hint for n, hint in wanted.items() if n in hints}


def test_the_sync_side_is_as_it_is_made() -> None:
    made = modules()
    assert {path.name for path in SYNC.glob("*.py")} == {path.name for path in made} | BY_HAND
    old = [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]
    assert not old, "run: uv run python -m tests.support.sync_client"
