"""Relations of a store and what it knows of them."""

from __future__ import annotations

from litestar import Controller, Response, get, patch
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page
from graphmem.models.truth import PredicateOut, PredicatePatch

from ..dependencies import HEADERS, IF_MATCH, etag
from ..guards import QUERY
from ..problems import problems
from ..schemas import PageQuery


class Predicates(Controller):
    """`/v1/stores/{store}/predicates`."""

    path = "/v1/stores/{store:str}/predicates"
    tags = ("predicates",)

    @get(operation_id="listPredicates", summary="List relations", responses=problems(404), opt={QUERY: PageQuery})
    async def list(
        self, store: FromPath[str], params: NamedDependency[PageQuery], memory: NamedDependency[Memory]
    ) -> Page[PredicateOut]:
        """The relations that a store knows, by name: those known from the start, with its own over them."""
        return await memory.predicates.page(store, params.page_size, params.page_token)

    @get("/{name:str}", operation_id="getPredicate", summary="Read a relation", responses=problems(404))
    async def read(
        self, store: FromPath[str], name: FromPath[str], memory: NamedDependency[Memory]
    ) -> Response[PredicateOut]:
        """One relation, by any of its names; the ETag is its version."""
        found = await memory.predicates.get(store, name)
        return Response(found, headers=etag(found.version))

    @patch(
        "/{name:str}",
        operation_id="updatePredicate",
        summary="Define a relation",
        responses=problems(404, 412, 413, 415),
        opt={HEADERS: (IF_MATCH,)},
    )
    async def update(
        self,
        store: FromPath[str],
        name: FromPath[str],
        data: JSONBody[PredicatePatch],
        version: NamedDependency[int | None],
        memory: NamedDependency[Memory],
    ) -> Response[PredicateOut]:
        """Changes a relation for this store; its facts come out as if it had been so from the start."""
        changed = await memory.predicates.update(store, name, data, if_match=version)
        return Response(changed, headers=etag(changed.version))
