"""`graphmem mcp config`: for each host one JSON document in the form that it reads."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest

from graphmem import cli
from graphmem.cli.mcp import Host
from graphmem.cli.mcp_hosts import HOSTS

URL = "https://memory.example/mcp"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def config(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert cli.run(["mcp", "config", *options]) == 0
    printed = capsys.readouterr()
    assert "put this into" in printed.err
    document: dict[str, Any] = json.loads(printed.out)
    return document


def test_every_host_is_known_to_both() -> None:
    assert set(get_args(Host)) == set(HOSTS)


@pytest.mark.parametrize("host", HOSTS)
def test_the_command_that_is_printed_starts_graphmem(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = config(capsys, host, "--actor", "春香", "--store", "family")
    entry = document[HOSTS[host].servers]["graphmem"]
    line = entry["command"] if host == "opencode" else [entry["command"], *entry["args"]]
    assert Path(line[0]).is_absolute()
    assert line[-5:] == ["mcp", "--actor", "春香", "--store", "family"]
    asked = [*line[: line.index("mcp") + 1], "--help"]
    shown = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=True)
    assert "--actor" in shown.stdout


@pytest.mark.parametrize("host", [name for name, host in HOSTS.items() if host.url])
def test_an_address_comes_with_the_actor_and_without_the_key(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = config(capsys, host, "--actor", "春香", "--url", URL, "--api-key")
    entry = document[HOSTS[host].servers]["graphmem"]
    assert entry[HOSTS[host].url] == URL
    assert entry["headers"]["X-Graphmem-Actor"] == "%E6%98%A5%E9%A6%99"
    authorization = entry["headers"]["Authorization"]
    assert authorization.startswith("Bearer ")
    if "input:" in authorization:
        assert document["inputs"][0]["password"] is True
    assert "Authorization" not in config(capsys, host, "--url", URL)[HOSTS[host].servers]["graphmem"]["headers"]


def test_a_host_that_takes_no_address_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["mcp", "config", "claude-desktop", "--url", URL]) == 1
    assert "--url" in capsys.readouterr().err


def test_the_server_gets_the_settings_of_this_shell_but_no_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://graph:7687")
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter-22")
    assert cli.run(["mcp", "config", "claude-desktop"]) == 0
    printed = capsys.readouterr()
    entry = json.loads(printed.out)["mcpServers"]["graphmem"]
    assert entry["env"] == {"NEO4J_URI": "bolt://graph:7687"}
    assert "NEO4J_PASSWORD" in printed.err
    assert "hunter-22" not in printed.out + printed.err


def test_an_unknown_host_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["mcp", "config", "abacus"]) == 2
    assert "claude-desktop" in capsys.readouterr().err
