"""Passages: the paragraphs of a message, and the sentences in them that may be somebody else's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..models.text import words_key
from ..safety.recalled import is_item, item_text

SHORT = 200
"""Characters up to which a whole message of the owner's own is a statement, however often it comes."""
_LONGEST_SENTENCE = 1_000
_APART = re.compile(r"\n[ \t]*(?:(?:-{2,}|_{2,}|={2,}|\*{3,})[ \t]*)?(?:\n[ \t]*)+|\n(?=(?:--|__|==|——)[ \t]*\n)")
_SENTENCE = re.compile(r"[^\n。！？!?;；]+?(?:[。！？!?;；]+[」』）)”\"']*|\.(?=\s|$)|$)", re.MULTILINE)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{4,500})[\"”]|「([^「」\n]{4,500})」|『([^『』\n]{4,500})』")
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, or the whole message where it has only one."""

    start: int
    end: int
    key: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, a quotation or an item of a list, as it could have been given by the service."""

    start: int
    end: int
    text: str
    list_number: int | None = None
    """The list that it is an item of."""


def passages_of(text: str, owner: str) -> tuple[Passage, ...]:
    """The paragraphs: what blank lines and the line above a signature divide."""
    spans = list(_apart(text))
    whole = len(spans) == 1
    return tuple(Passage(start, end, words_key(owner, text[start:end]), whole) for start, end in spans)


def _apart(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for gap in (*(m.span() for m in _APART.finditer(text)), (len(text), len(text))):
        if text[position : gap[0]].strip(" \t\r\n-_=*"):
            yield position, gap[0]
        position = gap[1]


def words_of(text: str) -> Iterator[Words]:
    """Items of lists as a whole, the sentences of other lines, and what stands in quotation marks."""
    number, inside = 0, False
    for line in _LINE.finditer(text):
        if is_item(line.group()):
            number, inside = (number, True) if inside else (number + 1, True)
            yield Words(line.start(), line.end(), item_text(line.group()), number)
            continue
        inside = inside and not line.group().strip()
        for sentence in _SENTENCE.finditer(text, line.start(), line.end()):
            if len(sentence.group()) <= _LONGEST_SENTENCE and sentence.group().strip():
                yield Words(sentence.start(), sentence.end(), sentence.group().strip(" \t\r;；"))
        for quoted in _QUOTED.finditer(text, line.start(), line.end()):
            start, end = quoted.span(quoted.lastindex or 0)
            yield Words(start, end, text[start:end])
