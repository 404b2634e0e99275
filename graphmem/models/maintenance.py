"""Upkeep: the maintenance calls and their answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from .base import Model, Time
from .fact import Status

Task = Literal["decay", "purge", "consolidate"]


class MaintenanceRequest(Model):
    """Body of `POST …/maintenance:decay`, `:purge` and `:consolidate`."""

    dry_run: bool = Field(False, description="Say what would change; nothing is written.")
    limit: Annotated[int, Field(ge=1, le=10_000_000)] | None = Field(
        None, description="Records to examine at most; default: all of the store."
    )
    as_of: Time | None = Field(None, description="Work as if it were this time; default: now.")
    page_token: Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=r"^[!-~]+$")] | None = Field(
        None, description="Where to go on: `next_page_token` of a call that ended at its limit."
    )


WouldChange = TypedDict(
    "WouldChange",
    {"id": str, "from": float, "to": float, "status": Status | Literal["purged"], "reason": str},
)
"""A fact that a dry run would move: its retention at the last pass (1 when new) and now, the status it would have,
and `low_retention`, `expired`, `restored`, or the reason why it was archived."""


class WouldConsolidate(TypedDict):
    """A session that a dry run would summarise, or an entity around which it would make or remove a theme."""

    kind: Literal["session", "theme"]
    id: str
    actor_id: str
    episodes: int
    reason: Literal["new", "changed", "removed"]


class MaintenanceResult(Model):
    """What a pass did, or with `dry_run` would do."""

    task: Task
    dry_run: bool
    as_of: Time
    examined: int = Field(0, description="Records that were looked at.")
    changed: int = Field(0, description="Records that were written: a new score, status or both, or erased.")
    archived: int = Field(0, description="Facts whose retention fell below the store's threshold.")
    expired: int = Field(0, description="Facts archived because their `expires_at` has passed.")
    restored: int = Field(0, description="Facts that came back because what had archived them no longer holds.")
    purged: int = Field(0, description="Facts and episodes that were erased.")
    recalls: int = Field(0, description="Audits of recalls that were erased.")
    summarised: int = Field(0, description="Sessions whose summary was made anew.")
    themes: int = Field(0, description="Themes that were made or got a new version.")
    removed: int = Field(0, description="Themes that went because too little is left of what they were made from.")
    dropped: int = Field(0, description="Sentences of a model that no message supports.")
    llm_calls: int = Field(0, description="Calls of the model, one a session at most.")
    prompt_tokens: int = 0
    completion_tokens: int = 0
    would_change: tuple[WouldChange, ...] = Field((), description="With `dry_run`: at most the first 100.")
    would_consolidate: tuple[WouldConsolidate, ...] = Field((), description="With `dry_run`: at most the first 100.")
    resumed: bool = Field(False, description="The pass went on where an interrupted one had stopped.")
    next_page_token: str | None = Field(None, description="Where to go on, when the limit ended the call.")
