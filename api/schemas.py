"""Models that only HTTP has: problem details and the query strings of the routes."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from graphmem.models.base import MAX_PAGE, Id, Model, Name, Time
from graphmem.models.episode import EpisodeStatus
from graphmem.models.fact import FactQuery
from graphmem.models.note import NotePath, NotePrefix, NoteQuery
from graphmem.models.session import Order

_INTEGER = re.compile(r"-?[0-9]{1,9}")


class FieldError(Model):
    """One value of the request that is not acceptable."""

    field: str = Field(description="Where it is: `messages.0.content`, `query.page_size`, `path.store`.")
    message: str


class Problem(Model):
    """An error as RFC 9457 problem details; `code` is stable, `detail` is for people."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: tuple[FieldError, ...] = ()


def _digits(value: Any) -> Any:
    """Only plain decimal digits are a number in a query string."""
    if isinstance(value, str) and not _INTEGER.fullmatch(value):
        raise ValueError("must be a whole number")
    return value


PageSize = Annotated[int, Field(ge=1, le=MAX_PAGE), BeforeValidator(_digits)]
PageToken = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=r"^[!-~]+$")]
Hops = Annotated[int, Field(ge=1, le=3), BeforeValidator(_digits)]


def _flag(value: Any) -> Any:
    """Only the words of JSON are true or false in a query string."""
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value


Flag = Annotated[bool, BeforeValidator(_flag)]


class NoQuery(Model):
    """A route without query parameters."""


class ActorQuery(Model):
    """Whose record it is."""

    actor_id: Id


class PageQuery(Model):
    """Which page of a list."""

    page_size: PageSize = 50
    page_token: PageToken | None = None


class EpisodeListQuery(ActorQuery, PageQuery):
    """Which episodes a list shows."""

    session_id: Id | None = None
    source_id: Id | None = None
    status: EpisodeStatus | None = None


class EpisodeCountsQuery(ActorQuery):
    """Whose episodes are counted."""

    session_id: Id | None = None


class FactListQuery(FactQuery, PageQuery):
    """Which facts a list shows."""

    def facts(self) -> FactQuery:
        """The part that the memory asks for, without the page."""
        return FactQuery(**{name: getattr(self, name) for name in FactQuery.model_fields})


class EntityListQuery(ActorQuery, PageQuery):
    """Which entities a list shows."""

    name: Name | None = None


class GraphQuery(ActorQuery):
    """How far around an entity, and at which world time."""

    hops: Hops = 1
    as_of: Time | None = None
    known_at: Time | None = Field(None, description="As the store believed then; default: now.")


class TimelineQuery(ActorQuery):
    """Which relation of an entity."""

    predicate: Name


class ProfileQuery(ActorQuery):
    """Whose profile, and at which world time."""

    as_of: Time | None = None


class ContradictionListQuery(ActorQuery, PageQuery):
    """Which disputes a list shows."""

    state: Literal["open", "resolved"] | None = None


class RecallListQuery(ActorQuery, PageQuery):
    """Which recalls a list shows."""

    since: Time | None = Field(None, description="Asked then or later.")
    until: Time | None = Field(None, description="Asked before then.")


class NewestQuery(ActorQuery):
    """Whose note it is, and whether the one that now stands in its place is meant."""

    newest: Flag = False


class NoteListQuery(NoteQuery, PageQuery):
    """Which notes a list shows."""

    orphans: Flag = False

    def notes(self) -> NoteQuery:
        """The part that the memory asks for, without the page."""
        return NoteQuery(**{name: getattr(self, name) for name in NoteQuery.model_fields})


class NoteLinksQuery(ActorQuery):
    """How far around a note."""

    hops: Hops = 1


class EntryListQuery(ActorQuery, PageQuery):
    """Which entries a list shows."""

    session_id: Id | None = None
    path: NotePath | None = None
    prefix: NotePrefix | None = None

    def notes(self) -> NoteQuery:
        """The part that the memory asks for, without the page."""
        names = ("actor_id", "session_id", "path", "prefix")
        return NoteQuery(**{name: getattr(self, name) for name in names})


class SessionListQuery(ActorQuery, PageQuery):
    """Which sessions a list shows."""

    order: Order = Field("oldest", description="Which session comes first, by when it began.")


class MessageListQuery(ActorQuery, PageQuery):
    """Which messages of a session a list shows."""

    order: Order = Field("oldest", description="Which message comes first.")


class EraseMessagesQuery(ActorQuery):
    """Which messages of a session are erased."""

    last: PageSize | None = Field(None, description="So many, from the newest on; default: all.")


class OpenItemListQuery(ActorQuery, PageQuery):
    """Which open items a list shows."""

    session_id: Id | None = None
    order: Order = Field("oldest", description="Of which session the items come first, by when it began.")


class EntryPutQuery(Model):
    """How an entry is put."""

    append: Literal["true", "false"] = "false"
