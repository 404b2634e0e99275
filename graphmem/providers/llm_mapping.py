"""Facts as a model writes them, turned into candidates of the turns that state them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from graphmem.models.times import ValidTime, ValidTimeIn
from graphmem.ports import Candidate, EntityMention, Rejection, Turn
from graphmem.prompts.extract import Item

from .deeds import EVIDENCE_ROLES, NOT_EVIDENCE, own_deed
from .folding import fold, fold_with_origin
from .grounding import NOT_GROUNDED, ground
from .pieces import wide_count
from .polarity import has_negation

_INFERRED_BELOW = 0.4
_LONGEST_TEXT = 1_000
_NAIVE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?")
_TIME: TypeAdapter[ValidTime] = TypeAdapter(ValidTimeIn)
_FIRST_PERSON = frozenset(
    fold(word)
    for word in (
        *("I", "me", "my", "myself", "user", "the user", "speaker", "the speaker"),
        *("私", "わたし", "僕", "ぼく", "俺", "おれ", "自分", "うち", "ユーザー", "ユーザ", "話し手", "話者"),
    )
)


def candidate_of(item: Item, turns: Sequence[Turn], *, names: Sequence[str] = ()) -> Candidate | Rejection:
    """The grounded candidate of an item, or why it is refused. `names` are known besides the speakers."""
    turn = _turn_of(item, turns)
    if turn is None:
        return Rejection(turns[0].index, _shown(item, ""), NOT_GROUNDED)
    if turn.role not in EVIDENCE_ROLES:
        return Rejection(turn.index, _shown(item, turn.speaker), NOT_EVIDENCE)
    nearby = "\n".join(other.content for other in turns if other is not turn)
    speakers = [other.speaker for other in turns if other.role in EVIDENCE_ROLES]
    grounded = ground(turn.content, _candidate(item, turn), nearby=nearby, names=[*speakers, *names])
    if turn.role == "user" or isinstance(grounded, Rejection):
        return grounded
    return own_deed(grounded, turn) or Rejection(turn.index, grounded.text, NOT_EVIDENCE)


def _turn_of(item: Item, turns: Sequence[Turn]) -> Turn | None:
    """The turn the item names; when its quote (else its object) stands only in another one, that."""
    named = next((turn for turn in turns if turn.index == item.turn), None)
    if named is None and len(turns) == 1:
        named = turns[0]
    if named and not item.quote:
        return named
    sign = item.quote or item.object
    if named and fold_with_origin(named.content).find(sign):
        return named
    holding = [turn for turn in turns if fold_with_origin(turn.content).find(sign)]
    return holding[0] if len(holding) == 1 else named


def _candidate(item: Item, turn: Turn) -> Candidate:
    subject = _subject(item, turn)
    begin, end = _time(item.valid_at, turn), _time(item.invalid_at, turn)
    if begin and end and end.at <= begin.at:
        end = None
    doubtful = item.confidence < _INFERRED_BELOW
    return Candidate(
        turn=turn.index,
        text=_text(item, subject.name),
        subject=subject,
        predicate=_predicate(item.predicate),
        object=_object(item, turn, subject),
        quote=item.quote or "",
        start=0,
        end=0,
        polarity=item.polarity,
        event=item.event,
        valid_at=begin,
        invalid_at=end,
        correction=item.correction,
        cardinality=item.cardinality,
        category=item.category,
        confidence=item.confidence,
        importance=item.importance,
        learning_state="candidate" if doubtful else "stated",
    )


def _subject(item: Item, turn: Turn) -> EntityMention:
    name = fold(item.subject)
    speaker = name in _FIRST_PERSON or name == fold(turn.speaker)
    named = name in fold(turn.content)  # a flag that contradicts a name in the text is a slip of the model
    if speaker or (item.subject_is_speaker and not named):
        return EntityMention(turn.speaker, item.subject_type or "person", is_speaker=True)
    return EntityMention(item.subject, item.subject_type, firm=1 if item.subject_type else 0)


def _object(item: Item, turn: Turn, subject: EntityMention) -> EntityMention:
    name = fold(item.object)
    if not subject.is_speaker and (name in _FIRST_PERSON or name == fold(turn.speaker)):
        return EntityMention(turn.speaker, "person", is_speaker=True)
    return EntityMention(item.object, item.object_type, firm=1 if item.object_type else 0)


def _predicate(written: str) -> str:
    return re.sub(r"\s+", "_", written.strip()).lower() if written.isascii() else written


def _time(written: str | None, turn: Turn) -> ValidTime | None:
    """The time as it was written; a clock time without offset is the speaker's. None when it is no time."""
    if not written:
        return None
    if _NAIVE_TIME.fullmatch(written):
        written = written.replace(" ", "T") + turn.occurred_at.strftime("%z")
    try:
        return _TIME.validate_python(written)
    except ValidationError:
        return None


def _text(item: Item, subject: str) -> str:
    """The model's sentence when it speaks of the object, else one made from the parts or the quote.

    What has ended is told as it was while it held: a fact's text says what it states, not that it is over.
    """
    over = item.event == "retract"
    usable = item.text and len(item.text) <= _LONGEST_TEXT and fold(item.object) in fold(item.text)
    if item.text and usable and not (over and has_negation(item.text)):
        return item.text
    if over and wide_count(item.predicate):
        return f"{subject or item.subject}は{item.object}を{item.predicate}"
    plain = over or (item.polarity and not wide_count(item.predicate))
    return _shown(item, subject) if plain or not item.quote else item.quote


def _shown(item: Item, subject: str) -> str:
    return f"{subject or item.subject} {item.predicate.replace('_', ' ')} {item.object}"
