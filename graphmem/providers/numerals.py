"""The numbers that a text speaks of, whichever way they are written."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_MIXED = re.compile(
    r"(?:\d+(?:\.\d+)?|[〇一二三四五六七八九十百千]+)(?:[万億千百](?:\d+|[〇一二三四五六七八九十百千]+)?)*"
)
_PART = re.compile(r"(\d+(?:\.\d+)?)|([〇一二三四五六七八九])|([十百千])|([万億])")
_ERA = re.compile(r"(明治|大正|昭和|平成|令和)(\d+|元|[一二三四五六七八九十]+)年")
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_KANJI = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "億": 100_000_000}


def _words(text: str) -> list[str]:
    return text.split()


_ENGLISH = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = _words("thirty forty fifty sixty seventy eighty ninety hundred")
_ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth")
_MONTHS = _words("jan feb mar apr may jun jul aug sep oct nov dec")
_WORDS: dict[str, str] = {
    **{word: str(i) for i, word in enumerate(_ENGLISH)},
    **{word: str(30 + 10 * i) for i, word in enumerate(_TENS)},
    **{word: str(i + 1) for i, word in enumerate(_ORDINALS)},
    "once": "1",
    "twice": "2",
    "dozen": "12",
    "noon": "12",
}


def numbers(text: str) -> set[str]:
    """Numbers in digits, without separators and leading zeros: `85,000` is 85000, `02:10` is 2 and 10."""
    found: set[str] = set()
    for token in _DIGITS.findall(unicodedata.normalize("NFKC", text)):
        thousands = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", token)
        parts = [token.replace(",", "")] if thousands else re.split(r"[:,]", token)
        found |= {part.lstrip("0") or "0" for part in parts}
    return found


def spoken_numbers(text: str) -> set[str]:
    """Numbers of the text in digits, kanji, English words, month names and Japanese eras."""
    plain = unicodedata.normalize("NFKC", text)
    found = numbers(plain)
    for word in re.findall(r"[a-z]+", plain.lower()):
        if word in _WORDS:
            found.add(_WORDS[word])
        if word[:3] in _MONTHS:
            found.add(str(_MONTHS.index(word[:3]) + 1))
    for match in _MIXED.finditer(plain):
        found |= {_value(match.group()), *(str(_KANJI[c]) for c in match.group() if c in _KANJI)}
    for era, year in _ERA.findall(plain):
        found.add(str(_ERAS[era] + (1 if year == "元" else int(_value(year)))))
    return found


def _value(written: str) -> str:
    """The number of a Japanese notation such as 八万五千, 8万5千 or 二〇二四."""
    if written and all(c in _KANJI for c in written):
        return str(int("".join(str(_KANJI[c]) for c in written)))
    total, section, last = 0.0, 0.0, 0.0
    for digits, kanji, small, large in _PART.findall(written):
        if digits or kanji:
            last = float(digits) if digits else float(_KANJI[kanji])
        elif small:
            section, last = section + (last or 1) * _UNITS[small], 0.0
        else:
            total, section, last = total + (section + last or 1) * _UNITS[large], 0.0, 0.0
    return f"{total + section + last:.10g}"
