"""Text made safe for an encoder, and cut into pieces of bounded size."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ProviderError

MAX_PIECES = 40
"""Pieces of one text that are embedded; a longer text is sampled evenly, so no call is unbounded."""
WORDS_PER_PIECE = 120
"""Words of a spaced script in one piece."""
WIDE_PER_PIECE = 300
"""Kana and kanji in one piece."""
CHARS_PER_PIECE = 1_000
"""Characters of one piece at most, whatever they are."""

_SENTENCE = re.compile(r".*?(?:[。！？!?\n]+[」』）)\"'”]*|\.+(?=\s)|\Z)", re.DOTALL)
_WIDE = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f々〆]")
_WORD = re.compile(r"[^\W_]+")
_JOINERS = "\u200c\u200d"


def sanitise(text: str) -> str:
    """The text without control characters, lone surrogates and invisible marks; white space stays."""
    return "".join(_safe(c) for c in text).strip()


def _safe(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Cs", "Zl", "Zp"):
        return "\n" if char in "\n\u2028\u2029" else " "
    return "" if category == "Cf" and char not in _JOINERS else char


def wide_count(text: str) -> int:
    """How many kana and kanji the text holds."""
    return len(_WIDE.findall(text))


def narrow_count(text: str) -> int:
    """How many words of a spaced script the text holds."""
    return len(_WORD.findall(_WIDE.sub(" ", text)))


def is_japanese(text: str) -> bool:
    """Whether more of the text is Japanese than words of a spaced script: the language of a prompt about it."""
    return wide_count(text) > narrow_count(text)


def _load(text: str) -> float:
    """Share of one piece that the text fills; over 1 it does not fit."""
    spaced = narrow_count(text) / WORDS_PER_PIECE + wide_count(text) / WIDE_PER_PIECE
    return max(spaced, len(text) / CHARS_PER_PIECE)


def _sentences(text: str, size: float) -> Iterator[str]:
    for found in _SENTENCE.finditer(text):
        if found.group():
            yield from _fitting(found.group(), size)


def _fitting(sentence: str, size: float) -> Iterator[str]:
    """The sentence, halved at white space or in the middle until each part fits."""
    if _load(sentence) <= size:
        yield sentence
        return
    middle = len(sentence) // 2
    cut = sentence.rfind(" ", middle // 2, middle) + 1 or middle
    yield from _fitting(sentence[:cut], size)
    yield from _fitting(sentence[cut:], size)


def _packed(text: str, size: float) -> Iterator[str]:
    held, load = "", 0.0
    for sentence in _sentences(text, size):
        more = _load(sentence)
        if held and load + more > size:
            yield held
            held, load = "", 0.0
        held, load = held + sentence, load + more
    if held:
        yield held


def split_pieces(text: str, *, size: float = 1) -> list[str]:
    """Pieces of at most 120 words or 300 kana and kanji, times `size`, cut at sentence ends; at most 40.

    Of a text with more pieces every n-th is taken, the first always. Blank text gives no piece.
    """
    pieces = [piece.strip() for piece in _packed(sanitise(text), size)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) <= MAX_PIECES:
        return pieces
    return [pieces[i * len(pieces) // MAX_PIECES] for i in range(MAX_PIECES)]


def cut_all(texts: Sequence[str], *, size: float = 1) -> tuple[list[str], NDArray[np.intp]]:
    """All pieces of all texts, and the number of the text of each. Errors: ProviderError for a blank text."""
    cut = [split_pieces(text, size=size) for text in texts]
    if not all(cut):
        raise ProviderError("A blank text cannot be embedded.", reason="blank_text")
    owners = np.repeat(np.arange(len(cut), dtype=np.intp), [len(pieces) for pieces in cut])
    return [piece for pieces in cut for piece in pieces], owners


def cut_at(text: str, most: int) -> list[str]:
    """The whole text in parts of at most `most` characters, cut at sentence ends where there are any."""
    parts: list[str] = []
    while len(text) > most:
        ends = [found.end() for found in _SENTENCE.finditer(text, 0, most) if found.group()]
        cut = next((end for end in reversed(ends) if most // 2 < end < most), most)
        parts.append(text[:cut])
        text = text[cut:]
    return [*parts, text]
