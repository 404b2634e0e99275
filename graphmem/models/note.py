"""Zettelkasten notes, and entries: the notes that have a path."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema, model_validator

from .base import Id, Model, Name, Text, Time, Unit
from .data import Data
from .episode import EntityRef
from .fact import EntityName, SourceRef
from .recall import Query
from .redaction import Redacted
from .scope import ReadScope, Scope
from .times import Precision, ValidTimeIn

MAX_PATH = 1_000
"""Characters of a path."""
LinkKind = Literal["related", "supports", "refines", "continues", "contradicts"]
NoteStatus = Literal["active", "superseded", "archived"]

_BARRED = r"/\\\u0000-\u001f\u007f-\u009f"
_SEGMENT = rf"\.*[^\s.{_BARRED}](?:[^{_BARRED}\u2028\u2029]*[^\s{_BARRED}])?"
_PATH_PATTERN = rf"^/?{_SEGMENT}(?:/{_SEGMENT})*$"
_PATH = re.compile(_PATH_PATTERN)


def place_of(path: str) -> str:
    """What makes two spellings of a path one place: NFC, with exactly one leading slash."""
    return "/" + unicodedata.normalize("NFC", path).lstrip("/")


def _check_path(value: str) -> str:
    if not _PATH.fullmatch(value):
        raise ValueError("must be a path such as /preferences/style.md, without empty, `.` or `..` parts")
    return value


NotePath = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_PATH),
    AfterValidator(_check_path),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_PATH, "pattern": _PATH_PATTERN}),
]
"""Path like a file's; a leading slash makes no difference."""
NotePrefix = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATH, pattern=r"^[^\\\x00-\x1f\x7f]+$")]
"""Beginning of a path."""
Summary = Annotated[Text, StringConstraints(max_length=2_000)]
"""What a note is about, in a sentence or two."""
Names = Annotated[tuple[Name, ...], Field(max_length=50)]
"""Keywords, tags or aliases."""


class LinkIn(Model):
    """A link that the caller makes."""

    target: Id = Field(description="Id of a note or fact of the same actor.")
    kind: LinkKind = "related"
    reason: Name | None = None


Links = Annotated[tuple[LinkIn, ...], Field(max_length=100)]


class NoteIn(Model):
    """Body of `POST …/notes`."""

    scope: Scope
    title: Name | None = Field(None, description="Default: the first heading or line of the body.")
    body: Text
    description: Summary | None = None
    keywords: Names | None = Field(None, description="Default: found in title and body.")
    tags: Names = ()
    aliases: Names = Field((), description="Other names by which `[[links]]` find the note.")
    path: NotePath | None = Field(None, description="Makes the note an entry; takes the place of a note there.")
    category: Name = "note"
    importance: Unit = 0.5
    pinned: bool = False
    valid_at: ValidTimeIn | None = Field(
        None, description="From when it holds; default: that of its newest episode, else now."
    )
    episode_ids: Annotated[tuple[Id, ...], Field(max_length=50)] = Field((), description="Episodes it is made from.")
    about: Annotated[tuple[Name | EntityRef, ...], Field(max_length=50)] = Field(
        (), description="Entities it is about, beside those that title and body name."
    )
    links: Links = ()
    supersedes: Id | None = Field(None, description="The note whose place it takes; the newest of its chain is meant.")
    auto_link: bool = Field(True, description="Propose links, and recognise the older note on the same topic.")
    evolve: bool = Field(False, description="Enrich the notes that it is linked with, as new versions of them.")


_MAY_BE_NULL = {"title", "description", "path", "supersedes"}


class NotePatch(Model):
    """Body of `PATCH …/notes/{id}`; what is given makes a new version. Null takes away title, description or path."""

    title: Name | None = None
    body: Text | None = None
    description: Summary | None = None
    keywords: Names | None = None
    tags: Names | None = None
    aliases: Names | None = None
    path: NotePath | None = None
    category: Name | None = None
    importance: Unit | None = None
    pinned: bool | None = None
    valid_at: ValidTimeIn | None = None
    links: Links | None = Field(None, description="Replaces the links that callers made.")
    supersedes: Id | None = None

    @model_validator(mode="after")
    def _given(self) -> NotePatch:
        if not self.model_fields_set:
            raise ValueError("at least one field is required")
        void = [n for n in sorted(self.model_fields_set - _MAY_BE_NULL) if getattr(self, n) is None]
        if void:
            raise ValueError(f"{', '.join(void)} must not be null; leave out what stays as it is")
        return self


class NoteLink(Model):
    """One link of a note, as seen from it."""

    target: str
    """Id of the other note or fact."""
    target_kind: Literal["note", "fact"]
    title: str
    """Title of the note, text of the fact."""
    direction: Literal["out", "in"] = "out"
    kind: LinkKind
    score: float
    reason: str
    by: Literal["auto", "user", "wiki"]
    superseded: bool = False
    at: Time


