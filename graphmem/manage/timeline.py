"""Views over time: the history of one relation of an entity, and what holds about the actor."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

from ..errors import NotFound
from ..ingest.predicates import read_predicate
from ..models.fact import EntityName
from ..models.ids import actor_identity, owner_key
from ..models.truth import Profile, ProfileSection, Stay, Successor, Timeline
from ..ports import Clock
from ..store.driver import Database, Row
from ..store.records import reason_of
from .facts import Facts
from .stores import Stores

_MOST = 500


class Timelines:
    """Views over the facts of a database."""

    def __init__(self, database: Database, stores: Stores, facts: Facts, clock: Clock) -> None:
        self._database = database
        self._stores = stores
        self._facts = facts
        self._clock = clock

    async def of_entity(self, store_id: str, actor_id: str, entity_id: str, predicate: str) -> Timeline:
        """All stays of a relation of an entity, in the order of valid time. Errors: NotFound."""
        rows = await self._database.run(
            "manage/entity_timeline",
            {
                "owner_key": owner_key(store_id, actor_id),
                "entity_id": entity_id,
                "sense": read_predicate(predicate).sense,
                "limit": _MOST,
            },
        )
        if not rows:
            raise NotFound("There is no such entity of this actor.", field="entity_id")
        ends = {stay["id"]: stay for stay in rows[0]["stays"]}
        facts = await self._facts.by_id(store_id, actor_id, list(ends))
        stays = tuple(
            Stay(fact=fact, reason=reason_of(ends[fact.id]["reason"]), **_end(ends[fact.id])) for fact in facts
        )
        return Timeline(entity=EntityName(**rows[0]["entity"]), predicate=predicate, stays=stays)

    async def profile(self, store_id: str, actor_id: str, as_of: datetime | None) -> Profile:
        """What holds about the actor now, or held at a time, by category. Errors: NotFound (store)."""
        await self._stores.get(store_id)
        at = as_of or self._clock.now()
        owner = owner_key(store_id, actor_id)
        rows = await self._database.run(
            "manage/profile",
            {"owner_key": owner, "actor_identity": actor_identity(owner), "as_of": at, "limit": _MOST},
        )
        if not rows:
            return Profile(entity=None, as_of=at, sections=())
        facts = await self._facts.by_id(store_id, actor_id, rows[0]["fact_ids"])
        sections = tuple(
            ProfileSection(category=category, facts=tuple(held))
            for category, held in groupby(facts, key=lambda fact: fact.category)
        )
        return Profile(entity=EntityName(**rows[0]["entity"]), as_of=at, sections=sections)


def _end(row: Row) -> dict[str, object]:
    successor = row["successor"]
    return {"by_episode": row["by_episode"], "successor": Successor(**successor) if successor else None}
