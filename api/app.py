"""The application factory."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache, cached_property
from typing import Any, cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.middleware import ASGIMiddleware
from litestar.routes import HTTPRoute
from litestar.types import (
    HTTPScope,
    LifeSpanReceive,
    LifeSpanScope,
    LifeSpanSend,
    Message,
    Receive,
    Scope,
    Send,
)

from graphmem.config import Settings
from graphmem.errors import ConfigurationError
from graphmem.memory import Memory

from .dependencies import DEPENDENCIES
from .guards import LocalCallersOnly, RequireKey, check_inputs, is_loopback
from .json_body import JSONRequest
from .mcp_mount import make_mcp, mount
from .openapi import VERB, describe
from .problems import to_response
from .routes import HANDLERS, PAGES

_log = logging.getLogger("graphmem.api")

_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
"""Of every answer: memories are personal, so no cache keeps them."""
_SLASH = b"%2f"
"""In an address it is part of a name, not a step; no name here has one."""
_NOWHERE = "/-"


class Service(Litestar):
    """A Litestar application with `{id}:verb` addresses, exact `Allow` headers and a log without content.

    Logged are method, path template, status and duration; never bodies, query strings or ids.
    """

    async def __call__(
        self,
        scope: Scope | LifeSpanScope,
        receive: Receive | LifeSpanReceive,
        send: Send | LifeSpanSend,
    ) -> None:
        """Serve one connection."""
        if scope["type"] == ScopeType.HTTP:
            await self._serve(cast("HTTPScope", scope), cast("Receive", receive), cast("Send", send))
        else:
            await super().__call__(scope, receive, send)

    async def _serve(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        started, status = time.perf_counter(), 500
        # some servers and clients give the query with it
        raw = (scope.get("raw_path") or b"").partition(b"?")[0].lower()
        scope["path"] = _NOWHERE if _SLASH in raw else self._with_verb(scope["path"])

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self._headers(scope, message["headers"])
            await send(message)

        try:
            await super().__call__(scope, receive, watched)
        finally:
            duration = (time.perf_counter() - started) * 1000
            template = scope.get("path_template", "-").replace(VERB, ":")
            _log.info("%s %s %d %.1f ms", scope["method"], template, status, duration)

    def _with_verb(self, path: str) -> str:
        """`…/{id}:retry` as the router knows it, `…/{id}/:retry`."""
        head, colon, verb = path.rpartition(":")
        return f"{head}{VERB}{verb}" if colon and verb in self._verbs else path

    def _headers(self, scope: HTTPScope, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        headers = dict(_HEADERS) | dict(given)
        if b"allow" in headers:
            default = headers[b"allow"].decode().split(", ")
            methods = self._allowed.get(scope.get("path_template", ""), default)
            headers[b"allow"] = ", ".join(sorted(methods)).encode()
        return list(headers.items())

    @cached_property
    def _verbs(self) -> frozenset[str]:
        paths = [route.path for route in self.routes if VERB in route.path]
        return frozenset(path.partition(VERB)[2] for path in paths)

    @cached_property
    def _allowed(self) -> dict[str, Iterable[str]]:
        """Methods by path; the router's own OPTIONS knows only the handler that was registered last."""
        routes = [route for route in self.routes if isinstance(route, HTTPRoute)]
        return {route.path_format: route.methods for route in routes}


def create_app(settings: Settings | None = None, *, memory: Memory | None = None) -> Litestar:
    """The ASGI application; it opens its own memory unless one is given, which the caller closes.

    Errors: ConfigurationError when neither an API key nor a loopback host protects it.
    """
    if settings is None:
        settings = memory.settings if memory is not None else Settings()
    mcp = make_mcp(settings)
    described = cache(lambda: describe(HANDLERS, DEPENDENCIES, secured=settings.api_key is not None))
    return Service(
        [*HANDLERS, *PAGES, *([mount(mcp, settings)] if mcp is not None else ())],
        dependencies=DEPENDENCIES,
        guards=[check_inputs],
        middleware=[_protection(settings)],
        exception_handlers={HTTPException: to_response, Exception: to_response},
        request_class=JSONRequest,
        request_max_body_size=settings.max_body_bytes,
        lifespan=[_lifespan(settings, memory), *([lambda _: mcp.running()] if mcp is not None else ())],
        state=State({"openapi": described}),
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def _protection(settings: Settings) -> ASGIMiddleware:
    if settings.api_key is not None and settings.api_key.get_secret_value():
        return RequireKey(settings.api_key)
    if not is_loopback(settings.host):
        raise ConfigurationError(
            f"Serving on {settings.host} needs an API key: set GRAPHMEM_API_KEY, or GRAPHMEM_HOST=127.0.0.1.",
            field="api_key",
        )
    return LocalCallersOnly()


def _lifespan(settings: Settings, memory: Memory | None) -> Any:
    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        if memory is not None:
            app.state.memory = memory
            yield
            return
        async with Memory.open(settings) as own:
            app.state.memory = own
            yield

    return opened
