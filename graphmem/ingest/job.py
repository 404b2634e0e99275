"""A job: the episodes of one remember call that are processed together, and what is needed to process them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from ..models.episode import Extraction, FactIn, Role
from ..models.scope import Scope
from ..models.times import Precision


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One saved episode as the steps after acceptance see it."""

    id: str
    role: Role
    name: str | None
    content: str
    source_id: str | None
    occurred_at: datetime
    """Aware, in the zone in which it was said."""
    replaced: str | None = None
    """The older version of this source, whose statements are withdrawn."""
    source_type: str = "chat"
    """What kind of source it came from; says how far it speaks for the owner."""
    heard: str | None = None
    """What of it is searched and recalled; None: all of it."""
    precision: Precision = "instant"
    """How exactly `occurred_at` is known."""


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that is needed to process a call again after a crash."""

    id: str
    store_id: str
    owner_key: str
    scope: Scope
    episodes: tuple[EpisodeRow, ...]
    extraction: Extraction
    facts: tuple[FactIn, ...] | None
    reading: str | None = None
    """What is known of a document beside its words (`reading.py`), as text."""


def dump_request(extraction: Extraction, facts: tuple[FactIn, ...] | None, reading: str | None = None) -> str:
    """What the first episode of a job keeps until it is processed."""
    given = None if facts is None else [f.model_dump(mode="json", exclude_none=True) for f in facts]
    return json.dumps({"extraction": extraction, "facts": given, "reading": reading}, ensure_ascii=False)


def load_job(rows: list[dict[str, Any]]) -> Job:
    """The job of these episode rows, as the graph keeps them."""
    first = rows[0]
    request = json.loads(next((r["job"] for r in rows if r.get("job")), '{"extraction": "auto", "facts": null}'))
    facts = request["facts"]
    return Job(
        id=first["job_id"],
        store_id=first["store_id"],
        owner_key=first["owner_key"],
        scope=Scope(**{k: first.get(k) for k in ("actor_id", "agent_id", "session_id", "route_id")}),
        episodes=tuple(_episode(row) for row in rows),
        extraction=request["extraction"],
        facts=None if facts is None else tuple(FactIn.model_validate(f) for f in facts),
        reading=request.get("reading"),
    )


def _episode(row: dict[str, Any]) -> EpisodeRow:
    zone = timezone(timedelta(minutes=row["utc_offset"]))
    return EpisodeRow(
        id=row["id"],
        role=row["role"],
        name=row.get("name"),
        content=row["content"],
        source_id=row.get("source_id"),
        occurred_at=row["occurred_at"].astimezone(zone),
        replaced=row.get("replaced"),
        source_type=row.get("source_type") or "chat",
        precision=row.get("occurred_at_precision") or "instant",
    )
