"""English verbs of change: a value takes the place of another, a job or a marriage ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import make, place, prepositions, typed
from .english_nouns import bare_words, joined, noun_phrase, owner_of
from .english_scene import Phrase, Scene, Token
from .english_spans import has_owner, is_proper

_MEMBERSHIPS = frozenset({"membership", "subscription"})
_NOTICES = frozenset({"notice", "resignation"})


def change(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "My rent went up to 900", "I changed my password to X": the new value of an attribute."""
    if clause.negated or clause.modal or clause.tense == "future" or not (clause.tense == "past" or clause.perfect):
        return
    thing = clause.child("dobj") or clause.subject_token
    under = [clause.verb, *(c for c in clause.verb.children if c.dep_ in ("advmod", "prt"))]  # up to, down to
    found = [pair for token in under for pair in prepositions(token, scene)]
    value = next((t for w, t, _ in found if w.rsplit("_", 1)[-1] == "to"), None)
    if thing is not None and value is None:
        _note_change(clause, thing, scene)
    if thing is None or value is None or (phrase := noun_phrase(value, scene)) is None:
        return
    owner = owner_of(thing, scene) if has_owner(thing) else None
    if owner is not None:
        words = bare_words(thing, scene)
        predicate = scene.words.attribute_predicate(words)
        text = f"{owner.text}'s {words} is {phrase.shown}"
        known = predicate in scene.words.predicates
        yield make(
            clause,
            scene,
            predicate,
            phrase,
            subject=owner,
            state=False,
            text=text,
            cardinality=None if known else "one",
        )
    elif clause.child("dobj") is None and thing.pos_ == "NOUN" and any(c.dep_ == "det" for c in thing.children):
        yield make(clause, scene, "is", phrase, state=False, canonical=False, confidence=0.7)


def _note_change(clause: Clause, thing: Token, scene: Scene) -> None:
    """Keep "I changed phone numbers" for the value that may follow."""
    own = clause.child("dobj") is not None
    owner = owner_of(thing, scene) if has_owner(thing) else clause.subject if own else None
    words = " ".join(t.lemma_.lower() for t in [*thing.lefts, thing] if t.pos_ in ("NOUN", "PROPN"))
    if owner is not None and words in scene.words.attribute:
        scene.context.changed = (owner, words)
        scene.context.theme = Name(f"{owner.text}'s {words}")


def hand_in(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I handed in my notice at Castell Press" ends a job."""
    token = clause.child("dobj")
    if token is None or lemma_of(token) not in _NOTICES or clause.negated or clause.tense == "future" or clause.modal:
        return
    where = place(token, scene, "at", "to", "with") or place(clause.verb, scene, "at", "to", "with")
    if where is not None:
        yield make(clause, scene, "works_at", typed(where, "organisation"), state=False, ended=True)


def cancel(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I cancelled my membership at Ironside Gym" ends a membership."""
    token = clause.child("dobj")
    if token is None or lemma_of(token) not in _MEMBERSHIPS or clause.negated or clause.tense != "past":
        return
    where = place(token, scene, "at", "of", "to", "with", "in") or place(clause.verb, scene, "at", "to", "with")
    if where is not None:
        yield make(clause, scene, "member_of", typed(where, "organisation"), state=False, ended=True)


def dismissed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I was laid off from Lumo", "she retired from Lumo" end a job."""
    where = place(clause.verb, scene, "from", "by") if clause.passive or clause.lemma == "retire" else None
    if where is not None and is_proper(where.head) and not clause.negated and not clause.modal:
        yield make(clause, scene, "works_at", typed(where, "organisation"), state=False, ended=True)


def parted(clause: Clause, scene: Scene, state: Token) -> Iterator[Draft]:
    """ "Johanna and I got divorced", "Tom and I got married"."""
    token = clause.subject_token
    others = list(joined(token)) if token is not None else []
    if token is None or clause.negated or clause.modal or clause.tense == "future" or not is_proper(token):
        return
    if any(t.lower_ == "i" for t in others):
        spouse = Name(clause.subject.text, "person")
        over = state.lower_ in ("divorced", "separated")
        yield make(clause, scene, "married_to", spouse, subject=scene.context.me, state=False, ended=over)


def reached(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "She can be reached at 555-0101": a telephone number or an e-mail address."""
    if clause.modal == "could":
        clause = replace(clause, tense="past")
    for word, target, _ in prepositions(clause.verb, scene) if clause.passive else ():
        value = scene.read(target.idx, target.idx + len(target))
        predicate = "email" if "@" in value else "phone"
        if word in ("at", "on", "under", "via") and ("@" in value or sum(c.isdigit() for c in value) >= 6):
            yield make(clause, scene, predicate, Name(value), state=True)


def based(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Yusuf is based in Ankara": where a person lives, or where a thing is."""
    where = place(clause.verb, scene, "in", "at", "near", "out_of")
    if where is None or not clause.passive or clause.modal:
        return
    person = clause.subject.is_speaker or clause.coreferent or clause.subject.type == "person" or _named(clause)
    yield make(clause, scene, "lives_in" if person else "located_in", typed(where, "place"), canonical=person)


def _named(clause: Clause) -> bool:
    token = clause.subject_token
    return token is not None and is_proper(token) and not any(c.dep_ == "det" for c in token.children)


def awarded(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "She was awarded the Halberg Prize": won."""
    token = clause.child("dobj", "oprd", "attr")
    prize: Phrase | None = noun_phrase(token, scene) if token is not None and clause.passive else None
    if prize is not None and not clause.negated and not clause.modal:
        yield make(clause, scene, "won", prize, state=False, canonical=False, confidence=0.7)
