"""Recalls: the audit of what was asked and given."""

from __future__ import annotations

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from graphmem.memory import Memory
from graphmem.models.manage import Page
from graphmem.models.recall import RecallRecord

from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, RecallListQuery


class Recalls(Controller):
    """`/v1/stores/{store}/recalls`."""

    path = "/v1/stores/{store:str}/recalls"
    tags = ("recall",)

    @get(
        operation_id="listRecalls",
        summary="List recalls",
        responses=problems(404),
        opt={QUERY: RecallListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[RecallListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[RecallRecord]:
        """The recalls of an actor, the last first: what was given and why the rest was not. No text is kept."""
        return await memory.recalls.page(
            store,
            params.actor_id,
            since=params.since,
            until=params.until,
            page_size=params.page_size,
            page_token=params.page_token,
        )

    @get(
        "/{id:str}",
        operation_id="getRecall",
        summary="Read the audit of a recall",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> RecallRecord:
        """One recall by the id that its answer gave in `audit`."""
        return await memory.recalls.get(store, params.actor_id, id)
