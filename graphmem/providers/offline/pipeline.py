"""From turns to checked candidates: sentences, parsers, names, spans."""

from __future__ import annotations

import itertools
import logging
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

from graphmem.ports import Candidate, EntityMention, Extracted, Guess, Open, Rejection, Turn

from ..deeds import EVIDENCE_ROLES, is_deed, own_deed
from . import english, japanese
from .commands import Command, obey, read_command
from .draft import Context, Draft, Loose, Name, Read
from .english_prepare import better, is_mistake, prepare, stand_in
from .lexicon import lexicon
from .sentences import MAX_TOKEN, Sentence, split
from .wordings import ENDS, Encoder, Reading
from .wordings.asking import GUESSED, Ask, guessed, placed, readings_of

log = logging.getLogger(__name__)

MAX_NAME = 200
"""Characters of a name; longer ones are refused as `name_too_long`."""
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LONG = re.compile(rf"\S{{{MAX_TOKEN + 1},}}")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, what it states, and the command that the statement came in."""

    sentence: Sentence
    stated: Sentence
    command: Command | None


@dataclass(frozen=True, slots=True)
class Found:
    """What rules made of a sentence, and the values that they could not place."""

    told: Told
    drafts: list[Draft]
    asks: list[Ask]
    loose: list[Loose]


class Pipeline:
    """The work of one extractor; safe to use from several threads."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._english = english.English()
        self._japanese = japanese.Japanese()

    def run(self, turns: Sequence[Turn], known: frozenset[str]) -> Extracted:
        """Candidates and refusals of the turns; `known` is not needed by the rules."""
        spoken = [(turn, _heard(turn)) for turn in turns if turn.role in EVIDENCE_ROLES]
        parses = self._parse([t.stated for _, told in spoken for t in told if t.stated.language == "en"])
        candidates: list[Candidate] = []
        rejected: list[Rejection] = []
        warnings: list[str] = []
        read = [
            (turn, _without_ended(one)) for turn, told in spoken for one in self._read_all(turn, told, parses, warnings)
        ]
        readings = iter(readings_of([ask for _, one in read for ask in one.asks], self._encoder))
        opened: list[Open] = []
        for turn, one in read:
            answers = list(itertools.islice(readings, len(one.asks)))
            drafts = placed(one.drafts, one.asks, answers)
            unsure = one.asks and drafts == one.drafts and turn.role == "user" and one.told.command is None
            if unsure and (left := _open(one, answers, turn)):
                opened.append(left)
            if turn.role == "user" and one.told.command is None:
                opened += [left for loose in one.loose if (left := _loose(loose, one.told.sentence, turn))]
            for draft, sentence in _obeyed(one.told, drafts):
                outcome = _check(draft, sentence, turn) if draft else _unmatched(sentence, turn)
                if isinstance(outcome, Candidate):
                    own = outcome if turn.role == "user" else own_deed(outcome, turn)
                    candidates += [own] if own else []
                else:
                    rejected.append(outcome)
        return Extracted(
            "offline", _unique(candidates), tuple(dict.fromkeys(rejected)), warnings=tuple(warnings), open=tuple(opened)
        )

    def _parse(self, sentences: Sequence[Sentence]) -> dict[str, Any]:
        """Each different text is parsed once; names that hide the verb are tried again as "He"."""
        texts = dict.fromkeys(p.sentence.text for s in sentences if (p := prepare(s)))
        docs = dict(zip(texts, self._english.parse(list(texts)), strict=True)) if texts else {}
        again = {text: other.text for text in texts if (other := stand_in(_plain(text)))}
        second = dict(zip(again, self._english.parse(list(again.values())), strict=True)) if again else {}
        return {**docs, **{text: doc for text, doc in second.items() if better(docs[text], doc)}}

    def _read_all(
        self, turn: Turn, sentences: Sequence[Told], parses: dict[str, Any], warnings: list[str]
    ) -> Iterator[Found]:
        """What rules find in each sentence, and what they leave open."""
        reference = turn.occurred_at if turn.occurred_at.tzinfo else turn.occurred_at.replace(tzinfo=UTC)
        context = Context(turn.speaker, reference)
        for told in sentences:
            try:
                read = self._read(told.stated, turn, context, parses)
                yield Found(told, read.drafts, read.asks, read.loose)
            except Exception as error:  # rules meet text nobody foresaw: one sentence must not cost the others
                warnings.append(f"a sentence of message {turn.index} could not be read: {type(error).__name__}")
                log.warning(warnings[-1], exc_info=log.isEnabledFor(logging.DEBUG))

    def _read(self, sentence: Sentence, turn: Turn, context: Context, parses: dict[str, Any]) -> Read:
        if not sentence.text.strip():
            return Read([], [], [])
        if sentence.language == "en":
            return _read_english(sentence, turn, context, parses)
        return self._japanese.read(sentence, turn.content, context)


def _obeyed(told: Told, drafts: list[Draft]) -> Iterator[tuple[Draft | None, Sentence]]:
    """Each draft with its sentence; None where a command to forget names nothing that the rules can read."""
    if told.command:
        drafts = obey(told.command, drafts)
    yield from ((draft, told.sentence) for draft in drafts)
    if told.command and told.command.kind == "forget" and not drafts:
        yield None, told.sentence


