"""Health: what works and what does not, with what to do."""

from __future__ import annotations

import asyncio

from .. import __version__
from ..config import Settings
from ..errors import GraphMemError
from ..models.manage import Check, Health
from ..store.driver import Database
from ..store.migrate import migrations

_PATIENCE = 2.5
"""Seconds in which the database must answer: whoever asks waits for no more."""


async def check_health(database: Database, settings: Settings) -> Health:
    """Look at the database, its schema and its indexes, for three seconds at most."""
    checks = []
    try:
        async with asyncio.timeout(_PATIENCE):
            checks += await _database(database)
    except GraphMemError as error:
        checks.append(Check(name="database", ok=False, detail=error.code, fix=error.message))
    except TimeoutError:
        database.doubt()
        detail = f"no answer in {_PATIENCE} seconds"
        checks.append(
            Check(name="database", ok=False, detail=detail, fix="look at the log of Neo4j, or start it again")
        )
    extractor = settings.extractor if settings.extractor != "auto" else "llm" if settings.has_model else "offline"
    checks.append(Check(name="extractor", ok=True, detail=extractor))
    return Health(ready=all(c.ok for c in checks), version=__version__, checks=tuple(checks))


async def _database(database: Database) -> list[Check]:
    applied = await database.run("schema/applied", {})
    newest = max((row["version"] for row in applied), default=0)
    current = newest == migrations()[-1][0]
    fix = None if current else "start graphmem once to migrate the database"
    return [
        Check(name="database", ok=True, detail="answers"),
        Check(name="schema", ok=current, detail=f"version {newest}", fix=fix),
        await _indexes(database),
    ]


async def _indexes(database: Database) -> Check:
    rows = await database.run("health/index_states", {})
    offline = sorted(row["name"] for row in rows if row["state"] != "ONLINE")
    missing = {"memory_embedding", "memory_text"} - {row["name"] for row in rows}
    bad = offline + sorted(missing)
    return Check(
        name="indexes",
        ok=not bad,
        detail=f"{len(rows)} online" if not bad else "not online: " + ", ".join(bad),
        fix=None if not bad else "wait until they are built, or run `graphmem doctor`",
    )
