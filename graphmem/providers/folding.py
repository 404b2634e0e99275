"""Text folded for comparison, with the way back to the characters it came from."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-"})


@dataclass(frozen=True, slots=True)
class Folded:
    """Text without case, width, accents' encoding, white space and invisible marks."""

    text: str
    origin: tuple[int, ...]
    """For each character of `text`, its place in the original."""

    def find(self, part: str, begin: int = 0) -> tuple[int, int] | None:
        """Where `part` stands in the original from folded place `begin` on, compared after folding."""
        folded = fold(part)
        at = self.text.find(folded, begin) if folded else -1
        if at < 0:
            return None
        return self.origin[at], self.origin[at + len(folded) - 1] + 1


def fold(text: str) -> str:
    """The text in the form in which two spellings of one text are equal."""
    return fold_with_origin(text).text


@lru_cache(maxsize=64)  # the same few messages are folded for every fact that is checked against them
def fold_with_origin(text: str) -> Folded:
    """The folded text and where each of its characters came from."""
    out: list[str] = []
    origin: list[int] = []
    for place, char in enumerate(text):
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold()).translate(_SIGNS)
        kept = [c for c in plain if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc")]
        out += kept
        origin += [place] * len(kept)
    return Folded("".join(out), tuple(origin))
