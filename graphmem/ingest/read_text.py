"""Plain text to passages short enough to be one memory each."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_PASSAGE = 2_000
"""Characters of one passage; a longer paragraph is cut after a sentence."""

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_SENTENCE_END = re.compile(r"(?:[。！？]+[」』）]*|[.!?]+[\"')\]]*(?=\s)|\n)\s*")


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text (separated by blank lines), long ones split."""
    for paragraph in _BLANK.split(text):
        yield from split(paragraph)


def split(text: str, limit: int = MAX_PASSAGE) -> Iterator[str]:
    """Pieces of at most `limit` characters, cut after a sentence where there is one; nothing blank."""
    rest = text.strip()
    while len(rest) > limit:
        cut = _cut(rest, limit)
        yield rest[:cut].rstrip()
        rest = rest[cut:].lstrip()
    if any(c.isalnum() for c in rest):
        yield rest


def _cut(text: str, limit: int) -> int:
    """Where to cut: after the last sentence of the second half, else at a space, else at the limit."""
    ends = [m.end() for m in _SENTENCE_END.finditer(text, limit // 2, limit) if m.end() <= limit]
    if ends:
        return ends[-1]
    space = text.rfind(" ", limit // 2, limit)
    return space if space > 0 else limit
