"""Stores, lists, forgetting and health."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field, StringConstraints, ValidationInfo, field_validator, model_validator

from .base import MAX_PAGE, Id, Model, Name, StoreId, Time, Unit
from .fact import Layer
from .recall import Calibration, Gate, Query
from .scope import Scope

T = TypeVar("T")

PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE)]


class Page(Model, Generic[T]):
    """One page of a stable list; `next_page_token` is null at the end."""

    items: tuple[T, ...]
    next_page_token: str | None = None


Days = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]


class Decay(Model):
    """How a store's facts fade. A half-life by predicate goes before one by category, that before one by layer."""

    archive_below: Unit = Field(0.1, description="Retention under which the pass archives a fact.")
    purge_after_days: Days = Field(90.0, description="How long what is archived or deleted is kept.")
    half_life_by_predicate: Annotated[dict[Name, Days], Field(max_length=200)] = Field({})
    half_life_by_category: Annotated[dict[Name, Days], Field(max_length=200)] = Field({})
    half_life_by_layer: dict[Layer, Days] = Field({})
    exempt_tags: Annotated[tuple[Name, ...], Field(max_length=50)] = Field(
        (), description="Tags and categories that do not fade, beside long_term_policy and legal_stopline."
    )


class Budget(Model):
    """How much a store may ask of the language model in one day (UTC); null is without limit, 0 forbids it."""

    calls_per_day: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    tokens_per_day: Annotated[int, Field(ge=0, le=1_000_000_000_000)] | None = Field(
        None, description="Prompt and completion together. A call that begins within the budget may end over it."
    )


class AuditSettings(Model):
    """What is kept of recalls."""

    keep_days: Days = Field(90.0, description="How long the audit of a recall is kept; a purge erases older ones.")


class StoreSettings(Model):
    """Settings of a store; absent values take the product's defaults."""

    gate: Gate | None = None
    gate_overrides: Literal["defaults", "narrow"] = Field(
        "defaults",
        description="What the gate of a call may do: take the place of defaults that the store's gate leaves, or only "
        "let less pass. What the store's gate sets is only narrowed in either case.",
    )
    calibration: Calibration | None = Field(None, description="Least scores measured for this store.")
    decay: Decay = Decay()
    budget: Budget = Budget()
    audit: AuditSettings = AuditSettings()
    conflicts: Literal["ask", "effective_date", "latest_wins"] = "effective_date"
    languages: tuple[Literal["en", "ja"], ...] = ("en", "ja")


Description = Annotated[str, StringConstraints(max_length=2_000)]


class StoreIn(Model):
    """Body of `POST /v1/stores`."""

    id: StoreId
    description: Description = ""
    settings: StoreSettings = StoreSettings()


class StorePatch(Model):
    """Body of `PATCH /v1/stores/{store}`."""

    description: Description | None = None
    settings: StoreSettings | None = None


class StoreOut(Model):
    """A memory store: the security boundary."""

    id: str
    description: str
    settings: StoreSettings
    created_at: Time
    updated_at: Time
    version: int = 1


class StoreUsage(Model):
    """What a store has asked of the language model on one day."""

    day: date = Field(description="In UTC.")
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    budget: Budget
    exhausted: bool = Field(description="No further call is made before the next day.")
    resets_at: Time


class ForgetTarget(Model):
    """What to forget: exactly one selector (`until` goes with `since`), within the call's scope."""

    all: Literal[True] | None = None
    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=1000)] | None = None
    query: Query | None = None
    min_score: Unit | None = None
    entity: Name | None = None
    session_id: Id | None = None
    source_id: Id | None = None
    since: Time | None = None
    until: Time | None = None

    @field_validator("until")
    @classmethod
    def _in_order(cls, until: datetime | None, given: ValidationInfo) -> datetime | None:
        since = given.data.get("since")
        if since is not None and until is not None and until < since:
            raise ValueError("must not be earlier than since")
        return until

    @model_validator(mode="after")
    def _exactly_one(self) -> ForgetTarget:
        given = [n for n in ("all", "ids", "query", "entity", "session_id", "source_id", "since") if getattr(self, n)]
        if len(given) != 1:
            raise ValueError("exactly one of all, ids, query, entity, session_id, source_id and since is required")
        if self.until is not None and self.since is None:
            raise ValueError("until needs since")
        if self.min_score is not None and self.query is None:
            raise ValueError("min_score needs query")
        return self


class ForgetRequest(Model):
    """Body of `POST …/forget`."""

    scope: Scope
    target: ForgetTarget
    mode: Literal["archive", "erase"] = "archive"
    dry_run: bool = False


class Receipt(Model):
    """What a forget call did."""

    id: str
    mode: Literal["archive", "erase"]
    dry_run: bool
    counts: dict[str, int]
    restored: tuple[str, ...] = Field((), description="Ids of the facts that hold again now and did not before.")
    verified: bool
    at: Time


class Alive(Model):
    """The process answers."""

    status: str = "ok"
    version: str


class Check(Model):
    """One line of a health report."""

    name: str
    ok: bool
    detail: str
    fix: str | None = None


class Health(Model):
    """State of the service; `ready` is true when every check that recall needs is good."""

    ready: bool
    version: str
    checks: tuple[Check, ...]
