"""The example of the guide to decay prints what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from graphmem.config import Settings
from tests.support.tree import ROOT


def test_the_example_prints_what_the_page_shows(neo4j_settings: Settings, store_id: str, tmp_path: Path) -> None:
    page = (ROOT / "docs/guide/decay.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert found is not None
    example = tmp_path / "example.py"
    example.write_text(found[1].replace('"default"', f'"{store_id}"'), encoding="utf-8")
    environment = os.environ | {
        "NEO4J_URI": str(neo4j_settings.neo4j_uri),
        "NEO4J_USERNAME": neo4j_settings.neo4j_username,
        "NEO4J_PASSWORD": neo4j_settings.neo4j_password.get_secret_value(),
        "NEO4J_DATABASE": neo4j_settings.neo4j_database,
        "GRAPHMEM_DATA_DIR": str(tmp_path),
    }
    command = [sys.executable, "-W", "error", str(example)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stdout) == (0, found[2]), done.stderr
