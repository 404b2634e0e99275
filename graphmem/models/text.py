"""Text as it is searched, and text as it is shown inside a prompt."""

from __future__ import annotations

import re
import unicodedata

_MINUS = str.maketrans({"−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "﹣": "-"})


def search_form(text: str) -> str:
    """NFKC with one kind of hyphen and without control characters: what the full-text index holds."""
    folded = unicodedata.normalize("NFKC", text).translate(_MINUS)
    return "".join(c if c.isspace() or unicodedata.category(c) != "Cc" else " " for c in folded)


def one_line(text: str) -> str:
    """The text on one line, without control characters, unable to open or close a context block.

    A mark is made harmless by replacing its `<`, never by deleting, so nested or split marks cannot grow together.
    """
    line = " ".join("".join(c if unicodedata.category(c) != "Cc" else " " for c in text).split())
    bare = unicodedata.normalize("NFKC", "".join(c for c in line if unicodedata.category(c) != "Cf"))
    if "<" in bare and re.search(r"memory\W*context", bare, re.IGNORECASE):
        return line.replace("<", "‹").replace("＜", "‹").replace("﹤", "‹")
    return line
