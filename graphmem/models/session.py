"""Sessions: what a conversation came to, what was learned in it, and what it left open."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from .base import MAX_MESSAGES, MAX_TEXT, Id, Model, Name, Time, ZonedTime, check_text
from .data import Data
from .episode import Role
from .redaction import Redacted
from .scope import SessionScope

Order = Literal["oldest", "newest"]
"""Which message, session or session's item comes first."""


def _check_content(value: str) -> str:
    return check_text(value) if value else value


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


class SessionMessageIn(Model):
    """One message of a conversation, to be kept in its order."""

    id: Id = Field(
        description="A message of the same id, role and content is known, and not written again; without content, "
        "of the same data."
    )
    role: Role
    name: Name | None = Field(None, description="Display name of the speaker.")
    content: Annotated[str, StringConstraints(max_length=MAX_TEXT), AfterValidator(_check_content)] = Field(
        "", description="What was said; empty where the message is only a call of a tool."
    )
    data: Data | None = Field(None, description="The message in the caller's own form, given back as it is.")
    occurred_at: ZonedTime | None = Field(None, description="When it was said; default: now.")


class SessionMessagesIn(Model):
    """Body of `POST …/sessions/{id}/messages`."""

    scope: SessionScope = Field(description="Whose conversation it is; the address names the session.")
    messages: Annotated[tuple[SessionMessageIn, ...], Field(min_length=1, max_length=MAX_MESSAGES)]


class SavedMessage(Model):
    """Where a message stands in its session."""

    id: str
    position: int
    duplicate: bool = Field(description="It was known; nothing was written.")


class SavedMessages(Model):
    """Answer of `POST …/sessions/{id}/messages`, in the order of the call."""

    items: tuple[SavedMessage, ...]
    redacted: tuple[Redacted, ...] = Field((), description="Secrets that were taken out before anything was stored.")


class SessionMessage(Model):
    """One message of a conversation as it was kept. It is not searched, and nothing is learned from it."""

    id: str
    session_id: str
    position: int = Field(description="Place in the session, rising; there are gaps where messages were erased.")
    role: Role
    name: str | None = None
    content: str
    data: dict[str, Any] | None = None
    agent_id: str | None = None
    route_id: str | None = None
    occurred_at: Time
    created_at: Time


class ErasedMessages(Model):
    """Answer of `DELETE …/sessions/{id}/messages`."""

    erased: int
    items: tuple[SessionMessage, ...] = Field((), description="With `last`: what was erased, the newest first.")
