"""Many texts at once: what comes in, and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, model_validator

from .base import MAX_MESSAGES, Id, Model, Text, ZonedTime
from .episode import Extraction, FactIn, Message, RememberRequest, Source
from .fact import EpisodeRef
from .scope import Scope

MAX_ITEMS = 5_000
"""Items of one bulk call, and messages of all of them together."""
MAX_BULK_TEXT = 5_000_000
"""Characters of all texts of one bulk call."""


class BulkItem(Model):
    """One remember call of many: exactly one of `text` and `messages`."""

    text: Text | None = None
    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=MAX_MESSAGES)] | None = None
    occurred_at: ZonedTime | None = None
    source: Source | None = None
    extraction: Extraction = "auto"
    facts: Annotated[tuple[FactIn, ...], Field(max_length=MAX_MESSAGES)] | None = None
    agent_id: Id | None = Field(None, description="In the place of the scope's.")
    session_id: Id | None = Field(None, description="In the place of the scope's.")
    route_id: Id | None = Field(None, description="In the place of the scope's.")

    @model_validator(mode="after")
    def _one_body(self) -> BulkItem:
        if (self.text is None) == (self.messages is None):
            raise ValueError("exactly one of text and messages is required")
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text to remember."""
        return (self.text,) if self.text is not None else tuple(m.content for m in self.messages or ())

    def request(self, scope: Scope) -> RememberRequest:
        """The item as a call of its own."""
        places = {name: value for name in _PLACES if (value := getattr(self, name)) is not None}
        given = {name: getattr(self, name) for name in self.model_fields_set - _PLACES}
        return RememberRequest(scope=scope.model_copy(update=places), wait=False, **given)


_PLACES = frozenset({"agent_id", "session_id", "route_id"})


class BulkRequest(Model):
    """Body of `POST …/episodes:bulk`; everything is saved, or nothing."""

    scope: Scope
    items: Annotated[tuple[BulkItem, ...], Field(min_length=1, max_length=MAX_ITEMS)] = Field(
        description=f"With at most {MAX_ITEMS} messages and {MAX_BULK_TEXT} characters in all of them together."
    )
    wait: bool = Field(False, description="True: answer when all is processed, or after a minute.")


class BulkSaved(Model):
    """What became of one item."""

    episodes: tuple[EpisodeRef, ...]
    duplicate: bool = Field(False, description="All of it was known: nothing was written.")


class BulkResult(Model):
    """Answer of `POST …/episodes:bulk`: every item in the order of the call."""

    items: tuple[BulkSaved, ...]
    counts: dict[str, int] = Field(description="Episodes by status, and how many were `duplicate`.")


def bulk_result(saved: Sequence[tuple[EpisodeRef, ...]]) -> BulkResult:
    """The answer for these episodes, item by item."""
    episodes = {ref.id: ref for refs in saved for ref in refs}
    counts = Counter(pending=0, processed=0, failed=0, duplicate=0)
    counts.update(ref.status for ref in episodes.values())
    counts["duplicate"] = sum(ref.duplicate for refs in saved for ref in refs)
    items = tuple(BulkSaved(episodes=refs, duplicate=all(ref.duplicate for ref in refs)) for refs in saved)
    return BulkResult(items=items, counts=dict(counts))


class EpisodeCounts(Model):
    """How many episodes have each status."""

    pending: int = 0
    processed: int = 0
    failed: int = 0
