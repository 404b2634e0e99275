"""JSON of the caller's own, given back as it is."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import AfterValidator

MAX_DATA = 200_000
"""Characters of the JSON that a record may carry."""
MAX_DEPTH = 100
"""Lists and objects in one another; every JSON reader takes that, also within an answer."""
_NESTED = (dict, list, tuple)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""As JSON writes it; after an odd number of backslashes it is text."""


def _check_data(value: dict[str, Any] | None) -> dict[str, Any] | None:
    """The object as it is; ValueError when it is too large, or not JSON."""
    if value is None:
        return None
    if _depth(value) > MAX_DEPTH:
        raise ValueError(f"must be nested at most {MAX_DEPTH} deep")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a JSON object") from error
    if len(text) > MAX_DATA:
        raise ValueError(f"must have at most {MAX_DATA} characters as JSON")
    if _NUL.search(text):
        raise ValueError("must not contain a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("must not contain unpaired surrogates") from None
    return value


def _depth(value: Any) -> int:
    """How deep lists and objects are nested; no deeper than it matters is looked."""
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        inside = [inner.values() if isinstance(inner, dict) else inner for inner in level if isinstance(inner, _NESTED)]
        level, depth = [inner for values in inside for inner in values], depth + bool(inside)
        if not inside:
            break
    return depth


Data = Annotated[dict[str, Any], AfterValidator(_check_data)]
