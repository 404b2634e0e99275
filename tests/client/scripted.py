"""A small HTTP server that misbehaves as it is told, and else passes requests on to the real service."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

Step = bytes | Literal["drop", "hang", "drip", "lose", "leave"]
"""An answer as bytes; `drop` the request; `hang` without an answer; `drip` one that never ends; `lose` the answer of
the real service after it came; `leave` while the real service still works on it."""


@dataclass(frozen=True)
class Received:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Scripted:
    """What the next requests meet, one step each; none is left: they are passed on."""

    url: str
    upstream: str
    steps: list[Step] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    working: set[asyncio.Task[Any]] = field(default_factory=set)

    def script(self, *steps: Step) -> None:
        self.steps[:], self.received[:] = steps, []

    @property
    def keys(self) -> set[str | None]:
        """The idempotency keys of what came."""
        return {one.headers.get("idempotency-key") for one in self.received}


def answer(status: int, body: Any = None, headers: dict[str, str] | None = None, cut: int = 0) -> bytes:
    """An answer as bytes; text is a page of HTML, `cut` bytes are missing at its end."""
    text = body if isinstance(body, str) else json.dumps(body)
    kind = "text/html" if isinstance(body, str) else "application/json"
    given = {"Content-Type": kind, "Content-Length": str(len(text.encode())), "Connection": "close"} | (headers or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    raw = f"HTTP/1.1 {status} Said\r\n{head}\r\n{text}".encode()
    return raw[: len(raw) - cut]


def problem(status: int, code: str, detail: str = "Why.", headers: dict[str, str] | None = None, **more: Any) -> bytes:
    body = {"type": "about:blank", "title": "T", "status": status, "detail": detail, "code": code, **more}
    return answer(status, body, {"Content-Type": "application/problem+json"} | (headers or {}))


async def _request(reader: asyncio.StreamReader) -> Received:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
    return Received(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


async def _passed_on(request: Received, upstream: str) -> bytes:
    parts = urlsplit(upstream)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    headers = request.headers | {"host": parts.netloc, "connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"{request.method} {request.target} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + request.body)
    try:
        return await reader.read()
    finally:
        writer.close()


@asynccontextmanager
async def scripted(upstream: str, steps: Sequence[Step] = ()) -> AsyncIterator[Scripted]:
    """The server, on a free port, while the context is open."""
    server = Scripted("", upstream, list(steps))

    serving: set[asyncio.Task[Any]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                request = await _request(reader)
                server.received.append(request)
                await _reply(server, request, reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            serving.discard(task)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listening.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*server.working, *serving, return_exceptions=True)


async def _reply(
    server: Scripted, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    step = server.steps.pop(0) if server.steps else None
    if isinstance(step, bytes):
        writer.write(step)
        await writer.drain()
    elif step == "hang":
        await reader.read()  # until the other side has gone
    elif step == "drip":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)
    elif step == "leave":
        server.working.add(asyncio.create_task(_passed_on(request, server.upstream)))
    elif step != "drop":
        whole = await _passed_on(request, server.upstream)
        writer.write(b"" if step == "lose" else whole)
        await writer.drain()
