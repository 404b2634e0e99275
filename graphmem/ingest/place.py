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
from .endings import Known, alike, can_end, keys_of, mentions, named_by, shape
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
_TOLD, _INSTEAD, _AFTER = "told", "instead", "after"
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
_NOW = re.compile(
    r"\b(?:now|nowadays|by now|from now on|these days|currently|no longer|instead)\b"
    r"|今は|今では|今や|現在|今後|これから",
    re.IGNORECASE,
)
_ONE_KIND = (
    frozenset({"doctor", "dentist", "therapist", "physiotherapist", "hairdresser"}),
    frozenset({"works_at", "attends"}),
)
"""Relations that one way of telling may mean as well as another: whom one sees, where one goes."""
_BESIDE = re.compile(
    r"\b(?:also|too|as well|another|second|both|besides|in addition|either|extra|additional(?:ly)?|sometimes)\b"
    r"|も[、。]?|他に|ほかに|さらに|加えて|もう一|両方|時々|たまに",
    re.IGNORECASE,
)
"""What stands beside others takes nobody's place."""


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """A sentence that no rule can place, as a draft, and what it may state."""

    draft: Draft
    guesses: tuple[Guess, ...]


async def place(
    database: Database,
    job: Job,
    drafts: Sequence[Draft],
    opened: Sequence[OpenDraft],
    actor: frozenset[str],
) -> tuple[Draft, ...]:
    """The drafts in the order of the text, with those that what is known makes of open sentences."""
    if not opened and not any(_hangs_on_known(d) for d in drafts):
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


def _hangs_on_known(draft: Draft) -> bool:
    """Whether what is known may tell more of a draft than its own words: an end, or a value in a change."""
    if draft.retracts or any(draft.predicate.sense in kind for kind in _ONE_KIND):
        return True
    return isinstance(draft.object, EntityMention) and _CHANGE.search(draft.quote or draft.text) is not None


_ACTOR = ""
"""The key under which the owner is looked up."""


class _Book:
    """What is known of subjects, and what the job has said so far."""

    def __init__(self, actor: frozenset[str]) -> None:
        self._actor = actor
        self._known: dict[str, list[Known]] = defaultdict(list)
        self._gone: dict[str, list[Known]] = defaultdict(list)
        self._episode = ""

    def turn_to(self, episode: str) -> None:
        """What ended in an earlier message is no longer what a new value takes the place of."""
        if episode != self._episode:
            self._episode = episode
            self._gone.clear()

    def key(self, mention: EntityMention) -> str:
        """How a mention is looked up."""
        written = read_name(mention.name, mention.context)
        return _ACTOR if mention.is_speaker or written.key in self._actor else written.key

    def read(self, rows: Iterable[dict[str, Any]]) -> None:
        """Take in what the graph knows."""
        for row in rows:
            if row["object"]:
                keys = frozenset([*row["object_keys"], name_key(row["object"])])
                self._known[row["key"]].append(Known(row["sense"], row["object"], keys, row["cardinality"] == "one"))

    def note(self, draft: Draft) -> None:
        """Take in a draft of the job."""
        if not isinstance(draft.subject, EntityMention) or not isinstance(draft.object, EntityMention):
            return
        sense, known = draft.predicate.sense, self._known[self.key(draft.subject)]
        value = self._value(draft)
        if draft.retracts:
            gone = [k for k in known if k.sense == sense and k.keys & value.keys]
            self._gone[self.key(draft.subject)] += gone
            known[:] = [k for k in known if k not in gone]
        elif draft.affirms:
            known[:] = [k for k in known if k.sense != sense or not value.one] + [value]

    def _value(self, draft: Draft) -> Known:
        assert isinstance(draft.object, EntityMention)  # noqa: S101  of `note`
        name = draft.object.name
        one = (draft.predicate.cardinality or draft.cardinality or draft.predicate.guess) == "one"
        return Known(draft.predicate.sense, name, keys_of(name), one)

    def of(self, mention: EntityMention) -> list[Known]:
        """What is known of a subject."""
        return self._known[self.key(mention)]

    def gone(self, mention: EntityMention) -> list[Known]:
        """What this message has ended of a subject."""
        return self._gone[self.key(mention)]

    def replaced(self, mention: EntityMention) -> list[Known]:
        """What is known of a subject, or was until this message ended it."""
        return [*self._known[self.key(mention)], *self._gone[self.key(mention)]]


