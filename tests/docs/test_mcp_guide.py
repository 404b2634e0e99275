"""What the guides show of the MCP server's commands is what they print."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, SCRIPTS, environment, run, shell

__all__ = ["environment"]


def test_the_configuration(environment: dict[str, str], tmp_path: Path) -> None:
    guide = (ROOT / "docs/guide/mcp.md").read_text(encoding="utf-8")
    command, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(guide)}["config"]
    assert run([str(SCRIPTS / "graphmem"), *command.split()[1:]], environment, tmp_path) == output


def test_the_memories_of_the_reference_server(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    guide = (ROOT / "docs/guide/import.md").read_text(encoding="utf-8")
    code, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(guide)}["memories"]
    code = re.sub(r"--actor \w+", rf"\g<0> --store {store_id}", code)
    assert run(shell(code), environment, tmp_path) == output
