"""Text to sentences that a parser can take, each character traceable to the text it came from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ja"]

MAX_SENTENCE = 600
"""Characters of one parsed sentence; longer ones are cut at a comma or a space."""
MAX_TOKEN = 100
"""Characters of one word; longer ones (base64, keys) are never read as a name."""

_BLOCK = re.compile(
    r"(?is)<(script|style|memory-context)\b[^<>]{0,500}>.*?</\1\s*>|```.*?(?:```|\Z)"
    r"|\A\ufeff?---\r?\n.*?\n---[ \t]*(?=\r?\n|\Z)"
)
_HIDDEN = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|</?[A-Za-z][^<>]{0,500}>|<!--.{0,500}?-->"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\u200b]"
)
_PROTECTED = re.compile(
    r"\[redacted: [a-z ]{1,20}\]|"
    r"https?://[^\s<>「」、。]+|www\.[^\s<>「」、。]+"
    r"|[A-Za-z0-9._+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]*[A-Za-z0-9]"
    r"|(?<![A-Za-z0-9.])\+\d[\d ()-]{6,18}\d(?![A-Za-z0-9])|(?<![A-Za-z0-9.-])0\d{1,4}-\d{1,4}-\d{3,4}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9.-])(?:\(?\d{3}\)?[ -])?\d{3}-\d{4}(?![A-Za-z0-9-])"
    r"|(?<![A-Za-z0-9.-])\(?\d{3}\)?[ -]\d{3} \d{4}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,15}(?:\+\+|#)(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+(?![A-Za-z0-9])"
    r"|[!-~]{101,}+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Jr|Sr|vs|No|Inc|Ltd|Co|Corp|e\.g|i\.e|etc|approx)|\b[A-Z])\.$"
)
_EN_END = re.compile(r"[.!?]+[\"')\]”’]*(?=\s|$)|;(?=\s)|…(?=\s)|[。！？]")
_JA_END = re.compile(r"[。！？!?…]+[」』)）]*|[;；]|(?<=[A-Za-z0-9])\.(?=\s)")
_LINE = re.compile(r"[^\r\n]+")
_BULLET = re.compile(r"\s*(?:(?:[-*•]|\d{1,2}[.)]|#{1,6})\s+|[・●■◆◇▶▪]\s*)")
_QUOTED = re.compile(r"\s*>+\s")
"""How a line begins that mail and chat programs quote from somebody else."""
_KANA = re.compile(r"[\u3041-\u309f]")
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々〆]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_HALF = str.maketrans("\uff08\uff09\uff01\uff1f\uff1a\uff1b", "()!?:;")
"""Full-width marks as the rules know them; the names and quotes keep what was written."""
_SPACES = re.compile(r"\s+")
_SOFT = re.compile(r"[,、，;:\s]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the parser sees it (`text`) and where each of its characters stands in the content."""

    text: str
    starts: tuple[int, ...]
    stops: tuple[int, ...]
    language: Language

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the content for a range of `text`, without blanks at the ends."""
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return (self.starts[start], self.stops[end - 1]) if end > start else (self.starts[0], self.starts[0])

    def words(self, content: str, start: int, end: int) -> str:
        """The range as it was written: stand-ins put back, markup left out, white space joined, letters composed."""
        parts: list[str] = []
        last = (-1, -1)
        for index in range(start, end):
            here = (self.starts[index], self.stops[index])
            if self.text[index].isspace():
                parts.append(" ")
            elif here != last:
                parts.append(content[here[0] : here[1]])
            last = here
        return _SPACES.sub(" ", unicodedata.normalize("NFC", "".join(parts))).strip()

    def replaced(self, start: int, end: int, stand_in: str) -> Sentence:
        """The sentence with a range shown to the parser as another word; positions still lead to the content."""
        size = len(stand_in)
        return Sentence(
            self.text[:start] + stand_in + self.text[end:],
            self.starts[:start] + (self.starts[start],) * size + self.starts[end:],
            self.stops[:start] + (self.stops[end - 1],) * size + self.stops[end:],
            self.language,
        )

    def preceded(self, words: str) -> Sentence:
        """The sentence behind words that were not said; they stand nowhere in the content."""
        begin = self.text.find(next(c for c in self.text if c.isalpha()))
        first = (self.starts[begin],) * len(words)
        return Sentence(
            words + self.text[begin].lower() + self.text[begin + 1 :],
            first + self.starts[begin:],
            first + self.stops[begin:],
            self.language,
        )

    def without(self, start: int, end: int) -> Sentence:
        """The sentence with a range taken out, for words that the speaker took back."""
        return Sentence(
            self.text[:start] + self.text[end:],
            self.starts[:start] + self.starts[end:],
            self.stops[:start] + self.stops[end:],
            self.language,
        )


def split(content: str) -> list[Sentence]:
    """Every sentence of the content, in order; markup, code, control characters and front matter are left out."""
    blocks = [match.span() for match in _BLOCK.finditer(content)]
    found: list[Sentence] = []
    position = 0
    for begin, stop in [*blocks, (len(content), len(content))]:
        for match in _LINE.finditer(content, position, begin):
            found.extend(_split_line(content, match.start(), match.end()))
        position = stop
    return found


def language_of(text: str) -> Language:
    """`ja` where kana or kanji carry the sentence, else `en`."""
    ideographs = len(_CJK.findall(text))
    words = len(_WORD.findall(text))
    if ideographs == 0:
        return "en"
    if _KANA.search(text):
        return "ja" if ideographs > words else "en"
    return "ja" if words < 2 else "en"


def _split_line(content: str, start: int, end: int) -> Iterator[Sentence]:
    if _QUOTED.match(content, start, end):
        return
    if bullet := _BULLET.match(content, start, end):
        start = bullet.end()
    line = _align(content, start, end)
    for begin, stop in _boundaries(line):
        for left, right in _pieces(line.text, begin, stop):
            text = line.text[left:right]
            if any(c.isalpha() for c in text):
                yield Sentence(text, line.starts[left:right], line.stops[left:right], language_of(text))


def _align(content: str, start: int, end: int) -> Sentence:
    """One line for the parser: hidden parts become one blank, unreadable tokens one word, letters composed."""
    text: list[str] = []
    starts: list[int] = []
    stops: list[int] = []

    def put(piece: str, left: int, right: int) -> None:
        text.append(piece)
        starts.extend([left] * len(piece))
        stops.extend([right] * len(piece))

    position = start
    for left, right, kind in _marks(content, start, end):
        _plain(content, position, left, put)
        if kind == "hidden":
            if not (text and text[-1].endswith(" ")):
                put(" ", left, right)
        else:
            put(_stand_in(content[left:right]), left, right)
        position = right
    _plain(content, position, end, put)
    return Sentence("".join(text), tuple(starts), tuple(stops), language_of(content[start:end]))


def _marks(content: str, start: int, end: int) -> list[tuple[int, int, str]]:
    marks = [(m.start(), m.end(), "hidden") for m in _HIDDEN.finditer(content, start, end)]
    for match in _PROTECTED.finditer(content, start, end):
        token = match[0].rstrip(".,;:!?")
        if token:
            marks.append((match.start(), match.start() + len(token), "token"))
    clean: list[tuple[int, int, str]] = []
    for mark in sorted(marks):
        if not clean or mark[0] >= clean[-1][1]:
            clean.append(mark)
    return clean


def _stand_in(token: str) -> str:
    """A capital word that the tagger reads as a name; lengths differ so that repeats stay distinct words."""
    return f"Qa{'x' * min(len(token), 6)}"


def _plain(content: str, start: int, end: int, put: Callable[[str, int, int], None]) -> None:
    position = start
    while position < end:
        stop = position + 1
        while stop < end and unicodedata.combining(content[stop]):
            stop += 1
        piece = content[position:stop]
        put(unicodedata.normalize("NFC", piece) if len(piece) > 1 else piece.translate(_HALF), position, stop)
        position = stop


def _boundaries(line: Sentence) -> Iterator[tuple[int, int]]:
    pattern = _JA_END if line.language == "ja" else _EN_END
    begin = 0
    for match in pattern.finditer(line.text):
        piece = line.text[begin : match.end()]
        if _ABBREVIATION.search(piece) or piece.count("「") > piece.count("」"):
            continue
        yield begin, match.end()
        begin = match.end()
    if begin < len(line.text):
        yield begin, len(line.text)


def _pieces(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    while begin < stop and text[begin].isspace():
        begin += 1
    while stop > begin and text[stop - 1].isspace():
        stop -= 1
    while stop - begin > MAX_SENTENCE:
        cut = begin + MAX_SENTENCE
        soft = [m.end() for m in _SOFT.finditer(text, begin + MAX_SENTENCE // 2, cut)]
        cut = soft[-1] if soft else cut
        yield begin, cut
        begin = cut
    if begin < stop:
        yield begin, stop
