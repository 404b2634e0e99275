"""The Python examples of the guides run as they stand and print what the guides show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, environment, python_shows

__all__ = ["environment"]


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("consolidate", "consolidate"),
        ("extraction", "evidence"),
        ("gate", "gate"),
        ("import", "import"),
        ("langgraph", "graph"),
        ("mcp", "mcp"),
        ("openai_agents", "agent"),
        ("recall", "recall"),
        ("recall", "filter"),
        ("safety", "safety"),
        ("truth", "truth"),
    ],
)
def test_the_example(environment: dict[str, str], store_id: str, tmp_path: Path, page: str, name: str) -> None:
    guide = (ROOT / f"docs/guide/{page}.md").read_text(encoding="utf-8")
    code, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(guide)}[name]
    assert output
    assert python_shows(code, environment, store_id, tmp_path) == output
