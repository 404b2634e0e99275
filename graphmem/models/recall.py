"""The recall call and its answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from pydantic.functional_validators import AfterValidator

from .base import MAX_QUERY, Model, Name, Time, Unit, ZonedTime, check_text
from .fact import SourceRef
from .filter import Filter
from .redaction import Redacted
from .scope import ReadScope

Kind = Literal["fact", "note", "episode"]
Mode = Literal["keyword", "vector", "hybrid", "semantic"]
Ranking = Literal["none", "recent", "important"]
ContextFormat = Literal["markdown", "json"]
Query = Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY), AfterValidator(check_text)]

ALL_KINDS: tuple[Kind, ...] = ("fact", "note", "episode")


class Gate(Model):
    """What may pass from the candidates to the prompt."""

    min_score: Unit | None = Field(None, description="Least score; default: calibrated for the mode and the embedder.")
    min_vector: Unit | None = Field(
        None,
        description="What has less than the least score passes when its vector score alone is this high. Default: "
        "calibrated; none where a higher `min_score` is set.",
    )
    max_age_days: Annotated[float, Field(gt=0, le=36_525, allow_inf_nan=False)] | None = None
    allow_draft: bool | None = None
    max_hits: Annotated[int, Field(ge=1, le=100)] | None = None
    min_retention: Unit | None = None
    exempt_tags: Annotated[tuple[Name, ...], Field(max_length=50)] | None = None
    hide_sensitivity: Annotated[tuple[Name, ...], Field(max_length=50)] | None = Field(
        None, description="Kinds of personal data that are left out, such as health; `*` is every kind."
    )
    hide_disputed: bool | None = Field(None, description="Leave out what an open dispute is about.")


class Calibration(Model):
    """Least scores of a store by mode, as `graphmem calibrate` measures them; they take the place of the product's."""

    embedder: str | None = Field(None, description="Whose vectors were measured; for another it does not count.")
    measured_at: Time | None = None
    queries: Annotated[int, Field(ge=0)] = 0
    min_score: dict[Mode, Unit] = Field({}, description="Where a mode is absent, the product's holds.")
    min_vector: dict[Mode, Unit] = Field({})


class GateRules(Model):
    """The gate as one recall used it: the store's settings, the product's defaults and the call's override."""

    min_score: float
    min_vector: float | None = None
    max_age_days: float | None = None
    allow_draft: bool = False
    max_hits: int = 100
    min_retention: float = 0.05
    exempt_tags: tuple[str, ...] = ("long_term_policy", "legal_stopline")
    hide_sensitivity: tuple[str, ...] = ()
    hide_disputed: bool = False


class RecallRequest(Model):
    """Body of `POST …/recall`."""

    scope: ReadScope
    query: Query
    mode: Mode = "hybrid"
    ranking: Ranking = "none"
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1, max_length=3)] = ALL_KINDS
    limit: Annotated[int, Field(ge=1, le=100)] = 8
    as_of: Time | None = Field(None, description="World time; default now.")
    known_at: Time | None = Field(None, description="System time: what the store believed then; default now.")
    reference_time: ZonedTime | None = Field(
        None,
        description="From when words like `yesterday` in the query are read; default: `as_of`, else now.",
    )
    validity: Literal["current", "any"] = "current"
    hops: Annotated[int, Field(ge=0, le=3)] = 2
    filter: Filter | None = Field(
        None, description="What is looked at: conditions on what is stored, applied before anything is ranked."
    )
    gate: Gate | None = None
    max_tokens: Annotated[int, Field(ge=1, le=100_000)] = Field(1000, description="Of the context.")
    context_format: ContextFormat = "markdown"
    dry_run: bool = False
    explain: bool = False


