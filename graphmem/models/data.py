"""JSON of the caller's own, given back as it is."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from pydantic import AfterValidator

MAX_DATA = 200_000
"""Characters of the JSON that a record may carry."""
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""As JSON writes it; after an odd number of backslashes it is text."""


def _check_data(value: dict[str, Any] | None) -> dict[str, Any] | None:
    """The object as it is; ValueError when it is too large, or not JSON."""
    if value is None:
        return None
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("must not contain unpaired surrogates") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("must be a JSON object") from error
    if _NUL.search(text):
        raise ValueError("must not contain a NUL character")
    if len(text) > MAX_DATA:
        raise ValueError(f"must have at most {MAX_DATA} characters as JSON")
    return value


Data = Annotated[dict[str, Any], AfterValidator(_check_data)]
