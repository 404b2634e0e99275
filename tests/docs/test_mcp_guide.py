"""The configuration that the MCP guide shows is the one that is printed."""

from __future__ import annotations

from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, SCRIPTS, environment, run

__all__ = ["environment"]


def test_the_configuration(environment: dict[str, str], tmp_path: Path) -> None:
    guide = (ROOT / "docs/guide/mcp.md").read_text(encoding="utf-8")
    command, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(guide)}["config"]
    assert run([str(SCRIPTS / "graphmem"), *command.split()[1:]], environment, tmp_path) == output
