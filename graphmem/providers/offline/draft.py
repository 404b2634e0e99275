"""What the two language modules hand to the extractor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from graphmem.models.times import ValidTime

if TYPE_CHECKING:
    from .wordings.asking import Ask

Event = Literal["assert", "retract"]


@dataclass(frozen=True, slots=True)
class Name:
    """A thing or person a draft speaks of."""

    text: str
    type: str | None = None
    is_speaker: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact before names, times and texts are checked; `start` and `end` index the sentence's text."""

    subject: Name
    predicate: str
    target: Name
    start: int
    end: int
    text: str | None = None
    polarity: bool = True
    event: Event = "assert"
    valid_at: ValidTime | None = None
    invalid_at: ValidTime | None = None
    correction: bool = False
    cardinality: Literal["one", "many"] | None = None
    category: str | None = None
    importance: float | None = None
    confidence: float = 0.5
    candidate: bool = False

    def but(self, **changes: Any) -> Draft:
        """A copy with some values changed."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Loose:
    """A statement of which only what is known can tell the relation: the end of a thing named, or its new value."""

    draft: Draft
    relations: tuple[str, ...]
    """What it may state, the likeliest first; `ends` for an end."""
    way: str
    """`told`, or in which way something is over: see `ingest/endings.py`."""


class Read(NamedTuple):
    """What rules made of a sentence, and what they leave open."""

    drafts: list[Draft]
    asks: list[Ask]
    loose: list[Loose]


@dataclass(slots=True)
class Context:
    """What earlier sentences of one turn leave behind for pronouns and dropped subjects."""

    speaker: str
    reference: datetime
    person: Name | None = None
    thing: Name | None = None
    theme: Name | None = None
    """The thing that was the subject last; "it" as a subject means this one."""
    changed: tuple[Name, str] | None = None
    renewed: tuple[Name, str] | None = None
    """Whose property changed last, and which: "it is now …" tells its new value. In Japanese what was denied is in
    `changed`, and what has changed in `renewed`."""
    gone: Name | None = None
    """A number or an address that is out of use; whose it was may follow."""
    topic: Name | None = None
    correction: bool = False

    @property
    def me(self) -> Name:
        """The first person of the turn."""
        return Name(self.speaker, "person", is_speaker=True)

    def meet(self, name: Name) -> None:
        """Remember a name for the pronouns that may follow."""
        if name.is_speaker:
            return
        if name.type == "person":
            self.person = name
        else:
            self.thing = name
