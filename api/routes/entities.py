"""Entities: what facts are about, and the graph around them."""

from __future__ import annotations

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.entity import EntityMerge, EntitySplit
from graphmem.models.fact import Entity, EntityGraph, SplitResult
from graphmem.models.manage import Page

from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, EntityListQuery, GraphQuery


class Entities(Controller):
    """`/v1/stores/{store}/entities`."""

    path = "/v1/stores/{store:str}/entities"
    tags = ("entities",)

    @get(
        operation_id="listEntities",
        summary="List entities",
        responses=problems(404),
        opt={QUERY: EntityListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[EntityListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Entity]:
        """The entities of an actor, page by page; `name` matches names and aliases."""
        return await memory.list_entities(
            store, params.actor_id, name=params.name, page_size=params.page_size, page_token=params.page_token
        )

    @get(
        "/{id:str}",
        operation_id="getEntity",
        summary="Read an entity",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Entity:
        """One entity."""
        return await memory.get_entity(store, params.actor_id, id)

    @get(
        "/{id:str}/graph",
        operation_id="getEntityGraph",
        summary="Graph around an entity",
        responses=problems(404),
        opt={QUERY: GraphQuery},
    )
    async def graph(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[GraphQuery],
        memory: NamedDependency[Memory],
    ) -> EntityGraph:
        """The facts and neighbours within some hops of an entity, as true at a time."""
        return await memory.entity_graph(
            store, params.actor_id, id, hops=params.hops, as_of=params.as_of, known_at=params.known_at
        )

    @post(
        "/:merge",
        operation_id="mergeEntities",
        summary="Merge entities",
        status_code=200,
        responses=problems(404, 409, 413, 415),
    )
    async def merge(
        self,
        store: FromPath[str],
        data: JSONBody[EntityMerge],
        memory: NamedDependency[Memory],
    ) -> Entity:
        """Says that the sources are the target: its facts and theirs become one history, until they are split."""
        return await memory.merge_entities(store, data)

    @post(
        "/{id:str}/:split",
        operation_id="splitEntity",
        summary="Split an entity",
        status_code=200,
        responses=problems(404, 409, 413, 415),
    )
    async def split(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[EntitySplit],
        memory: NamedDependency[Memory],
    ) -> SplitResult:
        """Takes merged entities out again, or moves some facts to a new entity."""
        return await memory.split_entity(store, id, data)