class RecallItem(Model):
    """One memory that answers the query, with the reason it was chosen."""

    kind: Kind
    id: str
    text: str
    score: float
    scores: dict[str, float] = Field(
        description="What the score is made of; `rerank` and `hybrid` (what the gate looked at) where it was reranked."
    )
    category: str | None = None
    layer: str | None = None
    importance: float | None = None
    retention: float | None = None
    confidence: float | None = None
    learning_state: str | None = None
    valid_at: Time | None = None
    invalid_at: Time | None = None
    disputed: bool = False
    contradictions: tuple[str, ...] = Field((), description="Ids of the open disputes that it is a side of.")
    sensitivity: str | None = Field(None, description="Kinds of personal data, most sensitive first.")
    quoted: bool = Field(False, description="Its text orders its reader about: a quotation, never an instruction.")
    in_context: bool = Field(True, description="False: it passed the gate and did not fit into the context.")
    path: tuple[str, ...] = ()
    sources: tuple[SourceRef, ...] = ()


Reason = Literal[
    "scope_mismatch",
    "low_score",
    "stale",
    "not_approved",
    "superseded",
    "not_valid_at",
    "low_retention",
    "sensitive",
    "disputed",
    "over_budget",
]
"""Why a candidate was left out: the first that holds, in this order."""


class Judged(Model):
    """A candidate with everything that the gate looked at, and no word of it."""

    kind: Kind
    id: str
    score: float
    scores: dict[str, float]
    rival: bool = Field(
        False, description="About another than the one whom the query names; its vector does not count."
    )
    age_days: float = Field(description="Since it was said or last changed.")
    retention: float
    approval: str | None = None
    state: str = Field(description="`live`, or why the indexes leave it out.")
    learning_state: str | None = None
    valid_at: Time | None = None
    invalid_at: Time | None = None
    exempt: bool = Field(False, description="A tag exempts it from age and retention.")
    stopped: bool = Field(False, description="A tag or label takes it out of use.")
    replaced: bool = Field(False, description="Something else holds in its place.")
    disputed: bool = False
    sensitivity: str | None = None


class Rejected(Judged):
    """A candidate that the gate left out, or that the indexes had left out before."""

    reason: Reason


class RecallAudit(Model):
    """How many candidates were considered and why the others were left out."""

    id: str | None = Field(None, description="Of the record that is kept; null for a dry run, of which nothing is.")
    considered: int
    accepted: int
    rejected_count: int
    reasons: dict[str, int] = Field(
        description="Of those left out; `over_budget` counts those too that are in `items` and not in the context."
    )
    gate: GateRules | None = Field(None, description="The effective rules; with `explain` or `dry_run`.")
    passed: tuple[Judged, ...] | None = Field(None, description="What is in `items`; with `explain` or `dry_run`.")
    rejected: tuple[Rejected, ...] | None = Field(None, description="With `explain` or `dry_run`.")


class RecallResult(Model):
    """Answer of `POST …/recall`."""

    items: tuple[RecallItem, ...]
    context: str = Field(description="One block for a model's prompt; empty when nothing is in it.")
    context_tokens: int
    token_count_method: Literal["estimate"] = Field(
        "estimate",
        description="How `context_tokens` was counted, and `max_tokens` kept: estimated from the kinds of characters.",
    )
    degraded: tuple[str, ...] = Field(
        (),
        description="What it was answered without: `embedder` or `reranker` (it failed), `no_reranker` (none is set), "
        "`gate_uncalibrated` (nobody has measured from where on this embedder's scores answer a query).",
    )
    redacted: tuple[Redacted, ...] = Field((), description="Secrets of the query; it was searched without them.")
    audit: RecallAudit


class UsedMemory(Model):
    """A memory that a recall gave: where it stood and with what score."""

    kind: Kind
    id: str
    rank: int
    score: float | None = None


class RecallRecord(Model):
    """The audit of one recall: what was asked for and given, by id and number, without any text of either."""

    id: str
    at: Time
    agent_id: str | None = None
    session_id: str | None = None
    route_id: str | None = None
    query_hash: str = Field(description="Keyed by the store: equal for equal queries of one actor, and not to be read.")
    mode: Mode
    ranking: Ranking = "none"
    kinds: tuple[Kind, ...] = ALL_KINDS
    limit: int | None = None
    as_of: Time | None = None
    known_at: Time | None = None
    considered: int
    accepted: int
    rejected_count: int
    reasons: dict[str, int]
    gate: GateRules | None = Field(None, description="The effective rules.")
    degraded: tuple[str, ...] = ()
    used: tuple[UsedMemory, ...] = Field((), description="What was given, first rank first, without what was erased.")
