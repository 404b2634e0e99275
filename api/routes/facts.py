"""Facts: list, read, correct, withdraw, decide about, and their history."""

from __future__ import annotations

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.fact import Fact, FactPatch, HistoryEntry
from graphmem.models.manage import Page, Receipt
from graphmem.models.truth import FactAction, PinAction

from ..dependencies import HEADERS, IDEMPOTENCY_KEY, IF_MATCH, etag
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

    @post(
        "/{id:str}/:confirm",
        operation_id="confirmFact",
        summary="Confirm a fact",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def confirm(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[FactAction],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Says that a fact is right: it weighs as the user's confirmed word, and disputes about it are decided."""
        fact = await memory.truth.confirm(store, id, data, idempotency_key)
        return Response(fact, headers=etag(fact.version))

    @post(
        "/{id:str}/:reject",
        operation_id="rejectFact",
        summary="Reject a fact",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def reject(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[FactAction],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Says that a fact is wrong: it is withdrawn, and what it had ended holds again."""
        fact = await memory.truth.reject(store, id, data, idempotency_key)
        return Response(fact, headers=etag(fact.version))

    @post(
        "/{id:str}/:approve",
        operation_id="approveFact",
        summary="Approve a draft",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def approve(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[FactAction],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Lets a draft be listed and recalled."""
        fact = await memory.truth.approve(store, id, data, idempotency_key)
        return Response(fact, headers=etag(fact.version))

    @post(
        "/{id:str}/:restore",
        operation_id="restoreFact",
        summary="Restore a fact",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def restore(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[FactAction],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Undoes a withdrawal, a deletion, an archive, a rejection, or what ended the fact; 409 when it holds."""
        fact = await memory.truth.restore(store, id, data, idempotency_key)
        return Response(fact, headers=etag(fact.version))

    @post(
        "/{id:str}/:pin",
        operation_id="pinFact",
        summary="Pin a fact",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def pin(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[PinAction],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Fact]:
        """Keeps a fact from fading; `pinned: false` takes the pin away."""
        fact = await memory.truth.pin(store, id, data, idempotency_key)
        return Response(fact, headers=etag(fact.version))
