"""English talk of being put somewhere else, and of properties set anew: who does it matters less than to whom.

"They moved me onto Borealis", "I got reassigned to billing", "the doctor put me on ezetimibe"; "we had to raise the
budget to 9,500 euros", "pushed my appointment back to Thursday".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Loose, Name
from .english_clauses import ASSIGNING, Clause, lemma_of
from .english_groups import group_of, is_school
from .english_make import make, plain, prepositions, typed
from .english_nouns import bare_words, noun_phrase, owner_of, phrases
from .english_scene import Scene, Token
from .english_spans import has_owner, is_proper
from .english_ties import person, told
from .english_work import is_job, title_only
from .lexicon import snake

_TOWARDS = frozenset({"to", "onto", "on", "into", "in", "as", "with"})
_HEALERS = frozenset({"doctor", "gp", "physician", "specialist", "cardiologist", "neurologist", "psychiatrist", "nurse",
                      "consultant", "dermatologist", "endocrinologist", "oncologist", "paediatrician", "rheumatologist",
                      "vet", "clinic", "hospital", "therapist"})  # fmt: skip
_SETS = frozenset({"raise", "increase", "cut", "reduce", "lower", "bring", "push", "put", "move", "shift", "bump",
                   "postpone",
                   "delay", "reschedule", "extend", "change", "set", "drop", "trim", "slash", "double", "hike", "rise",
                   "go", "slip", "slide", "jump", "climb", "fall", "grow", "shrink", "revise", "rearrange",
                   "switch"})  # fmt: skip
"""Verbs that give a property another value."""
_MEASURE = re.compile(
    r"^[$€£¥]?\d[\d.,]*(?:\s?(?:%|percent|k|euros?|dollars?|pounds?|yen|eur|usd|gbp|kg|g|mg|ml|km|m|cm|hours?|minutes?|days?"
    r"|weeks?|months?|years?|people|pm|am|o['’]clock)(?: (?:a|an|per) \w+)?)?$|^(?:noon|midnight)$",
    re.I,
)
""" "980 euros", "30 minutes a day": a value, where "5 restaurants" are things."""
_LEAD = re.compile(r"^(?:to|until|till|on|at|for|by|back|forward|from)\s+", re.I)
_UP_TO = re.compile(r"\b(?:to|until|till)\s+(?:the\s+)?$", re.I)
_NEW_POST = re.compile(
    r"\b(?:job|work(?:s|ing)?|notice|resign\w*|hired|role|position|employer|contract|colleagues|career|redundan\w+"
    r"|laid off"
    r"|as of|starting|since)\b", re.I)  # fmt: skip


def shifts(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What somebody was assigned to, and what a property was set to; nothing where another rule has to read it."""
    if not told(clause) or clause.negated or clause.ended:
        return
    if clause.lemma in _SETS and (changed := list(_set_anew(clause, scene))):
        yield from changed
        return
    if clause.passive and _treats(clause):
        yield from _prescribed(clause, scene)
    elif clause.passive and clause.lemma in ASSIGNING and person(clause):
        yield from _assigned(clause, scene)
    elif clause.lemma == "be" and person(clause):
        _stands(clause, scene)


def _assigned(clause: Clause, scene: Scene) -> Iterator[Draft]:
    found = [(w.rsplit("_", 1)[-1], t) for w, t, _ in prepositions(clause.verb, scene)]
    token = clause.child("oprd")
    pairs = [(w, t) for w, t in found if w in _TOWARDS] + ([("as", token)] if token is not None else [])
    for word, target in pairs:
        phrase = noun_phrase(target, scene)
        if phrase is None or phrase.name.is_speaker:
            continue
        if is_job(phrase, scene):
            yield make(clause, scene, "job_title", Name(title_only(phrase)), state=False)
            return
        if tie := group_of(target, scene, unit=True):
            yield make(clause, scene, tie[0], tie[1], state=False, confidence=0.75)
            return
        if not is_proper(target) or word not in ("to", "onto", "on"):
            return
        text = f"{clause.subject.text} was {clause.verb.lower_} {word} {phrase.shown}"
        draft = make(clause, scene, "works_on", phrase, state=False, canonical=False, text=text)
        scene.loose.append(Loose(draft, ("works_on",), "told"))
        return


def _treats(clause: Clause) -> bool:
    """Whether the subject of the sentence heals."""
    token = next((c for c in clause.verb.children if c.dep_ in ("nsubj", "agent")), None)
    treats = clause.lemma in ("put", "have", "start", "keep", "switch", "move", "prescribe")
    heals = token is not None and token.lemma_.lower() in _HEALERS
    return treats and (heals or clause.lemma == "prescribe" or (clause.passive and clause.lemma in ("put", "start")))


