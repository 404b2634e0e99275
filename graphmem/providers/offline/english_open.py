"""English sentences that rules cannot place: whom and what they may be about, for the model of `wordings`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import make
from .english_nouns import noun_phrase, owner_of
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper
from .wordings import SOMEBODY, Question
from .wordings.asking import Ask, needed
from .wordings.shapes import Look

_MOST = 6
"""Pairs of somebody and a value that one sentence is asked about."""
_VALUE_DEPS = frozenset({"dobj", "pobj", "attr", "oprd", "acomp", "nsubj", "nsubjpass", "appos", "npadvmod", "ROOT"})
_BESIDE = re.compile(
    r"\b(?:also|too|as well|another|additional(?:ly)?|besides|on top|in addition|both|sometimes|occasionally|either"
    r"|once)\b",
    re.I,
)
"""What stands beside others takes nobody's place."""
_ADVERBS = re.compile(
    r"\b(?:now|nowadays|currently|these days|at the moment|by now|from now on|already|meanwhile|instead|since then)\b"
    r",?\s*",
    re.I,
)
_ADDRESSED = re.compile(
    r"^(?:[A-Z][^,]{0,30}, |These days |Nowadays |Now |For [A-Z][^,]{0,40} )?(?:please )?"
    r"(?:you (?:can|will|['’]ll|may)? ?(?:now )?(?:find|reach|meet|see|get)|dial|call|ring|phone|text|write|mail"
    r"|contact|reach)\b",
    re.I,
)
_LEAD = re.compile(r"^(?:on|in|by|at|until|till|before|for|from|since)\s+", re.I)
_ME = re.compile(r"\b(?:I|me)\b")
_MY = re.compile(r"\b[Mm]y\b")


def asks(scene: Scene, told: Sequence[Clause], found: Sequence[Draft]) -> list[Ask]:
    """What the model is asked about a sentence in which rules have found nothing that they know."""
    clause = next((c for c in told if c.head.dep_ in ("ROOT", "conj")), None)
    if scene.denied or not needed(found, scene.sentence.text) or _BESIDE.search(scene.sentence.text):
        return []
    if clause is None:
        return _addressed(scene)
    if lemma_of(clause.head) in scene.words.lists["quote_verbs"] | scene.words.lists["unreal_verbs"]:
        return []
    if not _states(clause):
        clause = next((c for c in told if c.head.i > clause.head.i and _states(c)), None)  # "is no longer X but …"
        if clause is None:
            return []
    side = list(scene.side)
    made = list(_pairs(scene, clause))[:_MOST]
    scene.side = side  # looking at phrases files what stands in them; that is the rules' to do
    return made


def _states(clause: Clause) -> bool:
    return clause.assertive and not (clause.candidate or clause.negated or clause.ended or clause.habitual_past)


def _addressed(scene: Scene) -> list[Ask]:
    """ "You will find Anna in room 5", "dial 555-0101 for Anna": told to the listener, about somebody named."""
    text = scene.sentence.text
    if not _ADDRESSED.search(text) or re.search(r"\b(?:not|never|no longer)\b|n['’]t\b", text):
        return []
    side = list(scene.side)
    values = list(_values(scene))
    scene.side = side
    people = [p.name for _, p in values if p is not None and is_proper(p.head) and _is_person(p.name) is not False]
    people = [n for n in people if not any(map(str.isdigit, n.text))][:2]
    made = []
    for rank, somebody in enumerate(people):
        for value, phrase in values:
            if value not in somebody.text and somebody.text not in value:
                look = Look(None, any(c.isupper() or c.isdigit() for c in value), phrase is None)
                question = Question("en", _sentence(scene, somebody, value), value, look)
                if SOMEBODY["en"] in question.text and value in question.text:
                    draft = Draft(somebody, "", Name(value), 0, len(text), scene.read(0, len(text)))
                    made.append(Ask(question, draft, rank, named=True))
    return made[:_MOST]


