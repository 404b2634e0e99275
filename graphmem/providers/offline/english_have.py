"""English clauses with "have", "get" and "adopt": pets, kin, allergies, things."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Draft, Name
from .english_change import parted
from .english_clauses import Clause
from .english_make import make, place, plan, prepositions, typed
from .english_nouns import lasting, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper


def have(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What a clause with "have", "get" or "adopt" says of pets, kin, allergies and things."""
    inner = clause.child("xcomp")
    if inner is not None and clause.lemma == "have":
        draft = plan(clause, scene, "needs_to", inner) if clause.tense == "present" else None
        yield from [draft] if draft else []
        return
    token = clause.child("dobj")
    wed = clause.child("acomp")
    if wed is not None and wed.lower_ == "married" and (partner := place(wed, scene, "to")):
        yield from _wedding(clause, scene, typed(partner, "person"))
        return
    cannot = clause.negated and clause.modal in ("can", "ca")  # "I can't have shellfish"
    if wed is not None and wed.lower_ in ("married", "divorced", "separated"):
        yield from parted(clause, scene, wed)
        return
    if token is None or (clause.modal and not cannot) or clause.tense == "future":
        return
    for phrase in list(phrases(token, scene)):
        yield from _had(clause, scene, phrase)


def _wedding(clause: Clause, scene: Scene, partner: Phrase) -> Iterator[Draft]:
    if clause.tense == "past":
        yield make(clause, scene, "married_to", partner, state=False)
    elif draft := plan(clause, scene, "plans_to", clause.verb):
        yield draft


def _had(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    head, lists = phrase.head.lemma_.lower(), scene.words.lists
    state = clause.lemma == "have" or (clause.lemma == "get" and clause.perfect)
    if head == "allergy":
        yield from _allergy(clause, scene, phrase)
    elif head in lists["pets"]:
        names = _given_names(phrase.head, scene)
        for name in names:
            yield make(
                clause,
                scene,
                "has_pet",
                name,
                state=state,
                text=f"{clause.subject.text} has a {head} named {name.text}",
            )
        if not names:
            yield make(clause, scene, "has_pet", phrase, state=state)
    elif (
        (state or clause.lemma == "get")
        and (kin := scene.words.kin.get(head))
        and (names := _given_names(phrase.head, scene))
    ):
        for name in names:
            person = Name(name.text, "person")
            scene.context.meet(person)
            yield make(clause, scene, kin, person, state=state, text=f"{clause.subject.text}'s {head} is {name.text}")
    elif state and clause.tense == "present" and _has_worth_keeping(clause, scene, phrase):
        yield make(clause, scene, "has", phrase, canonical=False, confidence=0.6)


def _has_worth_keeping(clause: Clause, scene: Scene, phrase: Phrase) -> bool:
    """Not "we have fun", "horses have grace", "have your back"."""
    token = clause.subject_token
    bare = (
        token is not None
        and token.tag_ in ("NNS", "NN")
        and not any(c.dep_ in ("det", "poss", "nummod", "compound") for c in token.children)
    )
    together = token is not None and token.lower_ == "we" and not clause.negated
    return (
        not bare
        and not together
        and lasting(phrase.head, scene)
        and phrase.head.lemma_.lower() not in scene.words.lists["light"]
    )


def _allergy(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    for word, target, _ in prepositions(phrase.head, scene):
        if word == "to":
            for found in phrases(target, scene):
                yield make(clause, scene, "allergic_to", found)
            return
    compound = [t for t in phrase.head.lefts if t.dep_ in ("compound", "amod", "nmod")]
    if compound:
        yield make(
            clause, scene, "allergic_to", Name(scene.read(compound[0].idx, compound[-1].idx + len(compound[-1])))
        )


def _given_names(token: Token, scene: Scene) -> list[Name]:
    """The names in "two cats, Miso and Pixel" and "a sister named Anna"."""
    for child in token.children:
        if child.dep_ == "appos" and is_proper(child):
            return [p.name for p in phrases(child, scene)]
        if child.dep_ == "acl" and child.lower_ in ("named", "called"):
            target = next((c for c in child.children if c.dep_ in ("oprd", "attr", "dobj", "npadvmod")), None)
            if target is not None:
                return [p.name for p in phrases(target, scene)]
    return []
