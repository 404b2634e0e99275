"""A model whose calls are counted, and refused where the budget ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphmem.ports import Chat, Meter, Reply


@dataclass(frozen=True, slots=True)
class MeteredChat:
    """`chat`, with each call announced to `meter`; closing it leaves the model open for others."""

    chat: Chat
    meter: Meter

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The answer of the model. Errors: ProviderError, with reason `budget_exhausted` when no call is left."""
        await self.meter.begin()
        reply = await self.chat.ask(system, user, task=task, schema=schema, schema_intro=schema_intro)
        await self.meter.end(reply)
        return reply

    async def close(self) -> None:
        """Nothing: the model is shared."""
