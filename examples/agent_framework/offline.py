"""A chat client that needs no model: it answers by script, and keeps what a model would have been shown.

Only the model is missing; agent, session, memory and history are the real ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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

MEMORY = re.compile(r"^\d+\. \[[^\]]*\] (.*?)(?: \(source: .*\))?$", re.MULTILINE)
"""A line of the context block, and the memory in it."""


class OfflineChatClient(FunctionInvocationLayer[Any], ChatMiddlewareLayer[Any], BaseChatClient[Any]):
    """Answers by script; without one it answers with the memories that it was shown."""

    def __init__(self, script: Iterable[str] = ()) -> None:
        super().__init__()
        self._script = list(script)
        self.shown: list[str] = []
        """The memories that the last call was shown."""

    def _inner_get_response(self, *, messages: Sequence[Message], stream: bool, options: Any, **kwargs: Any) -> Any:
        self.shown = [memory for m in messages if "<memory-context>" in m.text for memory in MEMORY.findall(m.text)]
        text = self._script.pop(0) if self._script else f"I know: {'; '.join(self.shown) or 'nothing'}"
        if stream:
            return self._build_response_stream(_pieces(text), response_format=options.get("response_format"))
        return _whole(text)


async def _whole(text: str) -> ChatResponse[Any]:
    return ChatResponse(messages=[Message("assistant", [text])])


async def _pieces(text: str) -> Any:
    for word in text.split(" "):
        yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(word + " ")])
