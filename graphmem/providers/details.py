"""What a sentence says that no other wording of it may lose: numbers, units, names, negation, words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from .folding import fold
from .numerals import spoken_numbers
from .polarity import has_negation

_MEASURE = re.compile(
    r"(?P<sign>[$€£¥])?\s?(?P<number>\d[\d,]*(?:\.\d+)?)\s?"
    r"(?P<unit>%|°[cf]?|[a-zμ]{1,12}|[円年月日時分秒歳個本台人回枚匹冊杯度割点階号室件泊倍万億千百キロメートグラムリッセンチドルユーポ]+)?",
    re.IGNORECASE,
)
_TITLED = re.compile(r"(?<=\s)[A-ZÀ-Þ][\w'’&+#.-]*|\b\w*\d\w*\b")
_LATIN = re.compile(r"[^\W\d_]+")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}")
_KANJI = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff々]")
_WIDE = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_NO_WORDS = frozenset("a an the also just really very quite some her his their my its".split())  # noqa: SIM905
_POLITE = re.compile(r"(?:です|でした|ます|だ|である)?[。.!！\s]*$")


@dataclass(frozen=True, slots=True)
class Details:
    """The parts of one sentence; the subject's name is expected in both sentences that are compared."""

    numbers: frozenset[str]
    measures: frozenset[tuple[str, str]]
    names: frozenset[str]
    words: tuple[str, ...]
    negated: bool
    plain: str
    """The sentence without polite endings, signs and articles."""

    def within(self, other: Details) -> bool:
        """Whether no number, unit, name or negation of this sentence is missing from the other."""
        return (
            self.negated == other.negated
            and self.numbers <= other.numbers
            and self.measures <= other.measures
            and self.names <= other.names
        )

    def words_within(self, other: Details) -> bool:
        """Whether no word of this sentence is missing from the other, besides what `within` looks at."""
        return self.within(other) and set(self.words) <= set(other.words)


@lru_cache(maxsize=512)
def details(text: str) -> Details:
    """The details of a sentence."""
    plain = unicodedata.normalize("NFKC", text).strip()
    names = {fold(name).rstrip(".'").removesuffix("'s") for name in _TITLED.findall(plain)}
    names |= set(_KATAKANA.findall(plain))
    words = [stem(word) for word in _LATIN.findall(plain.lower()) if not _WIDE.search(word)]
    words = [word for word in words if word not in _NO_WORDS]
    return Details(
        numbers=frozenset(spoken_numbers(plain)),
        measures=frozenset(_measures(plain)),
        names=frozenset(names),
        words=(*words, *_KATAKANA.findall(plain), *_KANJI.findall(plain)),
        negated=has_negation(plain),
        plain=" ".join(words) if words and not _WIDE.search(plain) else fold(_POLITE.sub("", plain)),
    )


def _measures(text: str) -> list[tuple[str, str]]:
    return [
        (match["number"].replace(",", ""), ((match["sign"] or "") + (match["unit"] or "")).lower().rstrip("s"))
        for match in _MEASURE.finditer(text)
    ]


def stem(word: str) -> str:
    """A word without the endings that only tell number and person."""
    for ending in ("ies", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word
