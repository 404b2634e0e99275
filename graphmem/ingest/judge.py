"""Judge: find known facts that new statements repeat, refine or contradict in other words.

Likeness finds the pairs, in one query; a judge decides them. What comes of it is only a `Match` on the draft: the rules
of truth decide inside the transaction that writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..models.episode import EntityRef
from ..models.ids import name_key
from ..models.names import entity_key, read_name
from ..ports import EntityMention, Judge, Pair, Vectors
from ..store.driver import Database
from .draft import Draft
from .job import Job
from .match import Match
from .resolve import mention_ref

_MOST_DRAFTS = 40
"""New statements of one job that are compared with what is known."""
_LOOKED_AT = 12
_KEPT = 3
"""Known facts that one statement is compared with."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The drafts, some of them matched, and what the judge had to say about itself."""

    drafts: tuple[Draft, ...]
    warnings: tuple[str, ...] = ()


async def match_known(
    database: Database,
    job: Job,
    drafts: Sequence[Draft],
    vectors: Vectors,
    actor_name: str,
    judge: Judge,
    now: datetime,
) -> Matched:
    """The drafts with their matches. A model is asked once at most, and only about pairs that rules leave open."""
    names = frozenset(key(name) for name in ("user", actor_name, job.scope.actor_id) for key in (name_key, entity_key))
    rows = [
        _row(index, draft, names, vectors[index].tolist())
        for index, draft in enumerate(drafts[:_MOST_DRAFTS])
        if not draft.names and not draft.quoted and isinstance(draft.subject, EntityMention)
    ]
    if not rows:
        return Matched(tuple(drafts))
    found = await database.run(
        "ingest/near_facts",
        {
            "owner_key": job.owner_key,
            "rows": rows,
            "floor": judge.floor,
            "k": _LOOKED_AT,
            "keep": _KEPT,
            "now": now,
        },
    )
    near = [(row, pair) for row in found if (pair := _pair(drafts[row["index"]], row)) is not None]
    if not near:
        return Matched(tuple(drafts))
    judged = await judge.judge([pair for _, pair in near])
    matched = list(drafts)
    for (row, _), relation in zip(near, judged.relations, strict=True):
        index, fact = row["index"], row["fact"]
        if relation != "unrelated" and matched[index].match is None:  # the most alike comes first
            matched[index] = replace(matched[index], match=Match(fact["id"], fact["version"], relation))
    return Matched(tuple(matched), judged.warnings)


def _row(index: int, draft: Draft, names: frozenset[str], vector: list[float]) -> dict[str, Any]:
    subject = draft.subject
    key = read_name(subject.name, subject.context).key if isinstance(subject, EntityMention) else ""
    return {
        "index": index,
        "vector": vector,
        "is_actor": mention_ref(subject, draft, names) == "actor",
        "subject_key": key,
    }


def _pair(draft: Draft, row: dict[str, Any]) -> Pair | None:
    """The pair to judge; None where its slot decides: another value of a one-valued relation, or a denial."""
    fact, predicate = row["fact"], draft.predicate
    same_relation = predicate.sense == fact["sense"]
    if same_relation and draft.affirms is not fact["polarity"]:
        return None
    value = _value(draft)
    same_value = same_relation and value is not None and _is_value(value, row)
    if same_relation and not same_value and row["cardinality"] == "one":
        return None
    if same_value and draft.retracts:
        return None
    return Pair(
        new=draft.text,
        known=fact["text"],
        likeness=row["cosine"],
        new_value=value or "",
        known_value=row["object"] or fact["literal"] or "",
        same_relation=same_relation,
        same_value=same_value,
        may_replace=not same_relation and row["cardinality"] == "one" and _unknown(draft),
        same_category=(draft.category or predicate.category or "general") == fact["category"],
    )


def _value(draft: Draft) -> str | None:
    return None if isinstance(draft.object, EntityRef) else draft.object.name


def _is_value(value: str, row: dict[str, Any]) -> bool:
    literal = row["fact"]["literal"]
    if literal is not None:
        return name_key(value) == name_key(literal)
    return entity_key(value) in row["object_keys"] or name_key(value) in row["object_keys"]


def _unknown(draft: Draft) -> bool:
    """Whether the relation is one that nothing is known of, so that a judge may say which it stands for."""
    return draft.predicate.cardinality is None and draft.cardinality != "many" and not draft.retracts
