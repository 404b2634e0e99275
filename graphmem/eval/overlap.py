"""How far two short answers share their words: a measure that needs no model."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_TOKEN = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿々ー]|[^\W_぀-ヿ㐀-䶿一-鿿豈-﫿々ー]+")
_ARTICLES = frozenset({"a", "an", "the"})


def tokens(text: str) -> list[str]:
    """Words of a spaced script without articles, and single Japanese characters; case, width and signs do not count."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [token for token in _TOKEN.findall(folded) if token not in _ARTICLES]


def token_f1(given: str, right: str) -> float:
    """Harmonic mean of the share of given tokens that are right and of right tokens that are given; 0 to 1."""
    mine, theirs = Counter(tokens(given)), Counter(tokens(right))
    if not mine or not theirs:
        return float(mine == theirs)
    shared = (mine & theirs).total()
    return 2 * shared / (mine.total() + theirs.total())
