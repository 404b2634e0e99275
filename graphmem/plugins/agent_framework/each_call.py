"""Keeps the recalled message before every model call of a run.

With `require_per_service_call_history_persistence` the framework gives what providers put in to the first model call of
a tool loop only: the later ones get history and tool results.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from agent_framework import ChatContext, ChatMiddleware, Message


class EachCall(ChatMiddleware):
    """Puts one message of a provider in front of the conversation wherever it is missing."""

    def __init__(self, message: Message) -> None:
        self._message = message

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Put it in, unless it is there; it carries its mark, so that nobody keeps it as something said."""
        mine = _source(self._message)
        if all(_source(message) != mine for message in context.messages):
            messages = list(context.messages)
            start = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
            context.messages = [*messages[:start], self._message, *messages[start:]]
        await call_next()


def _source(message: Message) -> object:
    mark = message.additional_properties.get("_attribution")
    return mark.get("source_id") if isinstance(mark, Mapping) else None
