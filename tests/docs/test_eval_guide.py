"""The example of the guide to evaluation prints what the page shows; only graphmem's own figures may move."""

from __future__ import annotations

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, environment, run, shell

__all__ = ["environment"]


def test_the_example_prints_what_the_page_shows(environment: dict[str, str]) -> None:
    page = (ROOT / "docs/guide/eval.md").read_text(encoding="utf-8")
    code, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(page)}["retrieval"]
    printed = [line.strip() for line in run(shell(code), environment, ROOT).splitlines()]
    for line in (line.strip() for line in output.splitlines()):
        if line.startswith("graphmem"):
            assert any(other.startswith(line[:20].rstrip()) for other in printed), printed
        elif line != "…":
            assert line in printed
