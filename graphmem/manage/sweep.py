"""What nothing refers to any more goes after an erasure: entities with their names, also merged ones, and the like."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from ..ingest.commit import settle, take_lock
from ..ingest.same_as import close_same_as, open_same_as, park_facts
from ..models.ids import new_id
from ..store.driver import Database, Row, Transaction


async def sweep(database: Database, store_id: str, owner: str, now: datetime, *, everything: bool = False) -> None:
    """Erase what an owner's erased records leave behind; `everything` takes the owner's own entity too."""

    async def work(transaction: Transaction) -> None:
        # under the lock: a remember that has just found an entity must not lose it
        await take_lock(transaction, store_id, owner, now)
        while apart := [row for row in await unnamed(transaction, owner) if row["part"]]:
            for row in apart:
                await _part(transaction, owner, row, now)
        gone = [id_ for row in await unnamed(transaction, owner) for id_ in row["unnamed"] if id_ != row["root_id"]]
        await transaction.run("manage/erase_merged", {"owner_key": owner, "entity_ids": gone})
        await transaction.run("manage/erase_orphans", {"owner_key": owner, "with_actor": everything})

    await database.write(work)


async def unnamed(graph: Database | Transaction, owner: str) -> list[Row]:
    """Groups of merged entities in which some are named by nothing any more."""
    return await graph.run("manage/unnamed_entities", {"owner_key": owner})


async def _part(transaction: Transaction, owner: str, row: Row, now: datetime) -> None:
    """Take apart what is merged into an entity that is to go; one of them stands for the others from now on."""
    commit_id, slots = new_id(), Counter[str]()
    await transaction.run("manage/part_about", {"owner_key": owner, "root_id": row["root_id"]})
    reason = "the entity that it was merged into was erased"
    for source in row["sources"]:
        slots += await close_same_as(
            transaction, owner, source["source_id"], now, by="call", reason=reason, commit_id=commit_id
        )
    heir, *others = row["sources"]
    for source in others:
        slots += await open_same_as(transaction, owner, target_id=heir["source_id"], now=now, **source)
    await park_facts(transaction, owner, await settle(transaction, owner, slots, now, commit_id), now, commit_id)
