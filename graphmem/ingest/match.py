"""A match: the known fact that a new statement repeats or contradicts in other words, and what becomes of it.

Everything here goes through the statements of the matched fact, so that time, trust and correction are decided where
they always are (`ingest/settle_slots`). A match that is stale at the moment of writing is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..models.episode import EntityRef
from ..models.fact import Decision
from ..ports import EntityMention
from .predicates import read_predicate

if TYPE_CHECKING:
    from datetime import datetime

    from ..store.driver import Transaction
    from .draft import Draft


@dataclass(frozen=True, slots=True)
class Match:
    """The fact, in the version that was judged, and how the new statement stands to it."""

    fact_id: str
    version: int
    relation: Literal["same", "adds", "covered", "contradicts"]
    predicate: str = ""
    """The known relation's name, once the match is confirmed."""


async def follow_matches(transaction: Transaction, owner: str, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Drafts said with the words of the facts that they match; those whose fact has changed stay as they are."""
    matches = [{"fact_id": d.match.fact_id, "version": d.match.version} for d in drafts if d.match]
    if not matches:
        return tuple(drafts)
    rows = await transaction.run("ingest/matched_facts", {"owner_key": owner, "matches": matches})
    known = {row["fact_id"]: row for row in rows}
    return tuple(_followed(draft, known.get(draft.match.fact_id)) if draft.match else draft for draft in drafts)


def _followed(draft: Draft, known: dict[str, Any] | None) -> Draft:
    plain = replace(draft, match=None)
    if known is None or draft.match is None:
        return plain
    predicate = read_predicate(known["predicate"])
    match = replace(draft.match, predicate=predicate.name)
    moved = replace(
        draft,
        match=match,
        subject=EntityRef(id=known["subject_id"]),
        predicate=predicate,
        event="retract" if draft.retracts else "assert",
        polarity=draft.affirms is not predicate.denied,
        cardinality=None,
    )
    if match.relation == "contradicts":
        return moved if draft.affirms and known["polarity"] else plain
    object_ = _object(known)
    same = replace(moved, object=object_)
    fits = draft.affirms is known["polarity"] and same.literal == known["literal"]
    return same if fits else plain


def _object(known: dict[str, Any]) -> EntityMention | EntityRef:
    return EntityRef(id=known["object_id"]) if known["object_id"] else EntityMention(known["literal"] or "")


async def enrich(
    transaction: Transaction,
    owner: str,
    told: Sequence[tuple[Draft, str]],
    now: datetime,
    commit_id: str,
) -> frozenset[str]:
    """Weight and wording for the facts that were told again, by draft and statement.

    Gives the statements whose wording was taken over.
    """
    rows = [
        {
            "fact_id": draft.match.fact_id,
            "statement_id": statement,
            "importance": draft.importance,
            "confidence": draft.confidence,
            "rewords": draft.match.relation == "adds",
        }
        for draft, statement in told
        if draft.match and draft.match.relation != "contradicts" and not draft.retracts
    ]
    if not rows:
        return frozenset()
    taken = await transaction.run(
        "ingest/enrich_facts", {"owner_key": owner, "rows": rows, "now": now, "commit_id": commit_id}
    )
    return frozenset(row["statement_id"] for row in taken)


def explained(decision: Decision, match: Match | None, *, reworded: bool) -> Decision:
    """The decision with what the match had to do with it."""
    if match is None:
        return decision
    if match.relation == "contradicts":
        return decision.model_copy(update={"reason": f"{decision.reason}; read as another value of {match.predicate}"})
    if reworded:
        reason = "says more about what is known; its wording was taken over and its source added"
        return decision.model_copy(update={"event": "UPDATE", "reason": reason})
    if decision.event == "NONE":
        reason = f"{decision.reason}; it was said in other words"
        return decision.model_copy(update={"reason": reason})
    return decision
