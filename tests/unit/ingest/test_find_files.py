"""Which files of a folder are read, in which order, and why the others are not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.find_files import find_files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    names = ("b.md", "a.txt", "日記/2025-06-18.md", "日記/z.html", "node_modules/x.md", ".git/config.md", ".env.txt")
    for name in (*names, "photo.JPG", "README", "B.MD"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    return root


def read(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[str]:
    found = find_files([root], include, exclude)
    return [f.path.relative_to(root).as_posix() for f in found if f.skipped is None and f.failed is None]


def test_in_order_and_without_what_is_hidden(tree: Path) -> None:
    assert read(tree) == ["B.MD", "a.txt", "b.md", "node_modules/x.md", "日記/2025-06-18.md", "日記/z.html"]
    skipped = {f.path.name: f.skipped for f in find_files([tree]) if f.skipped}
    assert skipped == {"photo.JPG": ".JPG is not read", "README": "has no ending that says what it is"}


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        (["*.html"], [], ["日記/z.html"]),
        (["日記/*"], [], ["日記/2025-06-18.md", "日記/z.html"]),
        (["README"], [], ["README"]),
        ([], ["node_modules", "*.txt", "日記/"], ["B.MD", "b.md"]),
        (["*.md"], ["node_modules"], ["b.md", "日記/2025-06-18.md"]),
    ],
)
def test_patterns(tree: Path, include: list[str], exclude: list[str], names: list[str]) -> None:
    assert read(tree, include, exclude) == names


def test_links_and_circles_are_left_out_and_files_are_read_once(tree: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("x", encoding="utf-8")
    (tree / "link.md").symlink_to(outside)
    (tree / "circle").symlink_to(tree)
    (tree / "self.md").symlink_to(tree / "self.md")
    os.mkfifo(tree / "pipe.md")
    before = ["B.MD", "a.txt", "b.md", "node_modules/x.md", "日記/2025-06-18.md", "日記/z.html"]
    assert read(tree) == before
    skipped = {f.path.name for f in find_files([tree]) if f.skipped}
    assert skipped >= {"link.md", "circle", "self.md", "pipe.md"}
    named = find_files([tree / "b.md", tree, tree / "link.md", tree / ".." / "notes" / "a.txt"])
    assert [f.path for f in named if f.path == tree / "b.md"] == [tree / "b.md"]
    assert len({f.path for f in named}) == len(named)
    assert outside in {f.path for f in named if f.named}
    (circle,) = find_files([tree / "self.md"])
    assert circle.failed is not None


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no file or folder .*absent"):
        find_files([tmp_path / "absent"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_reported(tree: Path) -> None:
    (tree / "日記").chmod(0)
    try:
        failed = [f for f in find_files([tree]) if f.failed]
    finally:
        (tree / "日記").chmod(0o700)
    assert [f.path.name for f in failed] == ["日記"]
