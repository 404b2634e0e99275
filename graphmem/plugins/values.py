"""What plug-ins take from a framework, as requests and records have it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ..errors import InvalidInput
from ..models.base import MAX_TEXT, Model
from ..models.redaction import Redacted

M = TypeVar("M", bound=Model)


def checked(model: type[M], **values: Any) -> M:
    """The request with these values. Errors: InvalidInput, naming the field and no value."""
    try:
        return model(**values)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = ".".join(str(step) for step in first["loc"])
        raise InvalidInput(f"{first['msg'].removeprefix('Value error, ')}.", field=field) from None


def value_of(given: Mapping[str, Any], field: str = "value") -> dict[str, Any]:
    """The value as it will come back. Errors: InvalidInput where JSON would make another one of it."""
    value = dict(given)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        same = json.loads(text.encode()) == value
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        raise InvalidInput("must be JSON: objects with text keys, lists, texts, finite numbers.", field=field)
    return value


def shortened(text: str) -> str:
    """A text as a record holds it, cut between words: half a secret would not be known as one."""
    text = text.replace("\x00", " ").strip()
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT].rsplit(maxsplit=1)[0]


def kinds_of(redacted: Iterable[Redacted]) -> str:
    """The kinds of the secrets that were taken out, for a log; nothing of their text."""
    return ", ".join(sorted({secret.kind for secret in redacted}))


def addressable(session_id: str) -> str:
    """A framework's id of a session as one that an address of the service can hold."""
    return f"%{session_id}" if session_id in (".", "..") else session_id.replace("/", "%2F")
