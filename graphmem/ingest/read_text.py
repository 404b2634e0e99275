"""Plain text to passages short enough to be one memory each."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_PASSAGE = 2_000
"""Characters of one passage; a longer paragraph is cut after a sentence."""

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_BLANKS = re.compile(r"\s*")
_SENTENCE_END = re.compile(r"(?:[。！？]+[」』）]*|[.!?]+[\"')\]]*(?=\s)|\n)\s*")


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text (separated by blank lines), long ones split."""
    for paragraph in _BLANK.split(text):
        yield from split(paragraph)


def split(text: str, limit: int = MAX_PASSAGE) -> Iterator[str]:
    """Pieces of at most `limit` characters, cut after a sentence where there is one; nothing blank."""
    start, end = 0, len(text.rstrip())
    while (start := _begin(text, start)) < end:
        stop = end if end - start <= limit else _cut(text, start, start + limit)
        piece = text[start:stop].rstrip()
        if stop < end or any(c.isalnum() for c in piece):
            yield piece
        start = stop


def _begin(text: str, start: int) -> int:
    match = _BLANKS.match(text, start)
    return match.end() if match else start


def _cut(text: str, start: int, stop: int) -> int:
    """Where to cut: after the last sentence of the second half, else at a space, else at the limit."""
    half = (start + stop) // 2
    ends = [m.end() for m in _SENTENCE_END.finditer(text, half, stop) if m.end() <= stop]
    if ends:
        return ends[-1]
    space = text.rfind(" ", half, stop)
    return space if space > half else stop
