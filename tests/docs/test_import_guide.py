"""The example of the guide to imports prints what the page shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import environment, run

__all__ = ["environment"]


def test_the_example(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    page = (ROOT / "docs/guide/import.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert found is not None
    example = tmp_path / "example.py"
    example.write_text(found[1].replace('"default"', f'"{store_id}"'), encoding="utf-8")
    assert run([sys.executable, "-W", "error", str(example)], environment, tmp_path) == found[2]
