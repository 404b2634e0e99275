"""Generated requests against a real server: every answer is one that the OpenAPI document describes."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings

from graphmem.api import create_app
from graphmem.api.dependencies import DEPENDENCIES
from graphmem.api.openapi import describe
from graphmem.api.routes import HANDLERS

if TYPE_CHECKING:
    from graphmem.config import Settings

schema = schemathesis.openapi.from_dict(describe(HANDLERS, DEPENDENCIES, secured=False))
schema.config.generation.allow_x00 = False  # JSON Schema has no word for "no NUL in here"


def mend(case: schemathesis.Case) -> None:
    """Mend what the generator gets wrong, or what JSON Schema cannot say."""
    mark = (case.headers or {}).get("If-Match")
    if isinstance(mark, str) and re.fullmatch("[0-9]+", mark):  # it loses the quotes of the pattern
        case.headers["If-Match"] = f'"{mark}"'
    body = case.body if isinstance(case.body, dict) else {}
    facts = body.get("facts") if isinstance(body.get("facts"), list) else []
    for fact in facts:
        if isinstance(fact, dict) and fact.get("valid_at") and fact.get("invalid_at"):
            del fact["invalid_at"]  # an end must be later than its beginning


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
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(30)


@schema.parametrize()
@settings(
    max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
def test_every_answer_is_described(case: schemathesis.Case, server: str) -> None:
    mend(case)
    case.call_and_validate(base_url=server)