def _walk(drafts: Sequence[Draft], opened: Sequence[OpenDraft], book: _Book, order: dict[str, int]) -> Iterable[Draft]:
    steps: list[tuple[tuple[int, int], int, Draft | OpenDraft]] = [(_place(d, order), 0, d) for d in drafts]
    steps += [(_place(o.draft, order), -1, o) for o in opened]
    taken: set[tuple[int, int]] = set()
    over: set[tuple[tuple[int, int], str, frozenset[str]]] = set()
    said: list[tuple[tuple[int, int], Draft]] = []
    for at, _, step in sorted(steps, key=lambda s: (s[0], s[1])):
        while said and said[0][0] != at:  # what one sentence says is not known to itself: "I sold the bicycle"
            book.note(said.pop(0)[1])
        book.turn_to((step.draft if isinstance(step, OpenDraft) else step).episodes[0].id)
        found: list[Draft] = []
        if isinstance(step, OpenDraft):
            found = _ended(step, book) or _instead(step, book) or _one_if(_decided(step, book))
            taken |= {at} if any(not d.retracts for d in found) else set()
        elif not (at in taken and step.confidence < _UNSURE):
            found = _renewed(_as_known(_known_end(step, book), book), book)
        for draft in found:
            mark = (at, draft.predicate.sense, keys_of(getattr(draft.object, "name", "")))
            if draft.retracts and mark in over:
                continue
            over |= {mark} if draft.retracts else set()
            said.append((at, draft))
            yield draft


def _place(draft: Draft, order: dict[str, int]) -> tuple[int, int]:
    return order.get(draft.episodes[0].id, 0), draft.start or 0


def _ended(opened: OpenDraft, book: _Book) -> list[Draft]:
    """The ends of what a rule says is over, under whatever relations it is known."""
    found: list[Draft] = []
    for guess in opened.guesses:
        if guess.relation != _ENDS or not guess.way:
            continue
        for subject in (guess.subject, *_owner(guess.subject)):
            known = [k for k in book.of(subject) if can_end(guess.way, k.sense)]
            if ended := named_by(guess.object.name, known):
                meant = [replace(guess, subject=subject, object=EntityMention(k.name)) for k in ended]
                found += [_said(opened.draft, g, k.sense, ends=True) for g, k in zip(meant, ended, strict=True)]
                break
    return found


def _one_if(draft: Draft | None) -> list[Draft]:
    return [draft] if draft else []


def _instead(opened: OpenDraft, book: _Book) -> list[Draft]:
    """What a rule says is in the place of something that the sentence names, with the end of that."""
    words = opened.draft.quote or opened.draft.text
    for guess in opened.guesses:
        if guess.way != _INSTEAD:
            continue
        for known in book.replaced(guess.subject):
            other = not named_by(guess.object.name, [known]) and _numbered(known.name) == _numbered(guess.object.name)
            if other and can_end("", known.sense) and mentions(_beside(words, guess.object.name), known):
                made = _said(opened.draft, guess, known.sense, ends=False)
                old = replace(guess, object=EntityMention(known.name))
                over = [] if known.one else [_said(opened.draft, old, known.sense, ends=True)]
                return [replace(made, cardinality="one" if known.one else None), *over]
    return []


def _decided(opened: OpenDraft, book: _Book) -> Draft | None:
    """What the sentence states, with what is known; None where nothing known speaks for a guess."""
    words = opened.draft.quote or opened.draft.text
    changes = _CHANGE.search(words) is not None
    for guess in opened.guesses:
        known = [k for k in book.replaced(guess.subject) if k.one or guess.relation == _ENDS or guess.way == _TOLD]
        if guess.way == _AFTER:
            known = book.gone(guess.subject)
        if guess.relation == _ENDS:
            named = keys_of(guess.object.name)
            if not guess.way and guess.behind <= _CLOSE and (old := next((k for k in known if k.keys & named), None)):
                return _said(opened.draft, guess, old.sense, ends=True)
            continue
        if guess.way != _INSTEAD and (old := _old_value(guess, known, words, changes=changes)):
            return _said(opened.draft, guess, old.sense, ends=False)
    return _swapped(opened, book, words) if changes else None


def _old_value(guess: Guess, known: Sequence[Known], words: str, *, changes: bool) -> Known | None:
    """The known value in whose place a guess puts another; None where too little speaks for it."""
    sense = read_predicate(guess.relation).sense
    old = next((k for k in known if k.sense in _ALIKE.get(sense, (sense,))), None)
    if old is None or (old.name == guess.object.name and guess.behind > _BEST):
        return None
    if old.name != guess.object.name and named_by(guess.object.name, [old]):
        return None  # another name of what is known
    named = mentions(_beside(words, guess.object.name), old) and not old.keys & keys_of(guess.object.name)
    near = guess.way in (_TOLD, _AFTER) or guess.behind <= (_CLOSE if changes else _BEST)
    return old if named or near else None


