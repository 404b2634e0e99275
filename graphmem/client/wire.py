"""A call as it goes over the wire, and an answer as it comes back; no I/O, so both clients share it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, ValidationError

from graphmem import __version__
from graphmem.errors import InvalidInput, UnexpectedAnswer
from graphmem.models.base import Model

from .failures import failure
from .options import Options

M = TypeVar("M", bound=BaseModel)

Repeat = Literal["read", "known", "keyed", "never"]
"""What may be sent again when nobody knows whether it was done: a read, a write that the service knows again by what
is in it, a write with a key, or nothing."""

_LONGEST = 20_000
"""Characters of one value in an address; every id, name and token that the service takes is shorter."""
USER_AGENT = f"graphmem-python/{__version__}"


class Nothing(Model):
    """An answer without a body."""


@dataclass(frozen=True, slots=True)
class Route(Generic[M]):
    """One call of the HTTP contract."""

    method: str
    path: str
    answer: type[M]
    repeat: Repeat
    also: tuple[int, ...] = ()
    """Statuses of 400 and more that carry an answer of the same model."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request, ready to be sent as often as needed: the bytes are the same each time."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    repeatable: bool
    key: str | None
    also: tuple[int, ...] = ()
    settle: bool = False
    """After a retry: ask again while the first request is still being worked on (202)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False)


def call_of(
    route: Route[Any],
    options: Options,
    place: Mapping[str, str],
    *,
    query: Mapping[str, Any] | None = None,
    body: BaseModel | None = None,
    key: str | None = None,
    if_match: int | None = None,
    settle: bool = False,
) -> Call:
    """The request of a route. A write that takes a key gets one. Errors: InvalidInput (an id no address can hold)."""
    headers = {**options.headers, "Accept": "application/json, application/problem+json", "User-Agent": USER_AGENT}
    if options.api_key is not None:
        headers["Authorization"] = f"Bearer {options.api_key}"
    if route.repeat == "keyed":
        headers["Idempotency-Key"] = key = _checked_key(key) or uuid.uuid4().hex
    if if_match is not None:
        headers["If-Match"] = f'"{if_match}"'
    content = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        content = _encoded(body)
    url = options.base_url + _path(route.path, place) + _query(query)
    # a dry run writes nothing, so it may be asked for again like a read
    repeatable = route.repeat != "never" or getattr(body, "dry_run", False)
    return Call(route.method, url, headers, content, repeatable, key, route.also, settle)


def _checked_key(key: str | None) -> str | None:
    if key is not None and not (0 < len(key) <= 256 and key.isascii() and key.isprintable()):
        raise InvalidInput("must be 1 to 256 printable ASCII characters", field="idempotency_key")
    return key


def _encoded(body: BaseModel) -> bytes:
    """What the caller has set; the service has the defaults of the rest."""
    return body.model_dump_json(exclude_unset=True, by_alias=True).encode()


def _path(template: str, place: Mapping[str, str]) -> str:
    for name, value in place.items():
        # "." and ".." would change the address, a slash would end the name
        if not isinstance(value, str) or value in ("", ".", "..") or "/" in value:
            raise InvalidInput("is an id that no address can hold", field=f"path.{name}")
        template = template.replace(f"{{{name}}}", _quoted(value, f"path.{name}"))
    return template


def paged(query: BaseModel, page_size: int, page_token: str | None) -> dict[str, Any]:
    """The query of a list with the page that is wanted."""
    return query.model_dump(mode="json", exclude_defaults=True) | {"page_size": page_size, "page_token": page_token}


def _query(query: Mapping[str, Any] | None) -> str:
    pairs = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
    for name, value in pairs:
        _quoted(value, f"query.{name}")
    return f"?{urlencode(pairs, quote_via=quote, safe='')}" if pairs else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value.isoformat() if hasattr(value, "isoformat") else value)


def _quoted(value: str, field: str) -> str:
    try:
        quoted = quote(value, safe="")
    except UnicodeEncodeError:
        raise InvalidInput("must not contain unpaired surrogates", field=field) from None
    if len(quoted) > _LONGEST:
        raise InvalidInput("is too long for an address", field=field)
    return quoted


def result(route: Route[M], call: Call, answer: Answer) -> M:
    """The model in an answer. Errors: UnexpectedAnswer, and those that a problem stands for."""
    if not _stands(route, answer):
        error = failure(answer.status, answer.headers, answer.content)
        if answer.status >= 500:
            error.idempotency_key = call.key
        raise error
    try:
        # a newer service may say more than this client knows
        return route.answer.model_validate_json(answer.content or b"{}", extra="ignore")
    except ValidationError as error:
        raise _unreadable(answer, error) from None


def _stands(route: Route[Any], answer: Answer) -> bool:
    """Whether an answer is the one that the route promises."""
    if not 200 <= answer.status < 300 and answer.status not in route.also:
        return False
    if route.answer is Nothing and not answer.content:
        return True
    return answer.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _unreadable(answer: Answer, error: ValidationError) -> UnexpectedAnswer:
    """Where an answer is not what the model says: places and kinds of fault, never values."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    where = ".".join(str(step) for step in first["loc"]) or "its top"
    if first["type"] == "json_invalid":
        text = f"The answer ({answer.status}) is not whole JSON: it was cut short or changed on the way. Try again."
    else:
        text = (
            f"The answer ({answer.status}) is not understood at {where} ({first['type']}): client {__version__} and "
            "service may be of different releases; use the same."
        )
    unreadable = UnexpectedAnswer(text)
    unreadable.status = answer.status
    unreadable.request_id = answer.headers.get("x-request-id")
    return unreadable
