"""The `[[links]]` of a Markdown text, and the names by which they find a note."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

_CODE = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE
)
_WIKI = re.compile(r"\[\[([^\[\]|#^\n]+)(?:[#^][^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_MARKDOWN = re.compile(r"\[[^\[\]\n]*\]\(<?([^()<>\s:]+\.md)(?:#[^()<>\s]*)?>?\)", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
MOST = 500
"""Different targets of one text."""


def link_targets(text: str) -> tuple[str, ...]:
    """Targets of wiki links and of links to Markdown files, without headings and shown words, in order, once each."""
    bare = without_code(text)
    found: dict[str, str] = {}
    for target in _targets(bare):
        if key := link_key(target):
            found.setdefault(key, target)
    return tuple(found.values())[:MOST]


def without_code(text: str) -> str:
    """The text without code blocks and inline code."""
    return _CODE.sub(" ", text)


def _targets(text: str) -> Iterator[str]:
    places = [(m.start(), m[1].strip().rstrip("\\")) for m in _WIKI.finditer(text)]
    places += [(m.start(), unquote(m[1])) for m in _MARKDOWN.finditer(text)]
    return (target for _, target in sorted(places))


def link_key(name: str) -> str:
    """What makes two spellings one name: NFKC, case folded, without suffix, leading `/`, `./` and `../`."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    parts = [" ".join(part.split()) for part in _SUFFIX.sub("", folded.strip()).split("/")]
    return "/".join(part for part in parts if part.strip("."))


def place_names(path: str | None) -> tuple[str, ...]:
    """Link keys that reach a path: its last part, its last two parts, and so on."""
    if path is None:
        return ()
    parts = link_key(path).split("/")
    return tuple("/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))[:20]
