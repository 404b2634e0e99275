"""Stores and their settings."""

from __future__ import annotations

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page, StoreIn, StoreOut, StorePatch, StoreUsage

from ..dependencies import HEADERS, IF_MATCH, etag
from ..guards import QUERY
from ..problems import problems
from ..schemas import PageQuery


class Stores(Controller):
    """`/v1/stores`."""

    path = "/v1/stores"
    tags = ("stores",)

    @post(operation_id="createStore", summary="Make a store", responses=problems(409, 413, 415))
    async def create(self, data: JSONBody[StoreIn], memory: NamedDependency[Memory]) -> Response[StoreOut]:
        """Makes an empty store; 409 when its id is taken."""
        store = await memory.create_store(data)
        return Response(store, headers=etag(store.version) | {"Location": f"/v1/stores/{store.id}"})

    @get(operation_id="listStores", summary="List stores", responses=problems(), opt={QUERY: PageQuery})
    async def list(self, params: NamedDependency[PageQuery], memory: NamedDependency[Memory]) -> Page[StoreOut]:
        """All stores, page by page."""
        return await memory.list_stores(params.page_size, params.page_token)

    @get("/{store:str}", operation_id="getStore", summary="Read a store", responses=problems(404))
    async def read(self, store: FromPath[str], memory: NamedDependency[Memory]) -> Response[StoreOut]:
        """A store with its settings; the ETag is its version."""
        found = await memory.get_store(store)
        return Response(found, headers=etag(found.version))

    @get("/{store:str}/usage", operation_id="getStoreUsage", summary="Read a store's use", responses=problems(404))
    async def usage(self, store: FromPath[str], memory: NamedDependency[Memory]) -> StoreUsage:
        """Model calls and tokens of today (UTC), with the store's budget."""
        return await memory.store_usage(store)

    @patch(
        "/{store:str}",
        operation_id="updateStore",
        summary="Change a store",
        responses=problems(404, 412, 413, 415),
        opt={HEADERS: (IF_MATCH,)},
    )
    async def update(
        self,
        store: FromPath[str],
        data: JSONBody[StorePatch],
        version: NamedDependency[int | None],
        memory: NamedDependency[Memory],
    ) -> Response[StoreOut]:
        """Changes the description or the settings; 412 when `If-Match` names an older version."""
        changed = await memory.update_store(store, data, if_match=version)
        return Response(changed, headers=etag(changed.version))

    @delete("/{store:str}", operation_id="deleteStore", summary="Erase a store", responses=problems(404))
    async def erase(self, store: FromPath[str], memory: NamedDependency[Memory]) -> None:
        """Erases the store and everything in it. There is no way back."""
        await memory.delete_store(store)
