"""Rows of the graph as models."""

from __future__ import annotations

from collections.abc import Sequence

from ..models.entity import SameAs
from ..models.episode import Episode
from ..models.fact import Decision, Entity, EntityName, Event, Fact, HistoryEntry, SourceRef
from ..models.manage import StoreOut, StoreSettings
from ..models.recall import GateRules, RecallRecord
from ..models.scope import Scope
from .driver import Row

_FACT_FIELDS = (
    "id",
    "text",
    "predicate",
    "literal",
    "polarity",
    "category",
    "layer",
    "importance",
    "confidence",
    "learning_state",
    "approval",
    "status",
    "pinned",
    "sensitivity",
    "valid_at",
    "valid_at_precision",
    "invalid_at",
    "created_at",
    "expired_at",
    "expires_at",
    "updated_at",
    "archived_at",
    "archived_reason",
    "access_count",
    "version",
)


def fact_from(row: Row, subject: Row | None, object_: Row | None, sources: Sequence[Row] = ()) -> Fact:
    """A fact of its node's properties and its neighbours."""
    return Fact(
        **{key: row[key] for key in _FACT_FIELDS if row.get(key) is not None},
        subject=EntityName(**subject) if subject else EntityName(id="", name=""),
        object=EntityName(**object_) if object_ and object_.get("id") else None,
        tags=tuple(row.get("tags") or ()),
        retention=round(row.get("retention", 1.0), 4),
        disputed=bool(row.get("disputed")),
        quoted=bool(row.get("quoted")) and row.get("learning_state") == "candidate",
        sources=sources_from(sources),
    )


def source_from(row: Row) -> SourceRef:
    """Where a memory comes from."""
    return SourceRef(**{k: row.get(k) for k in ("episode_id", "source_id", "session_id", "occurred_at", "quote")})


def sources_from(rows: Sequence[Row]) -> tuple[SourceRef, ...]:
    """Where a memory comes from, without the episodes that were erased while they were read."""
    return tuple(source_from(row) for row in rows if row.get("episode_id") and row.get("occurred_at"))


def scope_from(row: Row) -> Scope:
    """The scope keys of a record."""
    return Scope(**{k: row.get(k) for k in ("actor_id", "agent_id", "session_id", "route_id")})


def episode_from(row: Row) -> Episode:
    """An episode of its node's properties."""
    keys = (
        "id",
        "store_id",
        "role",
        "name",
        "content",
        "source_type",
        "source_id",
        "occurred_at",
        "created_at",
        "status",
        "attempts",
        "error",
    )
    return Episode(**{k: row.get(k) for k in keys}, scope=scope_from(row))


def entity_from(row: Row) -> Entity:
    """An entity of its node's properties, its other names and its merges."""
    node, merged_into = row["entity"], row["merged_into"]
    names = dict.fromkeys([*(node.get("aliases") or ()), *row["names"]])
    return Entity(
        id=node["id"],
        name=node["name"],
        type=node.get("type"),
        qualifier=node.get("qualifier"),
        aliases=tuple(name for name in names if name != node["name"]),
        summary=node.get("summary"),
        is_actor=bool(node.get("is_actor")),
        fact_count=row["fact_count"],
        created_at=node["created_at"],
        merged_into=EntityName(**merged_into) if merged_into else None,
        merged_from=tuple(SameAs(**merged) for merged in row["merged_from"]),
    )


def store_from(row: Row) -> StoreOut:
    """A store of its node's properties; settings are kept as JSON text."""
    return StoreOut(
        id=row["id"],
        description=row["description"],
        settings=StoreSettings.model_validate_json(row["settings"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        version=row["version"],
    )


def recall_from(row: Row) -> RecallRecord:
    """The audit of a recall."""
    recall, reasons = row["recall"], (reason.split("=") for reason in row["recall"]["reasons"])
    own = {key: recall[key] for key in _RECALL_FIELDS if recall.get(key) is not None}
    return RecallRecord(
        **own,
        rejected_count=recall["considered"] - recall["accepted"],
        reasons={name: int(count) for name, count in reasons},
        gate=GateRules.model_validate_json(recall["gate"]) if recall.get("gate") else None,
        used=row["used"],
    )


_RECALL_FIELDS = (
    *("id", "at", "agent_id", "session_id", "route_id", "query_hash", "mode", "ranking", "kinds", "limit"),
    *("as_of", "known_at", "considered", "accepted", "degraded"),
)


def history_from(row: Row) -> HistoryEntry:
    """One step in the life of a fact."""
    entry = {k: row.get(k) for k in HistoryEntry.model_fields}
    return HistoryEntry(**{**entry, "reason": reason_of(row["reason"])})


def reason_of(word: str | None) -> str | None:
    """What a short reason of the graph means to a reader."""
    return word if word is None else _REASONS.get(word, word)


_REASONS = {
    "replaced": "a later value takes its place",
    "corrected": "it was corrected: it was never true",
    "interrupted": "another value held for a time in between",
    "retracted": "said to hold no longer",
    "ended": "its own stated end",
    "deleted": "deleted by its owner",
    "rejected": "rejected",
    "less trusted": "said by a source of less weight",
    "to be confirmed": "to be confirmed before it takes the place of another",
    "source_replaced": "a new version of its source no longer says it",
}
"""What the graph's short reasons mean to a reader."""


def decision_from(row: Row, asked_cardinality: str | None, cardinality: str) -> Decision:
    """What became of one statement, with its reason."""
    event, reason = _judged(row, cardinality)
    if asked_cardinality is not None and asked_cardinality != cardinality:
        reason += f"; the store defines the relation with cardinality {cardinality}, not {asked_cardinality}"
    return Decision(
        event=event,
        reason=reason,
        fact=fact_from(row["fact"], row["subject"], row["object"]),
        superseded=tuple(row["superseded"]),
        contradictions=tuple(row["contradictions"]),
    )


def _judged(row: Row, cardinality: str) -> tuple[Event, str]:
    """Event and reason of one statement; the graph has already decided, this names it."""
    fact, statement = row["fact"], row["statement"]
    if statement["event"] == "retract":
        if row["ended"]:
            return "DELETE", "no longer holds, said so"
        return "NONE", "nothing holds that it could end; kept until something does"
    if fact.get("state") == "expired":
        return "NONE", f"filed as never true ({fact.get('end_reason') or 'corrected'})"
    if not row["created"]:
        return "NONE", "already known; the source was added"
    if row["contradictions"]:
        return "ADD", "conflicts with another statement that time cannot order; both are shown as disputed"
    if row["superseded"]:
        new = "new value of a one-valued relation" if cardinality == "one" else "the opposite of what held before"
        verb = "corrects the former value" if statement["correction"] else new
        return "ADD", f"{verb}, effective {str(fact['valid_at'])[:10]}"
    if fact.get("invalid_at") is not None and fact.get("end_reason") in ("replaced", "retracted"):
        return "ADD", "filed into the past: a later statement already holds"
    return "ADD", "new"
