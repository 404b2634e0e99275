"""From a sentence that rules cannot place to a statement: what is asked of the model, and what comes of its answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..draft import Draft
from . import ENDS, NONE, Encoder, Question, Reading, read
from .shapes import TELLING

SURE = 0.25
"""Lead from which a relation counts. On sentences that the model was not made from, two of 69 were wrong above it, and
6 of 50 about what has no one value were given a relation."""
SURE_AT_HOME = 0.7
"""The same for what somebody tells of themselves and their things: chat is wider than notes on who has a name."""
DROPPED = 0.9
"""The same where the sentence leaves out whom it is about."""
_BEHIND = 0.15
"""What a subject that the sentence names later has to make up for."""
_FARTHEST, _MOST_GUESSES = 0.8, 12
GUESSED = 0.6
"""Confidence of what only what is known already has made sure."""
_CONFIDENCE = 0.65
_WEAK = frozenset({"has_quality", "is_a", "has", "does", "did", "goes", "keeps", "puts", "takes"})
_STRONG = 0.6
"""Confidence above which a rule knew what it read."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A value that a sentence may give somebody."""

    question: Question
    draft: Draft
    """The statement, its relation left open."""
    rank: int
    """Whom the sentence is about goes first: 0, 1, …"""
    named: bool
    """Whether the subject is called by a name of its own."""
    silent: bool = False
    """Whether the sentence leaves out whom it is about."""


_LAST = re.compile(
    r"\b(?:died|dies|dead|death|deceased|buried|passed away|killed|murdered|funeral|late husband|late wife)\b"
    r"|亡くな|死去|死亡|死ん|没し|埋葬|逝去|他界|享年",
    re.IGNORECASE,
)
"""Of the dead nothing is told that goes on."""


def needed(drafts: Sequence[Draft], text: str) -> bool:
    """Whether rules have found nothing that they know in a sentence, and it may tell of something that holds."""
    return not _LAST.search(text) and not any(d.confidence >= _STRONG and d.predicate not in _WEAK for d in drafts)


def placed(found: Sequence[Draft], asks: Sequence[Ask], readings: Sequence[Reading]) -> list[Draft]:
    """The drafts of a sentence, with what the readings say in the place of what rules made of unknown verbs."""
    best = _best(asks, readings)
    if best is None:
        return list(found)
    ask, reading = best
    told = ask.draft.but(predicate=reading.relation, confidence=_CONFIDENCE, cardinality="one")
    return [*(d for d in found if d.confidence >= _STRONG and d.predicate not in _WEAK), told]


def guessed(asks: Sequence[Ask], readings: Sequence[Reading]) -> list[tuple[Draft, str, float]]:
    """What the sentence may state where nothing is sure: statement, relation, and how far that is behind the best."""
    found = [
        (ask.draft, relation, behind)
        for ask, reading in zip(asks, readings, strict=True)
        for relation, behind in reading.close
        if behind <= _FARTHEST and not ask.silent
    ]
    return sorted(found, key=lambda one: one[2])[:_MOST_GUESSES]


def readings_of(asks: Sequence[Ask], encoder: Encoder) -> list[Reading]:
    """What the model makes of each."""
    return read([ask.question for ask in asks], encoder)


def _least(ask: Ask, relation: str) -> float:
    if ask.silent:
        return DROPPED
    return SURE if ask.named or relation in TELLING else SURE_AT_HOME


def _best(asks: Sequence[Ask], readings: Sequence[Reading]) -> tuple[Ask, Reading] | None:
    sure = [
        (ask, reading)
        for ask, reading in zip(asks, readings, strict=True)
        if reading.relation not in (NONE, ENDS) and reading.lead >= _least(ask, reading.relation)
    ]
    return max(sure, key=lambda pair: pair[1].lead - _BEHIND * pair[0].rank, default=None)
