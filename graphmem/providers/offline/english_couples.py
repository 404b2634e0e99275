"""English talk of couples: who is married, and who no longer is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause
from .english_make import make, place, typed
from .english_nouns import joined, noun_phrase
from .english_scene import Scene, Token
from .english_spans import is_proper
from .english_ties import told

_OVER = frozenset({"divorce", "divorced", "separate", "separated", "split", "break"})
_NO_LONGER = re.compile(r"\bno longer\b|\bany ?more\b", re.I)
_WED = frozenset({"marry", "married", "wed"})


def couples(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Ann and Bo are divorced", "Ann is divorced from Bo", "Ann and Bo got married"."""
    token = clause.subject_token
    state = _state(clause)
    if token is None or not state or not told(clause):
        return
    ended = clause.ended or _NO_LONGER.search(scene.sentence.text) is not None
    over = (state in _OVER) != clause.negated if state in _OVER else ended
    if state in ("split", "break") and not any(c.lower_ == "up" for c in clause.verb.children):
        return
    if clause.negated and not over:
        return
    begins = state in _WED and clause.lemma != "be" and not (clause.passive and clause.tense == "present")
    for partner in _partners(clause, token, scene):
        yield make(clause, scene, "married_to", partner, state=not begins and not over, ended=over or None)


def _state(clause: Clause) -> str:
    """What the clause says of a couple; empty for other verbs."""
    if clause.lemma in ("be", "get"):
        return next((str(c.lower_) for c in clause.verb.children if c.lower_ in _OVER | _WED), "")
    intransitive = clause.child("dobj") is None
    return clause.lemma if clause.lemma in _OVER | _WED and intransitive else ""


def _partners(clause: Clause, token: Token, scene: Scene) -> Iterator[Name]:
    """The other one: joined to the subject, or behind "from" or "with"."""
    inner = clause.child("acomp", "attr", "oprd")
    for verb in [clause.verb, *([inner] if inner is not None else [])]:
        other = place(verb, scene, "from", "with")
        if other is not None and is_proper(other.head):
            yield typed(other, "person").name
            return
    head = token.head if token.dep_ == "conj" else token
    for one in [head, *joined(head)]:
        if one.i == token.i:
            continue
        if one.lower_ == "i":
            yield scene.context.me
        elif is_proper(one) and (phrase := noun_phrase(one, scene)):
            yield typed(phrase, "person").name
