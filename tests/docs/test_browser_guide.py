"""The page on Neo4j Browser: its commands print what it shows, its pictures are there and small."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from graphmem.cli import run
from graphmem.cli.browser import guide
from tests.support.tree import ROOT

PAGE = (ROOT / "docs/guide/browser.md").read_text(encoding="utf-8")


def test_the_commands_print_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    commands = re.findall(r"^\$ graphmem (.*)\n((?:(?!\$ ).*\n)*)", shown[1], re.MULTILINE)
    assert len(commands) == 2
    for command, text in commands:
        assert run(command.split()) == 0
        output = capsys.readouterr().out
        for cut, lines in groupby(text.splitlines(keepends=True), key=lambda line: line == "…\n"):
            assert cut or "".join(lines) in output


def test_the_page_has_every_slide_with_a_picture_or_a_line() -> None:
    pictures = re.findall(r"!\[.+\]\((browser-.+\.png)\)", PAGE)
    assert len(pictures) == 7
    taken = {path.name for path in (ROOT / "docs/guide").glob("browser-*.png")}
    assert set(pictures) == taken
    assert all((ROOT / "docs/guide" / name).stat().st_size < 150_000 for name in taken)


def test_a_query_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["db", "queries", "nothing"]) == 2
    assert "graphmem db queries" in capsys.readouterr().err
    assert run(["db", "queries"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(guide.names())
