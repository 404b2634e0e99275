"""The checks of `graphmem doctor` about the graph database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from graphmem.errors import GraphMemError

from .findings import Finding, State

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.store.driver import Database

_STATES: dict[str, tuple[State, str | None]] = {
    "running": ("ok", None),
    "stopped": ("ok", None),
    "starting": ("warn", "wait a moment; `graphmem db logs` shows how far it is"),
    "not-installed": ("ok", None),
    "foreign": ("fail", "end that process, or choose another folder with --data-dir"),
    "broken": ("fail", "look at `graphmem db logs`, or choose another folder with --data-dir"),
}
"""State of the local server to state of the check, and what to do."""


async def neo4j(settings: Settings) -> list[Finding]:
    """The server, its schema, and whether its vectors are those of the configured embedder."""
    found, address = await _server(settings)
    if address is None:
        return found
    from graphmem.store.driver import Database
    from graphmem.store.link import Managed
    from graphmem.store.local import LocalServer

    place = Managed(LocalServer(settings)) if settings.neo4j_uri is None else None
    try:
        database = await Database.connect(*address, settings.neo4j_database, place)
    except GraphMemError as error:
        return [*found, Finding("Connection", "fail", error.message, "start it, or correct NEO4J_*")]
    try:
        return [*found, Finding("Connection", "ok", address[0]), *await _content(database, settings)]
    finally:
        await database.close()


async def _server(settings: Settings) -> tuple[list[Finding], tuple[str, str, str] | None]:
    """Findings about the server, and its address, user and password when one runs."""
    if settings.neo4j_uri is not None:
        address = (settings.neo4j_uri, settings.neo4j_username, settings.neo4j_password.get_secret_value())
        return [Finding("Neo4j", "ok", f"your server, {settings.neo4j_uri}")], address
    return await _local_server(settings)


async def _local_server(settings: Settings) -> tuple[list[Finding], tuple[str, str, str] | None]:
    from graphmem.store.local import LocalServer

    status = await LocalServer(settings).status()
    state, fix = _STATES[status.state]
    found = [await _java(settings), _jars(settings), Finding("Neo4j", state, status.detail, fix)]
    info = status.info if status.state == "running" else None
    return found, (info.bolt_uri, info.username, info.password) if info else None


async def _java(settings: Settings) -> Finding:
    from graphmem.store.java import find_java

    try:
        java = await asyncio.to_thread(find_java, settings)
    except GraphMemError as error:
        return Finding("Java", "fail", error.message)
    vectors = "" if java.has_vector else ", without the vector module: searches take longer"
    return Finding("Java", "ok", f"{java.major} at {java.path}{vectors}")


def _jars(settings: Settings) -> Finding:
    from graphmem.store.install import is_installed, jars_folder

    if is_installed(settings):
        return Finding("Neo4j jars", "ok", str(jars_folder(settings)))
    fix = "the first start fetches them; `graphmem db start` does it now"
    return Finding("Neo4j jars", "warn", "not installed yet", fix)


async def _content(database: Database, settings: Settings) -> list[Finding]:
    from graphmem.store.migrate import migrations

    applied = max((row["version"] for row in await database.run("schema/applied", {})), default=0)
    newest = migrations()[-1][0]
    if applied > newest:
        fix = "upgrade graphmem"
        return [Finding("Schema", "fail", f"version {applied}, this release knows {newest}", fix)]
    if applied == 0:
        return [Finding("Schema", "ok", "not made yet; the first start makes it")]
    return [Finding("Schema", "ok", f"version {applied} of {newest}"), await _embedder(database, settings)]


async def _embedder(database: Database, settings: Settings) -> Finding:
    from graphmem.providers import make_embedder

    rows = await database.run("health/recorded_embedder", {})
    embedder = make_embedder(settings)
    try:
        await embedder.prepare()
        mine = (embedder.identity.name, embedder.identity.dimension, embedder.identity.digest)
    finally:
        await embedder.close()
    detail = f"{mine[0]}, {mine[1]} wide"
    if rows and mine != (rows[0]["name"], rows[0]["dimension"], rows[0]["digest"]):
        detail = f"{detail}, but the vectors are of {rows[0]['name']}, {rows[0]['dimension']} wide"
        return Finding("Embedder", "fail", detail, "run `graphmem reembed`, or configure the former embedder")
    return Finding("Embedder", "ok", detail)
