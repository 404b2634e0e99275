"""The example of the guide to folders and files prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, SCRIPTS, assert_shown, environment, run, shell

__all__ = ["environment"]

PAGE = (ROOT / "docs/guide/ingest.md").read_text(encoding="utf-8")


def test_the_example(environment: dict[str, str], store_id: str, tmp_path: Path) -> None:
    (found,) = EXAMPLE.finditer(PAGE)
    code = re.sub(r"^graphmem", str(SCRIPTS / "graphmem"), found[3], flags=re.MULTILINE)
    code = re.sub(r"--actor \w+", rf"\g<0> --store {store_id}", code)
    printed = run(shell(code), environment, tmp_path)
    assert_shown(found[4], printed)
    assert "Anna" in printed
    assert "Acme" not in printed


def test_every_ending_that_is_read_is_named() -> None:
    from graphmem.ingest.readers import SUFFIXES

    assert not [suffix for suffix in SUFFIXES if f"`{suffix}`" not in PAGE]
