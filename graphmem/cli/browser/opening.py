"""Opening Neo4j Browser with the guide: who is in the list, what address it gets, how long the guide is there."""

from __future__ import annotations

import asyncio
import json
import locale
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from . import guide
from .site import Page, ensure_token, served

if TYPE_CHECKING:
    from graphmem.store.driver import Database
    from graphmem.store.local import ServerInfo

LISTED = 20
"""People in the guide; the table has more."""
_READ_SECONDS = 30.0


def language_of_user() -> guide.Language:
    """Japanese where the terminal speaks it, else English."""
    return "ja" if (locale.getlocale()[0] or "").lower().startswith("ja") else "en"


@asynccontextmanager
async def guided(info: ServerInfo, language: guide.Language) -> AsyncIterator[str]:
    """Address of Neo4j Browser that opens the guide, which is there until the context ends.

    The address holds the user's name and no password. Errors: DatabaseUnavailable.
    """
    from graphmem.store.driver import Database

    database = await Database.connect(info.bolt_uri, info.username, info.password, "neo4j")
    loop = asyncio.get_running_loop()

    def waited(work: Coroutine[Any, Any, list[guide.Owner]]) -> list[guide.Owner]:
        return asyncio.run_coroutine_threadsafe(work, loop).result(_READ_SECONDS)

    def pages(base: str) -> Mapping[str, Page]:
        def page(of: guide.Language) -> str:
            found = waited(owners(database))
            return guide.page(of, base, found[:LISTED], more=len(found) > LISTED)

        return {f"{of}.html": lambda of=of: page(of) for of in guide.LANGUAGES} | {guide.STYLE: guide.style}

    token = ensure_token(info.home.parent / "browser.token")
    try:
        with served(pages, _origins(info), token) as site:
            yield address(info, f"{site.base}{language}.html")
    finally:
        await database.close()


def address(info: ServerInfo, page: str) -> str:
    """Address of Neo4j Browser that asks for the password only, and opens this guide."""
    bolt = info.bolt_uri.replace("://", f"://{info.username}@")
    return f"{info.browser_url}?dbms={quote(bolt, safe=':/@')}&cmd=guide&arg={quote(page, safe=':/')}"


async def owners(database: Database) -> list[guide.Owner]:
    """Whose memories are here, the one that was written to last first."""
    rows = await database.run("browser/owners", {})
    below = {}
    for store in {row["store"] for row in rows}:
        for found in await database.run("manage/store", {"store_id": store}):
            below[store] = _archive_below(found["store"])
    return [guide.Owner(row["owner_key"], row["store"], row["actor"], below[row["store"]]) for row in rows]


def _archive_below(store: Mapping[str, Any]) -> float:
    decay = json.loads(store.get("settings") or "{}").get("decay") or {}
    return float(decay.get("archive_below", guide.DEFAULTS["archive_below"]))


def _origins(info: ServerInfo) -> frozenset[str]:
    """How Neo4j Browser's own page may have been opened."""
    port = urlsplit(info.http_uri).port
    return frozenset(f"http://{host}:{port}" for host in ("127.0.0.1", "localhost"))
