"""Bring a database to the schema of this release: forward only, safe from several processes at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from ..errors import EmbedderMismatch, SchemaTooNew
from ..ports import Identity
from .catalog import catalog
from .driver import Database

_NUMBERED = re.compile(r"^schema/(\d{4})_(\w+)$")


def migrations() -> list[tuple[int, str]]:
    """Version and query name of every migration, oldest first."""
    found = [(int(m.group(1)), name) for name in catalog() if (m := _NUMBERED.match(name))]
    return sorted(found)


async def migrate(database: Database) -> int:
    """Apply what is missing and return the schema version. Errors: SchemaTooNew, DatabaseError.

    Every statement can run again, so two processes that migrate at the same moment do no harm.
    """
    known = migrations()
    applied = {row["version"] for row in await database.run("schema/applied", {})}
    newest = known[-1][0]
    if applied and max(applied) > newest:
        raise SchemaTooNew(f"The database has schema {max(applied)}, this release knows {newest}; upgrade graphmem.")
    for version, name in known:
        if version not in applied:
            await database.run_auto(name, {})
            now = datetime.now(UTC)
            await database.run("schema/record", {"version": version, "name": name, "now": now})
    return newest


async def create_vector_index(database: Database, dimension: int) -> None:
    """Make the vector index for vectors of this width and wait until all indexes are online."""
    config = {
        "vector.dimensions": dimension,
        "vector.similarity_function": "cosine",
        "vector.quantization.type": "NONE",  # docs/decisions/0005: the default hangs searches while others write
    }
    await database.run_auto("schema/vector_index", {"config": config})
    await database.run_auto("schema/await_indexes", {"seconds": 300})


async def check_embedder(database: Database, identity: Identity) -> None:
    """Record the embedder of a new database, refuse another one than recorded. Errors: EmbedderMismatch."""
    parameters = {
        "name": identity.name,
        "dimension": identity.dimension,
        "digest": identity.digest,
        "now": datetime.now(UTC),
    }
    recorded = (await database.run("schema/embedder_identity", parameters))[0]
    if (recorded["name"], recorded["dimension"], recorded["digest"]) != (
        identity.name,
        identity.dimension,
        identity.digest,
    ):
        raise EmbedderMismatch(
            f"The vectors in this database come from {recorded['name']} ({recorded['dimension']} wide), "
            f"but {identity.name} ({identity.dimension} wide) is configured; "
            "run `graphmem reembed`, or configure the former embedder."
        )
    await create_vector_index(database, identity.dimension)
