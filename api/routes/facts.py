"""Facts: list, read, correct, withdraw, and their history."""

from __future__ import annotations

from litestar import Controller, Response, delete, get, patch
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.fact import Fact, FactPatch, HistoryEntry
from graphmem.models.manage import Page, Receipt

from ..dependencies import HEADERS, IF_MATCH, etag
from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, FactListQuery


class Facts(Controller):
    """`/v1/stores/{store}/facts`."""

    path = "/v1/stores/{store:str}/facts"
    tags = ("facts",)

    @get(operation_id="listFacts", summary="List facts", responses=problems(404), opt={QUERY: FactListQuery})
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[FactListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Fact]:
        """The facts of an actor, page by page; those valid now unless asked otherwise."""
        return await memory.list_facts(store, params.facts(), params.page_size, params.page_token)

    @get(
        "/{id:str}",
        operation_id="getFact",
        summary="Read a fact",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """One fact with its sources; the ETag is its version."""
        fact = await memory.get_fact(store, params.actor_id, id)
        return Response(fact, headers=etag(fact.version))

    @patch(
        "/{id:str}",
        operation_id="updateFact",
        summary="Correct a fact",
        responses=problems(404, 409, 412, 413, 415),
        opt={QUERY: ActorQuery, HEADERS: (IF_MATCH,)},
    )
    async def update(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[FactPatch],
        params: NamedDependency[ActorQuery],
        version: NamedDependency[int | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Changes a fact; a new text, object or valid time makes a new fact that corrects the old one."""
        fact = await memory.update_fact(store, params.actor_id, id, data, if_match=version)
        return Response(fact, headers=etag(fact.version))

    @delete(
        "/{id:str}",
        operation_id="deleteFact",
        summary="Withdraw a fact",
        status_code=200,
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def withdraw(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Receipt:
        """Withdraws a fact: it is not listed or recalled any more. The episode it came from stays."""
        return await memory.delete_fact(store, params.actor_id, id)

    @get(
        "/{id:str}/history",
        operation_id="getFactHistory",
        summary="History of a fact",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def history(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Page[HistoryEntry]:
        """Versions and retirements of a fact in order, each with its reason and source."""
        return Page(items=await memory.fact_history(store, params.actor_id, id))
