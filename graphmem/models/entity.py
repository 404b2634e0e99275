"""Merging entities and taking them apart."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from .base import Id, Model, Name, Text, Time
from .scope import Scope

MAX_ENTITIES = 50
"""Entities of one merge or split."""
MAX_FACTS = 500
"""Facts of one split."""


class SameAs(Model):
    """An entity that is merged into another, and why."""

    id: str
    name: str
    reason: str
    score: float
    at: Time


class EntityMerge(Model):
    """Body of `POST …/entities:merge`: the sources become the target, until they are split off again."""

    scope: Scope
    source_ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_ENTITIES)]
    target_id: Id
    reason: Text = "merged by the caller"


class EntitySplit(Model):
    """Body of `POST …/entities/{id}:split`: take merged entities out, or move facts to a new entity.

    Without `entity_ids` and `fact_ids`: what is merged into the entity, or the entity itself where it is merged.
    """

    scope: Scope
    entity_ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_ENTITIES)] | None = Field(
        None, description="Only these of the entities that are merged into it."
    )
    fact_ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_FACTS)] | None = Field(
        None, description="Facts of this entity that are about another one."
    )
    name: Name | None = Field(None, description="Of the new entity; default: the same name.")
    context: Name | None = Field(None, description="What tells the new entity from the other of its name.")
    reason: Text | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> EntitySplit:
        if self.entity_ids is not None and self.fact_ids is not None:
            raise ValueError("entity_ids and fact_ids are two different splits")
        if self.fact_ids is None and (self.name or self.context):
            raise ValueError("name and context are of a new entity and need fact_ids")
        return self
