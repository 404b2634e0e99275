"""Precision and recall on sentences labelled by hand, a third of which state nothing."""

from __future__ import annotations

import pytest

from .scoring import Score, load, score


async def _measure(language: str) -> Score:
    result = await score(load(language))
    print(f"\n{language}: precision {result.precision:.2f} recall {result.recall:.2f} of {result.wanted} facts")
    for line in [*(f"  missed {m}" for m in result.missed), *(f"  extra  {e}" for e in result.extra)]:
        print(line)
    return result


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_labelled_sentences(language: str) -> None:
    result = await _measure(language)
    assert result.wanted >= 40
    assert result.precision >= 0.9
    assert result.recall >= 0.85


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_third_of_the_sentences_state_nothing(language: str) -> None:
    rows = load(language)
    assert len(rows) >= 60
    assert sum(not row["facts"] for row in rows) * 3 >= len(rows)
