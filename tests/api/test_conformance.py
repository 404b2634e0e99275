"""Generated requests against a real server: every answer is one that the OpenAPI document describes."""

from __future__ import annotations

import re
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import positive_data_acceptance

from graphmem.api import create_app
from graphmem.api.dependencies import DEPENDENCIES
from graphmem.api.openapi import describe
from graphmem.api.routes import HANDLERS

if TYPE_CHECKING:
    from graphmem.config import Settings

STORE = f"t-{uuid.uuid4().hex[:16]}"

document = describe(HANDLERS, DEPENDENCIES, secured=False)
# The generator combines the parts of a recursive schema with one another, over 100,000 requests; the other kinds of
# condition, and how they are joined, are in test_filter.py.
document["components"]["schemas"]["RecallRequest"]["properties"]["filter"] = {
    "anyOf": [*document["components"]["schemas"]["FilterCondition"]["oneOf"][:2], {"type": "null"}]
}
schema = schemathesis.openapi.from_dict(document)
schema.config.generation.allow_x00 = False  # JSON Schema has no word for "no NUL in here"


def mend(case: schemathesis.Case) -> None:
    """Mend what the generator gets wrong or JSON Schema cannot say, and aim at a store that is there."""
    path, headers, query = case.path_parameters or {}, case.headers or {}, case.query or {}
    if re.fullmatch("[a-z][a-z0-9-]{1,54}[a-z0-9]", str(path.get("store"))) and case.method != "DELETE":
        path["store"] = STORE
    if re.fullmatch('"?[0-9]+"?', str(headers.get("If-Match"))):  # a made-up version is stale
        headers["If-Match"] = "*"
    if re.fullmatch("[!-~]{1,2000}", str(query.get("page_token", ""))):  # only a list can give one
        del query["page_token"]
    token = case.body.get("page_token") if isinstance(case.body, dict) else None
    if isinstance(token, str) and re.fullmatch("[!-~]{1,2000}", token):
        del case.body["page_token"]
    if case.path.endswith(":split") and isinstance(case.body, dict):  # facts or entities; a name is of moved facts
        for field in ("entity_ids",) if case.body.get("fact_ids") else ("name", "context"):
            case.body.pop(field, None)
    if isinstance(case.body, dict):
        mend_relation(case.body)
        items = case.body.get("items")  # of a bulk call
        for body in (case.body, *(items if isinstance(items, list) else [])):
            if isinstance(body, dict):
                mend_remember(body)


def mend_relation(body: dict[str, Any]) -> None:
    """The name of a relation has a letter."""
    for field in ("opposite", "inverse"):
        if isinstance(body.get(field), str) and not any(map(str.isalpha, body[field])):
            body[field] = None


def mend_remember(body: dict[str, Any]) -> None:
    """What else holds for the body of a remember."""
    if body.get("extraction") == "llm":  # the server has no model
        body["extraction"] = "auto"
    facts = body.get("facts")
    for fact in filter(lambda fact: isinstance(fact, dict), facts if isinstance(facts, list) else []):
        fact.pop("message_id", None)  # the id of one of the messages
        if fact.get("valid_at"):
            fact.pop("invalid_at", None)  # later than the beginning


def may_be_valid(case: schemathesis.Case) -> bool:
    """Every body here is an object; the generator takes a wrong one for right when it also mends a wrong header."""
    return isinstance(case.body, dict | type(NOT_SET))


@pytest.fixture(scope="session")
def server(neo4j_settings: Settings) -> Iterator[str]:
    """The address of a server as `graphmem serve` runs it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = create_app(neo4j_settings)
    running = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, ws="none", lifespan="on"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started and thread.is_alive():
        time.sleep(0.05)
    assert running.started
    address = f"http://127.0.0.1:{port}"
    httpx.post(f"{address}/v1/stores", json={"id": STORE}).raise_for_status()
    yield address
    httpx.delete(f"{address}/v1/stores/{STORE}", timeout=60)
    running.should_exit = True
    thread.join(30)


@schema.parametrize()
@settings(max_examples=5, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_described(case: schemathesis.Case, server: str) -> None:
    mend(case)
    skipped = [] if may_be_valid(case) else [positive_data_acceptance]
    # a query that a fresh server has never planned may take it long on a busy machine
    case.call_and_validate(base_url=server, excluded_checks=skipped, timeout=120)
