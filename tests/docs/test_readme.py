"""The README's examples run as they stand, on the Neo4j of the tests, and print what the README shows."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.config import Settings
from tests.support.tree import ROOT

EXAMPLE = re.compile(r"<!-- example: (\w+) -->\n```(\w+)\n(.*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = {m[1]: (m[3], m[4] or "") for m in EXAMPLE.finditer(README)}
SCRIPTS = Path(sys.executable).parent


@pytest.fixture
def environment(neo4j_settings: Settings, tmp_path: Path) -> dict[str, str]:
    """What a child process needs to use the server of the tests."""
    return os.environ | {
        "NEO4J_URI": str(neo4j_settings.neo4j_uri),
        "NEO4J_USERNAME": neo4j_settings.neo4j_username,
        "NEO4J_PASSWORD": neo4j_settings.neo4j_password.get_secret_value(),
        "NEO4J_DATABASE": neo4j_settings.neo4j_database,
        "GRAPHMEM_DATA_DIR": str(tmp_path),
    }


@pytest.fixture
def service(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """`graphmem serve` on a free port; its address without the scheme."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "serve.log"
    with log.open("w") as out:
        command = [SCRIPTS / "graphmem", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=out, stderr=out)
        try:
            _wait_until_ready(f"http://127.0.0.1:{port}/readyz", process, log)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the service is not ready: {log.read_text()}")


def run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shell(example: str) -> list[str]:
    """The block as bash runs it, with the command of this environment instead of `uv run graphmem`."""
    return ["bash", "-euo", "pipefail", "-c", example.replace("uv run graphmem", str(SCRIPTS / "graphmem"))]


def python_shows(code: str, environment: dict[str, str], store: str, folder: Path) -> str:
    """What a Python example prints when it works in this store."""
    example = folder / "example.py"
    example.write_text(code.replace('"default"', f'"{store}"'), encoding="utf-8")
    return run([sys.executable, "-W", "error", str(example)], environment, folder)


def test_there_is_an_example_for_each_surface() -> None:
    assert set(EXAMPLES) == {"python", "rest", "cli", "agent"}


def test_python(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    code, output = EXAMPLES["python"]
    assert python_shows(code, environment, store_id, tmp_path) == output


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_rest(environment: dict[str, str], service: str, store_id: str, tmp_path: Path) -> None:
    code, output = EXAMPLES["rest"]
    code = code.replace("127.0.0.1:8080", service).replace("/stores/default/", f"/stores/{store_id}/")
    assert run(shell(code), environment, tmp_path) == output


def test_first_result(environment: dict[str, str], tmp_path: Path) -> None:
    output = re.findall(r"```text\n(.*?)```", README, re.DOTALL)[0]
    assert_shown(output, run(shell("uv run graphmem demo"), environment, tmp_path))


def test_command_line(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    code, output = EXAMPLES["cli"]
    code = re.sub(r"--actor \w+", rf"\g<0> --store {store_id}", code)
    assert_shown(output, run(shell(code), environment, tmp_path))


def assert_shown(output: str, printed: str) -> None:
    """Every line of the README is printed, in that order, but for ids and scores, which vary."""
    lines = iter([_stable(line) for line in printed.splitlines()])
    missing = [line for line in output.splitlines() if line != "…" and _stable(line) not in lines]
    assert not missing, printed


def _stable(line: str) -> str:
    """A line without ids and scores, which differ from run to run."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|score \d\.\d+", "", line).strip()
