"""What a note says, and what the graph keeps to find it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..ingest.accept import content_hash, scope_tokens
from ..models.ids import hash_key, name_key, scope_token
from ..models.note import LinkKind, place_of
from ..models.scope import Scope
from ..models.text import search_form
from ..models.times import ValidTime
from ..safety.orders import find_orders
from ..safety.sensitivity import sensitivity_of
from .wikilinks import link_key, link_targets, place_names

FindKeywords = Callable[[str, str], tuple[str, ...]]
"""Title and body to keywords."""

_MOST_TITLE = 200
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)(?:\s+#+)?\s*$", re.MULTILINE)
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|cannot|without|no longer)\b|n['’]t\b"
    r"|(?:ない|なかった|なく|ません|ずに|せず|不要|禁止|不可)"
)
_TOPIC_EN = re.compile(
    r"^\s*(.{5,80}?)(?:\s+(?:is|are|was|were|will be|costs?|takes?|happens?|rotates?)\s|\s*[:=]\s)", re.IGNORECASE
)
_TOPIC_JA = re.compile(r"^\s*([^。、\n]{3,40}?)(?:は|：)")
_VAGUE = re.compile(
    r"(?i)^(?:i|we|he|she|it|they|you|this|that|there|here|my|our)\b(?:\s\w+)?$|^(?:私|僕|俺|彼|彼女|これ|それ|あれ|ここ|今日|明日|昨日)"
)
_TOPIC_BODY = 400
"""Characters of a body whose opening words name its topic; a longer one has more topics than one."""


@dataclass(frozen=True, slots=True)
class Content:
    """A note's own words and settings."""

    body: str
    title: str | None = None
    """As given; `shown_title` is never empty."""
    description: str | None = None
    keywords: tuple[str, ...] | None = None
    """As given; None: found in the text."""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    path: str | None = None
    category: str = "note"
    importance: float = 0.5
    pinned: bool = False
    valid_at: ValidTime | None = None
    data: str | None = None
    """JSON of the caller's own."""
    wants: tuple[tuple[str, LinkKind], ...] = ()
    """Targets of links that stand beside the body, with their kinds."""
    file: tuple[tuple[str, Any], ...] = field(default=())
    """What only the file has that it was read from (`markdown.py`)."""

    @property
    def shown_title(self) -> str:
        """The title given, else the last part of the path, else the first heading or line."""
        if self.title:
            return self.title
        if self.path:
            return self.stem
        heading = _HEADING.search(self.body)
        lines = (line.strip() for line in self.body.splitlines())
        first = heading[1] if heading else next((line for line in lines if line), "")
        return first if len(first) <= _MOST_TITLE else first[: _MOST_TITLE - 1].rstrip() + "…"

    @property
    def stem(self) -> str:
        """The last part of the path, without a file's suffix."""
        return re.sub(r"\.(?:md|markdown|txt)$", "", (self.path or "").rsplit("/", 1)[-1], flags=re.IGNORECASE)

    @property
    def embedded(self) -> str:
        """The text that its vector stands for; `manage/unembedded` gives the same."""
        parts = [self.shown_title, self.description, self.body]
        return "\n".join(part for part in parts if part is not None)

    def changed(self, **given: Any) -> Content:
        """The same with other values."""
        return replace(self, **given)


def properties(content: Content, owner: str, scope: Scope, find_keywords: FindKeywords) -> dict[str, Any]:
    """A note's properties, but for its id, vector and valid time, as `notes/save` and `notes/update` take them."""
    title = content.shown_title
    keywords = content.keywords if content.keywords is not None else find_keywords(title, content.body)
    by_key: dict[str, str] = {}
    for word in keywords:
        by_key.setdefault(keyword_key(word), word)
    wants = _wants(content)
    paths = place_names(content.path)
    names = tuple(dict.fromkeys([*paths, *(link_key(n) for n in (title, *content.aliases)), *_title_paths(title)]))
    place = place_of(content.path) if content.path else None
    return {
        "title": title,
        "title_given": content.title is not None,
        "body": content.body,
        "description": content.description,
        "keywords": list(by_key.values()),
        "keyword_keys": list(by_key),
        "keywords_given": content.keywords is not None,
        "tags": list(content.tags),
        "aliases": list(content.aliases),
        "path": content.path,
        "place": place,
        "place_key": hash_key(owner, scope.session_id, place) if place else None,
        "category": content.category,
        "importance": content.importance,
        "pinned": content.pinned,
        "data": content.data,
        "valid_given": content.valid_at is not None,
        "content_hash": content_hash(content.body),
        "sensitivity": sensitivity_of(content.embedded),
        "quoted": bool(find_orders(content.embedded, own_word=True)) or None,
        "search": search_form("\n".join([title, *content.aliases, content.body])),
        "context": search_form(" ".join([content.description or "", *keywords, *content.tags])),
        "tokens": " ".join([scope_tokens(owner, scope), *name_tokens(owner, names), *want_tokens(owner, list(wants))]),
        "names": list(names),
        "place_names": list(paths),
        "wants": list(wants),
        "want_texts": [text for text, _ in wants.values()],
        "want_kinds": [kind for _, kind in wants.values()],
        "side_wants": [f"{kind} {text}" for text, kind in content.wants],
        "numbers": sorted(_DIGITS.findall(unicodedata.normalize("NFKC", content.body)))[:200],
        "negated": bool(_NEGATION.search(content.body)),
        "topic_key": topic_key(content),
        **{f"file_{key}": value for key, value in content.file},
    }


def _wants(content: Content) -> dict[str, tuple[str, LinkKind]]:
    found: dict[str, tuple[str, LinkKind]] = {}
    for text, kind in content.wants:
        found.setdefault(link_key(text), (text, kind))
    for text in link_targets(content.body):
        found.setdefault(link_key(text), (text, "related"))
    return found


def _title_paths(title: str) -> tuple[str, ...]:
    """A title with a slash in it is a name as it stands, not a path."""
    return (name_key(title),) if "/" in title else ()


def name_tokens(owner: str, names: Sequence[str]) -> list[str]:
    """Names that a note has, as tokens of the full-text index."""
    return [scope_token("n", owner, name) for name in names if name]


def want_tokens(owner: str, wants: Sequence[str]) -> list[str]:
    """Names that a note's links ask for, as tokens of the full-text index."""
    return [scope_token("w", owner, name) for name in wants]


def keyword_key(word: str) -> str:
    """What makes two spellings one keyword; a plural `s` makes no difference."""
    key = name_key(word)
    return key[:-1] if len(key) > 4 and key.isascii() and key.endswith("s") and not key.endswith("ss") else key


def topic_key(content: Content) -> str | None:
    """What two notes on one topic have in common: the title given, else the opening words up to the statement."""
    if content.path:  # its path says what it takes the place of
        return None
    if content.title:
        return hash_key("title", name_key(content.title))
    if len(content.body) > _TOPIC_BODY:
        return None
    match = _TOPIC_EN.match(content.body) or _TOPIC_JA.match(content.body)
    if match is None or _VAGUE.match(match[1].strip()):
        return None
    opening = name_key(match[1])
    wide = any(ord(c) > 0x2E7F for c in opening)
    return hash_key("opening", opening) if (len(opening) > 3 if wide else " " in opening) else None
