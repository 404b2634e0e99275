"""Sessions: what a conversation came to, what was learned in it, and what it left open."""

from __future__ import annotations

from pydantic import Field

from .base import Model, Time


class SummaryLine(Model):
    """One sentence, and the episodes that say it."""

    text: str
    episode_ids: tuple[str, ...]


class LearnedFact(Model):
    """A fact that rests on the session's messages."""

    id: str
    text: str


class OpenItem(Model):
    """What is still to be done, decided or answered, and the episodes that say so."""

    text: str
    session_id: str
    episode_ids: tuple[str, ...]


class Session(Model):
    """A conversation; it has topic, summary and open items once it was closed, or a `consolidate` pass has seen it."""

    id: str
    store_id: str
    actor_id: str
    agent_id: str | None = None
    started_at: Time
    last_at: Time | None = Field(None, description="When the last message came in.")
    ended_at: Time | None = Field(None, description="When it was closed.")
    topic: str | None = None
    summary: str | None = Field(None, description="The sentences as one text.")
    sentences: tuple[SummaryLine, ...] = ()
    facts: tuple[LearnedFact, ...] = Field((), description="Learned in it: the 20 most important.")
    open_items: tuple[OpenItem, ...] = ()
    episodes: int = Field(0, description="Messages, without hidden ones.")
    learned: int = Field(0, description="Facts that rest on them.")
    summarised_at: Time | None = None
    summarised_by: str | None = Field(None, description="`offline` or `llm`.")
