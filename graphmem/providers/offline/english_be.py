"""English clauses with "be": attributes, jobs, ages, relations, places."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import activity, is_me, make, place, prepositions, typed
from .english_nouns import bare_words, lasting, noun_phrase, owner_of, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import has_owner, is_proper
from .english_values import PLACES, attribute, date_value, odd_words, span_of, valued, verb_form
from .english_work import is_job, title_only

_CODES = frozenset(
    {"password", "passphrase", "passcode", "code", "pin", "combination", "key", "username", "login", "number"}
)


def be(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What a clause with "be" says."""
    if not clause.assertive:
        return
    token = clause.subject_token
    changed = scene.context.changed
    if changed and token is not None and token.lower_ in ("it", "that") and clause.child("attr", "acomp") is not None:
        scene.context.changed = None
        yield from valued(clause, scene, *changed)
        return
    if token is not None and has_owner(token) and not _names_person(token, clause, scene):
        yield from attribute(clause, scene, token)
        return
    adjective = clause.child("acomp")
    noun = clause.child("attr")
    if adjective is not None and adjective.pos_ != "PROPN":
        yield from _adjective(clause, scene, adjective)
    elif (noun or adjective) is not None:
        yield from _noun(clause, scene, noun or adjective)
    else:
        yield from _where(clause, scene)


def _names_person(token: Token, clause: Clause, scene: Scene) -> bool:
    """Whether "my sister" or "my dog Rex" is the subject itself, not a property of the speaker."""
    return (
        is_proper(token)
        or "'s " not in clause.subject.text
        or (lemma_of(token) in scene.words.kin and not _proper_attr(clause))
    )


def _proper_attr(clause: Clause) -> bool:
    token = clause.child("attr", "acomp")
    return token is not None and is_proper(token) and not any(c.dep_ == "det" for c in token.children)


