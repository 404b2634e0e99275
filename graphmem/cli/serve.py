"""`graphmem serve`: the HTTP API on uvicorn, with the addresses that people open."""

from __future__ import annotations

import errno
import ipaddress
import logging
import signal
import socket
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from graphmem.errors import ConfigurationError

from .common import NO_OPTIONS, Common, load_settings, open_memory
from .output import stdout

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.memory import Memory

APP_MODULE = "graphmem.api.app"
BACKLOG = 2048
GRACE_SECONDS = 10


async def serve(
    *,
    host: Annotated[str | None, Parameter(help="Address to listen on [GRAPHMEM_HOST].")] = None,
    port: Annotated[
        int | None, Parameter(help="Port to listen on [GRAPHMEM_PORT].", validator=Number(gte=1, lte=65535))
    ] = None,
    common: Common = NO_OPTIONS,
) -> None:
    """Serve the HTTP API until Ctrl-C; starts the local Neo4j where none is configured."""
    settings = load_settings(common, host=host, port=port)
    logging.getLogger("graphmem").setLevel(logging.DEBUG if common.debug else logging.WARNING)
    check_host(settings)
    with listen(settings.host, settings.port) as listener:
        async with open_memory(settings) as memory:
            for line in addresses(settings, memory, listener.getsockname()[1]):
                stdout().print(str(line))
            async with memory.regular_upkeep():
                await serve_memory(settings, memory, listener)


def check_host(settings: Settings) -> None:
    """ConfigurationError when the API would be open to others without a key."""
    if settings.api_key is None and not is_loopback(settings.host):
        raise ConfigurationError(
            f"{settings.host} can be reached by others: set GRAPHMEM_API_KEY, or serve on 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any. Errors: ConfigurationError when it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise ConfigurationError(f"--host {host} is not an address of this machine") from error
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigurationError(_why_not(error, host, port)) from error
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: choose another with --port, or stop the program that has it"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights: choose one above 1023 with --port"
    return f"--host {host} is not an address of this machine"


@dataclass(frozen=True, slots=True)
class Address:
    """A name and where it is."""

    name: str
    where: str

    def __str__(self) -> str:
        return f"{self.name:<14} {self.where}"


def addresses(settings: Settings, memory: Memory, port: int) -> list[Address]:
    """Where the API, its docs page and Neo4j Browser are, and where the password is kept."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    lines = [Address("API", f"http://{host}:{port}/v1"), Address("API docs", f"http://{host}:{port}/docs")]
    info = memory.server_info()
    if info is None:
        return [*lines, Address("Neo4j", f"{settings.neo4j_uri} (your server)")]
    return [
        *lines,
        Address("Neo4j Browser", f"{info.browser_url}"),
        Address("", f"user {info.username}, password in {info.password_file}"),
    ]


async def serve_memory(settings: Settings, memory: Memory, listener: socket.socket) -> None:
    """Serve an open memory on a listening socket until SIGTERM. Errors: KeyboardInterrupt after SIGINT."""
    import uvicorn

    class Server(uvicorn.Server):
        """Keeps the signal that ends it: raised again at once, it would break off what is still to be closed."""

        ended_by: int | None = None

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            self.force_exit = self.should_exit and sig == signal.SIGINT
            self.should_exit, self.ended_by = True, sig

    memory.warm_up()
    application: Any = import_module(APP_MODULE).create_app(settings, memory=memory)
    config = uvicorn.Config(application, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE_SECONDS)
    server = Server(config)
    await server.serve(sockets=[listener])
    if server.ended_by == signal.SIGINT:
        raise KeyboardInterrupt
