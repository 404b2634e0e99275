"""Text as the patterns read it: full-width forms as ASCII, without characters that do not show, positions kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_ALIKE = {0x3000: " ", 0xA0: " ", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2212: "-"}
_TABLE = {**_WIDE, **_ALIKE, 0xFE63: "-", 0x2215: "/", 0x2024: "."}
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]+"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded text, and where each of its characters stands in the original (None: at the same place)."""

    text: str
    places: tuple[int, ...] | None = None

    @property
    def lower(self) -> str:
        """The text in lower case, character for character."""
        lower = self.text.lower()
        return (
            lower
            if len(lower) == len(self.text)
            else "".join(c if len(c.lower()) > 1 else c.lower() for c in self.text)
        )

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original for a range of the folded text that is not empty."""
        if self.places is None:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """The text with full-width forms as ASCII and without invisible characters."""
    if text.isascii():
        return Folded(text)
    if _UNSEEN.search(text) is None:
        return Folded(text.translate(_TABLE))
    kept: list[str] = []
    places: list[int] = []
    position = 0
    for gap in _UNSEEN.finditer(text):
        kept.append(text[position : gap.start()])
        places.extend(range(position, gap.start()))
        position = gap.end()
    kept.append(text[position:])
    places.extend(range(position, len(text)))
    return Folded("".join(kept).translate(_TABLE), tuple(places))
