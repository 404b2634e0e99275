"""The application factory."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import ASGIMiddleware
from litestar.types import LifeSpanReceive, LifeSpanScope, LifeSpanSend, Message, Receive, Scope, Send

from graphmem.config import Settings
from graphmem.errors import ConfigurationError
from graphmem.memory import Memory

from .dependencies import DEPENDENCIES
from .guards import LocalCallersOnly, RequireKey, check_inputs, is_loopback
from .json_body import JSONRequest
from .openapi import describe
from .problems import to_response
from .routes import HANDLERS, PAGES

_log = logging.getLogger("graphmem.api")

_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
"""Of every answer: memories are personal, so no cache keeps them."""


class Service(Litestar):
    """A Litestar application that logs method, path template, status and duration, and nothing else."""

    async def __call__(
        self,
        scope: Scope | LifeSpanScope,
        receive: Receive | LifeSpanReceive,
        send: Send | LifeSpanSend,
    ) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in _HEADERS if h[0] not in present)]
            await send(message)  # type: ignore[arg-type]

        try:
            await super().__call__(scope, receive, watched)
        finally:
            duration = (time.perf_counter() - started) * 1000
            template = scope.get("path_template") or "-"
            _log.info("%s %s %d %.1f ms", scope["method"], template, status, duration)


def create_app(settings: Settings | None = None, *, memory: Memory | None = None) -> Litestar:
    """The ASGI application; it opens its own memory unless one is given, which the caller closes.

    Errors: ConfigurationError when neither an API key nor a loopback host protects it.
    """
    if settings is None:
        settings = memory.settings if memory is not None else Settings()
    described = cache(lambda: describe(HANDLERS, DEPENDENCIES, secured=settings.api_key is not None))
    return Service(
        [*HANDLERS, *PAGES],
        dependencies=DEPENDENCIES,
        guards=[check_inputs],
        middleware=[_protection(settings)],
        exception_handlers={HTTPException: to_response, Exception: to_response},
        request_class=JSONRequest,
        request_max_body_size=settings.max_body_bytes,
        lifespan=[_lifespan(settings, memory)],
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
