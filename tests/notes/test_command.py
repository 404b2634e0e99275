"""`graphmem notes` as people run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.config import Settings


def test_a_folder_goes_in_and_out(neo4j_settings: Settings, store_id: str, tmp_path: Path) -> None:
    env = os.environ | {
        "PYTHONUTF8": "1",
        "NEO4J_URI": str(neo4j_settings.neo4j_uri),
        "NEO4J_USERNAME": neo4j_settings.neo4j_username,
        "NEO4J_PASSWORD": neo4j_settings.neo4j_password.get_secret_value(),
        "NEO4J_DATABASE": neo4j_settings.neo4j_database,
    }

    def notes(*tokens: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "graphmem.cli", "notes", *tokens, "--store", store_id, "--actor", "花"]
        return subprocess.run(command, capture_output=True, encoding="utf-8", env=env, timeout=240, cwd=tmp_path)

    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "京都.md").write_bytes("---\ntags: [旅]\n---\n祇園。\r\n".encode())
    (vault / "bad.md").write_bytes(b"\xff\xfe")
    (vault / "log.md").write_bytes("[[山田太郎|山田]]さんは京都に住んでいます。\n".encode())

    only = notes("import", "vault", "--notes-only", "--json")
    taken = notes("import", "vault", "--json")
    written = notes("export", "out")

    assert taken.returncode == 1
    assert json.loads(only.stdout)["counts"] == {"made": 2, "changed": 0, "same": 0, "failed": 1}
    assert json.loads(taken.stdout)["counts"] == {"made": 0, "changed": 2, "same": 0, "failed": 1}
    assert "bad.md: is not UTF-8" in taken.stderr
    assert (written.returncode, written.stdout) == (0, "2 made, 0 changed, 0 same, 0 failed\n"), written.stderr
    assert (tmp_path / "out" / "京都.md").read_bytes() == (vault / "京都.md").read_bytes()
