"""Pages that cannot drift: links lead somewhere, a result comes early, the check command is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tree import ROOT

PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").rglob("*.md")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert not [t for t in targets if "://" not in t and not (page.parent / t).exists()]


def test_readme_shows_a_result_by_line_30() -> None:
    head = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30])
    assert "pip install uv && uv run graphmem demo" in head
    assert "uv run pytest" in head
    assert re.search(r"```text\n.+", head), "the first result with its output stands below line 30"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    for command in ("uv run pytest", "uv run ruff check", "uv run ruff format --check", "uv run mypy"):
        assert f"step {command}" in ci
    assert "GRAPHMEM_REQUIRE_NEO4J=1" in ci
    assert "bash .ci/run" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_readme_maps_every_folder() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    folders = [
        p for p in ROOT.iterdir() if p.is_dir() and any(p.rglob("*.py")) and not p.name.startswith((".", "build"))
    ]
    parts = [p for p in (ROOT / "graphmem").iterdir() if p.is_dir() and any(p.glob("*.py"))]
    assert not [p.name for p in folders + parts if f"{p.name}/" not in readme]
