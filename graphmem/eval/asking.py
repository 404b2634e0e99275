"""A question to a model with one prompt of the library, its answer read as that prompt's, and what it cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from graphmem.errors import ProviderError
from graphmem.ports import Chat, Reply
from graphmem.prompts import load_prompt
from graphmem.providers.llm_answer import without_thinking
from graphmem.providers.pieces import is_japanese

Read = TypeVar("Read")
_LASTING = frozenset({"not_authenticated", "quota_exceeded", "unknown_model", "unreachable"})
"""Reasons that no other question would fare better with."""
_MOST_STARTS = 20


@dataclass
class Cost:
    """Calls and tokens so far."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, reply: Reply) -> None:
        """Count an answer."""
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens


@dataclass(frozen=True, slots=True)
class Asker:
    """One prompt, asked of one model."""

    chat: Chat
    prompt: str
    schema: dict[str, Any]
    cost: Cost

    async def ask(self, question: str, data: dict[str, Any], read: Callable[[Any], Read | None]) -> Read | None:
        """What the model says of the data, in the language of the question; None when it cannot be used, twice.

        Errors: ProviderError where every other question would fail as well.
        """
        prompt = load_prompt(self.prompt)
        system = prompt["ja" if is_japanese(question) else "en"]
        for told in (system, f"{system}\n\n{prompt['again']}"):
            reply = await self._reply(told, data, prompt["schema"])
            if reply is None:
                return None
            if (found := _found(reply, read)) is not None:
                return found
        return None

    async def _reply(self, system: str, data: dict[str, Any], schema_intro: str) -> Reply | None:
        self.cost.calls += 1
        user = json.dumps(data, ensure_ascii=False)
        try:
            reply = await self.chat.ask(system, user, task=self.prompt, schema=self.schema, schema_intro=schema_intro)
        except ProviderError as error:
            if error.reason in _LASTING:
                raise
            return None
        self.cost.add(reply)
        return reply


def _found(reply: Reply, read: Callable[[Any], Read | None]) -> Read | None:
    """The first object of the answer that reads as what was asked for."""
    if reply.refused:
        return None
    text = without_thinking(reply.content)
    for start in [match.start() for match in re.finditer(r"\{", text)][:_MOST_STARTS]:
        try:
            value = json.JSONDecoder().raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
        if (found := read(value)) is not None:
            return found
    return None
