"""Whom a query may name: keys of names and aliases in it, and first names."""

from __future__ import annotations

import re

from ..models.ids import name_key
from ..models.names import entity_key
from ..models.text import search_form
from .stopwords import STOP

_CHUNK = re.compile(r"\S+")
_JAPANESE_RUN = re.compile(r"[^\s。、「」？！?!,.]+")
_JAPANESE = re.compile(r"[぀-ヿ㐀-鿿豈-﫿々〆ヶ]")
_PIECE = re.compile(r"(?P<hiragana>[぀-ゟ]+)|[゠-ヿー]+|(?P<kanji>[㐀-鿿豈-﫿々〆ヶ]+)|[^\W぀-ヿ㐀-鿿]+")
_POSSESSIVE = re.compile(r"['’]s$")
_EDGES = ".,!?;:\"'()[]{}。、「」？！"
_MOST_KEYS = 600
_LONGEST_HIRAGANA = 6
_LONGEST_FAMILY_NAME = 3


def entity_keys(query: str) -> list[str]:
    """Name keys that the query may hold: runs of up to five words, and stretches of Japanese text."""
    keys: dict[str, None] = {}
    words = _words(query)
    for size in range(1, 6):
        for start in range(len(words) - size + 1):
            *before, last = words[start : start + size]
            for inner in ([w for w, _ in before], [raw for _, raw in before]):  # with and without a possessive
                key = name_key(" ".join([*inner, last[0]]))
                if key and key not in STOP:
                    keys.setdefault(key)
    for run in _JAPANESE_RUN.findall(search_form(query)):
        for piece in _japanese_pieces(run):
            keys.setdefault(name_key(piece))
            keys.setdefault(entity_key(piece))
    return list(keys)[:_MOST_KEYS]


def first_names(query: str) -> list[str]:
    """Beginnings of names: a single word of the query with a blank behind it, or a Japanese family name.

    A word beside another capitalised one is part of that name, which is looked for as a whole.
    """
    words = _words(query)
    found: dict[str, None] = {}
    for index, (word, raw) in enumerate(words):
        beside = [words[i][1] for i in (index - 1, index + 1) if 0 < i < len(words)]
        part = raw[:1].isupper() and any(w[:1].isupper() and name_key(w) not in STOP for w in beside)
        key = name_key(word)
        if len(key) > 2 and key.isalpha() and key.isascii() and key not in STOP and not part:
            found.setdefault(key + " ")
    for run in _JAPANESE_RUN.findall(search_form(query)):
        for match in _PIECE.finditer(run):
            if match["kanji"] and 2 <= len(match["kanji"]) <= _LONGEST_FAMILY_NAME:
                found.setdefault(match["kanji"])
    return list(found)[:30]


def _words(query: str) -> list[tuple[str, str]]:
    """The query's words, without a possessive ending, and as they are written."""
    chunks = [chunk.strip(_EDGES) for chunk in _CHUNK.findall(search_form(query))]
    return [(_POSSESSIVE.sub("", chunk), chunk) for chunk in chunks if chunk][:60]


def _japanese_pieces(run: str) -> list[str]:
    """Stretches that begin where the kind of script changes, and end so, or within hiragana: 佐渡谷みのり(さん)."""
    if not _JAPANESE.search(run):
        return []
    spans = [(m.start(), m.end(), bool(m["hiragana"])) for m in _PIECE.finditer(run)]
    pieces: list[str] = []
    for first, (start, _, _) in enumerate(spans):
        for last in range(first, min(first + 3, len(spans))):
            begin, end, hiragana = spans[last]
            if last > first and spans[last - 1][1] != begin:
                break
            pieces.append(run[start:end])
            if hiragana:
                shortest = begin + (2 if last == first else 1)
                pieces += [run[start:e] for e in range(shortest, min(begin + _LONGEST_HIRAGANA, end) + 1)]
    return [p for p in dict.fromkeys(pieces) if p]
