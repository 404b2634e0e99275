"""The example of the guide to extraction runs as it stands and prints what the guide shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, environment, run

__all__ = ["environment"]

GUIDE = (ROOT / "docs/guide/extraction.md").read_text(encoding="utf-8")


def test_the_example(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    code, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(GUIDE)}["evidence"]
    example = tmp_path / "example.py"
    example.write_text(re.sub(r'"default"', f'"{store_id}"', code), encoding="utf-8")
    assert run([sys.executable, "-W", "error", str(example)], environment, tmp_path) == output
