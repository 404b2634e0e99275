"""A chat client that answers by script and keeps what it was sent; the rest of the framework is the real one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_framework import (
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
)

Line = str | Content | Exception


class ScriptedChatClient(FunctionInvocationLayer[Any], ChatMiddlewareLayer[Any], BaseChatClient[Any]):
    """Answers with the lines of its script, one a call; an exception is raised. Without a script it says "Noted."."""

    conversation_id: str | None = None
    """Of a service that keeps the conversation itself."""

    def __init__(self, *script: Line) -> None:
        super().__init__()
        self.script = list(script)
        self.calls: list[tuple[list[Message], dict[str, Any]]] = []

    def _inner_get_response(self, *, messages: Sequence[Message], stream: bool, options: Any, **kwargs: Any) -> Any:
        self.calls.append((list(messages), dict(options)))
        line = self.script.pop(0) if self.script else "Noted."
        if isinstance(line, Exception):
            raise line
        contents = [line if isinstance(line, Content) else Content.from_text(line)]
        if stream:

            async def pieces() -> Any:
                for content in contents:
                    yield ChatResponseUpdate(role="assistant", contents=[content])

            return self._build_response_stream(pieces(), response_format=options.get("response_format"))

        async def one() -> ChatResponse[Any]:
            return ChatResponse(messages=[Message("assistant", contents)], conversation_id=self.conversation_id)

        return one()

    def texts(self, call: int = -1) -> list[str]:
        """The texts of the messages that a call was sent."""
        return [m.text for m in self.calls[call][0]]

    def options(self, call: int = -1) -> dict[str, Any]:
        """The options that a call was sent."""
        return self.calls[call][1]
