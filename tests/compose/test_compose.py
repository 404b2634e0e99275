"""The container files, as far as they can be checked without an engine."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from graphmem.config import Settings
from tests.support.settings import variables_of_settings
from tests.support.tree import ROOT

GIVEN = {"NEO4J_PASSWORD": "a-long-password", "GRAPHMEM_API_KEY": "a-long-key"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(params=["neo4j", "api"])
def service(request: pytest.FixtureRequest, compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"][request.param]
    return found


def test_there_are_two_services(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"neo4j", "api"}


def test_each_service_tells_its_health(service: dict[str, Any]) -> None:
    assert {"test", "interval", "timeout", "retries", "start_period"} <= set(service["healthcheck"])


def test_images_are_pinned(service: dict[str, Any]) -> None:
    assert re.fullmatch(r"[\w/.-]+:\d+\.\d+\.\d+[\w.-]*", service["image"])


def test_ports_are_published_on_loopback_only(service: dict[str, Any]) -> None:
    assert service["ports"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_data_is_in_named_volumes(compose: dict[str, Any]) -> None:
    mounts = [mount.split(":") for mount in compose["services"]["neo4j"]["volumes"]]
    assert "/data" in {target for _, target in mounts}
    assert {name for name, _ in mounts} == set(compose["volumes"])


def test_secrets_have_no_default(service: dict[str, Any]) -> None:
    for name, value in service["environment"].items():
        if re.search("PASSWORD|AUTH|KEY", name):
            assert re.fullmatch(
                r"(neo4j/)?\$\{(NEO4J_PASSWORD|GRAPHMEM_API_KEY):\?[^}]+\}|\$\{OPENAI_API_KEY:-\}", value
            )


def test_the_api_waits_for_neo4j_and_speaks_to_it(compose: dict[str, Any]) -> None:
    api = compose["services"]["api"]
    assert api["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert api["environment"]["NEO4J_URI"] == "bolt://neo4j:7687"
    assert api["ports"] == [f"127.0.0.1:8080:{api['environment']['GRAPHMEM_PORT']}"]


def test_the_api_is_given_known_settings(compose: dict[str, Any]) -> None:
    assert set(compose["services"]["api"]["environment"]) <= variables_of_settings()


def test_the_settings_it_is_given_are_accepted(compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in compose["services"]["api"]["environment"].items():
        monkeypatch.setenv(name, re.sub(r"\$\{(\w+):[?-][^}]*\}", lambda m: GIVEN.get(m[1], ""), value))
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == GIVEN["GRAPHMEM_API_KEY"]
    assert settings.host == "0.0.0.0"
    assert not settings.has_model, "an empty variable must count as not set"


def test_neo4j_settings_follow_the_images_rule(compose: dict[str, Any]) -> None:
    """`NEO4J_` and the setting, a dot as `_` and an underscore as `__`; any other name stops the server."""
    names = set(compose["services"]["neo4j"]["environment"]) - {"NEO4J_AUTH"}
    settings = {n.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_") for n in names}
    known = {
        "server.memory.heap.max_size",
        "server.memory.pagecache.size",
        "dbms.usage_report.enabled",
        "dbms.cypher.min_replan_interval",
    }
    assert settings <= known


def test_dockerfile_copies_what_the_build_needs_and_runs_without_root() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = {
        name for line in lines if line.startswith("COPY ") and "--from" not in line for name in line.split()[1:-1]
    }
    assert {"pyproject.toml", "README.md", "LICENSE", "graphmem", "api", "cypher"} == copied
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert copied == {name[1:] for name in ignored if name.startswith("!")}
    assert "USER graphmem" in lines
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert all(re.fullmatch(r"python:3\.1[123]-slim-\w+", base) for base in bases)


def test_compose_itself_accepts_the_file() -> None:
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode
    ):
        pytest.skip("the docker compose plugin is not installed")
    command = ["docker", "compose", "-f", str(ROOT / "docker-compose.yml"), "config", "--quiet"]
    base = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    assert subprocess.run(command, env=base | GIVEN, capture_output=True).returncode == 0
    missing = subprocess.run(command, env=base, capture_output=True, text=True)
    assert missing.returncode != 0
    assert "NEO4J_PASSWORD" in missing.stderr or "GRAPHMEM_API_KEY" in missing.stderr
