"""What a provider puts before a run, without an agent or a model: to look at it, and to time it."""

from __future__ import annotations

from typing import Any

from agent_framework import AgentSession, Message, SessionContext

from .context import GraphMemContextProvider


class Probe:
    """Asks a provider as the runs of one session do."""

    def __init__(self, provider: GraphMemContextProvider, session: AgentSession | None = None) -> None:
        self._provider = provider
        self.session = session or AgentSession()

    async def ask(self, text: str) -> str:
        """The text that a model would be shown before this one; empty where nothing would. It never raises."""
        context = SessionContext(session_id=self.session.session_id, input_messages=[Message("user", [text])])
        state = self.session.state.setdefault(self._provider.source_id, {})
        nobody: Any = None  # who runs makes a difference only to how often it is put in
        await self._provider.before_run(agent=nobody, session=self.session, context=context, state=state)
        put_in = context.context_messages.get(self._provider.source_id, [])
        return "\n".join([*(message.text for message in put_in), *context.instructions])
