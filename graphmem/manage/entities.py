"""Entities: list, read, and the graph around one."""

from __future__ import annotations

from datetime import datetime

from ..errors import NotFound
from ..models.fact import Entity, EntityGraph, EntityName
from ..models.ids import owner_key
from ..models.manage import Page
from ..models.names import read_name
from ..ports import Clock
from ..store.driver import Database
from ..store.records import entity_from, fact_from
from .paging import page_of, position

_MOST_FACTS = 500


class Entities:
    """The entities of a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(
        self, store_id: str, actor_id: str, *, name: str | None, page_size: int, page_token: str | None
    ) -> Page[Entity]:
        """One page of an owner's entities; a name finds by name, alias, either form of a Japanese name, or context."""
        written = read_name(name) if name else None
        rows = await self._database.run(
            "manage/entities",
            {
                "owner_key": owner_key(store_id, actor_id),
                "after": position(page_token, "entities"),
                "limit": page_size + 1,
                "name_key": written.key if written else None,
                "qualifier_key": written.qualifier_key if written else None,
            },
        )
        entities = [entity_from(r) for r in rows]
        return page_of(entities, page_size, "entities", lambda e: e.id)

    async def get(self, store_id: str, actor_id: str, entity_id: str) -> Entity:
        """One entity. Errors: NotFound."""
        rows = await self._database.run(
            "manage/entity", {"owner_key": owner_key(store_id, actor_id), "entity_id": entity_id}
        )
        if not rows:
            raise NotFound("There is no such entity of this actor.", field="entity_id")
        return entity_from(rows[0])

    async def graph(
        self,
        store_id: str,
        actor_id: str,
        entity_id: str,
        hops: int,
        as_of: datetime | None,
        known_at: datetime | None = None,
    ) -> EntityGraph:
        """An entity with the facts around it, at most 500, nearest first. Errors: NotFound."""
        entity = await self.get(store_id, actor_id, entity_id)
        now = self._clock.now()
        rows = await self._database.run(
            "manage/entity_graph",
            {
                "owner_key": owner_key(store_id, actor_id),
                "entity_id": entity_id,
                "hops": hops,
                "as_of": as_of or now,
                "known_at": known_at,
                "limit": _MOST_FACTS,
                "now": now,
            },
        )
        facts = tuple(fact_from(r["fact"], r["subject"], r["object"]) for r in rows)
        around = {e.id: e for f in facts for e in (f.subject, f.object) if e is not None and e.id != entity_id}
        return EntityGraph(
            entity=entity,
            facts=facts,
            entities=tuple(EntityName(id=e.id, name=e.name) for e in around.values()),
        )
