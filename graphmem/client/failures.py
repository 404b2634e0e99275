"""Errors of the product's tree for what came back, or did not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from graphmem.errors import (
    AlreadyExists,
    Conflict,
    Fault,
    GraphMemError,
    InvalidInput,
    NotAuthenticated,
    NotFound,
    NotPermitted,
    PreconditionFailed,
    ServiceError,
    ServiceUnavailable,
    TooLarge,
    UnexpectedAnswer,
)

BUSY = frozenset({429, 502, 503, 504})
"""Statuses that pass: worth another try after a wait."""
_LONGEST = 1_000
"""Characters of a detail that are shown."""

_BY_STATUS: dict[int, type[GraphMemError]] = {
    400: InvalidInput,
    401: NotAuthenticated,
    403: NotPermitted,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    413: TooLarge,
    429: ServiceUnavailable,
    503: ServiceUnavailable,
}
"""For codes that this release does not know."""


def _tree(kind: type[GraphMemError]) -> Iterator[type[GraphMemError]]:
    for child in kind.__subclasses__():
        if child.__module__ == GraphMemError.__module__:
            yield child
            yield from _tree(child)


_BY_CODE = {kind.code: kind for kind in _tree(GraphMemError)} | {AlreadyExists.code: AlreadyExists}


def failure(status: int, headers: Mapping[str, str], content: bytes) -> GraphMemError:
    """What an answer other than a result stands for. The text of a page that is not graphmem's is not shown."""
    problem = _problem(headers, content)
    error = _from_problem(status, problem) if problem is not None else _foreign(status, headers)
    error.status = status
    error.request_id = headers.get("x-request-id")
    error.retry_after = retry_after(headers)
    return error


def _problem(headers: Mapping[str, str], content: bytes) -> dict[str, Any] | None:
    """The problem details with a code of graphmem, or None."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/problem+json":
        return None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("code"), str) else None


def _from_problem(status: int, problem: Mapping[str, Any]) -> GraphMemError:
    code = problem["code"]
    errors = problem.get("errors")
    faults = tuple(
        Fault(str(given["field"]), str(given.get("message", "")))
        for given in (errors if isinstance(errors, list) else ())
        if isinstance(given, dict) and "field" in given
    )
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status, ServiceError)
    detail = str(problem.get("detail") or problem.get("title") or code)[:_LONGEST]
    error = kind(detail, field=faults[0].field if faults else None)
    error.code, error.faults = code, faults
    return error


def _foreign(status: int, headers: Mapping[str, str]) -> ServiceError:
    media = headers.get("content-type", "").partition(";")[0].strip()[:100] or "no content type"
    if 300 <= status < 400:
        return UnexpectedAnswer(
            f"The service redirects ({status}) to {_host(headers.get('location', ''))}. Redirects are not followed, "
            "because the credential would go along: set base_url to the final address."
        )
    if status in BUSY:
        return ServiceUnavailable(
            f"A proxy or gateway before the service answered {status} ({media}): the service is down, starting or "
            "overloaded. Try again later, or look at `graphmem serve` and its log."
        )
    return UnexpectedAnswer(
        f"The answer {status} ({media}) does not come from graphmem: base_url may name another service or lack a path, "
        "or a proxy answers in its place."
    )


def _host(location: str) -> str:
    try:
        parts = urlsplit(location)
    except ValueError:
        return "another address"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else "another path"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until the service wants to be asked again; None when it does not say."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
