"""Text as it is searched."""

from __future__ import annotations

import re
import unicodedata

from .ids import hash_key

_MINUS = str.maketrans({"−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "﹣": "-"})


def search_form(text: str) -> str:
    """NFKC with one kind of hyphen and without control characters: what the full-text index holds."""
    folded = unicodedata.normalize("NFKC", text).translate(_MINUS)
    return "".join(c if c.isspace() or unicodedata.category(c) != "Cc" else " " for c in folded)


_SPACE = re.compile(r"\s+")
_EDGES = " \t\n.。．!！?？,，、;；:：\"'“”‘’「」『』*_"
_INNER_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def words_key(owner: str, text: str) -> str:
    """Equal for one owner's texts of the same words: width, case, spacing and the marks around them do not count."""
    return hash_key(owner, _SPACE.sub(" ", search_form(text).casefold().translate(_INNER_MARKS)).strip(_EDGES))
