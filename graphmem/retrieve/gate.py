"""The gate: the last check between candidates and the prompt. Every candidate passes or has one reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models.recall import Gate, GateRules
from ..safety.sensitivity import kinds_of

Candidate = dict[str, Any]

MIN_SCORE = {"keyword": 0.05, "vector": 0.24, "hybrid": 0.15, "semantic": 0.15}
"""Below it a candidate does not answer the query, by mode, for the local embedder (docs/guide/recall.md).

Of centred vectors the best wrong hit of an unanswerable query lies at 0.16 to 0.29 and the right one at 0.30 or more.
"""
_STOPPED = ("旧方針", "使用禁止", "deprecated", "do_not_use")
"""Tags that take a memory out of use (third seed)."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Candidates in order: those that pass, and the others each with its reason."""

    accepted: tuple[Candidate, ...]
    rejected: tuple[tuple[Candidate, str], ...]


def rules_of(store: Gate | None, call: Gate | None, mode: str) -> GateRules:
    """The store's settings over the defaults of the mode, then the call's, which can only narrow the store's."""
    rules = _over(GateRules(min_score=MIN_SCORE[mode]), store)
    wanted = _over(rules, call)
    ages = [age for age in (rules.max_age_days, wanted.max_age_days) if age is not None]
    return GateRules(
        min_score=max(rules.min_score, wanted.min_score) if store and store.min_score is not None else wanted.min_score,
        max_age_days=min(ages) if ages else None,
        allow_draft=wanted.allow_draft
        if store is None or store.allow_draft is None
        else rules.allow_draft and wanted.allow_draft,
        max_hits=min(rules.max_hits, wanted.max_hits),
        min_retention=max(rules.min_retention, wanted.min_retention)
        if store and store.min_retention is not None
        else wanted.min_retention,
        exempt_tags=tuple(t for t in wanted.exempt_tags if t in rules.exempt_tags)
        if store and store.exempt_tags is not None
        else wanted.exempt_tags,
        hide_sensitivity=tuple(dict.fromkeys((*rules.hide_sensitivity, *wanted.hide_sensitivity))),
    )


def _over(rules: GateRules, gate: Gate | None) -> GateRules:
    if gate is None:
        return rules
    given = {k: v for k, v in gate.model_dump().items() if v is not None}
    return rules.model_copy(update=given)


def pass_gate(candidates: Sequence[Candidate], rules: GateRules, now: datetime, limit: int) -> Passed:
    """Check each candidate in order; at most `limit` and `max_hits` pass."""
    accepted: list[Candidate] = []
    rejected: list[tuple[Candidate, str]] = []
    for candidate in candidates:
        reason = _reason(candidate, rules, now)
        if reason is None and len(accepted) >= min(limit, rules.max_hits):
            reason = "over_budget"
        if reason is None:
            accepted.append(candidate)
        else:
            rejected.append((candidate, reason))
    return Passed(tuple(accepted), tuple(rejected))


def _reason(candidate: Candidate, rules: GateRules, now: datetime) -> str | None:
    memory = candidate["memory"]
    tags = set(memory.get("tags") or ()) | {memory.get("category")}
    exempt = bool(tags.intersection(rules.exempt_tags))
    if candidate["score"] < rules.min_score:
        return "low_score"
    if rules.max_age_days is not None and not exempt and _age_days(memory, now) > rules.max_age_days:
        return "stale"
    if memory.get("approval") == "rejected" or (memory.get("approval") == "draft" and not rules.allow_draft):
        return "not_approved"
    if candidate["stale"] or tags.intersection(_STOPPED):
        return "superseded"
    if candidate["kind"] != "episode" and not exempt and candidate["retention"] < rules.min_retention:
        return "low_retention"
    return "sensitive" if is_hidden(memory.get("sensitivity"), rules) else None


def is_hidden(sensitivity: str | None, rules: GateRules) -> bool:
    """Whether memories of these kinds of personal data are left out."""
    kinds = kinds_of(sensitivity)
    return bool(kinds) and ("*" in rules.hide_sensitivity or not kinds.isdisjoint(rules.hide_sensitivity))


def _age_days(memory: dict[str, Any], now: datetime) -> float:
    since = memory.get("occurred_at") or memory["updated_at"]
    return float((now - since).total_seconds() / 86400)
