"""Text as it is searched."""

from __future__ import annotations

import unicodedata

_MINUS = str.maketrans({"−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "﹣": "-"})


def search_form(text: str) -> str:
    """NFKC with one kind of hyphen and without control characters: what the full-text index holds."""
    folded = unicodedata.normalize("NFKC", text).translate(_MINUS)
    return "".join(c if c.isspace() or unicodedata.category(c) != "Cc" else " " for c in folded)
