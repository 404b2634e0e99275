"""English verbs of work: where someone works, as what, and what they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import activity, make, objects, place, prepositions, typed
from .english_nouns import noun_phrase
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper

_JOB_NOUNS = frozenset({"job", "position", "role", "post", "work", "internship", "career"})


_SETTLES = frozenset({"move", "settle", "relocate"})


_WORK_AT = ("at", "for", "with")


def work(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What "work" says: where, in which field, and as what."""
    if clause.modal:
        return
    for word in ("at", "for", "with", "in", *(("by",) if clause.passive else ())):
        where = place(clause.verb, scene, word)
        if where is None:
            continue
        if is_proper(where.head) or _organisation(where, scene):
            yield make(clause, scene, "works_at", typed(where, "organisation"))
        elif word in ("at", "for", "by"):
            yield make(clause, scene, "works_at", typed(where, "organisation"), confidence=0.6)
        else:
            predicate = "works_with" if word == "with" else "field_of_work"
            yield make(clause, scene, predicate, where, canonical=False)
        break
    yield from _as_job(clause, scene, clause.verb)


def _organisation(phrase: Phrase, scene: Scene) -> bool:
    return phrase.head.lemma_.lower() in scene.words.lists["organisation_words"]


def _as_job(clause: Clause, scene: Scene, verb: Token, *, state: bool = True) -> Iterator[Draft]:
    for word, target, _ in prepositions(verb, scene):
        if word == "as" and (found := noun_phrase(target, scene)):
            where = place(target, scene, *_WORK_AT)
            if where and (is_proper(where.head) or _organisation(where, scene)):
                yield make(clause, scene, "works_at", typed(where, "organisation"), state=state)
            yield make(clause, scene, "job_title", Name(title_only(found)), state=state)


def start(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A new job: "started at", "got a job at", "was hired as"."""
    token = clause.child("dobj")
    if token is not None and lemma_of(token) in _JOB_NOUNS:
        verbs: tuple[Token, ...] = (token, clause.verb)
    elif token is None:
        verbs = (clause.verb,)
    else:
        return
    if token is None and clause.lemma not in ("hire", "employ", "start", "begin"):
        return
    for verb in verbs:
        where = place(verb, scene, *_WORK_AT, *(("by",) if clause.passive else ()))
        if token is None and where and _school(where) and clause.lemma in ("start", "begin"):
            continue  # a pupil as well as a teacher
        if where and (is_proper(where.head) or _organisation(where, scene)) and not clause.negated and not clause.modal:
            yield make(clause, scene, "works_at", typed(where, "organisation"), state=False)
    for verb in verbs:
        yield from _as_job(clause, scene, verb, state=False)


def _school(phrase: Phrase) -> bool:
    return bool(re.search(r"(?i)\b(?:school|primary|kindergarten|nursery|academy|preschool)$", phrase.name.text))


def join(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A firm or a group that someone joined."""
    for phrase in objects(clause, scene):
        if clause.negated or clause.modal:
            return
        if predicate := _belonging(phrase, scene):
            yield make(clause, scene, predicate, phrase, state=False)
    yield from _as_job(clause, scene, clause.verb, state=False)


def belong(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A group or party that someone belongs to."""
    group = place(clause.verb, scene, "to")
    person = (
        clause.subject.is_speaker
        or clause.coreferent
        or (clause.subject_token is not None and is_proper(clause.subject_token))
    )
    if group is not None and is_proper(group.head) and person and not clause.modal:
        yield make(clause, scene, "member_of", group)


def _belonging(phrase: Phrase, scene: Scene) -> str | None:
    party = scene.words.belonging("member_of", phrase.name.text) != "member_of"
    if phrase.head.lemma_.lower() in scene.words.lists["groups"] or party:
        return "member_of"
    return "works_at" if is_proper(phrase.head) or _organisation(phrase, scene) else None


def leave(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A job or a group that ended."""
    if clause.negated or clause.modal:
        return
    token = clause.child("dobj")
    if token is not None and lemma_of(token) in _JOB_NOUNS:
        where = place(token, scene, *_WORK_AT) or place(clause.verb, scene, *_WORK_AT)
        if where:
            yield make(clause, scene, "works_at", typed(where, "organisation"), state=False, ended=True)
        return
    if token is not None and any(c.dep_ == "conj" and lemma_of(c) in _SETTLES for c in clause.verb.children):
        for phrase in objects(clause, scene) if is_proper(token) else ():
            yield make(clause, scene, "lives_in", typed(phrase, "place"), state=False, ended=True)
        return
    where = place(clause.verb, scene, "from") if token is None else None
    for phrase in [where] if where else objects(clause, scene):
        group = phrase.head.lemma_.lower() in scene.words.lists["groups"]
        named_firm = is_proper(phrase.head) and (clause.lemma != "leave" or clause.perfect)
        group = group or scene.words.belonging("member_of", phrase.name.text) != "member_of"
        if group or named_firm or _organisation(phrase, scene) or _acronym(phrase):
            yield make(clause, scene, "member_of" if group else "works_at", phrase, state=False, ended=True)


def _acronym(phrase: Phrase) -> bool:
    return phrase.name.text.isupper() and len(phrase.name.text) > 1


def become(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A new occupation or kind."""
    inner = clause.child("xcomp")
    if clause.lemma == "promote" and inner is not None and (title := activity(inner, scene)):
        yield make(clause, scene, "job_title", title, state=False)
        return
    token = clause.child("attr", "dobj") or next((t for w, t, _ in prepositions(clause.verb, scene) if w == "to"), None)
    if token is not None and (phrase := noun_phrase(token, scene)) and not clause.modal:
        predicate = "job_title" if is_job(phrase, scene) or clause.lemma == "promote" else "is_a"
        yield make(clause, scene, predicate, phrase, state=False, canonical=predicate == "job_title")


def title_only(phrase: Phrase) -> str:
    """ "nurse" of "nurse at Larkfield Clinic"."""
    preposition = next((c.text for c in phrase.head.children if c.dep_ == "prep" and c.lower_ in _WORK_AT), None)
    return phrase.name.text.split(f" {preposition} ", 1)[0] if preposition else phrase.name.text


def is_job(phrase: Phrase, scene: Scene) -> bool:
    """Whether the phrase names an occupation."""
    jobs = scene.words.lists["jobs"]
    text, head = phrase.name.text.lower(), phrase.head.lemma_.lower()
    if re.match(
        r"(?:head|director|chief|leader|captain|vice[- ]president|master|member of parliament)\b.* (?:of|for) ", text
    ):
        return True
    return text in jobs or head in jobs or head.endswith(("ologist", "ician", "neer", "keeper", "smith", "wright"))
