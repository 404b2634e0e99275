"""What an item of a store is as an entry: its path, its tags, the text it is found by, and whether a filter fits it."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import is_normalized
from urllib.parse import quote, unquote

from langgraph.store.base import get_text_at_path, tokenize_path

from ..errors import InvalidInput
from ..models.ids import hash_key
from .values import shortened

ROOT = "/langgraph"
"""Path under which an actor's items are, beside entries of other origin."""
_PLAIN = "-_.~@:+ "
_LONGEST_TITLE = 200


def path_of(*parts: str) -> str:
    """The path of a namespace, or of a namespace and a key. Errors: InvalidInput."""
    return "/".join([ROOT, *map(_written, parts)])


def parts_of(path: str) -> tuple[str, ...]:
    """Namespace and key of a path."""
    return tuple(unquote(part) for part in path.removeprefix(ROOT).lstrip("/").split("/"))


def _written(part: str) -> str:
    """A label or key as one part of a path; read back it is the same, whatever it holds. Letters stay readable."""
    if not part:
        raise InvalidInput("must not be empty.", field="key")
    as_it_is = is_normalized("NFC", part)  # a path is kept in that form
    try:
        text = "".join(c if _stays(c) and (as_it_is or c.isascii()) else quote(c, safe="") for c in part)
    except UnicodeEncodeError:
        raise InvalidInput("must not contain unpaired surrogates.", field="key") from None
    for edge in (" ", "."):  # at either end they would not be kept, or mean another folder
        text = text.replace(edge, f"%{ord(edge):02X}") if text.strip(edge) != text else text
    return text


def _stays(c: str) -> bool:
    return c.isalnum() or c in _PLAIN


def tag_of(namespace: Sequence[str]) -> str:
    """The tag of all that is in or under a namespace; no word of it is found by a search."""
    return "ns" + hash_key(*namespace)[:24]


def tags_of(namespace: Sequence[str]) -> tuple[str, ...]:
    """The tags of an item: of its namespace, and of each that is above it."""
    return tuple(tag_of(namespace[: depth + 1]) for depth in range(len(namespace)))


def searched_text(value: Mapping[str, Any], fields: Sequence[str]) -> str:
    """The text that an item is found by, a line for each text or number; `$` stands for the whole value."""
    lines: list[str] = []
    for field in fields:
        lines += _lines(value) if field == "$" else get_text_at_path(value, tokenize_path(field))
    return shortened("\n".join(lines))


def _lines(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _lines(inner, key if len(value) > 1 or not isinstance(inner, str) else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, name)
    elif value is not None and value != "":
        text = value if isinstance(value, str) else json.dumps(value)
        yield f"{name}: {text}" if name else text


def title_of(text: str) -> str | None:
    """The first line, where it is short enough to stay whole; a part of it could hold a part of a secret."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if 0 < len(line) <= _LONGEST_TITLE else None


def fits(value: Any, wanted: Any) -> bool:
    """Whether a value is as a filter wants it: equal, or by `$eq`, `$ne`, `$gt`, `$gte`, `$lt` and `$lte`.

    Of an object in the filter only its own keys are compared. Errors: InvalidInput (another operator).
    """
    if isinstance(wanted, Mapping):
        if any(key.startswith("$") for key in wanted):
            return all(_holds(value, name, than) for name, than in wanted.items())
        return isinstance(value, Mapping) and all(fits(value.get(key), inner) for key, inner in wanted.items())
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list) and len(value) == len(wanted)
        return same and all(fits(a, b) for a, b in zip(value, wanted, strict=True))
    return bool(value == wanted)


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le,
}  # fmt: skip


def _holds(value: Any, name: str, than: Any) -> bool:
    if name in ("$eq", "$ne"):
        return (value == than) is (name == "$eq")
    if name not in _ORDER:
        raise InvalidInput(f"has an operator that is none of $eq, $ne, {', '.join(_ORDER)}.", field="filter")
    try:
        return _ORDER[name](float(value), float(than))
    except (TypeError, ValueError):  # what is no number, or not there, has no order
        return False