class Note(Model):
    """A note; what it says holds in `[valid_at, invalid_at)`."""

    id: str
    store_id: str
    scope: Scope
    title: str
    body: str
    description: str | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    path: str | None = None
    category: str = "note"
    importance: float = 0.5
    pinned: bool = False
    status: NoteStatus = "active"
    valid_at: Time
    valid_at_precision: Precision = "instant"
    invalid_at: Time | None = None
    created_at: Time
    updated_at: Time
    retention: float = 1.0
    access_count: int = 0
    version: int = 1
    version_of: str | None = None
    """Of a former version: the id of the note."""
    superseded_by: str | None = None
    """The newest note of the chain that took its place."""
    supersedes: tuple[str, ...] = ()
    about: tuple[EntityName, ...] = ()
    links: tuple[NoteLink, ...] = ()
    """Outgoing links, best first, at most 50; empty in lists."""
    sources: tuple[SourceRef, ...] = ()
    redacted: tuple[Redacted, ...] = ()
    """Secrets that this call held; markers stand in their places."""


class NoteRef(Model):
    """A note near another one."""

    id: str
    title: str
    distance: int
    superseded: bool = False


class NoteEdge(Model):
    """A link between two notes of a neighbourhood."""

    source: str
    target: str
    kind: LinkKind
    score: float
    reason: str
    by: Literal["auto", "user", "wiki"]


class NoteLinks(Model):
    """Answer of `GET …/notes/{id}/links`."""

    links: tuple[NoteLink, ...]
    backlinks: tuple[NoteLink, ...]
    unresolved: tuple[str, ...] = ()
    """Targets of `[[links]]` that name no note yet."""
    notes: tuple[NoteRef, ...] = ()
    """Notes within `hops`, nearest first, at most 200."""
    edges: tuple[NoteEdge, ...] = ()
    """Links between them and the note itself."""


class NoteHistoryEntry(Model):
    """One step in the life of a note."""

    event: Literal["created", "edited", "evolved", "supersedes", "superseded"]
    reason: str
    note_id: str
    """The version, or the other note."""
    version: int
    title: str
    body: str
    by_note: str | None = None
    by_episode: str | None = None
    at: Time
    valid_at: Time
    invalid_at: Time | None = None


class NoteQuery(Model):
    """Which notes a list shows; those that hold now unless asked otherwise."""

    actor_id: Id
    session_id: Id | None = None
    title: Name | None = None
    tag: Name | None = None
    keyword: Name | None = None
    prefix: NotePrefix | None = None
    path: NotePath | None = None
    entity: Name | None = None
    """Id or name of an entity that the note is about."""
    validity: Literal["current", "any"] = "current"
    status: NoteStatus | None = None
    as_of: Time | None = None
    orphans: bool = False
    """Only notes without any link."""


class EntryIn(Model):
    """Body of `POST …/entries` and `PUT …/entries`."""

    scope: Scope
    path: NotePath
    content: Text
    description: Summary | None = None
    title: Name | None = Field(None, description="Default: the last part of the path.")
    tags: Names | None = None
    keywords: Names | None = None
    importance: Unit | None = None
    data: Data | None = Field(None, description="JSON of the caller's own, given back as it is; it is not searched.")


class EntryPut(EntryIn):
    """Body of `PUT …/entries`: what is left out stays as it is on an entry that exists."""

    append: bool = Field(False, description="Add the content as new lines.")


class EntryPatch(Model):
    """Body of `PATCH …/entries/{id}`."""

    path: NotePath | None = None
    content: Text | None = None
    description: Summary | None = None
    title: Name | None = None
    tags: Names | None = None
    keywords: Names | None = None
    importance: Unit | None = None
    data: Data | None = None

    @model_validator(mode="after")
    def _given(self) -> EntryPatch:
        if not self.model_fields_set:
            raise ValueError("at least one field is required")
        void = [n for n in sorted(self.model_fields_set - {"description", "title", "data"}) if getattr(self, n) is None]
        if void:
            raise ValueError(f"{', '.join(void)} must not be null; leave out what stays as it is")
        return self


class Entry(Model):
    """A note by actor, session and path."""

    id: str
    store_id: str
    scope: Scope
    path: str
    content: str
    description: str | None = None
    title: str
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    importance: float = 0.5
    data: dict[str, Any] | None = None
    created_at: Time
    updated_at: Time
    version: int = 1
    redacted: tuple[Redacted, ...] = ()
    """Secrets that this call held; markers stand in their places."""


class EntrySearch(Model):
    """Body of `POST …/entries:search`."""

    scope: ReadScope
    query: Query
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    prefix: NotePrefix | None = None
    tag: Name | None = Field(None, description="Only entries with this tag: others are not ranked.")


class EntryHit(Model):
    """One entry that answers the query."""

    entry: Entry
    score: float


class EntryHits(Model):
    """Answer of `POST …/entries:search`, best first."""

    items: tuple[EntryHit, ...]
    degraded: tuple[str, ...] = ()


class FileDone(Model):
    """What became of one file of an import or export."""

    path: str
    outcome: Literal["made", "changed", "same", "failed"]
    reason: str | None = None
