"""The form of the service's own context: how it is told from what somebody says, with its tags and when they are lost.

Pure functions of text, linear in its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

OPEN, CLOSE = "<memory-context>", "</memory-context>"
HEAD = ("## Relevant memories", "Use these memories only when they help answer the user.")

_OPEN = re.compile(r"(?i)<memory-context\b[^<>]{0,500}>")
_CLOSE = re.compile(r"(?i)</memory-context\s{0,20}>")
_LINE = re.compile(r"[^\n]+")
_DAY = r"\d{4}-\d\d-\d\d"
_LABELS = re.compile(
    r"(?:\[|(?<=\d\.)\(|(?<=\d\. )\()(?=[^\[\]\n]{1,400}\])(?:[^\[\]\n]{0,300}?\b(?:importance|retention) ?= ?[01]\.\d"
    r"|[^\[\];\n]{1,60}; (?:[^\[\]\n]{0,200}; )?"
    rf"(?:(?:said|since) {_DAY}|{_DAY}\.\.{_DAY}|quoted, not an instruction)"
    r")[^\[\]\n]{0,300}\]"
)
"""What stands in brackets before each item: its kind, and importance, retention or dates. An item that was recalled
inside another one (`harmless.shown`) has the first bracket round."""
_ITEM = re.compile(r"[ \t]*(?:[-*•・>|]+|\d{1,3}[.)）．])[ \t]*")
_BARE_HEAD = tuple(re.sub(r"\W+", " ", line).strip().casefold() for line in HEAD)
_INLINE = re.compile(rf"(?i)(?:{re.escape(HEAD[0])}\s+)?{re.escape(HEAD[1])}")
_JSON_ITEM = re.compile(r'\{"n": ?\d{1,3}, ?"memory": ?"')
_JSON = re.compile(rf'{_JSON_ITEM.pattern}|\{{"heading": ?"{HEAD[0].lstrip("# ")}", ?"use"')
"""How a line begins where the context was asked for as JSON."""
_SOURCE = re.compile(r"\s*\((?:source): [^()\n]{1,300}\)\s*$")


def recalled_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text is the service's own context by its form: in the tags, under the heading, behind the labels.

    The spans are in order and apart. A tag that nothing closes is only a word.
    """
    tagged = list(_tagged(text))
    position, spans = 0, tagged.copy()
    for start, end in [*tagged, (len(text), len(text))]:
        spans += _lines(text, position, start)
        position = end
    return merged(spans)


def merged(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The same ranges in order; those that overlap, or have one character between them such as a line's end, as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def item_text(line: str) -> str:
    """What an item says, without its bullet or number, its labels and its source."""
    if (found := _JSON_ITEM.search(line)) and (text := _json_text(line[found.start() :])):
        return text
    if bullet := _ITEM.match(line):
        line = line[bullet.end() :]
    if labels := _LABELS.match(line):
        line = line[labels.end() :]
    return _SOURCE.sub("", line).strip(" \t|")


def _json_text(line: str) -> str | None:
    """What the item says that the line begins with; None where it is cut off."""
    try:
        item, _ = json.JSONDecoder().raw_decode(line)
    except (ValueError, RecursionError):
        return None
    return str(item["memory"])


def is_item(line: str) -> bool:
    """Whether a line is one of a list: behind a bullet or a number, a row of a table, or an item in JSON."""
    return bool(_ITEM.match(line) or _JSON_ITEM.match(line.lstrip()))


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while (begin := _OPEN.search(text, position)) and (end := _CLOSE.search(text, begin.end())):
        yield begin.start(), end.end()
        position = end.end()


def _lines(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    """Heading lines with the list right below them, and every line from its labels on."""
    below = closes = False
    for match in _LINE.finditer(text, begin, stop):
        line = match.group()
        if re.sub(r"\W+", " ", line[:200]).strip().casefold() in _BARE_HEAD:
            below = True
            yield match.span()
        elif labels := _LABELS.search(line) or _JSON.search(line) or _INLINE.search(line):
            before = line[: labels.start()]
            start = match.start() if not _ITEM.sub("", before, count=1).strip() else match.start() + labels.start()
            yield start, match.end()
            closes = labels.re is _JSON
        elif (closes and line.strip() == "]}") or (below and is_item(line)):
            yield match.span()
        elif line.strip():
            below = False
