"""Request bodies: strict JSON first, then the model, without any conversion of types."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from litestar import Request
from pydantic import BaseModel, ValidationError

from .problems import MAX_ERRORS, InvalidRequest, Refused, field_errors
from .schemas import FieldError

M = TypeVar("M", bound=BaseModel)

LARGE_BODY = 200_000
"""Bytes from which a body is read in a thread, so that other requests go on."""


MAX_VALUES = 100_000
"""Texts, lists and objects in one body; the largest request that the models take has a tenth of it."""


class JSONRequest(Request[Any, Any, Any]):
    """A request whose body is read as the model that its handler declares."""

    async def json(self) -> Any:
        """The validated model. Errors: InvalidRequest naming the place, Refused 415 or 413."""
        _check_media_type(self)
        field = self.route_handler.parsed_data_field
        if field is None:  # no handler of this API reads a body without declaring its model
            return None
        raw = await self.body()
        if len(raw) > LARGE_BODY:
            return await asyncio.to_thread(parse_body, field.annotation, raw)
        return parse_body(field.annotation, raw)


def _check_media_type(request: Request[Any, Any, Any]) -> None:
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise Refused(415, "The body must not be compressed; leave Content-Encoding out.")
    media_type, options = request.content_type
    charset = options.get("charset", "utf-8").lower()
    if media_type.lower() != "application/json" or charset not in ("utf-8", "utf8"):
        raise Refused(415)


def parse_body(model: type[M], raw: bytes) -> M:
    """The model in the bytes. Errors: InvalidRequest naming each place."""
    data = decode(raw)
    try:
        return model.model_validate_json(raw, strict=True)
    except ValidationError as error:
        if not _make_whole(error, data):
            raise field_errors(error, data) from None
    try:
        return model.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        raise field_errors(error, data) from None


def _make_whole(error: ValidationError, data: Any) -> bool:
    """Turn 3.0 into 3 where a whole number is asked for, as JSON has one kind of number; whether any was."""
    found = False
    for item in error.errors(include_url=False, include_context=False):
        given, path = item["input"], item["loc"]
        if item["type"] == "int_type" and isinstance(given, float) and given.is_integer():
            parent = data
            for step in path[:-1]:
                parent = parent[step]
            parent[path[-1]] = int(given)
            found = True
    return found


@dataclass(frozen=True, slots=True)
class _Bad:
    """Stands in the decoded tree for something that JSON here may not hold."""

    message: str
    key: str | None = None


_WALKED = (str, dict, list, _Bad)
_Place: TypeAlias = "tuple[_Place, int | str] | None"


def decode(raw: bytes) -> Any:
    """JSON as Python values. Errors: InvalidRequest for anything that RFC 8259 or I-JSON refuses."""
    try:
        data = json.loads(
            raw.decode(),
            object_pairs_hook=_unique,
            parse_constant=lambda _: _Bad("must be a finite number"),
            parse_float=_finite,
        )
    except UnicodeDecodeError as error:
        raise _invalid("body", f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise _invalid("body", f"is not JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _invalid("body", "is nested too deeply") from None
    except ValueError:  # an integer of thousands of digits
        raise _invalid("body", "holds a number that is too long") from None
    found = islice(_bad_values(data), MAX_ERRORS)
    if errors := [FieldError(field=".".join(path) or "body", message=text) for path, text in found]:
        raise InvalidRequest(errors)
    return data


def _invalid(field: str, message: str) -> InvalidRequest:
    return InvalidRequest([FieldError(field=field, message=message)])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Bad:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return _Bad("is given twice", twice)


def _finite(text: str) -> float | _Bad:
    value = float(text)
    return value if math.isfinite(value) else _Bad("must be a finite number")


def _bad_values(data: Any) -> Iterator[tuple[list[str], str]]:
    """Path and reason of each value that no field may hold; without recursion, since callers choose depth."""
    stack: list[tuple[Any, _Place]] = [(data, None)]
    walked = 0
    while stack:
        walked += 1
        if walked + len(stack) > MAX_VALUES:
            yield [], f"holds more than {MAX_VALUES} values"
            return
        value, place = stack.pop()
        if reason := _bad(value):
            yield _path(place), reason
        stack.extend((inner, (place, step)) for step, inner in _inside(value) if isinstance(inner, _WALKED))


def _inside(value: Any) -> Iterable[tuple[int | str, Any]]:
    """The values in a container, each with its key or index."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list):
        return enumerate(value[: MAX_VALUES + 1])
    if isinstance(value, _Bad) and value.key is not None:
        return ((value.key, _Bad(value.message)),)
    return ()


def _bad(value: Any) -> str | None:
    """Why the value itself must not be there."""
    if isinstance(value, str):
        return _bad_text(value)
    if isinstance(value, _Bad) and value.key is None:
        return value.message
    if isinstance(value, dict):
        return next((f"has a field whose name {reason}" for reason in map(_bad_text, value) if reason), None)
    return None


def _path(place: _Place) -> list[str]:
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(str(step).encode("utf-8", "replace").decode()[:100])
    return steps[::-1]


def _bad_text(value: str) -> str | None:
    if "\x00" in value:
        return "must not contain a NUL character"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "must not contain unpaired surrogates"
    return None
