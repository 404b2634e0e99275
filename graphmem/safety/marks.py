"""What says of itself that it must not be used: a tag, or a label that stands by itself in a document's text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_MARKS = frozenset({"旧方針", "使用禁止", "superseded", "deprecated", "do_not_use", "do-not-use", "do not use"})
_WORDS = r"(?:旧方針|使用禁止|superseded|deprecated|do not use)"
_LABEL = re.compile(
    rf"(?:^|[。.!?\n])\s*(?:[#>*-]+\s*)?(?:[\[【〔(]\s*{_WORDS}\s*[\]】〕)]|{_WORDS}\s*(?:[。.!:\n]|$))"
)
"""At the beginning of a line or sentence: in brackets, or a line or sentence of its own, or before a colon.

In the middle of a sentence the words say something about something else.
"""
_LOOKED_AT = 20_000
"""Characters of a text that are looked at."""


def tagged(tags: Iterable[str]) -> bool:
    """Whether a tag or category takes the memory out of use."""
    return any(_folded(tag).strip() in _MARKS for tag in tags)


def labelled(text: str) -> bool:
    """Whether the text is labelled as out of use, such as `【使用禁止】…` or `DEPRECATED: …`."""
    return _LABEL.search(_folded(text[:_LOOKED_AT])) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