def _prescribed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "the doctor put me on ezetimibe", "she prescribed me an inhaler": what is taken."""
    token = clause.child("dobj")
    target = next((t for w, t, _ in prepositions(clause.verb, scene) if w.rsplit("_", 1)[-1] in ("on", "to")), None)
    if clause.lemma == "prescribe" and token is not None and token.lower_ not in ("me", "him", "her", "us"):
        target = token
    who = clause.subject
    if target is None or target.pos_ == "PRON" or scene.dated(target) or not (who.is_speaker or person(clause)):
        return
    for phrase in phrases(target, scene):
        text = f"{who.text} takes {phrase.shown}"
        yield make(clause, scene, "takes", plain(phrase, scene), state=False, text=text, confidence=0.75)


def _stands(clause: Clause, scene: Scene) -> None:
    """ "as of Monday I'm with Nordwind", "is now at Harrogate Hospital": a new post, where one is known."""
    now = any(c.lower_ in ("now", "currently") for c in clause.verb.children) or clause.dates
    if not now or clause.tense != "present" or clause.child("attr", "acomp") is not None:
        return
    for word, target, _ in prepositions(clause.verb, scene):
        phrase = noun_phrase(target, scene) if word in ("with", "at") and is_proper(target) else None
        if phrase is None:
            continue
        relations = ("attends", "works_at") if is_school(phrase.name.text) else ("works_at", "attends")
        way = "told" if _NEW_POST.search(scene.sentence.text) and relations[0] == "works_at" else "after"
        where = typed(phrase, "organisation")
        draft = make(
            clause, scene, relations[0], where, state=False, text=f"{clause.subject.text} is {word} {where.shown}"
        )
        scene.loose.append(Loose(draft, relations, way))
        return


def _set_anew(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "raise the kitchen budget to 9,500 euros", "the deadline has slipped to 17 March"."""
    token = clause.child("dobj") if not clause.passive else None
    if token is None and not clause.impersonal:
        token = next((c for c in clause.verb.children if c.dep_ in ("nsubj", "nsubjpass")), None)
    if (
        token is None
        or token.pos_ not in ("NOUN", "PROPN")
        or is_proper(token)
        or not (clause.tense == "past" or clause.perfect)
    ):
        return
    owner = owner_of(token, scene) if has_owner(token) else None
    definite = owner is not None or any(c.dep_ == "det" and c.lower_ == "the" for c in token.children)
    somebody = lemma_of(token) in scene.words.kin or lemma_of(token) in scene.words.lists["pets"]
    value = _new_value(clause, scene, token) if definite and not somebody else None
    if value is None:
        return
    words = bare_words(token, scene)
    if owner is None:
        thing = noun_phrase(token, scene)
        if thing is None:
            return
        part = next((t for w, t, _ in prepositions(token, scene) if w in ("for", "of")), None)
        said = f"The {thing.name.text} is {value}"
        relation, subject = "is", thing.name
        if part is not None and (of := noun_phrase(part, scene)) is not None and not of.name.is_speaker:
            head = scene.read(token.left_edge.idx, token.idx + len(token))
            relation, subject = snake(re.sub(r"^(?:the|The) ", "", head)), of.name
        yield make(clause, scene, relation, Name(value), subject=subject, state=False, text=said, cardinality="one",
                   confidence=0.75)  # fmt: skip
        return
    predicate = scene.words.attribute_predicate(words)
    known = predicate in scene.words.predicates
    yield make(clause, scene, predicate, Name(value), subject=owner, state=False, confidence=0.75,
               text=f"{owner.text}'s {words} is {value}", cardinality=None if known else "one")  # fmt: skip


def _new_value(clause: Clause, scene: Scene, thing: Token) -> str | None:
    """The amount, day or time behind "to" or "until"."""
    text = scene.sentence.text
    after = max(thing.idx, clause.verb.idx)
    spans = sorted((s for s in scene.dates if s.start > after and not s.length), key=lambda s: s.start)
    for span in spans:
        lead = _LEAD.match(text[span.start : span.end])
        if (lead and lead[0].split()[0].lower() in ("to", "until", "till")) or _UP_TO.search(text[: span.start]):
            end = span.end
            if match := re.match(r" (?:at )?\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|o['’]clock))?\b", text[end:]):
                end += match.end()
            for other in spans:
                end = max(end, other.end) if 0 <= other.start - end <= len(" at ") else end
            scene.dates[:] = [s for s in scene.dates if not span.start <= s.start < end]
            clause.dates[:] = [s for s in clause.dates if not span.start <= s.start < end]
            return _LEAD.sub("", scene.read(span.start, end))
    for node in (clause.verb, thing):
        for word, target, _ in prepositions(node, scene):
            phrase = noun_phrase(target, scene) if word.rsplit("_", 1)[-1] in ("to", "until", "till", "at") else None
            if phrase is not None and _MEASURE.search(phrase.name.text):
                return phrase.name.text
    return None
