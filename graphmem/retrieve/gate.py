"""The gate: the last check between candidates and the prompt. Every candidate passes or has one reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models.recall import Gate, GateRules, Reason
from ..safety.marks import labelled, tagged
from ..safety.sensitivity import kinds_of
from .calibrated import Minimum

Candidate = dict[str, Any]
"""What `retrieve/recall` gives; with `left_out` (outside, ended) when the indexes had left it out."""

_LEAST = {"min_score", "min_vector"}
"""Two settings of one thing: a store that says one has said the other."""
_TAKEN_BACK = ("expired", "superseded", "deleted")
_UNAPPROVED = ("draft", "rejected", "candidate")
"""States of which the indexes give none, but for drafts where the rules allow them."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Candidates in order: those that pass, and the others each with its reason."""

    accepted: tuple[Candidate, ...]
    rejected: tuple[tuple[Candidate, Reason], ...]


def rules_of(minimum: Minimum, store: Gate | None, call: Gate | None, *, narrow_only: bool = False) -> GateRules:
    """The store's settings over the defaults, narrowed by the call's; `minimum` is the mode's and the embedder's.

    Where the store says nothing the call's value takes the place of the default, unless `narrow_only`.
    """
    rules = _over(GateRules(min_score=minimum.score, min_vector=minimum.vector), store)
    if call is None:
        return rules
    if not narrow_only:
        said = set(store.model_dump(exclude_none=True)) if store else set()
        said |= _LEAST if said & _LEAST else set()
        rules = _over(rules, call.model_copy(update=dict.fromkeys(said)))
    return _narrowed(rules, _over(rules, call))


def _over(rules: GateRules, gate: Gate | None) -> GateRules:
    if gate is None:
        return rules
    given = gate.model_dump(exclude_none=True)
    if given.get("min_score", 0.0) > rules.min_score:
        given.setdefault("min_vector", None)  # more is asked for than what is known to answer
    return rules.model_copy(update=given)


def _narrowed(rules: GateRules, wanted: GateRules) -> GateRules:
    """Of two values of each rule the one that lets less pass."""
    vectors = (rules.min_vector, wanted.min_vector)
    ages = [age for age in (rules.max_age_days, wanted.max_age_days) if age is not None]
    return GateRules(
        min_score=max(rules.min_score, wanted.min_score),
        min_vector=None if None in vectors else max(v for v in vectors if v is not None),
        max_age_days=min(ages) if ages else None,
        allow_draft=rules.allow_draft and wanted.allow_draft,
        max_hits=min(rules.max_hits, wanted.max_hits),
        min_retention=max(rules.min_retention, wanted.min_retention),
        exempt_tags=tuple(tag for tag in wanted.exempt_tags if tag in rules.exempt_tags),
        hide_sensitivity=tuple(dict.fromkeys((*rules.hide_sensitivity, *wanted.hide_sensitivity))),
        hide_disputed=rules.hide_disputed or wanted.hide_disputed,
    )


def pass_gate(candidates: Sequence[Candidate], rules: GateRules, now: datetime, limit: int) -> Passed:
    """Check each candidate in order; at most `limit` and `max_hits` pass."""
    accepted: list[Candidate] = []
    rejected: list[tuple[Candidate, Reason]] = []
    for candidate in candidates:
        reason = reason_of(candidate, rules, now)
        if reason is None and len(accepted) >= min(limit, rules.max_hits):
            reason = "over_budget"
        if reason is None:
            accepted.append(candidate)
        else:
            rejected.append((candidate, reason))
    return Passed(tuple(accepted), tuple(rejected))


def pass_score(candidates: Sequence[Candidate], min_score: float, limit: int) -> Passed:
    """At most `limit` that match well enough, whatever else may be said of them: what may be forgotten."""
    well = [c for c in candidates if c["score"] >= min_score]
    rest: list[tuple[Candidate, Reason]] = [(c, "over_budget") for c in well[limit:]]
    rest += [(c, "low_score") for c in candidates if c["score"] < min_score]
    return Passed(tuple(well[:limit]), tuple(rest))


