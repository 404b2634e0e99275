"""What the memory tools take.

No tool takes a store, an actor, an agent or a session: these come from whoever offers the tools, never from a model.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from ..models.base import Id, Model, Name, Text, Time, ZonedTime
from ..models.recall import ALL_KINDS, Kind, Query

MOST_FOUND = 50
"""Items of one search."""
MOST_LISTED = 100
"""Items of one page of a list."""
MOST_PROFILE = 200
"""Facts of a profile."""

PageToken = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class SearchMemory(Model):
    """Arguments of `search_memory`."""

    query: Query = Field(description="What to look for, as a question or a few words, in the user's language.")
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = Field(8, description="Most memories to return.")
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1, max_length=3)] = Field(
        ALL_KINDS, description="fact: single statements; note: written notes; episode: what was said, word for word."
    )
    as_of: Time | None = Field(
        None, description="Answer as things were at this time, such as 2025-06-01T00:00:00Z; default: now."
    )
    include_past: bool = Field(False, description="Also what held once and no longer does.")


class SaveMemory(Model):
    """Arguments of `save_memory`."""

    text: Text = Field(
        description="What to remember, as whole sentences that can be understood alone: name people and things, no "
        "pronouns for others. About the user write `I`: `I moved to Osaka in May.`"
    )
    occurred_at: ZonedTime | None = Field(
        None, description="When it was said, with the offset: 2026-02-03T09:00:00+09:00; default: now."
    )


class ListMemories(Model):
    """Arguments of `list_memories`."""

    kind: Literal["fact", "note"] = Field("fact", description="What to list.")
    about: Name | None = Field(
        None,
        description="Only facts that say something of this person or thing, notes about it: its name or id; "
        "`user` for the user.",
    )
    category: Name | None = Field(None, description="Only facts of this category, such as preference or profile.")
    include_past: bool = Field(False, description="Also what held once and no longer does.")
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = Field(20, description="Items of one page.")
    page_token: PageToken | None = Field(None, description="`next_page_token` of the page before.")

    @model_validator(mode="after")
    def _of_facts(self) -> ListMemories:
        if self.kind == "note" and self.category is not None:
            raise ValueError("category goes with kind fact")
        return self


class ForgetMemory(Model):
    """Arguments of `forget_memory`."""

    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=100)] | None = Field(
        None, description="Ids of facts, notes or episodes, as search_memory and list_memories give them."
    )
    query: Query | None = Field(None, description="Everything that matches this well. Try it with dry_run first.")
    about: Name | None = Field(None, description="Everything about this person or thing: its name or id.")
    since: Time | None = Field(None, description="Everything remembered from this time on.")
    until: Time | None = Field(None, description="With since: and until this time.")
    mode: Literal["archive", "erase"] = Field(
        "archive",
        description="archive hides and can be undone; erase removes for good, with the messages it came from. "
        "Erase only when the user asks for deletion.",
    )
    dry_run: bool = Field(False, description="Only count what would be forgotten.")

    @model_validator(mode="after")
    def _exactly_one(self) -> ForgetMemory:
        given = [name for name in ("ids", "query", "about", "since") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of ids, query, about and since")
        if self.until is not None and (self.since is None or self.until < self.since):
            raise ValueError("until goes with since, and is not earlier")
        return self


class GetUserProfile(Model):
    """Arguments of `get_user_profile`."""

    as_of: Time | None = Field(None, description="What held at this time; default: now.")
    limit: Annotated[int, Field(ge=1, le=MOST_PROFILE)] = Field(50, description="Most facts, the most important.")
