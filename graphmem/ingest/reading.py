"""Reading: what is known of a document beside its words, and what it makes of the names in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ..models.ids import hash_key
from ..models.names import is_owner_word, is_pronoun, read_name
from ..models.times import Precision
from ..ports import EntityMention
from .draft import LONGEST_NAME, Draft, is_literal, naming_draft
from .job import EpisodeRow, Job
from .markdown_plain import Link

if TYPE_CHECKING:
    from .extract import Drafted

_LONGEST_SHORT_FORM = 60


@dataclass(frozen=True, slots=True)
class Reading:
    """Title, other names, links and date of a document; `date` is None where it has none of its own."""

    title: str | None = None
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    date: datetime | None = None
    precision: Precision = "instant"

    def dump(self) -> str:
        """The reading as text; `load` is the inverse."""
        return json.dumps(asdict(self) | {"date": self.date.isoformat() if self.date else None}, ensure_ascii=False)

    @classmethod
    def load(cls, text: str) -> Reading:
        """The reading that `dump` wrote."""
        data = json.loads(text)
        return cls(
            title=data["title"],
            aliases=tuple(data["aliases"]),
            links=tuple(Link(**link) for link in data["links"]),
            date=datetime.fromisoformat(data["date"]) if data["date"] else None,
            precision=data["precision"],
        )

    def digest(self, content_hash: str) -> str:
        """What makes two versions of a document one: the same words, names, links and date."""
        return hash_key(content_hash, self.dump())

    def read(self, drafts: Sequence[Draft], episode: EpisodeRow) -> tuple[Draft, ...]:
        """The drafts with the targets of links in the place of their words, and what the names are that follow."""
        found = [self._meant(draft, episode.content) for draft in drafts]
        names = [(self.title, alias) for alias in self.aliases if self.title is not None]
        names += [pair for _, pairs in found for pair in pairs]
        stated = dict.fromkeys((title, other) for title, other in names if title is not None)
        return (
            *(draft for draft, _ in found),
            *(naming_draft((episode,), EntityMention(name), other) for name, other in stated if _differ(name, other)),
        )

    def _meant(self, draft: Draft, content: str) -> tuple[Draft, list[tuple[str, str]]]:
        """The draft, and each target with the shorter form of its name that stands in the text."""
        changes: dict[str, EntityMention] = {}
        names: list[tuple[str, str]] = []
        for field, mention in (("subject", draft.subject), ("object", draft.object)):
            if isinstance(mention, EntityMention) and (target := self._target(mention, draft, content)):
                written = read_name(mention.name)
                kind = mention.type or ("person" if written.honorific else None)
                changes[field] = replace(mention, name=target, type=kind)
                name = written.key if written.honorific else written.base
                if is_short_form(name, target):
                    names.append((target, name))
        return replace(draft, **changes) if changes else draft, names  # type: ignore[arg-type]

    def _target(self, mention: EntityMention, draft: Draft, content: str) -> str | None:
        """What the mention means by a link: one in the same sentence, else the only one that shows these words."""
        if mention.is_speaker or is_literal(mention.name):
            return None
        key = read_name(mention.name).key
        shown = [link for link in self.links if read_name(content[link.start : link.end]).key == key]
        targets = {link.target for link in [x for x in shown if _within(x, draft)] or shown}
        return targets.pop() if len(targets) == 1 else None


def as_read(drafted: Drafted, job: Job) -> Drafted:
    """What was extracted from a document, with its names as its links and its head say."""
    if job.reading is None:
        return drafted
    return replace(drafted, drafts=Reading.load(job.reading).read(drafted.drafts, job.episodes[0]))


def is_undated(job: Job) -> bool:
    """Whether it is of a document without a date of its own: the time of its import says nothing of its facts."""
    return job.reading is not None and Reading.load(job.reading).date is None


def _differ(name: str, other: str) -> bool:
    """Whether it is another name, and one that somebody can have: not a pronoun, not what everybody is called."""
    if is_pronoun(other) or is_owner_word(other) or len(other) > LONGEST_NAME:
        return False
    return read_name(other).key not in ("", read_name(name).key)


def is_short_form(name: str, full: str) -> bool:
    """Whether a name is a shorter form of another one (Freya, IBM, 山田), and so a name of it elsewhere too."""
    short, long = name.casefold().split(), full.casefold().split()
    if not name or len(name) > _LONGEST_SHORT_FORM or not any(c.isalpha() for c in name) or name[0].islower():
        return False
    if len(long) == 1 and len(short) == 1:
        return not name.isascii() and long[0].startswith(short[0]) and len(name) > 1
    initials = "".join(word[0] for word in long)
    return _part_of(short, long) or "".join(short).replace(".", "") == initials


def _part_of(short: Sequence[str], long: Sequence[str]) -> bool:
    return len(short) < len(long) and any(
        list(short) == list(long[at : at + len(short)]) for at in range(len(long) - len(short) + 1)
    )


def _within(link: Link, draft: Draft) -> bool:
    return draft.start is not None and draft.end is not None and draft.start <= link.start and link.end <= draft.end