def _open(found: Found, readings: Sequence[Reading], turn: Turn) -> Open | None:
    """The sentence as a question to what is known, where the model is not sure of it by itself."""
    guesses = []
    template = None
    for draft, relation, behind in guessed(found.asks, readings):
        made = _check(draft.but(predicate=relation), found.told.sentence, turn)
        if isinstance(made, Candidate):
            template = template or replace(made, confidence=GUESSED, cardinality="one")
            guesses.append(Guess(made.subject, relation, made.object, behind))
    return Open(template, tuple(guesses)) if template else None


def _without_ended(found: Found) -> Found:
    """What a sentence says is over is not asked about as if it were new."""
    over = {loose.draft.target.text for loose in found.loose if loose.relations == (ENDS,)}
    return replace(found, asks=[ask for ask in found.asks if ask.question.value not in over]) if over else found


def _loose(loose: Loose, sentence: Sentence, turn: Turn) -> Open | None:
    """A statement whose relation what is known may tell; one that is only somebody's guess is left out."""
    made = _check(loose.draft, sentence, turn) if not loose.draft.candidate else None
    if not isinstance(made, Candidate):
        return None
    ends = loose.relations == (ENDS,)
    template = replace(made, confidence=GUESSED, cardinality=None if ends else "one")
    guesses = (Guess(made.subject, relation, made.object, 0.0, loose.way) for relation in loose.relations)
    return Open(template, tuple(guesses))


def _heard(turn: Turn) -> list[Told]:
    """The sentences that count: a user's, who may command, and of an assistant's those that tell what it does."""
    sentences = split(turn.content)
    if turn.role == "user":
        return [_told(s) for s in sentences]
    return [Told(s, s, None) for s in sentences if is_deed(s.words(turn.content, 0, len(s.text)))]


def _told(sentence: Sentence) -> Told:
    command = read_command(sentence)
    return Told(sentence, command.rest if command else sentence, command)


def _unmatched(sentence: Sentence, turn: Turn) -> Rejection:
    """A command to forget that names nothing the rules can find is told to the caller, not guessed at."""
    return Rejection(turn.index, turn.content[sentence.starts[0] : sentence.stops[-1]][:200], "forget_unclear")


def _plain(text: str) -> Sentence:
    return Sentence(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)), "en")


def _read_english(sentence: Sentence, turn: Turn, context: Context, parses: dict[str, Any]) -> Read:
    if is_mistake(sentence.text):
        context.correction = True
    prepared = prepare(sentence)
    if prepared is None:
        return Read([], [], [])
    drafts, asks, loose = english.read(parses[prepared.sentence.text], prepared, turn.content, context)
    if prepared.corrects or context.correction:
        drafts = [d.but(correction=_may_correct(d)) for d in drafts]
        asks = [replace(ask, draft=ask.draft.but(correction=_may_correct(ask.draft))) for ask in asks]
    return Read(drafts, asks, loose)


def _may_correct(draft: Draft) -> bool:
    """A change that happened is not a correction of what was said."""
    return draft.event == "assert" and draft.predicate not in ("plans_to", "wants_to", "wants")


def _check(draft: Draft, sentence: Sentence, turn: Turn) -> Candidate | Rejection:
    start, end = sentence.starts[0], sentence.stops[-1]
    for name in (draft.subject, draft.target):
        if reason := _bad_name(name):
            return Rejection(turn.index, turn.content[start:end][:200], reason)
    entry = lexicon().predicate(draft.predicate)
    category = draft.category or entry.category
    importance = lexicon().importance(draft.predicate, draft.category) if draft.importance is None else draft.importance
    return Candidate(
        turn=turn.index,
        text=_clean(draft.text or sentence.words(turn.content, 0, len(sentence.text))),
        subject=_mention(draft.subject),
        predicate=draft.predicate,
        object=_mention(draft.target),
        quote=turn.content[start:end],
        start=start,
        end=end,
        polarity=draft.polarity,
        event=draft.event,
        valid_at=draft.valid_at,
        invalid_at=draft.invalid_at,
        correction=draft.correction,
        cardinality=draft.cardinality or entry.cardinality,
        category=category,
        confidence=round(min(0.95, max(0.1, draft.confidence - (0.2 if draft.candidate else 0.0))), 2),
        importance=importance,
        learning_state="candidate" if draft.candidate else "stated",
    )


def _bad_name(name: Name) -> str | None:
    text = name.text
    if len(text) > MAX_NAME or _LONG.search(text):
        return "name_too_long"
    if any(unicodedata.category(c) in _CONTROL for c in text):
        return "control_character"
    if not text.strip() or (text.casefold() in lexicon().lists["pronouns"] and not name.is_speaker):
        return "no_name"
    return None


_STOP = re.compile(r"(?<=\b[A-Z])\.$|[,;:]+$")


def _mention(name: Name) -> EntityMention:
    return EntityMention(_STOP.sub("", name.text), name.type, name.is_speaker, name.aliases)


def _clean(text: str) -> str:
    """No control characters, one blank between words."""
    return re.sub(r"\s+", " ", "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)).strip()


def _unique(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The first of candidates that say the same of one turn."""
    seen: dict[tuple[object, ...], Candidate] = {}
    for c in candidates:
        key = (c.turn, c.subject.name, c.predicate, c.object.name, c.polarity, c.event, c.valid_at and c.valid_at.at)
        seen.setdefault(key, c)
    return tuple(seen.values())
