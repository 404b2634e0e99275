"""Scope: who and what inside a store."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .base import Id, Model


class Scope(Model):
    """Where a memory belongs: the actor owns it; agent, session and route say how it came in."""

    actor_id: Id
    agent_id: Id | None = None
    session_id: Id | None = None
    route_id: Id | None = None


class SessionScope(Model):
    """Whose session it is, where the address names the session."""

    actor_id: Id
    agent_id: Id | None = None
    route_id: Id | None = None


class ReadScope(Model):
    """What a query may read: one actor or several, narrowed by the other keys where they are given."""

    actor_id: Id | Annotated[tuple[Id, ...], Field(min_length=1, max_length=50)]
    agent_id: Id | None = None
    session_id: Id | None = None
    route_id: Id | None = None

    @property
    def actor_ids(self) -> tuple[str, ...]:
        """The actors, never empty, without repeats."""
        ids = (self.actor_id,) if isinstance(self.actor_id, str) else self.actor_id
        return tuple(dict.fromkeys(ids))