def _adjective(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    word, lists = token.lower_, scene.words.lists
    person = (
        clause.subject.is_speaker
        or (clause.subject_token is not None and is_proper(clause.subject_token))
        or clause.coreferent
    )
    if word == "old":
        yield from _age(clause, scene, token)
        return
    if not person and definite(clause) and clause.subject.text.split()[-1].lower() in _CODES:
        yield make(clause, scene, "is", Name(scene.read(*span_of(token))), canonical=False, confidence=0.7)
        return
    arguments = list(prepositions(token, scene)) + [
        p for p in prepositions(clause.verb, scene) if p[0] in ("to", "of", "with")
    ]
    if arguments:
        yield from _with_argument(clause, scene, token, arguments[0])
    elif _diet(token, scene):
        words = scene.read(*span_of(token))
        diet = words if words.lower() in lists["diets"] else scene.read(token.idx, token.idx + len(token))
        yield make(clause, scene, "diet", Name(diet))
    elif word in lists["colors"]:
        yield make(clause, scene, "color", Name(token.text), canonical=False, confidence=0.7)
    elif person and token.text[:1].isupper() and token.i > 0:  # nationality or faith
        yield make(clause, scene, "has_quality", Name(token.text), canonical=False, confidence=0.6)
    elif (
        token.text in lists["traits"]
        or token.lower_ in ("lefthanded", "righthanded")
        or scene.read(*span_of(token)) in lists["traits"]
    ):
        yield make(clause, scene, "has_quality", Name(scene.read(*span_of(token))), canonical=False, confidence=0.6)
    elif (
        not person
        and clause.tense == "present"
        and definite(clause)
        and word not in lists["opinions"]
        and not odd_words(token)
    ):
        yield make(clause, scene, "has_quality", Name(scene.read(*span_of(token))), canonical=False)


def _person(clause: Clause) -> bool:
    token = clause.subject_token
    named = token is not None and is_proper(token) and not any(c.dep_ == "det" for c in token.children)
    return clause.subject.is_speaker or clause.coreferent or clause.subject.type == "person" or named


def definite(clause: Clause) -> bool:
    """Whether the subject is a particular thing: "the lamp", not "lamps"."""
    token = clause.subject_token
    return (
        token is not None and token.pos_ == "NOUN" and any(c.dep_ in ("det", "poss", "nummod") for c in token.children)
    )


def _diet(token: Token, scene: Scene) -> bool:
    words = scene.read(*span_of(token)).lower()
    return words in scene.words.lists["diets"] or token.lemma_.lower() in scene.words.lists["diets"]


def _with_argument(clause: Clause, scene: Scene, token: Token, argument: tuple[str, Token, Token]) -> Iterator[Draft]:
    word, target, _ = argument
    found: list[Phrase | Name] = list(phrases(target, scene))
    if target.tag_ == "VBG" and (doing := activity(target, scene)):
        found = [doing]
    for phrase in found:
        if token.lower_ == "allergic" and word == "to":
            yield make(clause, scene, "allergic_to", phrase)
        elif token.lower_ == "married" and word == "to":
            yield make(clause, scene, "married_to", phrase)
        elif token.lower_ in ("fond", "keen", "crazy", "passionate", "enthusiastic", "mad", "obsessed"):
            yield make(clause, scene, "likes", phrase)
        elif clause.tense == "present" and token.tag_ != "JJR" and _stable(token, scene) and not is_me(phrase):
            yield make(clause, scene, f"{token.lower_}_{word}", phrase, canonical=False)


def _stable(token: Token, scene: Scene) -> bool:
    if token.lemma_.lower() in scene.words.lists["opinions"]:
        return False
    return token.lower_ not in scene.words.lists["moods"]


def _age(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    years = next((c for c in token.children if c.dep_ == "npadvmod" and lemma_of(c) == "year"), None)
    number = next((c for c in years.children if c.dep_ == "nummod"), None) if years is not None else None
    if number is not None:
        yield make(clause, scene, "age", Name(number.text))


def _noun(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    if scene.dated(token):
        for value in date_value(clause, scene) if definite(clause) else ():
            yield make(clause, scene, "is", value, canonical=False, confidence=0.7)
        return
    if token.text.isdigit() and _person(clause) and 0 < int(token.text) < 120:
        yield make(clause, scene, "age", Name(token.text))
        return
    if has_owner(token) and clause.subject_token is not None and is_proper(clause.subject_token):
        yield from _relation(clause, scene, token)
        return
    if clause.subject.is_speaker and not clause.negated and (name := _own_name(token, scene)):
        yield from _introduced(clause, scene, token, name)
        return
    for phrase in phrases(token, scene):
        yield from _one_noun(clause, scene, phrase)


def _own_name(token: Token, scene: Scene) -> str:
    """The name in "I'm Maya Lindqvist"; empty where the words are another noun."""
    if token.pos_ != "PROPN" or token.lower_ in scene.words.lists["creeds"]:
        return ""
    if any(c.dep_ in ("det", "poss", "amod", "nummod") for c in token.children):
        return ""
    phrase = noun_phrase(token, scene)
    return phrase.name.text if phrase and not is_job(phrase, scene) else ""


def _introduced(clause: Clause, scene: Scene, token: Token, name: str) -> Iterator[Draft]:
    """ "I'm Maya, a nurse from Kyoto": the name where it is not known yet, and what stands beside it."""
    if name.casefold() not in scene.context.speaker.casefold():
        yield make(clause, scene, "name", Name(name), confidence=0.7)
    beside = [token, *(c for c in token.children if c.dep_ == "appos")]
    for word in beside:
        phrase = noun_phrase(word, scene) if word is not token else None
        if phrase and is_job(phrase, scene):
            yield from _job(clause, scene, phrase)
        if (origin := place(word, scene, "from")) and is_proper(origin.head):
            yield make(clause, scene, "comes_from", origin)


def _relation(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    """ "Anna is my sister": a fact of the owner."""
    owner, words = owner_of(token, scene), bare_words(token, scene)
    if owner is not None and owner != clause.subject:
        predicate = scene.words.attribute_predicate(
            token.lemma_.lower() if token.lemma_.lower() in scene.words.kin else words
        )
        person = Name(clause.subject.text, "person" if predicate in scene.words.kin.values() else None)
        yield make(
            clause,
            scene,
            predicate,
            person,
            subject=owner,
            text=f"{owner.text}'s {words} {verb_form(clause)} {person.text}",
        )


def _one_noun(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    lists, head = scene.words.lists, phrase.head.lemma_.lower()
    person = (
        clause.subject.is_speaker
        or clause.coreferent
        or (clause.subject_token is not None and is_proper(clause.subject_token))
    )
    person = person or "'s " in clause.subject.text
    if _diet(phrase.head, scene):
        yield make(clause, scene, "diet", Name(phrase.head.text))
    elif head == "member" and (group := place(phrase.head, scene, "of")):
        yield make(clause, scene, "member_of", group)
    elif head == "fan" and (liked := place(phrase.head, scene, "of")):
        yield make(clause, scene, "likes", liked)
    elif person and is_job(phrase, scene):
        yield from _job(clause, scene, phrase)
    elif head in lists["vague"] or head in scene.words.lists["light"] or clause.tense == "past":
        return
    elif (
        clause.subject_token is not None
        and not person
        and (is_proper(phrase.head) or phrase.head.like_num or _counted(phrase))
    ):
        yield make(clause, scene, "is", phrase, canonical=False, confidence=0.7)
    elif (person or definite(clause)) and not odd_words(phrase.head) and lasting(phrase.head, scene):
        yield make(clause, scene, "is_a", phrase, canonical=False)


def _counted(phrase: Phrase) -> bool:
    return any(c.dep_ == "nummod" for c in phrase.head.children)


def _job(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    where = place(phrase.head, scene, "at", "for", "with")
    if where:
        yield make(clause, scene, "works_at", typed(where, "organisation"))
    yield make(clause, scene, "job_title", Name(title_only(phrase)))


def _where(clause: Clause, scene: Scene) -> Iterator[Draft]:
    origin = place(clause.verb, scene, "from")
    if origin and is_proper(origin.head) and clause.tense == "present":
        yield make(clause, scene, "comes_from", origin)
        return
    visited = place(clause.verb, scene, "to")
    if visited and clause.perfect:
        yield make(clause, scene, "visited", visited, state=False, canonical=False, confidence=0.7)
        return
    person = clause.subject.is_speaker or clause.coreferent or clause.subject.type == "person"
    for word, target, _ in prepositions(clause.verb, scene):
        found = noun_phrase(target, scene)
        if found and word == "into" and person:
            yield make(clause, scene, "likes", found)  # "I'm into techno"
            return
        if found and target.lemma_.lower() == "diet":
            text = f"{clause.subject.text} is on {found.shown}"
            yield make(clause, scene, "diet", found, text=text)
            return
        if found and clause.subject.is_speaker and not is_proper(target):
            return
        if (
            found
            and word in PLACES
            and clause.tense == "present"
            and found.head.lemma_.lower() not in scene.words.lists["light"]
        ):
            yield make(clause, scene, "located_in", found, canonical=False, confidence=0.7)
            return
