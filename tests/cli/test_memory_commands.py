"""`remember`, `recall`, `facts` and `doctor` on a real Neo4j, as child processes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from tests.support.openai_server import OpenAIServer

from .conftest import Run


def answer(done: Any) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    parsed: dict[str, Any] = json.loads(done.stdout)
    return parsed


def test_what_is_remembered_is_recalled_with_its_source(cli: Run, neo4j_env: dict[str, str], store_id: str) -> None:
    scope = ("--actor", "maya", "--store", store_id, "--json")
    stored = answer(
        cli("remember", "I live in Portland.", *scope, "--source-id", "m1", "--at", "2025-02-03", **neo4j_env)
    )
    assert stored["episodes"][0]["status"] == "processed"
    assert stored["usage"]["extractor"] == "offline"
    moved = cli("remember", "-", *scope, "--at", "2025-08-18", stdin="I moved to Seattle.\n", **neo4j_env)
    assert answer(moved)["episodes"]
    now = answer(cli("recall", "Where does Maya live?", *scope, "--explain", **neo4j_env))
    assert "Seattle" in now["items"][0]["text"]
    assert now["audit"]["reasons"]
    then = answer(cli("recall", "Where does Maya live?", *scope, "--as-of", "2025-03", **neo4j_env))
    assert "Portland" in then["items"][0]["text"]
    assert then["items"][0]["sources"][0]["source_id"] == "m1"
    only = ("--filter", '{"field": "object", "op": "eq", "value": "Portland"}')
    assert not answer(cli("recall", "Where does Maya live?", *scope, *only, **neo4j_env))["items"]
    block = ("--actor", "maya", "--store", store_id, "--context", "json", "--filter", '{"not": ' + only[1] + "}")
    shown = cli("recall", "Where does Maya live?", *block, **neo4j_env).stdout.strip()
    inside = json.loads(shown.removeprefix("<memory-context>").removesuffix("</memory-context>"))
    assert any("Seattle" in each["memory"] for each in inside["memories"])
    ever = answer(cli("facts", *scope, "--all", **neo4j_env))["items"]
    homes = {f["object"]["name"]: f["invalid_at"] for f in ever if f["predicate"] == "lives_in"}
    assert homes == {"Seattle": None, "Portland": "2025-08-18T00:00:00Z"}


def test_people_read_lines_in_japanese_too(cli: Run, neo4j_env: dict[str, str], store_id: str) -> None:
    scope = ("--actor", "遥", "--store", store_id)
    stored = cli("remember", "私は京都に住んでいます。", *scope, "--at", "2025-02-03", **neo4j_env)
    assert stored.returncode == 0, stored.stderr
    assert "\n+ " in stored.stdout
    found = cli("recall", "どこに住んでいますか？", *scope, **neo4j_env)
    assert found.stdout.startswith("1. ")
    assert "京都" in found.stdout.splitlines()[0]
    assert "source " in found.stdout
    assert "2025-02-03" in found.stdout
    listed = cli("facts", *scope, **neo4j_env)
    assert "京都" in listed.stdout


def test_output_that_cannot_show_japanese_still_works(cli: Run, neo4j_env: dict[str, str], store_id: str) -> None:
    ascii_only = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", **neo4j_env}
    stored = cli("remember", "私は京都に住んでいます。", "--store", store_id, "--json", **ascii_only)
    assert answer(stored)["episodes"]
    assert cli("facts", "--store", store_id, **ascii_only).returncode == 0


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        (("recall", "x", "--store", "no-such-store"), "no-such-store"),
        (("facts", "--store", "Not An Id"), "store"),
    ],
)
def test_a_store_that_is_not_there_is_named(
    cli: Run, neo4j_env: dict[str, str], tokens: tuple[str, ...], problem: str
) -> None:
    done = cli(*tokens, **neo4j_env)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith("graphmem: ")
    assert problem in last
    assert "Traceback" not in done.stderr


class _RefusesKeys(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def refusing_endpoint() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _RefusesKeys)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_doctor_is_content_with_a_good_installation(cli: Run, neo4j_env: dict[str, str], memory: Any) -> None:
    done = cli("doctor", **neo4j_env)
    assert done.returncode == 0, done.stdout
    states = {line[5:21].strip(): line[:5].strip() for line in done.stdout.splitlines() if line[0] != " "}
    assert states.pop("Disk") in ("ok", "warn")
    assert set(states) >= {"Python", "Connection", "Schema", "Embedder", "Extractor", "English", "Japanese"}
    assert set(states.values()) == {"ok"}
    assert "none configured: mode semantic answers as hybrid" in done.stdout


def test_doctor_says_what_to_do_about_each_fault(cli: Run, refusing_endpoint: str) -> None:
    faults = {"OPENAI_BASE_URL": refusing_endpoint, "OPENAI_API_KEY": "wrong"}
    done = cli("doctor", NEO4J_URI="bolt://127.0.0.1:9", NEO4J_PASSWORD="x", **faults)
    assert done.returncode == 1
    assert "fail Connection" in done.stdout
    assert "refuses the key (401)" in done.stdout
    assert "→ correct OPENAI_API_KEY" in done.stdout
    assert "wrong" not in done.stdout
    assert done.stderr == ""


def test_doctor_asks_the_reranker(cli: Run, tmp_path: Any) -> None:
    folder = ("--data-dir", str(tmp_path))
    with OpenAIServer() as server:
        settings = {"GRAPHMEM_RERANKER": "endpoint", "GRAPHMEM_RERANKER_BASE_URL": server.url}
        told = cli("doctor", *folder, GRAPHMEM_RERANKER_MODEL="bge", **settings).stdout
        assert re.search(r"^ok\s+Reranker\s+endpoint:bge answers$", told, re.MULTILINE)
        server.inject("reranker", "http_401", times="always")
        told = cli("doctor", *folder, **settings).stdout
    assert re.search(r"^fail\s+Reranker\s+The reranker answered 401", told, re.MULTILINE)
    assert "check GRAPHMEM_RERANKER_API_KEY" in told


def test_doctor_starts_nothing(cli: Run, tmp_path: Any) -> None:
    done = cli("doctor", "--data-dir", str(tmp_path / "fresh"))
    assert "no data yet" in done.stdout or "not installed yet" in done.stdout
    assert not (tmp_path / "fresh").exists()
