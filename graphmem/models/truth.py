"""What people do to facts, disputes and relations, and the views of a relation and a person over time."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from .base import MAX_ID, Id, Model, Name, Time
from .fact import EntityName, Fact
from .manage import Days
from .scope import Scope
from .times import ValidTimeIn

Reason = Annotated[str, StringConstraints(max_length=2_000)]
FactKey = Annotated[str, StringConstraints(max_length=MAX_ID)]


def _check_relation(value: str) -> str:
    """ValueError for what is no word."""
    if not any(c.isalpha() for c in value):
        raise ValueError("must be the name of a relation, such as likes")
    return value


Relation = Annotated[Name, AfterValidator(_check_relation)]
Decision = Literal["keep_one", "keep_both", "reject_both"]


class FactAction(Model):
    """Body of `POST …/facts/{id}:confirm`, `:reject`, `:approve` and `:restore`."""

    scope: Scope
    reason: Reason | None = Field(None, description="Why; shown in the history.")


class PinAction(FactAction):
    """Body of `POST …/facts/{id}:pin`."""

    pinned: bool = Field(True, description="False takes the pin away.")


class Interval(Model):
    """Valid time `[valid_at, invalid_at)`; what is absent stays, `invalid_at: null` takes an end away."""

    valid_at: ValidTimeIn | None = None
    invalid_at: ValidTimeIn | None = None


class Resolution(Model):
    """Body of `POST …/contradictions/{id}:resolve`."""

    scope: Scope
    resolution: Decision
    keep: Id | None = Field(None, description="With keep_one: the fact that is right.")
    times: Annotated[dict[FactKey, Interval], Field(max_length=50)] = Field(
        {}, description="With keep_both: other valid times, by fact id."
    )
    reason: Reason | None = None


class Contradiction(Model):
    """Facts that cannot all hold and that neither time nor trust could order."""

    id: str
    state: Literal["open", "resolved"]
    kind: str = Field(
        description="Why it was not decided: same time, denied (at the same time), less trusted, to be confirmed."
    )
    detected_at: Time
    resolved_at: Time | None = None
    resolution: str | None = Field(None, description="What was decided, or what settled it without a decision.")
    explanation: str | None = None
    keep: str | None = None
    resolved_by: str | None = None
    facts: tuple[Fact, ...]


class PredicatePatch(Model):
    """Body of `PATCH …/predicates/{name}`."""

    cardinality: Literal["one", "many"] | None = None
    opposite: Relation | None = Field(None, description="The relation that its affirmation ends; null takes it away.")
    inverse: Relation | None = Field(None, description="The same relation seen from the object; null takes it away.")
    kind: Literal["state", "event"] | None = None
    half_life_days: Days | None = None

    @model_validator(mode="after")
    def _given(self) -> PredicatePatch:
        """Only an opposite or an inverse can be absent."""
        kept = self.model_fields_set - {"opposite", "inverse"}
        void = [name for name in sorted(kept) if getattr(self, name) is None]
        if void:
            raise ValueError(f"{', '.join(void)} must not be null; leave out what stays as it is")
        return self


class PredicateOut(Model):
    """What a store knows of a relation; all names of one relation share it."""

    name: str
    names: tuple[str, ...] = Field((), description="Other ways to write it: those known from the start, those met.")
    cardinality: Literal["one", "many"]
    opposite: str | None = None
    inverse: str | None = None
    kind: Literal["state", "event"] = "state"
    half_life_days: float
    category: str | None = None
    seeded: bool = Field(description="Known from the start.")
    version: int = 1


class Successor(Model):
    """The fact that took a place."""

    id: str
    text: str


class Stay(Model):
    """One value of a relation for as long as it held."""

    fact: Fact
    reason: str | None = Field(None, description="Why it ended; null while it holds.")
    by_episode: str | None = Field(None, description="The episode that ended it.")
    successor: Successor | None = None


class Timeline(Model):
    """The history of one relation of an entity, at most 500 stays in the order of valid time."""

    entity: EntityName
    predicate: str
    stays: tuple[Stay, ...]


class ProfileSection(Model):
    """Facts of one category, the most important first."""

    category: str
    facts: tuple[Fact, ...]


class Profile(Model):
    """What holds about the actor at a time, at most 500 facts."""

    entity: EntityName | None = Field(description="The actor's own entity; null while nothing is known.")
    as_of: Time
    sections: tuple[ProfileSection, ...]
