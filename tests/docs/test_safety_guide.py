"""The guide to safety names every kind of personal data that is told apart."""

from __future__ import annotations

from graphmem.safety.sensitivity import KINDS
from tests.support.tree import ROOT

GUIDE = (ROOT / "docs/guide/safety.md").read_text(encoding="utf-8")


def test_every_kind_is_in_the_guide() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in GUIDE] == []
