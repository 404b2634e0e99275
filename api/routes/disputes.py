"""Disputes: facts that cannot all hold, and what is decided about them."""

from __future__ import annotations

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page
from graphmem.models.truth import Contradiction, Resolution

from ..dependencies import HEADERS, IDEMPOTENCY_KEY
from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, ContradictionListQuery


class Contradictions(Controller):
    """`/v1/stores/{store}/contradictions`."""

    path = "/v1/stores/{store:str}/contradictions"
    tags = ("contradictions",)

    @get(
        operation_id="listContradictions",
        summary="List disputes",
        responses=problems(404),
        opt={QUERY: ContradictionListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[ContradictionListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Contradiction]:
        """The disputes of an actor, page by page."""
        return await memory.disputes.page(store, params.actor_id, params.state, params.page_size, params.page_token)

    @get(
        "/{id:str}",
        operation_id="getContradiction",
        summary="Read a dispute",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Contradiction:
        """One dispute: its sides with their sources, why it was not decided, and what was decided since."""
        return await memory.disputes.get(store, params.actor_id, id)

    @post(
        "/{id:str}/:resolve",
        operation_id="resolveContradiction",
        summary="Decide a dispute",
        status_code=200,
        responses=problems(404, 409, 413, 415),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def resolve(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[Resolution],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Contradiction:
        """Keeps one side, both or none; 409 when it was decided before. `:restore` of a side undoes it."""
        return await memory.disputes.resolve(store, id, data, idempotency_key)
