"""What comes in: messages, caller-given facts, and the remember call."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from .base import MAX_MESSAGES, Id, Model, Name, Text, Time, Unit, ZonedTime
from .names import is_first_person, is_pronoun
from .scope import Scope
from .times import ValidTimeIn

Role = Literal["user", "assistant", "system", "tool"]
Extraction = Literal["auto", "llm", "offline", "none"]
EntityType = Literal["person", "organisation", "place", "thing", "concept"]
EpisodeStatus = Literal["pending", "processed", "failed"]


class Message(Model):
    """One message as it was said."""

    id: Id | None = Field(None, description="Becomes the episode's `source_id`; repeats are recognised by it.")
    role: Role = "user"
    name: Name | None = Field(None, description="Display name of the speaker.")
    content: Text
    occurred_at: ZonedTime | None = Field(None, description="When it was said; default: the call's, else now.")


class Source(Model):
    """Where the text comes from."""

    type: Name = "chat"
    id: Id | None = None


class EntityRef(Model):
    """An entity that exists, by its id."""

    id: Id


class EntityIn(Model):
    """An entity by name, with what tells it from others of that name."""

    name: Name
    type: EntityType | None = Field(None, description="A person and a place of one name are two entities.")
    context: Name | None = Field(
        None, description="Which bearer of the name: `accounting`, `climbing coach`. Also in brackets after a name."
    )


class FactIn(Model):
    """A fact given by the caller, so that nothing is extracted."""

    subject: Name | EntityRef | EntityIn = Field(
        description="A name, `user` for the actor, `{id}` of an entity, or a name with type and context. No pronoun."
    )
    predicate: Name
    object: Name | EntityRef | EntityIn
    text: Text | None = Field(None, description="The fact as a sentence; default: made from the parts.")
    message_id: Id | None = None
    cardinality: Literal["one", "many"] | None = None
    polarity: bool = True
    event: Literal["assert", "retract"] = "assert"
    valid_at: ValidTimeIn | None = None
    invalid_at: ValidTimeIn | None = None
    confidence: Unit | None = None
    importance: Unit | None = None
    category: Name | None = None
    expires_at: Time | None = Field(
        None, description="When the memory ends by itself, for what is worth keeping only for a while."
    )
    correction: bool = False

    @field_validator("subject", "object")
    @classmethod
    def _named(cls, value: str | EntityRef | EntityIn) -> str | EntityRef | EntityIn:
        """A pronoun names nobody; the first person is the actor."""
        if isinstance(value, str) and is_pronoun(value) and not is_first_person(value):
            raise ValueError("is a pronoun; give the name that it stands for, the id of an entity, or `user`")
        return value

    @model_validator(mode="after")
    def _ordered(self) -> FactIn:
        if self.valid_at and self.invalid_at and self.invalid_at.at <= self.valid_at.at:
            raise ValueError("invalid_at must be later than valid_at")
        return self


class RememberRequest(Model):
    """Body of `POST …/episodes`: exactly one of `text` and `messages`."""

    scope: Scope
    text: Text | None = None
    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=MAX_MESSAGES)] | None = None
    occurred_at: ZonedTime | None = None
    source: Source | None = None
    extraction: Extraction = "auto"
    facts: Annotated[tuple[FactIn, ...], Field(max_length=MAX_MESSAGES)] | None = None
    wait: bool = True

    @model_validator(mode="after")
    def _one_body(self) -> RememberRequest:
        if (self.text is None) == (self.messages is None):
            raise ValueError("exactly one of text and messages is required")
        return self


class Episode(Model):
    """One message, document chunk or event as it came in; never rewritten."""

    id: str
    store_id: str
    scope: Scope
    role: Role
    name: str | None = None
    content: str
    source_type: str
    source_id: str | None = None
    occurred_at: Time
    created_at: Time
    status: EpisodeStatus
    attempts: int = 0
    error: str | None = None
