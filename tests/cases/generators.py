"""What a case writes in short, in full: long texts, series, times counted from now, place-holders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

OPEN_TAG = "<memory-context>"
CLOSE_TAG = "</memory-context>"
CLOSE_TAG_NESTED = CLOSE_TAG[:9] + CLOSE_TAG + CLOSE_TAG[9:]
"""The closing mark inside itself: taking it out once leaves a closing mark."""

_FIXED = {"open_tag": OPEN_TAG, "close_tag": CLOSE_TAG, "close_tag_nested": CLOSE_TAG_NESTED}
_PLACE_HOLDER = re.compile(r"\{\{(\w+)(?::([\w-]+))?\}\}")

Lookup = Callable[[str, str], str]
"""(`step` or `etag`, name of a step) to the text that stands there."""


class CaseError(Exception):
    """A case says something that the runner does not know: a defect of the runner, never a failed case."""


def no_lookup(kind: str, name: str) -> str:
    """The lookup where no step has run yet."""
    raise CaseError(f"nothing to put in for {{{{{kind}:{name}}}}}")


def expand(value: Any, lookup: Lookup = no_lookup) -> Any:
    """The value with its generators written out and its place-holders filled in, all the way down."""
    if isinstance(value, str):
        return fill(value, lookup)
    if isinstance(value, list):
        return [expand(item, lookup) for item in value]
    if not isinstance(value, Mapping):
        return value
    if "gen" in value:
        return _GENERATORS[value["gen"]](value, lookup)
    if set(value) == {"now_plus_days"}:
        return (datetime.now(UTC) + timedelta(days=value["now_plus_days"])).isoformat()
    return {key: expand(item, lookup) for key, item in value.items()}


def fill(text: str, lookup: Lookup) -> str:
    """The text with `{{open_tag}}`, `{{step:x}}` and their like replaced."""

    def one(match: re.Match[str]) -> str:
        kind, name = match.groups()
        if name is None:
            return _FIXED[kind] if kind in _FIXED else match.group()
        return lookup(kind, name) if kind in ("step", "etag") else match.group()

    return _PLACE_HOLDER.sub(one, text)


def _repeat(value: Mapping[str, Any], lookup: Lookup) -> str:
    text = value.get("prefix", "") + value["unit"] * value["times"] + value.get("suffix", "")
    return fill(text, lookup)


def _nest(value: Mapping[str, Any], lookup: Lookup) -> str:
    times = value["times"]
    return fill(value["open"] * times + value.get("inner", "") + value["close"] * times, lookup)


def _series(value: Mapping[str, Any], lookup: Lookup) -> list[dict[str, Any]]:
    rest = {key: value[key] for key in ("at", "facts") if key in value}
    numbers = range(value["from"], value["to"] + 1)
    return [expand(_numbered({"text": value["template"], **rest}, n), lookup) for n in numbers]


def _numbered(value: Any, number: int) -> Any:
    if isinstance(value, str):
        return value.replace("{i}", str(number))
    if isinstance(value, list):
        return [_numbered(item, number) for item in value]
    if isinstance(value, Mapping):
        return {key: _numbered(item, number) for key, item in value.items()}
    return value


_GENERATORS: dict[str, Callable[[Mapping[str, Any], Lookup], Any]] = {
    "repeat": _repeat,
    "nest": _nest,
    "series": _series,
}
