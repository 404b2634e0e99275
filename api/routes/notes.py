"""Notes: write, list, read, revise, erase, their links and history."""

from __future__ import annotations

from urllib.parse import quote

from litestar import Controller, Response, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page, Receipt
from graphmem.models.note import Note, NoteHistoryEntry, NoteIn, NoteLinks, NotePatch

from ..dependencies import HEADERS, IDEMPOTENCY_KEY, IF_MATCH, etag
from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, NewestQuery, NoteLinksQuery, NoteListQuery


class Notes(Controller):
    """`/v1/stores/{store}/notes`."""

    path = "/v1/stores/{store:str}/notes"
    tags = ("notes",)

    @post(
        operation_id="createNote",
        summary="Write a note",
        responses=problems(404, 409, 413, 415, 502),
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
    )
    async def create(
        self,
        store: FromPath[str],
        data: JSONBody[NoteIn],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[Note]:
        """Writes a note, links it with what is near, and lets it take the place of the older note on its topic."""
        note = await memory.notes.create(store, data, idempotency_key=idempotency_key)
        place = f"/v1/stores/{store}/notes/{note.id}?actor_id={quote(data.scope.actor_id, safe='')}"
        return Response(note, headers=etag(note.version) | {"Location": place})

    @get(
        operation_id="listNotes",
        summary="List notes",
        responses=problems(404),
        opt={QUERY: NoteListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[NoteListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Note]:
        """The notes of an actor, page by page; those that hold now unless asked otherwise."""
        return await memory.notes.page(store, params.notes(), params.page_size, params.page_token)

    @get(
        "/{id:str}",
        operation_id="getNote",
        summary="Read a note",
        responses=problems(404),
        opt={QUERY: NewestQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[NewestQuery],
        memory: NamedDependency[Memory],
    ) -> Response[Note]:
        """One note, also when another one took its place; `newest` follows the chain to its end."""
        note = await memory.notes.get(store, params.actor_id, id, newest=params.newest)
        return Response(note, headers=etag(note.version))

    @patch(
        "/{id:str}",
        operation_id="updateNote",
        summary="Revise a note",
        responses=problems(404, 409, 412, 413, 415, 502),
        opt={QUERY: ActorQuery, HEADERS: (IF_MATCH,)},
    )
    async def update(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[NotePatch],
        params: NamedDependency[ActorQuery],
        version: NamedDependency[int | None],
        memory: NamedDependency[Memory],
    ) -> Response[Note]:
        """Makes a new version; the former one stays in the history."""
        note = await memory.notes.update(store, params.actor_id, id, data, if_match=version)
        return Response(note, headers=etag(note.version))

    @delete(
        "/{id:str}",
        operation_id="deleteNote",
        summary="Erase a note",
        status_code=200,
        responses=problems(404, 409),
        opt={QUERY: ActorQuery},
    )
    async def erase(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Receipt:
        """Erases a note with its versions and links; the notes that it had replaced hold again."""
        return await memory.notes.delete(store, params.actor_id, id)

    @get(
        "/{id:str}/links",
        operation_id="getNoteLinks",
        summary="Links of a note",
        responses=problems(404),
        opt={QUERY: NoteLinksQuery},
    )
    async def links(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[NoteLinksQuery],
        memory: NamedDependency[Memory],
    ) -> NoteLinks:
        """Links and backlinks, and the notes within some hops."""
        return await memory.notes.links(store, params.actor_id, id, hops=params.hops)

    @get(
        "/{id:str}/history",
        operation_id="getNoteHistory",
        summary="History of a note",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def history(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Page[NoteHistoryEntry]:
        """Versions and supersessions of a note in order, each with its reason."""
        return Page(items=await memory.notes.history(store, params.actor_id, id))
