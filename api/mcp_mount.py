"""`/mcp`: the MCP server behind the same protection as the other routes, where the extra is installed.

Whose memory a request reaches is set by the deployment or by the host's configuration, never by a model. With
`GRAPHMEM_MCP_ACTOR` the address is bound to that actor and store; without it the header `X-Graphmem-Actor` names the
actor, as the body does in the other routes. A request that neither says it for is refused before any of it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from litestar.handlers import asgi
from litestar.handlers.asgi_handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send
from pydantic import TypeAdapter, ValidationError

from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.models.base import Id, StoreId
from graphmem.models.scope import Scope as MemoryScope
from graphmem.plugins.extras import has_mcp

from .guards import ANY_MEDIA
from .problems import Refused

if TYPE_CHECKING:
    from graphmem.plugins.mcp_server import McpOverHttp

PATH = "/mcp"
_ID, _STORE = TypeAdapter(Id), TypeAdapter(StoreId)


def make_mcp(settings: Settings) -> McpOverHttp | None:
    """The MCP server; None without the extra."""
    if not has_mcp():
        return None
    from graphmem.plugins.mcp_server import McpOverHttp

    return McpOverHttp(settings.max_body_bytes)


def mount(server: McpOverHttp, settings: Settings) -> ASGIRouteHandler:
    """The handler of `/mcp`."""
    from graphmem.plugins.mcp_server import PLACE
    from graphmem.plugins.tools import Place

    @asgi(PATH, opt={ANY_MEDIA: True}, copy_scope=True)
    async def serve_mcp(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "POST":  # every request stands alone: there is no stream to open or to end
            raise Refused(405, headers={"Allow": "POST"})
        store_id, memory_scope = _scope_of(scope, settings)
        place = Place(scope["app"].state.memory, store_id, memory_scope)
        await server({**scope, PLACE: place}, receive, send)

    return serve_mcp


def _scope_of(scope: Scope, settings: Settings) -> tuple[str, MemoryScope]:
    """Store and scope of a request. Errors: InvalidInput (which header), Refused 403 (bound to another)."""
    actor = _header(scope, "X-Graphmem-Actor", _ID)
    store = _header(scope, "X-Graphmem-Store", _STORE)
    if settings.mcp_actor is not None:
        if actor not in (None, settings.mcp_actor) or store not in (None, settings.mcp_store):
            raise Refused(403, "This address serves one actor, and the headers name another.")
        actor, store = settings.mcp_actor, settings.mcp_store
    if actor is None:
        raise InvalidInput(
            "must say whose memory it is, or the service is started with GRAPHMEM_MCP_ACTOR",
            field="header.X-Graphmem-Actor",
        )
    agent = _header(scope, "X-Graphmem-Agent", _ID) or settings.mcp_agent
    session = _header(scope, "X-Graphmem-Session", _ID) or settings.mcp_session
    return store or settings.mcp_store, MemoryScope(actor_id=actor, agent_id=agent, session_id=session)


def _header(scope: Scope, name: str, adapter: TypeAdapter[str]) -> str | None:
    """A header's value, percent-decoded, since a header has no Japanese. Errors: InvalidInput."""
    values = [value for key, value in scope["headers"] if key == name.lower().encode()]
    if not values:
        return None
    try:
        (value,) = values
        return adapter.validate_python(unquote_to_bytes(value).decode())
    except ValidationError as error:
        message = error.errors(include_input=False, include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise InvalidInput(message, field=f"header.{name}") from None
    except ValueError:
        raise InvalidInput("must be given once, as percent-encoded UTF-8", field=f"header.{name}") from None
