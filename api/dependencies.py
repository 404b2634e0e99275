"""What handlers are given: the memory, the checked query, and the headers that carry conditions."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import Provide

from graphmem.errors import InvalidInput
from graphmem.memory import Memory

MAX_KEY = 256
"""Characters of an `Idempotency-Key`."""

HEADERS = "documented_headers"
"""`opt` key: request headers of a route, as OpenAPI parameters."""
IF_MATCH: dict[str, Any] = {
    "name": "If-Match",
    "in": "header",
    "description": "The ETag that the record must still have; else 412.",
    "schema": {"type": "string", "pattern": r'^(\*|"[0-9]{1,9}")$'},
}
IDEMPOTENCY_KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A repeat with the same key and body gives the first answer again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]([ -~]*[!-~])?$"},
}

_ETAG = re.compile(r'"([0-9]{1,9})"')
_PRINTABLE = re.compile(rf"[ -~]{{1,{MAX_KEY}}}")


def etag(version: int) -> dict[str, str]:
    """The ETag header of a version."""
    return {"ETag": f'"{version}"'}


def provide_memory(state: State) -> Memory:
    """The memory that the application serves."""
    memory: Memory = state.memory
    return memory


def provide_query(request: Request[Any, Any, Any]) -> Any:
    """The query string as the model of the route; the guard has checked it."""
    return request.scope["state"]["query"]


def provide_version(request: Request[Any, Any, Any]) -> int | None:
    """The version that `If-Match` asks for; None without the header or for `*`. Errors: InvalidInput."""
    value = _single(request, "If-Match")
    if value is None or value == "*":
        return None
    match = _ETAG.fullmatch(value)
    if match is None:
        raise InvalidInput('must be one ETag such as "3"', field="header.If-Match")
    return int(match[1])


def provide_idempotency_key(request: Request[Any, Any, Any]) -> str | None:
    """The `Idempotency-Key`, if given. Errors: InvalidInput."""
    value = _single(request, "Idempotency-Key")
    if value is not None and not _PRINTABLE.fullmatch(value):
        raise InvalidInput(f"must be 1 to {MAX_KEY} printable ASCII characters", field="header.Idempotency-Key")
    return value


def _single(request: Request[Any, Any, Any], name: str) -> str | None:
    values = request.headers.getall(name, [])
    if len(values) > 1:
        raise InvalidInput("must be given once", field=f"header.{name}")
    return values[0].strip() if values else None


DEPENDENCIES = {
    "memory": Provide(provide_memory, sync_to_thread=False),
    "params": Provide(provide_query, sync_to_thread=False),
    "version": Provide(provide_version, sync_to_thread=False),
    "idempotency_key": Provide(provide_idempotency_key, sync_to_thread=False),
}
