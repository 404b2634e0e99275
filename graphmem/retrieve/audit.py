"""The audit of a recall: counts and reasons in its answer, and what is kept of it, never any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..models.ids import keyed_hash, new_id
from ..models.recall import GateRules, Judged, RecallAudit, RecallRequest, Rejected
from ..safety.secrets import redact
from .candidates import owner_keys
from .gate import Candidate, Passed, age_days, is_exempt, is_stopped


def audit_of(
    passed: Passed, rules: GateRules, now: datetime, *, explain: bool, kept: bool, crowded: int = 0
) -> RecallAudit:
    """What the answer says of its candidates: with `explain` all of them; its id is null when nothing is kept.

    `crowded` passed and did not fit into the context.
    """
    reasons = Counter(reason for _, reason in passed.rejected)
    if crowded:
        reasons["over_budget"] += crowded
    audit = RecallAudit(
        id=new_id() if kept else None,
        considered=len(passed.accepted) + len(passed.rejected),
        accepted=len(passed.accepted),
        rejected_count=len(passed.rejected),
        reasons=dict(reasons),
    )
    if not explain:
        return audit
    explained = {
        "gate": rules,
        "passed": tuple(Judged(**_inputs(c, rules, now)) for c in passed.accepted),
        "rejected": tuple(Rejected(**_inputs(c, rules, now), reason=reason) for c, reason in passed.rejected),
    }
    return audit.model_copy(update=explained)


def _inputs(candidate: Candidate, rules: GateRules, now: datetime) -> dict[str, Any]:
    """What the decision was made from."""
    memory = candidate["memory"]
    return {
        "kind": candidate["kind"],
        "id": memory["id"],
        "score": round(candidate["score"], 4),
        "scores": {name: round(score, 4) for name, score in candidate["scores"].items()},
        "rival": bool(candidate.get("rival")),
        "age_days": round(age_days(candidate, now), 2),
        "retention": round(candidate["retention"], 4),
        "approval": memory.get("approval"),
        "state": memory["state"],
        "learning_state": memory.get("learning_state"),
        "valid_at": memory.get("valid_at") or memory.get("occurred_at"),
        "invalid_at": memory.get("invalid_at"),
        "exempt": is_exempt(candidate, rules),
        "stopped": is_stopped(candidate),
        "replaced": bool(candidate["stale"] or candidate.get("left_out", {}).get("replaced")),
        "disputed": bool(memory.get("disputed")),
        "sensitivity": memory.get("sensitivity"),
    }


def record_of(
    store_id: str,
    key: str,
    request: RecallRequest,
    audit: RecallAudit,
    passed: Passed,
    rules: GateRules,
    degraded: Sequence[str],
    now: datetime,
) -> dict[str, Any]:
    """Parameters of `retrieve/record_recall`. The first actor's audit; `key` is the store's, for the query's hash."""
    scope = request.scope
    owners = owner_keys(store_id, request)
    named = {name: getattr(scope, name) for name in ("agent_id", "session_id", "route_id")}
    recall = {
        "id": audit.id,
        "query_hash": keyed_hash(key, owners[0], request.query),
        # a caller may put anything into its ids and names; a secret among them is not kept
        **{name: redact(value)[0] if value else None for name, value in named.items()},
        "mode": request.mode,
        "ranking": request.ranking,
        "kinds": list(request.kinds),
        "limit": request.limit,
        "as_of": request.as_of,
        "known_at": request.known_at,
        "considered": audit.considered,
        "accepted": audit.accepted,
        "reasons": [f"{reason}={count}" for reason, count in sorted(audit.reasons.items())],
        "gate": redact(rules.model_dump_json())[0],
        "degraded": list(degraded),
    }
    used = [
        {"id": c["memory"]["id"], "kind": c["kind"], "rank": rank, "score": round(c["score"], 4)}
        for rank, c in enumerate(passed.accepted, 1)
    ]
    return {
        "store_id": store_id,
        "owner_key": owners[0],
        "owner_keys": owners,
        "recall": recall,
        "used": sorted(used, key=lambda u: str(u["id"])),
        "now": now,
    }
