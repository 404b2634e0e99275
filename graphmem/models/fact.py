"""Facts and entities as they are read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from .base import Id, Model, Name, Text, Time, Unit
from .entity import SameAs
from .redaction import Redacted
from .times import Precision, ValidTimeIn

Layer = Literal["semantic", "episodic", "procedural"]
LearningState = Literal["candidate", "stated", "confirmed"]
Approval = Literal["approved", "draft", "rejected"]
Status = Literal["active", "archived", "deleted"]
Event = Literal["ADD", "UPDATE", "DELETE", "NONE"]


class EntityName(Model):
    """An entity by id and name."""

    id: str
    name: str


class SourceRef(Model):
    """The episode that a memory comes from, and the words that ground it."""

    episode_id: str
    source_id: str | None = None
    session_id: str | None = None
    occurred_at: Time
    quote: str | None = None


class Fact(Model):
    """One statement with its valid interval `[valid_at, invalid_at)` and system interval `[created_at, expired_at)`."""

    id: str
    text: str
    subject: EntityName
    predicate: str
    object: EntityName | None = None
    literal: str | None = None
    polarity: bool = True
    category: str = "general"
    layer: Layer = "semantic"
    importance: float = 0.5
    confidence: float = 0.7
    learning_state: LearningState = "stated"
    approval: Approval = "approved"
    status: Status = "active"
    pinned: bool = False
    tags: tuple[str, ...] = ()
    sensitivity: str | None = Field(None, description="Kinds of personal data, most sensitive first: `health,email`.")
    quoted: bool = Field(
        False, description="Claimed by a text that orders its reader about; not recalled until confirmed."
    )
    valid_at: Time
    valid_at_precision: Precision = "instant"
    invalid_at: Time | None = None
    created_at: Time
    expired_at: Time | None = None
    expires_at: Time | None = None
    updated_at: Time
    archived_at: Time | None = None
    archived_reason: str | None = None
    retention: float = 1.0
    access_count: int = 0
    disputed: bool = False
    version: int = 1
    sources: tuple[SourceRef, ...] = ()
    redacted: tuple[Redacted, ...] = Field(
        (), description="Secrets that this call held; markers stand in their places."
    )


_MAY_BE_NULL = {"invalid_at", "sensitivity", "expires_at"}


class FactPatch(Model):
    """Body of `PATCH …/facts/{id}`; a change of text, object or valid time makes a correcting fact."""

    text: Text | None = None
    object: Name | None = None
    valid_at: ValidTimeIn | None = None
    invalid_at: ValidTimeIn | None = None
    importance: Unit | None = None
    confidence: Unit | None = None
    category: Name | None = None
    tags: tuple[Name, ...] | None = Field(None, max_length=50)
    pinned: bool | None = None
    sensitivity: Name | None = None
    expires_at: Time | None = None

    @model_validator(mode="after")
    def _given(self) -> FactPatch:
        """Null takes away an end, an expiry or a sensitivity; every fact has the other fields."""
        void = [name for name in sorted(self.model_fields_set - _MAY_BE_NULL) if getattr(self, name) is None]
        if void:
            raise ValueError(f"{', '.join(void)} must not be null; leave out what stays as it is")
        return self


class FactQuery(Model):
    """Which facts a list shows."""

    actor_id: Id
    subject: Name | None = None
    predicate: Name | None = None
    category: Name | None = None
    layer: Layer | None = None
    status: Status | None = None
    validity: Literal["current", "any"] = "current"
    as_of: Time | None = None
    known_at: Time | None = None


class HistoryEntry(Model):
    """One step in the life of a fact."""

    event: (
        Literal["created", "restated", "superseded", "supersedes", "corrected", "retracted", "withdrawn", "restored"]
        | Literal["confirmed", "rejected", "approved", "pinned", "unpinned", "resolved", "merged", "split", "archived"]
    )
    reason: str
    fact_id: str
    text: str
    by_episode: str | None = None
    by: str | None = Field(None, description="Who did it, where a person decided.")
    at: Time
    valid_at: Time | None = None
    invalid_at: Time | None = None


class Entity(Model):
    """A person, organisation, place, thing or concept that facts are about."""

    id: str
    name: str
    type: str | None = None
    qualifier: str | None = Field(None, description="The context that tells it from others of its name.")
    aliases: tuple[str, ...] = ()
    summary: str | None = None
    is_actor: bool = False
    fact_count: int = 0
    created_at: Time
    merged_into: EntityName | None = Field(None, description="The entity that it is the same as.")
    merged_from: tuple[SameAs, ...] = ()


class SplitResult(Model):
    """The entities that stand for themselves after a split; empty when they did so before."""

    entities: tuple[Entity, ...]


class EntityGraph(Model):
    """An entity with the facts and neighbours around it, in both directions."""

    entity: Entity
    facts: tuple[Fact, ...]
    entities: tuple[EntityName, ...]


class RejectedCandidate(Model):
    """A candidate that was not stored, and why."""

    text: str
    reason: str


class Decision(Model):
    """What became of one candidate fact."""

    event: Event
    reason: str
    fact: Fact
    superseded: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()


class EpisodeRef(Model):
    """The state of one episode of a remember call."""

    id: str
    source_id: str | None = None
    status: Literal["pending", "processed", "failed"]
    error: str | None = None
    duplicate: bool = False
    redacted: tuple[Redacted, ...] = Field((), description="Secrets that were taken out before it was stored.")


class Usage(Model):
    """What the call cost; `extractor` is the one that was used, or `failed`."""

    extractor: str
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class RememberResult(Model):
    """Answer of `POST …/episodes`: every decision that was taken."""

    episodes: tuple[EpisodeRef, ...]
    facts: tuple[Decision, ...] = ()
    entities: tuple[EntityName, ...] = ()
    notes: tuple[str, ...] = ()
    open_items: tuple[str, ...] = ()
    rejected: tuple[RejectedCandidate, ...] = ()
    warnings: tuple[str, ...] = Field((), description="What was done otherwise than asked, such as `budget_exhausted`.")
    usage: Usage
