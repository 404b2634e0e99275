"""Find the secrets of a text and put a marker in their place."""

from __future__ import annotations

import re
from collections import Counter

from .fold import fold
from .formats import Found, find_formats
from .named import find_named
from .numbers import find_numbers

SHORTEST = 4
"""Characters of the shortest secret."""
_LIMITS = (256, 500, 2_000, 4_000, 50_000)
"""Lengths that the models allow: a text within one of them stays within it."""
_MARKER = re.compile(r"\[redacted: [a-z ]{1,20}\]")
_SHORT_MARKER = "[*]"
"""For a text that the full markers would make longer than its field allows; no longer than any secret."""


def marker(kind: str) -> str:
    """What stands in the place of a secret."""
    return f"[redacted: {kind}]"


def holds_marker(text: str) -> bool:
    """Whether something was taken out of the text."""
    return _SHORT_MARKER in text or _MARKER.search(text) is not None


def is_only_marker(text: str) -> bool:
    """Whether nothing else is left of the text."""
    return holds_marker(text) and not any(c.isalnum() for c in _MARKER.sub("", text).replace(_SHORT_MARKER, ""))


def find_secrets(text: str) -> list[Found]:
    """Where the secrets of a text are, in order and apart from one another: start, end, kind."""
    if len(text) < SHORTEST:
        return []
    folded = fold(text)
    found = [
        *find_formats(folded.text),
        *find_numbers(folded.text),
        *find_named(folded.text, _without_markers(folded.lower)),
    ]
    apart: list[Found] = []
    for start, end, kind in sorted(found, key=lambda f: (f[0], -f[1])):
        if end - start < 3:
            continue
        if apart and start < apart[-1][1]:
            first, last, known = apart[-1]
            apart[-1] = (first, max(last, end), known)
        else:
            apart.append((start, end, kind))
    return [(*folded.span(start, end), kind) for start, end, kind in apart]


def _without_markers(lower: str) -> str:
    """The text with what stands in the place of secrets shown as line ends, since a marker names what it replaces."""
    return _MARKER.sub(lambda m: "\n" * len(m[0]), lower) if "[redacted: " in lower else lower


def redact(text: str) -> tuple[str, Counter[str]]:
    """The text with markers for its secrets, and how many of each kind there were; without any the text itself."""
    found = find_secrets(text)
    if not found:
        return text, Counter()
    clean = _replaced(text, found, full=True)
    limit = next((size for size in _LIMITS if len(text) <= size), len(clean))
    if len(clean) > limit:
        clean = _replaced(text, found, full=False)
    return clean, Counter(kind for _, _, kind in found)


def _replaced(text: str, found: list[Found], *, full: bool) -> str:
    parts: list[str] = []
    position = 0
    for start, end, kind in found:
        parts += (text[position:start], marker(kind) if full else _SHORT_MARKER)
        position = end
    return "".join([*parts, text[position:]])