def reason_of(candidate: Candidate, rules: GateRules, now: datetime) -> Reason | None:
    """Why a candidate is left out, the first reason in the order of the rule; None when it passes, the budget aside."""
    checks: tuple[tuple[Reason, bool], ...] = (
        ("scope_mismatch", _outside(candidate)),
        ("low_score", _too_low(candidate, rules)),
        ("stale", _too_old(candidate, rules, now)),
        ("not_approved", _not_approved(candidate, rules)),
        ("superseded", _superseded(candidate)),
        ("not_valid_at", _left_out(candidate, "ended")),
        ("low_retention", _faded(candidate, rules)),
        ("sensitive", is_hidden(candidate["memory"].get("sensitivity"), rules)),
        ("disputed", rules.hide_disputed and bool(candidate["memory"].get("disputed"))),
    )
    return next((reason for reason, holds in checks if holds), None)


def is_exempt(candidate: Candidate, rules: GateRules) -> bool:
    """Whether age and retention do not count: a policy that holds until it is changed."""
    return not _tags(candidate).isdisjoint(rules.exempt_tags)


def is_stopped(candidate: Candidate) -> bool:
    """Whether it says of itself that it must not be used."""
    memory, kind = candidate["memory"], candidate["kind"]
    if tagged(_tags(candidate)):
        return True
    if kind == "note":
        return labelled(f"{memory['title']}\n{memory['body']}")
    return kind == "episode" and memory.get("source_type") != "chat" and labelled(str(memory["content"]))


def is_hidden(sensitivity: str | None, rules: GateRules) -> bool:
    """Whether memories of these kinds of personal data are left out."""
    kinds = kinds_of(sensitivity)
    return bool(kinds) and ("*" in rules.hide_sensitivity or not kinds.isdisjoint(rules.hide_sensitivity))


def age_days(candidate: Candidate, now: datetime) -> float:
    """Days since it was said or last changed, never negative."""
    memory = candidate["memory"]
    since = memory.get("occurred_at") or memory["updated_at"]
    return max(0.0, float((now - since).total_seconds() / 86400))


def _tags(candidate: Candidate) -> set[str]:
    memory = candidate["memory"]
    return {tag for tag in (*(memory.get("tags") or ()), memory.get("category")) if tag}


def _left_out(candidate: Candidate, why: str) -> bool:
    return bool(candidate.get("left_out", {}).get(why))


def _outside(candidate: Candidate) -> bool:
    return _left_out(candidate, "outside")


def _too_low(candidate: Candidate, rules: GateRules) -> bool:
    """A memory that one arm alone can find has a low sum; what its vector says by itself has a minimum of its own."""
    if candidate["score"] >= rules.min_score:
        return False
    if rules.min_vector is None or candidate.get("rival"):
        return True
    return bool(candidate["scores"]["vector"] < rules.min_vector)


def _too_old(candidate: Candidate, rules: GateRules, now: datetime) -> bool:
    if rules.max_age_days is None or is_exempt(candidate, rules):
        return False
    return age_days(candidate, now) > rules.max_age_days


def _not_approved(candidate: Candidate, rules: GateRules) -> bool:
    memory = candidate["memory"]
    if memory.get("approval") == "draft" or memory["state"] == "draft":
        return not rules.allow_draft
    return memory.get("approval") == "rejected" or memory["state"] in _UNAPPROVED


def _superseded(candidate: Candidate) -> bool:
    taken_back = "left_out" in candidate and candidate["memory"]["state"] in _TAKEN_BACK
    return taken_back or bool(candidate["stale"]) or _left_out(candidate, "replaced") or is_stopped(candidate)


def _faded(candidate: Candidate, rules: GateRules) -> bool:
    if "left_out" in candidate and candidate["memory"]["state"] == "archived":
        return True
    if candidate["kind"] == "episode" or is_exempt(candidate, rules):
        return False
    return bool(candidate["retention"] < rules.min_retention)
