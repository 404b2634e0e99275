"""A small server on the loopback interface that gives Neo4j Browser the guide and the style."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

PORT = 7475
"""The port that is used when it is free, so that the guide has the same address the next time."""
Page = Callable[[], str]


class Site(NamedTuple):
    """Where the pages are."""

    base: str
    """Address of their folder. Browser's default allow-list has `localhost` and not `127.0.0.1`."""


def ensure_token(path: Path) -> str:
    """The part of the address that nobody can guess: pages name the people whose memories are here.

    It is kept, so that Neo4j Browser finds the guide again; only its owner can read the file.
    """
    try:
        if found := path.read_text(encoding="utf-8").strip():
            return found
    except FileNotFoundError:
        pass
    made = secrets.token_urlsafe(16)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        stream.write(f"{made}\n")
    return made


@contextmanager
def served(pages: Callable[[str], Mapping[str, Page]], origins: frozenset[str], token: str) -> Iterator[Site]:
    """Serve pages, made from the site's address, to Neo4j Browsers of these origins until the context ends."""
    server = _Server(_listener(), token, origins)
    base = f"http://localhost:{server.server_port}/{token}/"
    server.pages = pages(base)
    thread = Thread(target=server.serve_forever, name="graphmem-guide", daemon=True)
    thread.start()
    try:
        yield Site(base)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _listener() -> socket.socket:
    try:
        return socket.create_server(("127.0.0.1", PORT))
    except OSError:
        return socket.create_server(("127.0.0.1", 0))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listener: socket.socket, token: str, origins: frozenset[str]) -> None:
        super().__init__(listener.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_port = listener.getsockname()[1]
        self.token, self.origins = token, origins
        self.pages: Mapping[str, Page] = {}

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: who asked has gone, and the terminal is the reader's."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def do_OPTIONS(self) -> None:
        """Browser adds headers of its own to each request, so it asks first."""
        self._answer(HTTPStatus.NO_CONTENT, "", {"Access-Control-Allow-Headers": "*"})

    def do_GET(self) -> None:
        """Give a page."""
        if not self._is_for_us():
            self._answer(HTTPStatus.FORBIDDEN, "")
            return
        token, _, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        is_known = secrets.compare_digest(token.encode(), self.server.token.encode())
        page = self.server.pages.get(name) if is_known else None
        if page is None:
            self._answer(HTTPStatus.NOT_FOUND, "")
            return
        try:
            text = page()
        except Exception:  # noqa: BLE001  whatever it was: the database is away, and Browser says that too
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "")
            return
        self._answer(HTTPStatus.OK, text, {"Content-Type": _type(name)})

    def _is_for_us(self) -> bool:
        # a page elsewhere may have its own name lead to this address
        return self.headers.get("Host", "").partition(":")[0] in ("localhost", "127.0.0.1")

    def _answer(self, status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> None:
        body = text.encode()
        self.send_response(status)
        origin = self.headers.get("Origin", "")
        if origin in self.server.origins:
            self.send_header("Access-Control-Allow-Origin", origin)
        given = {"Vary": "Origin", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        for name, value in (given | dict(headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Say nothing: the address holds the token."""


def _type(name: str) -> str:
    return "text/html; charset=utf-8" if name.endswith(".html") else "text/plain; charset=utf-8"
