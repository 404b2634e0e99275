"""The OpenAI Agents SDK: a session whose items are kept in the graph, and the memory tools.

Needs the extra `graphmem[openai-agents]`. Whose memory it is comes from the program, never from the model.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

try:
    import agents as _sdk  # noqa: F401
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "The OpenAI Agents SDK is not installed: pip install 'graphmem[openai-agents]'.", name=_error.name
    ) from _error

from ..models.base import MAX_MESSAGES, MAX_PAGE
from ..models.episode import Role
from ..models.ids import new_id
from ..models.scope import Scope, SessionScope
from ..models.session import SessionMessage, SessionMessageIn, SessionMessagesIn
from .backend import Backend
from .openai_agents_tools import memory_tools
from .values import addressable, checked, kinds_of, shortened, value_of

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.memory import SessionSettings

__all__ = ["GraphMemSession", "memory_tools"]

log = logging.getLogger(__name__)

_ROLES: Mapping[Any, Role] = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}
_ITEM = "item"
"""Key of a message's data that holds the item as the SDK gave it."""


class GraphMemSession:
    """A conversation of one user in the graph, to be given to `Runner.run(…, session=…)`: each item once, in order.

    Nothing is learned from what is kept here, and no recall finds it. `memory` is a `Memory` or an `AsyncGraphMem`; who
    opened it closes it. Errors of the calls: those of `graphmem.errors`.
    """

    def __init__(
        self,
        session_id: str,
        memory: Backend,
        *,
        actor: str,
        store: str = "default",
        agent_id: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        """Make the session; nothing is asked or written before it is used. Errors: InvalidInput (ids)."""
        self.session_id = session_id
        self.session_settings = session_settings
        self._memory, self._store, self._actor = memory, store, actor
        self._scope = checked(SessionScope, actor_id=actor, agent_id=agent_id)
        self._place = addressable(session_id)
        checked(Scope, actor_id=actor, session_id=self._place)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items, oldest first: all, or the newest `limit`, else as many as the session's settings say."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        found: list[TResponseInputItem] = []
        token: str | None = None
        while limit is None or len(found) < limit:
            size = MAX_PAGE if limit is None else min(MAX_PAGE, limit - len(found))
            page = await self._memory.sessions.messages(
                self._store, self._actor, self._place, order="newest", page_size=size, page_token=token
            )
            found += [item for item in map(_item, page.items) if item is not None]
            token = page.next_page_token
            if token is None:
                break
        return found[::-1]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep items behind those that are there. Errors: InvalidInput (an item that is no JSON, or too large)."""
        rows = [_row(cast("Mapping[str, Any]", item)) for item in items]
        for start in range(0, len(rows), MAX_MESSAGES):
            request = SessionMessagesIn(scope=self._scope, messages=tuple(rows[start : start + MAX_MESSAGES]))
            saved = await self._memory.sessions.save_messages(self._store, self._place, request)
            if saved.redacted:
                log.warning("Secrets were taken out of items before they were stored (%s).", kinds_of(saved.redacted))

    async def pop_item(self) -> TResponseInputItem | None:
        """Erase the newest item and give it; None where there is none. Of several at once each gets another one."""
        while True:
            erased = await self._memory.sessions.erase_messages(self._store, self._actor, self._place, last=1)
            if not erased.items:
                return None
            if (item := _item(erased.items[0])) is not None:
                return item

    async def clear_session(self) -> None:
        """Erase the items; what was remembered in the session stays."""
        await self._memory.sessions.erase_messages(self._store, self._actor, self._place)


def _row(item: Mapping[str, Any]) -> SessionMessageIn:
    """An item as it is kept, with its text beside it for who reads the conversation. Errors: InvalidInput."""
    value = value_of(item, "items")
    result = str(value.get("type", "")).endswith("_output")
    role: Role = "tool" if result else _ROLES.get(value.get("role"), "assistant")
    text = _text(value.get("output" if result else "content"))
    return checked(SessionMessageIn, id=new_id(), role=role, content=text, data={_ITEM: value})


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(part for part in parts if isinstance(part, str))
    return shortened(content) if isinstance(content, str) else ""


def _item(kept: SessionMessage) -> TResponseInputItem | None:
    """The item; what others have kept in the session has its text only, or is none of the conversation's."""
    item = (kept.data or {}).get(_ITEM)
    if not isinstance(item, dict) and kept.content and kept.role in _ROLES:
        item = {"role": kept.role, "content": kept.content}
    return cast("TResponseInputItem", item) if isinstance(item, dict) else None
