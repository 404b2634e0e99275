"""The command line as people run it: a child process with its own clean environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from graphmem.config import Settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def cli(tmp_path: Path) -> Run:
    """Run `graphmem …` in an empty folder; nothing of the developer's settings reaches it."""

    def run(*tokens: str, stdin: str = "", timeout: float = 240, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "graphmem.cli", *tokens],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            cwd=tmp_path,
            env={**os.environ, "PYTHONUTF8": "1", "GRAPHMEM_DATA_DIR": str(tmp_path / "data"), **env},
            check=False,
        )

    return run


@pytest.fixture
def neo4j_env(neo4j_settings: Settings) -> dict[str, str]:
    """The variables that point a child process at the test server."""
    return {
        "NEO4J_URI": str(neo4j_settings.neo4j_uri),
        "NEO4J_USERNAME": neo4j_settings.neo4j_username,
        "NEO4J_PASSWORD": neo4j_settings.neo4j_password.get_secret_value(),
        "NEO4J_DATABASE": neo4j_settings.neo4j_database,
    }
