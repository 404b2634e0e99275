"""Embed everything again, after the embedder was changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from ..ports import Embedder
from .driver import Database
from .migrate import create_vector_index

_BATCH = 200


async def reembed(
    database: Database, embedder: Embedder, progress: Callable[[str, float | None], None] | None = None
) -> int:
    """New vectors for every fact and episode, then the new identity; how many. Errors: ProviderError.

    The index is dropped first and made again at the end, so a run that is cut short leaves recall without vectors,
    not with mixed ones, and can simply be started again.
    """
    await database.run_auto("schema/drop_vector_index", {})
    done, after = 0, ""
    while rows := await database.run("manage/unembedded", {"after": after, "limit": _BATCH}):
        vectors = await embedder.embed_passages([row["text"] for row in rows])
        await database.run(
            "manage/set_embeddings",
            {
                "rows": [{"id": row["id"], "embedding": vectors[i].tolist()} for i, row in enumerate(rows)],
            },
        )
        done += len(rows)
        after = rows[-1]["id"]
        if progress is not None:
            progress(f"embedded {done}", None)
    identity = embedder.identity
    await database.run(
        "schema/replace_embedder_identity",
        {
            "name": identity.name,
            "dimension": identity.dimension,
            "digest": identity.digest,
            "now": datetime.now(UTC),
        },
    )
    await create_vector_index(database, identity.dimension)
    return done
