"""The examples of the guide to the client run as they stand, against `graphmem serve`."""

from __future__ import annotations

from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, environment, python_shows, service

__all__ = ["environment", "service"]

GUIDE = (ROOT / "docs/guide/client.md").read_text(encoding="utf-8")
EXAMPLES = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(GUIDE)}


def test_the_examples(environment: dict[str, str], service: str, store_id: str, tmp_path: Path) -> None:
    assert set(EXAMPLES) == {"async", "sync"}
    for code, output in EXAMPLES.values():
        here = code.replace("127.0.0.1:8080", service)
        assert python_shows(here, environment, store_id, tmp_path) == output
