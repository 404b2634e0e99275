"""English verbs without a rule of their own."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Draft, Name
from .english_be import definite
from .english_clauses import Clause
from .english_make import activity, is_me, make, objects, plan, prepositions
from .english_nouns import lasting, noun_phrase
from .english_scene import Phrase, Scene
from .english_spans import is_proper
from .english_text import third_person
from .lexicon import snake


def general(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A verb without a rule: its object, or what its first preposition governs."""
    phrasal = any((clause.lemma, word) in _PHRASAL for word in _behind(clause))
    seeing = phrasal or (clause.lemma in ("see", "meet") and clause.progressive and _ahead(clause, scene))
    if (clause.lemma in scene.words.lists["generic_skip"] and not clause.passive and not seeing) or not _telling(
        clause, scene
    ):
        return
    if clause.tense == "future" or (clause.progressive and _ahead(clause, scene)):
        draft = plan(clause, scene, "plans_to", clause.verb)
        yield from [draft] if draft and clause.subject.is_speaker else []
        return
    particle = clause.child("prt")
    form = _written(clause, scene) + (f"_{particle.lower_}" if particle is not None else "")
    found = objects(clause, scene) if not clause.passive else []
    for phrase in found:
        if phrase.name == clause.subject or (phrase.name.is_speaker and not _by_person(clause)):
            continue
        amount = _amount(phrase, scene)
        if amount:
            predicate, name = f"{form}_{amount[0]}", amount[1]
            yield make(clause, scene, predicate, name, state=False, canonical=False, cardinality="one")
        else:
            yield make(clause, scene, form, phrase, state=False, canonical=False)
    if not found and not any(
        c.dep_ in ("dobj", "ccomp", "xcomp") and c.i > clause.verb.i for c in clause.verb.children
    ):
        yield from _by_preposition(clause, scene, form)


_PHRASAL = frozenset({("look", "after"), ("help", "out"), ("help", "at"), ("help", "with"), ("put", "into"), ("set",
                       "up"),
                      ("keep", "in"), ("keep", "on"), ("bring", "to")})  # fmt: skip
"""Verbs that tell little by themselves, and the words with which they tell of something that lasts."""


def _behind(clause: Clause) -> set[str]:
    return {c.lower_ for c in clause.verb.children if c.dep_ in ("prep", "prt", "advmod") and c.i > clause.verb.i}


def _telling(clause: Clause, scene: Scene) -> bool:
    """Whether a verb without a rule tells something lasting: not "we can do it", "it moves me"."""
    token = clause.subject_token
    if clause.modal:
        return clause.modal in ("can", "ca") and (clause.negated or clause.lemma in scene.words.lists["skills"])
    if token is None:
        return True
    bare = token.tag_ in ("NNS", "NN") and not any(
        c.dep_ in ("det", "poss", "nummod", "compound", "amod") for c in token.children
    )
    together = token.lower_ == "we" and clause.tense == "present" and not clause.perfect and not clause.negated
    return not together and not (bare and not clause.passive and token.i > 0 and not is_proper(token))


def _amount(phrase: Phrase, scene: Scene) -> tuple[str, Name] | None:
    """ "20 drops of the tincture" as (tincture, 20 drops): the amount of a thing has one value at a time."""
    counted = any(c.dep_ == "nummod" for c in phrase.head.children)
    thing = next((t for w, t, _ in prepositions(phrase.head, scene) if w == "of"), None)
    if not counted or thing is None or (named := noun_phrase(thing, scene)) is None:
        return None
    start = min(c.idx for c in phrase.head.children if c.dep_ == "nummod")
    return snake(named.name.text), Name(scene.read(start, phrase.head.idx + len(phrase.head)))


def _ahead(clause: Clause, scene: Scene) -> bool:
    return any((span.until or span.value).at > scene.context.reference for span in clause.dates if not span.length)


def _by_person(clause: Clause) -> bool:
    token = clause.subject_token
    return clause.subject.type == "person" or (token is not None and is_proper(token))


def _form(clause: Clause) -> str:
    if clause.passive:
        return str(clause.verb.lower_)
    if clause.negated or clause.ended or (clause.tense == "present" and (not clause.perfect or clause.progressive)):
        return ("can_" if clause.modal and not clause.negated else "") + (
            clause.lemma if clause.modal and not clause.negated else third_person(clause.lemma)
        )
    return str(clause.verb.lower_)


def _written(clause: Clause, scene: Scene) -> str:
    """The predicate of a verb; a hyphened one as it is written (co-chairs)."""
    verb = clause.verb
    word = scene.read(verb.idx, verb.idx + len(verb)).lower()
    return snake(word) if "-" in word and verb.tag_ == "VBZ" else _form(clause)


def _by_preposition(clause: Clause, scene: Scene, form: str) -> Iterator[Draft]:
    for word, target, _ in prepositions(clause.verb, scene):
        name: Phrase | Name | None = noun_phrase(target, scene)
        if target.tag_ == "VBG":
            name = activity(target, scene)
        if name is not None and not (is_me(name) and not _by_person(clause)) and lasting(target, scene):
            yield make(clause, scene, f"{form}_{word}", name, state=False, canonical=False)
            return
    spans = [s for s in clause.dates if s.kind == "point" and s.start > clause.verb.idx]
    if spans and clause.tense == "present" and not clause.subject.is_speaker:
        text = scene.read(spans[0].start, spans[0].end)
        if text.lower().startswith("in ") and len(text.split()) <= 3:
            clause.dates.clear()
            scene.dates.remove(spans[0])
            yield make(clause, scene, f"{form}_in", Name(text[3:]), state=False, canonical=False)
        else:
            yield make(clause, scene, form, Name(text), state=False, canonical=False)
    elif clause.passive and (clause.tense == "present" or clause.dates) and definite(clause):
        yield make(clause, scene, "has_quality", Name(clause.verb.text), canonical=False)
