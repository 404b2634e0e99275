"""Errors as problem details (RFC 9457): one table for every status, no input value and no trace in any."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from pydantic import ValidationError

from graphmem.errors import DatabaseUnavailable, GraphMemError, InvalidInput

from .schemas import FieldError, Problem

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 5
MAX_ERRORS = 20
"""Most errors that one answer names; the rest shows once these are mended."""
MAX_FIELD = 200

_log = logging.getLogger("graphmem.api")

_HTTP: dict[int, tuple[str, str]] = {
    400: ("INVALID_INPUT", "The request is not acceptable."),
    401: ("NOT_AUTHENTICATED", "A valid API key is needed: Authorization: Bearer <key>."),
    403: ("NOT_PERMITTED", "The request is not permitted."),
    404: ("NOT_FOUND", "There is nothing at this address."),
    405: ("METHOD_NOT_ALLOWED", "This address does not take this method; see the Allow header."),
    406: ("NOT_ACCEPTABLE", "Answers are application/json."),
    413: ("TOO_LARGE", "The body is larger than this service accepts."),
    415: ("UNSUPPORTED_MEDIA_TYPE", "The body must be application/json in UTF-8."),
    500: ("INTERNAL", "The service failed; its log has the place."),
}


_PLACES = {
    "store": "path.store",
    "episode_id": "path.id",
    "fact_id": "path.id",
    "entity_id": "path.id",
    "note_id": "path.id",
    "contradiction_id": "path.id",
    "predicate_name": "path.name",
    "entry_id": "path.id",
    "If-Match": "header.If-Match",
    "Idempotency-Key": "header.Idempotency-Key",
}
"""Where the arguments of the memory come from in a request."""


_LIST, _OBJECT, _WHOLE, _NUMBER = "must be a list", "must be an object", "must be a whole number", "must be a number"
_BOOL = "must be true or false"
_WORDS = {
    "extra_forbidden": "is not a known field",
    "missing": "is required",
    "too_short": "must have {min_length} or more items",
    "too_long": "must have at most {max_length} items",
    "string_too_short": "must have {min_length} or more characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_type": "must be a text",
    "string_pattern_mismatch": "must have the form {pattern}",
    **dict.fromkeys(("tuple_type", "list_type", "set_type", "frozen_set_type"), _LIST),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), _OBJECT),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _BOOL),
    "finite_number": "must be a finite number",
    "literal_error": "must be {expected}",
    "none_required": "must be null",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
}
"""What a caller is told, by pydantic's kind of error, with the limits that it gives."""


class Refused(HTTPException):
    """An HTTP error whose detail is our own text and may be shown."""

    def __init__(self, status: int, detail: str | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail=detail or _HTTP[status][1], status_code=status, headers=headers)


class InvalidRequest(InvalidInput):
    """Several values of a request are not acceptable."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{errors[0].field}: {errors[0].message}{more}")
        self.errors = tuple(errors)


def problems(*codes: int) -> dict[int, ResponseSpec]:
    """The problem answers of a handler for OpenAPI: the given statuses and those that any route has."""
    return {
        code: ResponseSpec(Problem, media_type=MEDIA_TYPE, generate_examples=False, description=HTTPStatus(code).phrase)
        for code in sorted({400, 406, 500, 503, *codes})
    }


def field_errors(error: ValidationError, data: Any, prefix: str = "") -> InvalidRequest:
    """What a model refused, by the path in `data`; neither values nor pydantic's union tags show."""
    found: dict[str, list[str]] = {}
    for item in error.errors(include_input=False, include_url=False):
        path = _path(item["loc"], data, keep_last=item["type"] in ("missing", "extra_forbidden"))
        field = (prefix + ".".join(path) or "body")[:MAX_FIELD]
        message = _message(item["type"], item["msg"], item.get("ctx", {}))
        if message not in found.setdefault(field, []):
            found[field].append(message)
    kept = [name for name in found if not any(other.startswith(name + ".") for other in found)]
    errors = [FieldError(field=name, message="; or ".join(found[name])) for name in kept]
    return InvalidRequest(errors[:MAX_ERRORS])


def _path(loc: Sequence[int | str], data: Any, *, keep_last: bool) -> list[str]:
    """The part of pydantic's location that exists in the data, and the last step where it names a lack."""
    path: list[str] = []
    for position, step in enumerate(loc):
        inside = isinstance(data, Mapping) and step in data
        if inside or (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            data = data[step]
            path.append(str(step))
        elif keep_last and position == len(loc) - 1:
            path.append(str(step))
    return path


def _message(kind: str, text: str, context: Mapping[str, Any]) -> str:
    if kind == "value_error":
        return text.removeprefix("Value error, ")
    if words := _WORDS.get(kind):
        limits = {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in context.items()}
        return words.format_map(limits)
    if kind.startswith(("datetime_", "date_", "timezone_")):
        return "must be an RFC 3339 time such as 2026-02-03T09:00:00+09:00"
    return text[:1].lower() + text[1:]


def to_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The problem that stands for an error; anything unexpected is a 500 without its text."""
    if isinstance(error, GraphMemError):
        return _from_graphmem(request, error)
    if isinstance(error, HTTPException):
        return _from_http(error)
    _log_unexpected(error)
    return _answer(500, *_HTTP[500])


def _from_graphmem(request: Request[Any, Any, Any], error: GraphMemError) -> Response[bytes]:
    errors = error.errors if isinstance(error, InvalidRequest) else _one_field(request, error)
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if isinstance(error, DatabaseUnavailable) else {}
    if error.status >= 500 and not isinstance(error, DatabaseUnavailable):  # that is logged once, not by each request
        _log_unexpected(error)
    detail = _HTTP[500][1] if error.status == 500 else error.message
    return _answer(error.status, error.code, detail, errors=errors, headers=headers)


def _one_field(request: Request[Any, Any, Any], error: GraphMemError) -> tuple[FieldError, ...]:
    if error.field is None:
        return ()
    in_query = error.field in request.scope.get("state", {}).get("query_names", ())
    field = f"query.{error.field}" if in_query else _PLACES.get(error.field, error.field)
    return (FieldError(field=field[:MAX_FIELD], message=error.message),)


def _from_http(error: HTTPException) -> Response[bytes]:
    status = error.status_code if error.status_code in _HTTP else 400 if error.status_code < 500 else 500
    code, detail = _HTTP[status]
    if isinstance(error, Refused):
        detail = error.detail
    errors: tuple[FieldError, ...] = ()
    if isinstance(error, ValidationException):  # only an absent body gets here: the rest is read by our models
        errors = (FieldError(field="body", message="a JSON object is required"),)
    if status == 500:
        _log_unexpected(error)
    return _answer(status, code, detail, errors=errors, headers=dict(error.headers or {}))


def _answer(
    status: int,
    code: str,
    detail: str,
    *,
    errors: tuple[FieldError, ...] = (),
    headers: Mapping[str, str] | None = None,
) -> Response[bytes]:
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, errors=errors)
    body = problem.model_dump_json(exclude=None if errors else {"errors"}).encode()
    return Response(body, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {}))


def _log_unexpected(error: BaseException) -> None:
    """Log kind and place of an error, not its text, which may hold what a caller sent."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    place = " < ".join(f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in reversed(frames))
    cause = f" from {type(error.__cause__).__name__}" if error.__cause__ else ""
    _log.error("%s%s at %s", type(error).__name__, cause, place)