def _swapped(opened: OpenDraft, book: _Book, words: str) -> Draft | None:
    """ "has swapped Mombasa for Kisumu": what stands beside a known value is the new one."""
    for guess in opened.guesses:
        value = name_key(guess.object.name)
        for known in book.replaced(guess.subject):
            old = name_key(known.name)
            other = old not in value and value not in old and _numbered(old) == _numbered(value)
            by_likeness = known.one and guess.relation != _ENDS and not guess.way
            if by_likeness and other and mentions(_beside(words, guess.object.name), known):
                return _said(opened.draft, guess, known.sense, ends=False)
    return None


def _beside(words: str, value: str) -> str:
    """A sentence without the new value: Michigan Stadium does not name the University of Michigan."""
    return words.replace(value, " ")


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


def _redirects(draft: Draft) -> bool:
    """Whether an end may be one of another relation: "left the choir" of a job, but not "no longer eats at Acme"."""
    return draft.predicate.cardinality is not None or draft.predicate.sense in ("does", "has")


def _known_end(draft: Draft, book: _Book) -> Draft:
    """An end under the relation and the name in which its value is known, where what was read is not known so."""
    if not draft.retracts or not isinstance(draft.subject, EntityMention):
        return draft
    if not isinstance(draft.object, EntityMention):
        return draft
    for subject in (draft.subject, *_owner(draft.subject)):
        own = [k for k in book.of(subject) if k.sense == draft.predicate.sense]
        rest = [k for k in book.of(subject) if can_end("", k.sense)] if _redirects(draft) else []
        known = named_by(draft.object.name, own) or named_by(draft.object.name, rest)
        if len(known) == 1:
            same = known[0].keys & keys_of(draft.object.name)
            meant = draft.object if same else EntityMention(known[0].name)
            return replace(draft, subject=subject, predicate=read_predicate(known[0].sense), object=meant)
        if known:
            break
    return draft


def _as_known(draft: Draft, book: _Book) -> Draft:
    """A new value under the relation of the known one that it is like: "I've been seeing Dr Patel" of a dentist."""
    if draft.retracts or not draft.affirms or not isinstance(draft.subject, EntityMention):
        return draft
    kind = next((k for k in _ONE_KIND if draft.predicate.sense in k), None)
    if kind is None or not isinstance(draft.object, EntityMention):
        return draft
    known = [k for k in book.replaced(draft.subject) if k.sense in kind]
    if not known or any(k.sense == draft.predicate.sense for k in known):
        return draft
    words = draft.quote or draft.text
    value = draft.object.name
    old = next((k for k in known if mentions(_beside(words, value), k) or alike(k.name, value)), None)
    if old is None:
        return draft
    return replace(draft, predicate=read_predicate(old.sense), text=words)  # its own words told of the other relation


_STOPS = re.compile(r"\b(?:end|finish|clos|until|till|over)|終|閉|まで", re.IGNORECASE)
"""When something ends is no new time at which it begins."""
_PLAIN = frozenset({"is", "has_quality", "location", "lives_in"})


def _renewed(draft: Draft, book: _Book) -> list[Draft]:
    """A measured value under the relation in which the subject has another of that shape, in whose place it stands:
    a price for a price, a room for a room, also where each is told by another verb."""
    plain = [draft]
    if draft.retracts or not draft.affirms or draft.correction or not isinstance(draft.subject, EntityMention):
        return plain
    words = draft.quote or draft.text
    if not isinstance(draft.object, EntityMention) or _BESIDE.search(words) or not _CHANGE.search(words):
        return plain
    sense, value = draft.predicate.sense, draft.object.name
    if draft.predicate.cardinality == "one" and sense not in _PLAIN:
        return plain
    same = [k for k in book.of(draft.subject) if k.sense == sense]
    looks = shape(value)
    if looks and sense not in _PLAIN and not any(k.sense == sense for k in book.of(draft.subject)):
        measured = _NOW.search(words) and looks not in ("money", "phone", "mail") and not _STOPS.search(words)
        if not measured or sense in ("has", "does"):
            return plain
    if looks:
        alike_ones = [k for k in book.of(draft.subject) if shape(k.name) == looks and k.name != value]
    else:
        alike_ones = [k for k in same if not k.one and _NOW.search(words) and alike(k.name, value) and k.name != value]
    if len(alike_ones) != 1:
        return plain
    (old,) = alike_ones
    if old.one and old.sense == sense:
        return plain
    made = replace(draft, predicate=read_predicate(old.sense), cardinality="one" if old.one else draft.cardinality)
    over = replace(made, object=EntityMention(old.name), event="retract", cardinality=None)
    return [made] if old.one else [made, over]


def _owner(mention: EntityMention) -> list[EntityMention]:
    """Whose it is: what was known of Anna may end of "Anna's van"."""
    match = _OWNED.match(mention.name) if mention.type != "person" else None  # what her brother gave up, he did
    return [EntityMention(match["owner"], "person")] if match else []
