"""A draft: one statement on its way from an extractor or a caller to the graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ..models.episode import EntityIn, EntityRef, FactIn
from ..models.ids import name_key
from ..models.names import NAMING_SENSES, TEXT_SENSES, is_owner_word, read_name
from ..models.times import ValidTime
from ..ports import Candidate, EntityMention
from .job import EpisodeRow
from .match import Match
from .predicates import Predicate, read_predicate

TRUST = {"candidate": 0, "reported": 1, "stated": 2, "confirmed": 2}
"""Rule 4: a statement of less trust never retires one of more."""
REPORTED_SOURCES = frozenset({"document", "import", "file", "web", "email", "quote"})
"""Kinds of source that report: what they say is not the owner's own word."""

_MEASURED = re.compile(
    r"^[\s$€£¥+\-(]*\d[\d\s.,:/\-–()]*\s*(?:[%°a-zμ円年月日時分秒歳個本台人回枚kgmcl¥€$ 万億千]{0,12})?$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"^(?:https?://\S+|\S+@\S+\.\S+)$")
LONGEST_NAME = 200
"""Characters; what is longer is text, and no name."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One statement, grounded in one or more episodes."""

    episodes: tuple[EpisodeRow, ...]
    subject: EntityMention | EntityRef
    predicate: Predicate
    object: EntityMention | EntityRef
    text: str
    extractor: str
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    polarity: bool = True
    event: Literal["assert", "retract"] = "assert"
    valid_at: ValidTime | None = None
    invalid_at: ValidTime | None = None
    correction: bool = False
    cardinality: Literal["one", "many"] | None = None
    category: str | None = None
    confidence: float = 0.7
    importance: float = 0.5
    learning_state: Literal["candidate", "stated", "confirmed"] = "stated"
    expires_at: datetime | None = None
    quoted: bool = False
    """Whether it comes from a text that orders its reader about."""
    passage_key: str | None = None
    """The passage in which it stands; see `graphmem/ingest/passages.py`."""
    match: Match | None = None
    """The known fact that it repeats or contradicts in other words."""

    @property
    def retracts(self) -> bool:
        """Whether it ends a fact instead of stating one."""
        return self.event == "retract" or self.predicate.ended

    @property
    def affirms(self) -> bool:
        """Its polarity, with a negative relation name counted in."""
        return self.polarity is not self.predicate.denied

    @property
    def literal(self) -> str | None:
        """The object's text when it is a value (a number, a date, a name as such), not a thing with a name."""
        if isinstance(self.object, EntityRef):
            return None
        texts = self.names or self.predicate.sense in TEXT_SENSES
        return self.object.name if texts or is_literal(self.object.name) else None

    @property
    def names(self) -> bool:
        """Whether it gives the subject another name."""
        return self.predicate.sense in NAMING_SENSES

    def trust(self, episode: EpisodeRow) -> int:
        """How much the statement weighs against others."""
        if self.learning_state != "stated":
            return TRUST[self.learning_state]
        own_word = episode.role == "user" and episode.source_type.casefold() not in REPORTED_SOURCES
        return TRUST["stated" if own_word else "reported"]

    def said_at(self, episode: EpisodeRow) -> datetime:
        """When it was said."""
        return episode.occurred_at


def naming_draft(episodes: tuple[EpisodeRow, ...], mention: EntityMention, other: str) -> Draft:
    """The statement that a name has another one."""
    return Draft(
        episodes=episodes,
        subject=mention,
        predicate=read_predicate("alias"),
        object=EntityMention(other),
        text=naming_text(mention, other),
        extractor="none",
    )


def naming_text(mention: EntityMention, other: str) -> str:
    """A sentence that says so, in the script of the name."""
    base = read_name(mention.name).base
    return f"{base} alias {other}" if base.isascii() else f"{base}の別名は{other}"


def is_literal(name: str) -> bool:
    """Whether the words are a value rather than the name of a thing."""
    folded = name_key(name)
    return len(name) > LONGEST_NAME or bool(_MEASURED.match(folded) or _ADDRESS.match(folded))


def draft_of_candidate(candidate: Candidate, episode: EpisodeRow, extractor: str) -> Draft:
    """An extractor's candidate as a draft."""
    predicate = read_predicate(candidate.predicate)
    return Draft(
        episodes=(episode,),
        subject=candidate.subject,
        predicate=predicate,
        object=candidate.object,
        text=candidate.text,
        extractor=extractor,
        quote=episode.content[candidate.start : candidate.end],
        start=candidate.start,
        end=candidate.end,
        polarity=candidate.polarity,
        event=candidate.event,
        valid_at=candidate.valid_at,
        invalid_at=candidate.invalid_at,
        correction=candidate.correction,
        cardinality=candidate.cardinality,
        category=candidate.category,
        confidence=candidate.confidence,
        importance=candidate.importance,
        learning_state=candidate.learning_state,
    )


def draft_of_fact(fact: FactIn, episodes: Sequence[EpisodeRow], actor_name: str) -> Draft:
    """A caller's fact as a draft."""
    predicate = read_predicate(fact.predicate)
    subject, object_ = _mention(fact.subject, actor_name), _mention(fact.object, actor_name)
    return Draft(
        episodes=tuple(episodes),
        subject=subject,
        predicate=predicate,
        object=object_,
        text=fact.text or sentence(subject, predicate, object_, fact.polarity is not predicate.denied),
        extractor="none",
        polarity=fact.polarity,
        event=fact.event,
        valid_at=fact.valid_at,
        invalid_at=fact.invalid_at,
        correction=fact.correction,
        cardinality=fact.cardinality,
        category=fact.category,
        confidence=0.8 if fact.confidence is None else fact.confidence,
        importance=_importance(predicate) if fact.importance is None else fact.importance,
        expires_at=fact.expires_at,
    )


def _importance(predicate: Predicate) -> float:
    return {"constraint": 0.85, "profile": 0.7, "preference": 0.65, "relationship": 0.7}.get(
        predicate.category or "", 0.5
    )


def _mention(given: str | EntityRef | EntityIn, actor_name: str) -> EntityMention | EntityRef:
    if isinstance(given, EntityRef):
        return given
    if isinstance(given, EntityIn):
        firm = 2 if given.type else 0
        return EntityMention(given.name.strip(), given.type, context=given.context, firm=firm)
    if is_owner_word(given):
        return EntityMention(actor_name, "person", is_speaker=True)
    return EntityMention(given.strip())


_TO_BE_IN, _LIKED = ("住", "勤め", "行", "所属"), ("話せ", "好", "嫌", "苦手")


def sentence(
    subject: EntityMention | EntityRef, predicate: Predicate, object_: EntityMention | EntityRef, affirms: bool
) -> str:
    """A plain sentence made of the parts, in the script of the relation."""
    left = subject.name if isinstance(subject, EntityMention) else subject.id
    right = object_.name if isinstance(object_, EntityMention) else object_.id
    words = predicate.name.replace("_", " ")
    if not any(ord(c) > 0x3000 for c in words):
        return f"{left} {'' if affirms else 'not '}{words} {right}"
    denied = "" if affirms else "(否定)"
    if not words.endswith(("る", "た", "い", "す", "き")):
        return f"{left}の{words}は{right}{denied}"
    particle = "に" if words.startswith(_TO_BE_IN) else "が" if words.startswith(_LIKED) else "を"
    return f"{left}は{right}{particle}{words}{denied}"
