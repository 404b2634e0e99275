"""`graphmem db`: the managed local Neo4j."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter
from cyclopts.validators import Number

from .common import DEFAULT_ACTOR, DEFAULT_STORE, NO_OPTIONS, Actor, Common, Store, load_settings
from .failures import UsageError
from .output import Stages, clean, stderr, stdout

if TYPE_CHECKING:
    from graphmem.store.local import LocalServer, ServerInfo, ServerStatus

_FOLLOW_SECONDS = 0.5

db = App(name="db", help="Start, stop and look at the local Neo4j.")


def _server(common: Common) -> LocalServer:
    from graphmem.store.local import LocalServer

    settings = load_settings(common)
    if settings.neo4j_uri:
        stderr().print("note: NEO4J_URI is set, so graphmem uses that server and not this local one")
    return LocalServer(settings)


@db.command
async def start(*, common: Common = NO_OPTIONS) -> int:
    """Start the local Neo4j, fetched the first time; it keeps running until `db stop`."""
    with Stages() as stages:
        info = await _server(common).ensure_started(stages)
    _show(info)
    return 0


@db.command
async def stop(*, common: Common = NO_OPTIONS) -> int:
    """Stop the local Neo4j and wait until it is gone."""
    stopped = await _server(common).stop()
    stdout().print("stopped" if stopped else "it was not running")
    return 0


@db.command
async def status(*, common: Common = NO_OPTIONS) -> int:
    """Say what the local Neo4j does; the exit code is 0 when it runs."""
    found = await _server(common).status()
    _show_status(found)
    return 0 if found.state == "running" else 1


@db.command
async def browser(
    *,
    open_it: Annotated[
        bool, Parameter(name="--open", negative="--no-open", help="Open it, beside printing its address.")
    ] = True,
    guide: Annotated[
        bool | None, Parameter(help="Keep a guide with ready queries beside it, until Ctrl-C; default: on a terminal.")
    ] = None,
    language: Annotated[Literal["en", "ja"] | None, Parameter(help="Of the guide; default: the terminal's.")] = None,
    common: Common = NO_OPTIONS,
) -> int:
    """Open Neo4j Browser on the local Neo4j with a guide to what is remembered, and say how to log in."""
    from .browser.opening import guided, language_of_user

    with Stages() as stages:
        info = await _server(common).ensure_started(stages)
    if not (sys.stdout.isatty() if guide is None else guide):
        await _open(info, open_it)
        return 0
    async with guided(info, language or language_of_user()) as address:
        await _open(replace(info, browser_url=address), open_it)
        stdout().print("The guide and the style are there until Ctrl-C.")
        sys.stdout.flush()
        await asyncio.Event().wait()
    return 0


async def _open(info: ServerInfo, open_it: bool) -> None:
    _show(info)
    if open_it:
        import webbrowser

        await asyncio.to_thread(webbrowser.open, info.browser_url)


@db.command
def queries(
    name: Annotated[str | None, Parameter(help="The query to print; without it, all are listed.")] = None,
    /,
    *,
    store: Store = DEFAULT_STORE,
    actor: Actor = DEFAULT_ACTOR,
    common: Common = NO_OPTIONS,
) -> int:
    """Print a query of the guide, ready to paste into any Neo4j Browser, or list them."""
    from graphmem.models.ids import owner_key

    from .browser.guide import names, paste

    load_settings(common)
    if name is None:
        for known, does in names().items():
            stdout().print(f"{known:<10}{does}")
        return 0
    if name not in names():
        raise UsageError(f"there is no query {clean(name)}: `graphmem db queries` lists them")
    sys.stdout.write(f"{paste(name, owner_key(store, actor))}\n")
    return 0


@db.command
async def logs(
    *,
    lines: Annotated[int, Parameter(validator=Number(gte=0), help="How many of the last lines.")] = 50,
    follow: Annotated[bool, Parameter(negative=(), help="Go on with what is logged, until Ctrl-C.")] = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Print the log of the local Neo4j."""
    server = _server(common)
    if text := server.log_tail(lines):
        sys.stdout.write(f"{text}\n")
    elif not follow:
        stderr().print("no log yet: the local Neo4j never ran here")
    if follow:
        await _follow(server.log_file)
    return 0


async def _follow(path: Path) -> None:
    position = _size(path)
    while True:
        sys.stdout.flush()
        await asyncio.sleep(_FOLLOW_SECONDS)
        if _size(path) < position:  # a restart began a new log
            position = 0
        news = _read_from(path, position)
        position += len(news)
        sys.stdout.write(news.decode("utf-8", errors="replace"))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _read_from(path: Path, position: int) -> bytes:
    """Whole lines only, so that no character is cut."""
    try:
        with path.open("rb") as stream:
            stream.seek(position)
            news = stream.read()
    except FileNotFoundError:
        return b""
    return news[: news.rfind(b"\n") + 1]


def _show_status(found: ServerStatus) -> None:
    stdout().print(f"{found.state}: {clean(found.detail)}" if found.detail else found.state)
    if found.info:
        _show(found.info)


def _show(info: ServerInfo) -> None:
    for name, value in _lines(info):
        stdout().print(f"{name:<10}{value}")


def _lines(info: ServerInfo) -> Iterator[tuple[str, str]]:
    yield "browser", info.browser_url
    yield "bolt", info.bolt_uri
    yield "user", info.username
    yield "password", f"in {info.password_file}"
    yield "data", str(info.home)