def _pairs(scene: Scene, clause: Clause) -> Iterator[Ask]:
    values = list(_values(scene))
    subject = clause.subject.text
    for rank, somebody in enumerate(_somebodies(scene, clause, values)):
        aside = subject not in somebody.text and somebody.text not in subject
        for value, phrase in values:
            if aside and value != subject:
                continue  # of a name that is not the subject only the subject is told: "Ben leads Anna"
            if value not in somebody.text and somebody.text not in value:
                named = phrase is not None and any(c.isupper() or c.isdigit() for c in value)
                acted = phrase is not None and phrase.head.dep_ == "dobj" and not clause.passive
                acts = True if aside else False if acted else None
                look = Look(_is_person(somebody), named, phrase is None, acts)
                question = Question("en", _sentence(scene, somebody, value), value, look)
                if SOMEBODY["en"] in question.text and value in question.text:
                    draft = _draft(scene, clause, somebody, value, phrase)
                    yield Ask(question, draft, rank, named=_has_name(somebody, scene))


def _somebodies(scene: Scene, clause: Clause, values: Sequence[tuple[str, Phrase | None]]) -> list[Name]:
    """Whose subject it is, the subject itself, then other names."""
    token = clause.subject_token
    owner = owner_of(token, scene) if token is not None else None
    phrases = [p for _, p in values if p is not None and not any(map(str.isdigit, p.name.text))]
    others = [p.name for p in phrases if _whole_person(p)]
    owners = [o for _, p in values if p is not None and (o := owner_of(p.head, scene)) is not None]
    named = [n for n in (owner, clause.subject, *owners, *others) if n is not None]
    return [name for name in dict.fromkeys(named) if name.is_speaker or name.text in scene.sentence.text][:3]


def _has_name(name: Name, scene: Scene) -> bool:
    own = name.is_speaker or name.text.startswith(f"{scene.context.speaker}'s ")
    return not own and name.text[:1].isupper()


def _whole_person(phrase: Phrase) -> bool:
    """Whether a phrase beside the subject is somebody's whole name, and no part of another name."""
    return is_proper(phrase.head) and len(phrase.name.text.split()) > 1 and not _inside(phrase.head)


def _inside(token: Token) -> bool:
    """Whether a word stands inside a longer name: the Freedom of a Medal of Freedom."""
    return bool(token.dep_ == "pobj" and token.head.head.pos_ == "PROPN" and token.head.head.i < token.i)


def _is_person(name: Name) -> bool | None:
    """Whether a name is a person's; None where it may be a firm's or an event's as well."""
    if name.is_speaker or name.type == "person":
        return True
    words = name.text.removeprefix("the ").split()
    return None if all(word[:1].isupper() for word in words) and name.text.isascii() else False


def _values(scene: Scene) -> Iterator[tuple[str, Phrase | None]]:
    for span in scene.dates:
        if not span.length:
            yield _LEAD.sub("", scene.read(span.start, span.end)), None
    for token in scene.doc:
        if token.dep_ in _VALUE_DEPS and token.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "X", "SYM"):
            phrase = None if _inside(token) else noun_phrase(token, scene)
            if phrase is not None and not phrase.name.is_speaker and phrase.name.text in scene.sentence.text:
                yield phrase.name.text, phrase


def _sentence(scene: Scene, somebody: Name, value: str) -> str:
    """The sentence with the person's name replaced, and without what only tells when."""
    text = scene.read(0, len(scene.sentence.text))
    for span in sorted(scene.dates, key=lambda s: -s.start):
        if value not in (words := scene.read(span.start, span.end)):
            text = text.replace(words, "", 1)
    if somebody.is_speaker:
        text = _MY.sub(f"{SOMEBODY['en']}'s", _ME.sub(SOMEBODY["en"], text))
    text = re.sub(rf"(?:\b[Tt]he )?{re.escape(somebody.text)}(?!\w)", SOMEBODY["en"], text)
    text = re.sub(r"\s+", " ", _ADVERBS.sub("", text)).strip(" ,")
    return text if text.endswith((".", "!")) else text + "."


def _draft(scene: Scene, clause: Clause, somebody: Name, value: str, phrase: Phrase | None) -> Draft:
    dates = list(clause.dates)
    if phrase is None:
        clause.dates[:] = [s for s in dates if value not in scene.read(s.start, s.end)]
    draft = make(clause, scene, "", phrase or Name(value), subject=somebody, state=False, canonical=False, ended=False)
    clause.dates[:] = dates
    return draft
