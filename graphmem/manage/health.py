"""Health: what works and what does not, with what to do."""

from __future__ import annotations

from .. import __version__
from ..config import Settings
from ..errors import GraphMemError
from ..models.manage import Check, Health
from ..store.driver import Database
from ..store.migrate import migrations


async def check_health(database: Database, settings: Settings) -> Health:
    """Look at the database, its schema and its indexes."""
    checks = []
    try:
        applied = await database.run("schema/applied", {})
        checks.append(Check(name="database", ok=True, detail="answers"))
        newest = max((row["version"] for row in applied), default=0)
        current = newest == migrations()[-1][0]
        checks.append(
            Check(
                name="schema",
                ok=current,
                detail=f"version {newest}",
                fix=None if current else "start graphmem once to migrate the database",
            )
        )
        checks += [await _indexes(database)]
    except GraphMemError as error:
        checks.append(Check(name="database", ok=False, detail=error.code, fix=error.message))
    extractor = settings.extractor if settings.extractor != "auto" else "llm" if settings.has_model else "offline"
    checks.append(Check(name="extractor", ok=True, detail=extractor))
    return Health(ready=all(c.ok for c in checks), version=__version__, checks=tuple(checks))


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
