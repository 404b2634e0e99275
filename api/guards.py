"""What is checked before a handler runs: who asks, from where, and that address and query are known."""

from __future__ import annotations

import hmac
import ipaddress
from urllib.parse import parse_qsl, urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from pydantic import SecretStr, TypeAdapter, ValidationError

from graphmem.models.base import Id, StoreId

from .problems import InvalidRequest, Refused, field_errors
from .schemas import FieldError, NoQuery

OPEN = "open_without_key"
"""`opt` key of routes that answer without a credential."""
ANY_MEDIA = "any_media"
"""`opt` key of routes that answer other things than JSON."""
QUERY = "query_model"
"""`opt` key that holds the model of a route's query string."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON_RANGES = ("", "*/*", "application/*", "application/json", "application/problem+json")
_ID = TypeAdapter(Id)
_PATH_TYPES: dict[str, TypeAdapter[str]] = {"store": TypeAdapter(StoreId), "id": _ID, "name": _ID}


def is_loopback(host: str) -> bool:
    """Whether a host name or address stays on this machine."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class RequireKey(ASGIMiddleware):
    """Lets a request through only with the API key as bearer token."""

    scopes = (ScopeType.HTTP, ScopeType.ASGI)
    exclude_opt_key = OPEN

    def __init__(self, key: SecretStr) -> None:
        self._key = key.get_secret_value().encode()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Go on, or raise Refused 401."""
        scheme, _, token = _header(scope, b"authorization").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._key):
            raise Refused(401, headers={"WWW-Authenticate": 'Bearer realm="graphmem"'})
        await next_app(scope, receive, send)


class LocalCallersOnly(ASGIMiddleware):
    """Without a key: refuses what a web page may send through the user's browser.

    The `Host` must be this machine, so that a name rebound to it does not pass, and a write must not come
    from a page of another site.
    """

    scopes = (ScopeType.HTTP, ScopeType.ASGI)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Go on, or raise Refused 403."""
        if not _is_local(_hostname(_header(scope, b"host")), scope):
            raise Refused(403, "Without an API key only requests to localhost are answered.")
        origin = _header(scope, b"origin")
        if origin and scope.get("method") not in _SAFE:
            site = urlsplit(origin.decode("latin-1"))
            if site.scheme not in ("http", "https") or not _is_local(site.hostname or "", scope):
                raise Refused(403, "A page of another site must not write here.")
        await next_app(scope, receive, send)


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


def _hostname(host: bytes) -> str:
    try:
        return urlsplit("//" + host.decode("ascii")).hostname or ""
    except ValueError:
        return ""


def _is_local(host: str, scope: Scope) -> bool:
    """Loopback, or the test client's own name, which no server ever reports as the peer."""
    client = scope.get("client")
    in_test = host in ("testserver", "testserver.local") and client is not None and client[0] == "testclient"
    return in_test or is_loopback(host)


def check_inputs(connection: ASGIConnection, handler: BaseRouteHandler) -> None:  # type: ignore[type-arg]
    """Check path and query of a request and keep the query for its handler. Errors: InvalidRequest."""
    if not handler.opt.get(ANY_MEDIA):
        _check_accept(connection)
    for name, value in connection.path_params.items():
        if adapter := _PATH_TYPES.get(name):
            try:
                adapter.validate_python(value)
            except ValidationError as error:
                raise field_errors(error, None, f"path.{name}") from None
    given = _query(connection.scope["query_string"])
    model = handler.opt.get(QUERY, NoQuery)
    connection.scope["state"]["query_names"] = tuple(model.model_fields)
    try:
        connection.scope["state"]["query"] = model.model_validate_strings(given)
    except ValidationError as error:
        raise field_errors(error, given, "query.") from None


def _check_accept(connection: ASGIConnection) -> None:  # type: ignore[type-arg]
    accept = connection.headers.get("accept", "*/*")
    ranges = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    if not any(wanted in _JSON_RANGES for wanted in ranges):
        raise Refused(406)


def _query(raw: bytes) -> dict[str, str]:
    """The query parameters. Errors: InvalidRequest for one given twice, too many, or not UTF-8."""
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        error = FieldError(field="query", message="must be at most 50 parameters in UTF-8")
        raise InvalidRequest([error]) from None
    given = dict(pairs)
    names = [name for name, _ in pairs]
    twice = [
        FieldError(field=f"query.{name[:100]}", message="is given twice") for name in given if names.count(name) > 1
    ]
    if twice:
        raise InvalidRequest(twice)
    return given
