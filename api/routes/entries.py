"""Entries: notes by actor, session and path."""

from __future__ import annotations

from urllib.parse import quote

from litestar import Controller, Response, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page, Receipt
from graphmem.models.note import Entry, EntryHits, EntryIn, EntryPatch, EntryPut, EntrySearch

from ..dependencies import HEADERS, IDEMPOTENCY_KEY, IF_MATCH, etag
from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, EntryListQuery, EntryPutQuery

_MADE = ResponseSpec(Entry, generate_examples=False, description="There was no entry at this path; now there is.")


class Entries(Controller):
    """`/v1/stores/{store}/entries`."""

    path = "/v1/stores/{store:str}/entries"
    tags = ("entries",)

    @post(
        operation_id="createEntry",
        summary="Make an entry",
        responses=problems(404, 409, 413, 415, 502),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def create(
        self,
        store: FromPath[str],
        data: JSONBody[EntryIn],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Entry]:
        """Makes an entry; 409 `ALREADY_EXISTS` when the actor and session have one at this path."""
        entry = await memory.entries.create(store, data, idempotency_key=idempotency_key)
        return Response(entry, headers=_headers(store, entry))

    @put(
        operation_id="putEntry",
        summary="Make or replace an entry",
        responses={**problems(404, 409, 413, 415, 502), 201: _MADE},
        opt={QUERY: EntryPutQuery},
    )
    async def upsert(
        self,
        store: FromPath[str],
        data: JSONBody[EntryPut],
        params: NamedDependency[EntryPutQuery],
        memory: NamedDependency[Memory],
    ) -> Response[Entry]:
        """Makes the entry, or a new version of the one at this path, in one step; `append` adds lines to it."""
        entry, new = await memory.entries.put(store, data, append=params.append == "true")
        return Response(entry, status_code=201 if new else 200, headers=_headers(store, entry))

    @get(
        operation_id="listEntries",
        summary="List entries",
        responses=problems(404),
        opt={QUERY: EntryListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[EntryListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Entry]:
        """The entries of an actor, page by page, of every session unless one is named."""
        return await memory.entries.page(store, params.notes(), params.page_size, params.page_token)

    @post(
        "/:search",
        operation_id="searchEntries",
        summary="Search entries",
        status_code=200,
        responses=problems(404, 413, 415, 502),
    )
    async def search(
        self, store: FromPath[str], data: JSONBody[EntrySearch], memory: NamedDependency[Memory]
    ) -> EntryHits:
        """The entries that answer a query, best first."""
        return await memory.entries.search(store, data)

    @get(
        "/{id:str}",
        operation_id="getEntry",
        summary="Read an entry",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Response[Entry]:
        """One entry; the ETag is its version."""
        entry = await memory.entries.get(store, params.actor_id, id)
        return Response(entry, headers=etag(entry.version))

    @patch(
        "/{id:str}",
        operation_id="updateEntry",
        summary="Revise an entry",
        responses=problems(404, 409, 412, 413, 415, 502),
        opt={QUERY: ActorQuery, HEADERS: (IF_MATCH,)},
    )
    async def update(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[EntryPatch],
        params: NamedDependency[ActorQuery],
        version: NamedDependency[int | None],
        memory: NamedDependency[Memory],
    ) -> Response[Entry]:
        """Makes a new version; another path moves the entry."""
        entry = await memory.entries.update(store, params.actor_id, id, data, if_match=version)
        return Response(entry, headers=etag(entry.version))

    @delete(
        "/{id:str}",
        operation_id="deleteEntry",
        summary="Erase an entry",
        status_code=200,
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def erase(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Receipt:
        """Erases an entry with its versions and links."""
        return await memory.entries.delete(store, params.actor_id, id)


def _headers(store: str, entry: Entry) -> dict[str, str]:
    actor = quote(entry.scope.actor_id, safe="")
    return etag(entry.version) | {"Location": f"/v1/stores/{store}/entries/{entry.id}?actor_id={actor}"}
