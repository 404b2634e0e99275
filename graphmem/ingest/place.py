"""Place: what a sentence states whose words no rule knows, told by what is known of whom it is about.

An extractor gives such a sentence as guesses. A guess counts where its subject has a value in that very relation, so
that the sentence tells a new one: by its words (a cue of change), by naming the value it replaces, or because no other
guess comes close. A sentence that names a known value and seems to tell of its end ends it. What nothing known speaks
for stays as it was read, and ends nothing. What comes of it are statements like others: settled by time and trust, with
a reason, and undoable.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..models.ids import actor_identity, name_key
from ..models.names import entity_key, read_name
from ..ports import EntityMention, Guess
from ..store.driver import Database
from .draft import Draft
from .job import Job
from .predicates import read_predicate

_MOST = 40
"""Facts of one subject that are looked at, the newest first."""
_CLOSE, _BEST = 0.5, 0.08
"""How far a guess may be behind the best where the words tell of a change, and where they do not."""
_ALIKE = {"office": ("office", "location"), "location": ("location", "office")}
"""Relations of which one sentence tells as well as another: where somebody sits."""
_OWNED = re.compile(r"(?P<owner>.+?)(?:['’]s\s|の)(?=.)")
_ENDS = "ends"
_UNSURE = 0.6
"""Confidence below which a reading of the same sentence gives way."""
_GUESSED_END = 0.75
"""Confidence up to which an end is looked for under another relation than the one read."""
_CHANGE = re.compile(
    r"\b(?:now|nowadays|these days|no longer|any ?more|instead|from now on|as of|since|starting|new|after the|after a"
    r"|this (?:year|season|week|month)|switch|swap|mov|chang|becom|became|turn|replac|upgrad|downgrad|transfer|trad"
    r"|taken? over|took over|hand|rais|went|gone|put|promot|bump|shift|relocat)\w*"
    r"|\b(?:has|have) (?:been )?\w+|\b(?:up|over|back|down) to\b"
    r"|今は|今では|今や|今、|現在|今後|から|最近|変わ|変え|変更|替|換|代わ|代え|交代|移|切り替|乗り|新し|なった|なり|転"
    r"|異動|配|上げ|上が|下げ|下が|延び|延期|始め|ようにな|引き継|買い|格上|格下|機種",
    re.IGNORECASE,
)
"""Words that tell of a change; they decide nothing by themselves."""


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """A sentence that no rule can place, as a draft, and what it may state."""

    draft: Draft
    guesses: tuple[Guess, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    sense: str
    name: str
    keys: frozenset[str]
    one: bool


async def place(
    database: Database,
    job: Job,
    drafts: Sequence[Draft],
    opened: Sequence[OpenDraft],
    actor: frozenset[str],
) -> tuple[Draft, ...]:
    """The drafts in the order of the text, with those that what is known makes of open sentences."""
    if not opened and not any(d.retracts for d in drafts):
        return tuple(drafts)
    actor_keys = frozenset(key(name) for name in actor for key in (name_key, entity_key))
    book = _Book(actor_keys)
    mentions = [d.subject for d in drafts if isinstance(d.subject, EntityMention)]
    mentions += [guess.subject for one in opened for guess in one.guesses]
    keys = {book.key(one) for mention in mentions for one in (mention, *_owner(mention))}
    rows = await database.run(
        "ingest/known_values",
        {
            "owner_key": job.owner_key,
            "actor_identity": actor_identity(job.owner_key),
            "subjects": [{"key": key, "is_actor": key == _ACTOR} for key in sorted(keys)],
            "most": _MOST,
        },
    )
    book.read(rows)
    return tuple(_walk(drafts, opened, book, {e.id: i for i, e in enumerate(job.episodes)}))


_ACTOR = ""
"""The key under which the owner is looked up."""


class _Book:
    """What is known of subjects, and what the job has said so far."""

    def __init__(self, actor: frozenset[str]) -> None:
        self._actor = actor
        self._known: dict[str, list[_Known]] = defaultdict(list)

    def key(self, mention: EntityMention) -> str:
        """How a mention is looked up."""
        written = read_name(mention.name, mention.context)
        return _ACTOR if mention.is_speaker or written.key in self._actor else written.key

    def read(self, rows: Iterable[dict[str, Any]]) -> None:
        """Take in what the graph knows."""
        for row in rows:
            if row["object"]:
                keys = frozenset([*row["object_keys"], name_key(row["object"])])
                self._known[row["key"]].append(_Known(row["sense"], row["object"], keys, row["cardinality"] == "one"))

    def note(self, draft: Draft) -> None:
        """Take in a draft of the job."""
        if not isinstance(draft.subject, EntityMention) or not isinstance(draft.object, EntityMention):
            return
        sense, known = draft.predicate.sense, self._known[self.key(draft.subject)]
        value = self._value(draft)
        if draft.retracts:
            known[:] = [k for k in known if not (k.sense == sense and k.keys & value.keys)]
        elif draft.affirms:
            known[:] = [k for k in known if k.sense != sense or not value.one] + [value]

    def _value(self, draft: Draft) -> _Known:
        assert isinstance(draft.object, EntityMention)  # noqa: S101  of `note`
        name = draft.object.name
        one = (draft.predicate.cardinality or draft.cardinality or draft.predicate.guess) == "one"
        return _Known(draft.predicate.sense, name, keys_of(name), one)

    def of(self, mention: EntityMention) -> list[_Known]:
        """What is known of a subject."""
        return self._known[self.key(mention)]


def keys_of(name: str) -> frozenset[str]:
    """How a value is compared with known ones."""
    return frozenset((name_key(name), entity_key(name)))


def _walk(drafts: Sequence[Draft], opened: Sequence[OpenDraft], book: _Book, order: dict[str, int]) -> Iterable[Draft]:
    steps: list[tuple[tuple[int, int], int, Draft | OpenDraft]] = [(_place(d, order), 0, d) for d in drafts]
    steps += [(_place(o.draft, order), -1, o) for o in opened]
    taken: set[tuple[int, int]] = set()
    said: list[tuple[tuple[int, int], Draft]] = []
    for at, _, step in sorted(steps, key=lambda s: (s[0], s[1])):
        while said and said[0][0] != at:  # what one sentence says is not known to itself: "I sold the bicycle"
            book.note(said.pop(0)[1])
        if isinstance(step, OpenDraft):
            made = _decided(step, book)
            if made is None:
                continue
            taken.add(at)
            draft = made
        elif at in taken and step.confidence < _UNSURE:
            continue
        else:
            draft = _known_end(step, book)
        said.append((at, draft))
        yield draft


def _place(draft: Draft, order: dict[str, int]) -> tuple[int, int]:
    return order.get(draft.episodes[0].id, 0), draft.start or 0


def _decided(opened: OpenDraft, book: _Book) -> Draft | None:
    """What the sentence states, with what is known; None where nothing known speaks for a guess."""
    words = opened.draft.quote or opened.draft.text
    changes = _CHANGE.search(words) is not None
    for guess in opened.guesses:
        known = [k for k in book.of(guess.subject) if k.one or guess.relation == _ENDS]
        if guess.relation == _ENDS:
            if ended := next(
                (k for k in known if guess.behind <= _CLOSE and k.keys & keys_of(guess.object.name)), None
            ):
                return _said(opened.draft, guess, ended.sense, ends=True)
            continue
        sense = read_predicate(guess.relation).sense
        senses = _ALIKE.get(sense, (sense,))
        old = next((k for k in known if k.sense in senses), None)
        if old is None:
            continue
        named = name_key(old.name) in name_key(words) and not old.keys & keys_of(guess.object.name)
        if old.name == guess.object.name and guess.behind > _BEST:
            continue
        if named or guess.behind <= (_CLOSE if changes else _BEST):
            return _said(opened.draft, guess, old.sense, ends=False)
    return _swapped(opened, book, words) if changes else None


def _swapped(opened: OpenDraft, book: _Book, words: str) -> Draft | None:
    """ "has swapped Mombasa for Kisumu": what stands beside a known value is the new one."""
    folded = name_key(words)
    for guess in opened.guesses:
        value = name_key(guess.object.name)
        for known in book.of(guess.subject):
            old = name_key(known.name)
            other = old not in value and value not in old and _numbered(old) == _numbered(value)
            if known.one and old in folded and other and guess.relation != _ENDS:
                return _said(opened.draft, guess, known.sense, ends=False)
    return None


def _numbered(value: str) -> bool:
    return any(c.isdigit() for c in value)


def _said(draft: Draft, guess: Guess, relation: str, *, ends: bool) -> Draft:
    return replace(
        draft,
        subject=guess.subject,
        predicate=read_predicate(relation),
        object=guess.object,
        event="retract" if ends else "assert",
        cardinality=None if ends else "one",
    )


def _known_end(draft: Draft, book: _Book) -> Draft:
    """An end under the relation in which its value is known, where the one that was read has no such value."""
    if not draft.retracts or draft.confidence > _GUESSED_END or not isinstance(draft.subject, EntityMention):
        return draft
    if not isinstance(draft.object, EntityMention):
        return draft
    for subject in (draft.subject, *_owner(draft.subject)):
        known = [k for k in book.of(subject) if k.keys & keys_of(draft.object.name)]
        if len(known) == 1 and known[0].sense != draft.predicate.sense:
            return replace(draft, subject=subject, predicate=read_predicate(known[0].sense))
        if known:
            break
    return draft


def _owner(mention: EntityMention) -> list[EntityMention]:
    """Whose it is: what was known of Anna may end of "Anna's van"."""
    match = _OWNED.match(mention.name)
    return [EntityMention(match["owner"], "person")] if match else []
