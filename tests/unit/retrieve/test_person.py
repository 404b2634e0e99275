"""Whoever asks about "me" asks about the owner by name, but not where the query names whom it means."""

from __future__ import annotations

import pytest

from graphmem.retrieve.person import in_third_person, speaks_of_self


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Where do I live?", "Where does Maya live?"),
        ("What is my phone number?", "What is Maya's phone number?"),
        ("Where does my cousin Ken live?", "Where does my cousin Ken live?"),
        ("私はどこに住んでいますか", "Mayaはどこに住んでいますか"),
        ("Where does Ken live?", "Where does Ken live?"),
    ],
)
def test_the_first_person_gets_its_name(query: str, named: str) -> None:
    assert in_third_person(query, "Maya") == named
    assert speaks_of_self(query) is (query != named)
