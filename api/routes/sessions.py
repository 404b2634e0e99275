"""Sessions: what each came to, its messages, closing one, and what they left open."""

from __future__ import annotations

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import Page
from graphmem.models.session import ErasedMessages, OpenItem, SavedMessages, Session, SessionMessage, SessionMessagesIn

from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, EraseMessagesQuery, MessageListQuery, OpenItemListQuery, SessionListQuery

_KNOWN = ResponseSpec(SavedMessages, generate_examples=False, description="Every message was known; nothing is new.")


class Sessions(Controller):
    """`/v1/stores/{store}/sessions`."""

    path = "/v1/stores/{store:str}/sessions"
    tags = ("sessions",)

    @get(
        operation_id="listSessions",
        summary="List sessions",
        responses=problems(404),
        opt={QUERY: SessionListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[SessionListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Session]:
        """The sessions of an actor by when they began, each with topic, summary, facts learned and open items."""
        return await memory.sessions.page(
            store, params.actor_id, order=params.order, page_size=params.page_size, page_token=params.page_token
        )

    @post(
        "/{id:str}/messages",
        operation_id="saveMessages",
        summary="Keep messages of a session",
        responses={**problems(404, 413, 415), 200: _KNOWN},
    )
    async def save(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        data: JSONBody[SessionMessagesIn],
        memory: NamedDependency[Memory],
    ) -> Response[SavedMessages]:
        """Keeps a conversation's messages in their order. Nothing is learned from them, and no recall finds them."""
        saved = await memory.sessions.save_messages(store, id, data)
        return Response(saved, status_code=200 if all(item.duplicate for item in saved.items) else 201)

    @get(
        "/{id:str}/messages",
        operation_id="listMessages",
        summary="List the messages of a session",
        responses=problems(404),
        opt={QUERY: MessageListQuery},
    )
    async def messages(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[MessageListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[SessionMessage]:
        """What was kept of a conversation, from its oldest or newest message on."""
        return await memory.sessions.messages(
            store, params.actor_id, id, order=params.order, page_size=params.page_size, page_token=params.page_token
        )

    @delete(
        "/{id:str}/messages",
        operation_id="eraseMessages",
        summary="Erase the messages of a session",
        status_code=200,
        responses=problems(404),
        opt={QUERY: EraseMessagesQuery},
    )
    async def erase(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[EraseMessagesQuery],
        memory: NamedDependency[Memory],
    ) -> ErasedMessages:
        """Erases what was kept of a conversation, or its last messages; what was learned in the session stays."""
        return await memory.sessions.erase_messages(store, params.actor_id, id, last=params.last)

    @post(
        "/{id:str}/:close",
        operation_id="closeSession",
        summary="Close a session",
        status_code=200,
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def close(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Session:
        """Says that the session has ended, and summarises it."""
        return await memory.sessions.close(store, params.actor_id, id)


@get(
    "/v1/stores/{store:str}/open-items",
    operation_id="listOpenItems",
    summary="What sessions left open",
    tags=["sessions"],
    responses=problems(404),
    opt={QUERY: OpenItemListQuery},
)
async def open_items(
    store: FromPath[str],
    params: NamedDependency[OpenItemListQuery],
    memory: NamedDependency[Memory],
) -> Page[OpenItem]:
    """What is still to be done, decided or answered, by the summaries of an actor's sessions."""
    return await memory.sessions.open_items(
        store,
        params.actor_id,
        session_id=params.session_id,
        order=params.order,
        page_size=params.page_size,
        page_token=params.page_token,
    )
