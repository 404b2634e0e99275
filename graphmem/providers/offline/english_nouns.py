"""Noun phrases of an English parse: who or what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .dates import DateSpan
from .draft import Context, Draft, Name
from .lexicon import Lexicon
from .sentences import Sentence

Token = Any
"""A spaCy token; spaCy has no type information."""

_FIRST = frozenset({"i", "me", "we", "us", "myself"})
_OWN = frozenset({"my", "our"})
_THIRD_OWN = frozenset({"his", "her"})
_VAGUE = frozenset(
    "everyone everybody someone somebody anyone anybody nobody none no-one who whom which that this these those there "
    "you they them it what all some many few most both either neither one ones other others each".split()
)
_ARTICLES = frozenset({"a", "an", "the", "some", "any", "this", "that", "these", "those", "no"})


@dataclass(slots=True)
class Scene:
    """One parsed sentence with everything needed to read names out of it."""

    sentence: Sentence
    content: str
    doc: Any
    context: Context
    words: Lexicon
    dates: list[DateSpan] = field(default_factory=list)
    side: list[Draft] = field(default_factory=list)
    named_first: bool = False
    """The first word stands in for a name."""
    denied: bool = False
    """The sentence began with "It is not that"."""

    def read(self, start: int, end: int) -> str:
        """Characters of the sentence as they were written."""
        return self.sentence.words(self.content, start, end)

    def dated(self, token: Token) -> bool:
        """Whether the token belongs to a time expression."""
        return any(span.start <= token.idx < span.end for span in self.dates)


    def shown(self, token: Token) -> str:
        """The article of a noun, as it opens a sentence."""
        article = next((c for c in token.children if c.dep_ == "det" and c.lower_ in ("the", "a", "an")), None)
        return f"{article.text.capitalize()} " if article is not None else ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: the name, the words to show in a sentence, and its head."""

    name: Name
    shown: str
    head: Token


def subject_name(token: Token, scene: Scene) -> Name | None:
    """Whom a subject speaks of; None for words that name nobody."""
    word = token.lower_
    if scene.named_first and token.i == 0:
        return Name(scene.read(token.idx, token.idx + len(token)))
    if word in _FIRST:
        return scene.context.me
    if word in ("he", "she", "him", "her"):
        return scene.context.person
    if word == "it":
        return scene.context.thing
    if word in _VAGUE or token.pos_ in ("PRON", "DET") or any(c.dep_ == "neg" or c.lower_ == "no" for c in token.children):
        return None
    phrase = noun_phrase(token, scene)
    return phrase.name if phrase else None


def noun_phrase(token: Token, scene: Scene) -> Phrase | None:
    """A noun phrase as a name without its article; None for pronouns, dates and empty words."""
    if token.lower_ in _VAGUE or token.pos_ == "PRON" or scene.dated(token):
        name = _pronoun(token, scene)
        return Phrase(name, name.text, token) if name else None
    owner = owner_of(token, scene)
    proper = _proper_part(token, owner is not None)
    if proper:
        name = Name(scene.read(*_range(proper)))
        _note_role(token, proper, owner, scene, name)
        return Phrase(name, name.text, token)
    start, end, shown = _bounds(token, scene)
    text = scene.read(start, end)
    if not any(c.isalnum() for c in text):
        return _plain_symbol(token, text)
    if owner is not None:
        kin = _role_of(token.lemma_.lower(), scene)
        name = Name(f"{owner.text}'s {text}", "person" if kin else None)
        return Phrase(name, name.text, token)
    return Phrase(Name(text), scene.read(shown, end), token)


def _plain_symbol(token: Token, text: str) -> Phrase | None:
    return Phrase(Name(text), text, token) if text and not token.is_punct else None


def phrases(token: Token, scene: Scene) -> Iterator[Phrase]:
    """The phrase and those joined to it by "and", "or" or commas."""
    if split := _gerund_and_noun(token):
        gerund, start = split
        text = scene.read(gerund.idx, gerund.idx + len(gerund))
        yield Phrase(Name(text), text, gerund)
        rest = scene.read(start, token.idx + len(token))
        yield Phrase(Name(rest), rest, token)
    elif phrase := noun_phrase(token, scene):
        yield phrase
    for other in joined(token):
        if other.pos_ not in ("VERB", "AUX") or other.tag_ == "VBG":
            yield from ([found] if (found := noun_phrase(other, scene)) else [])


def joined(token: Token) -> Iterator[Token]:
    """Words coordinated with the token, in order, but not those behind "not"."""
    for child in token.children:
        if child.dep_ == "conj" and not any(c.dep_ == "neg" for c in child.children):
            yield child
            yield from joined(child)


def owner_of(token: Token, scene: Scene) -> Name | None:
    """The possessor of a noun: the speaker, a resolved pronoun, or a name."""
    for child in token.children:
        if child.dep_ != "poss" and child.tag_ != "PRP$":
            continue
        word = child.lower_
        if word in _OWN:
            return scene.context.me
        if word in _THIRD_OWN:
            return scene.context.person
        if word == "its":
            return scene.context.thing
        if word in ("your", "their", "whose"):
            return None
        found = noun_phrase(child, scene)
        return found.name if found else None
    return None


def has_owner(token: Token) -> bool:
    """Whether a possessive stands before the noun."""
    return any(c.dep_ == "poss" or c.tag_ == "PRP$" for c in token.children)


def bare_words(token: Token, scene: Scene) -> str:
    """The phrase without its possessor and article, as written."""
    start, end, _ = _bounds(token, scene)
    return scene.read(start, end)


def is_proper(token: Token) -> bool:
    """Whether the head of the phrase is a name."""
    return token.pos_ == "PROPN" or (token.text[:1].isupper() and token.i > 0 and token.pos_ in ("NOUN", "ADJ", "X"))


def _pronoun(token: Token, scene: Scene) -> Name | None:
    word = token.lower_
    if word in _FIRST:
        return scene.context.me
    if word in ("him", "her"):
        return scene.context.person
    return scene.context.thing if word == "it" else None


def _role_of(lemma: str, scene: Scene) -> str | None:
    return scene.words.kin.get(lemma)


def _proper_part(token: Token, owned: bool) -> list[Token]:
    """The name inside "my sister Anna", "Anna" or "Ken Morikawa"; empty where the phrase is not a name."""
    if owned:
        named = [c for c in token.children if c.dep_ == "appos" and is_proper(c) and c.i > token.i]
        if named:
            return _run(named[0])
        if is_proper(token):
            left = [t for t in _run(token) if t.dep_ != "poss"]
            return left if len(left) < _noun_count(token) else []
        return []
    if not is_proper(token) or any(c.dep_ == "det" for c in token.children):
        return []
    if any(c.dep_ in ("amod", "nummod") and not c.text[:1].isupper() and c.i < token.i for c in token.children):
        return []
    return _run(token)


def _noun_count(token: Token) -> int:
    return 1 + sum(c.pos_ in ("NOUN", "PROPN") and c.dep_ in ("compound", "nmod", "amod") for c in token.subtree)


def _run(token: Token) -> list[Token]:
    """The capital words around a name's head, with hyphens, numbers and "of" parts between names."""
    doc, first, last = token.doc, token.i, token.i
    while first > 0 and doc[first - 1].head in doc[first : token.i + 1] and _name_like(doc[first - 1]):
        first -= 1
    while last + 1 < len(doc) and _name_like(doc[last + 1]) and doc[last + 1].dep_ not in ("appos", "conj", "ROOT", "dobj", "npadvmod"):
        last += 1
    while first < token.i and doc[first].is_punct:
        first += 1
    while last > token.i and (doc[last].is_punct or doc[last].tag_ == "POS"):
        last -= 1
    return list(doc[first : last + 1])


def _name_like(token: Token) -> bool:
    if token.tag_ == "HYPH":
        return True
    return (token.text[:1].isupper() or token.like_num) and token.pos_ in ("PROPN", "NOUN", "NUM", "ADJ", "X") and token.tag_ != "PRP$"


def _range(tokens: list[Token]) -> tuple[int, int]:
    return tokens[0].idx, tokens[-1].idx + len(tokens[-1])


def _note_role(token: Token, proper: list[Token], owner: Name | None, scene: Scene, name: Name) -> None:
    """File "my sister Anna" and "Ken, my coach" as facts of their own."""
    if owner is None:
        for child in token.children:
            if child.dep_ == "appos" and has_owner(child) and not is_proper(child):
                owner = owner_of(child, scene)
                _file_role(owner, bare_words(child, scene), child.lemma_.lower(), scene, name)
        return
    indexes = {t.i for t in proper}
    roles = [t for t in [*token.lefts, token] if t.pos_ in ("NOUN", "ADJ") and t.i not in indexes and t.dep_ != "poss"]
    if roles:
        _file_role(owner, " ".join(t.text for t in roles), roles[-1].lemma_.lower(), scene, name)


def _file_role(owner: Name | None, words: str, lemma: str, scene: Scene, name: Name) -> None:
    if owner is None or owner == name:
        return
    sentence = scene.sentence
    if lemma in scene.words.lists["pets"]:
        text = f"{owner.text} has a {lemma} named {name.text}"
        scene.side.append(Draft(owner, "has_pet", name, 0, len(sentence.text), text, confidence=0.85))
        return
    kin = scene.words.kin.get(words.lower()) or scene.words.kin.get(lemma)
    predicate = kin or scene.words.attribute_predicate(words)
    person = Name(name.text, "person") if kin else name
    text = f"{owner.text}'s {words.lower() if kin else words} is {name.text}"
    scene.side.append(Draft(owner, predicate, person, 0, len(sentence.text), text, confidence=0.85 if kin else 0.6))
    if kin:
        scene.context.meet(person)


def _bounds(token: Token, scene: Scene) -> tuple[int, int, int]:
    """Start without the article, end, and start with it, as character positions."""
    kept = [token]
    for child in token.children:
        if _belongs(child, token, scene):
            kept.extend(t for t in child.subtree if not scene.dated(t) and not _cut(t, token))
    kept.sort(key=lambda t: t.i)
    tokens = _contiguous(kept, token)
    first = 0
    while first < len(tokens) - 1 and (tokens[first].lower_ in _ARTICLES or tokens[first].tag_ in ("PRP$", "POS", ":", "PDT")):
        first += 1
    begin = tokens[0].idx if tokens[0].lower_ in _ARTICLES else tokens[first].idx
    end = tokens[-1].idx + len(tokens[-1])
    return tokens[first].idx, end, begin


def _contiguous(kept: list[Token], head: Token) -> list[Token]:
    """The unbroken stretch of kept tokens around the head."""
    indexes = {t.i for t in kept}
    first = last = head.i
    while first - 1 in indexes:
        first -= 1
    while last + 1 in indexes:
        last += 1
    tokens = list(head.doc[first : last + 1])
    while len(tokens) > 1 and tokens[-1].is_punct and tokens[-1].text not in (")", '"', "”"):
        tokens.pop()
    return tokens


def _belongs(child: Token, head: Token, scene: Scene) -> bool:
    if child.dep_ in ("relcl", "appos", "conj", "cc", "advcl", "poss", "case", "predet", "preconj", "neg", "parataxis"):
        return False
    if child.dep_ == "acl":
        return child.i > head.i and not re.fullmatch("(?i)called|named", child.text)
    if child.dep_ in ("punct",):
        return child.i < head.i and child.tag_ == "HYPH" or child.text in ("(", ")", "/", "-")
    if child.dep_ == "prep":
        return child.lower_ in ("of", "for", "on", "from", "to", "with", "in", "about", "over", "at", "like", "without")
    return child.i < head.i or child.dep_ in ("nummod", "amod", "advmod", "compound", "nmod", "npadvmod", "quantmod")


def _cut(token: Token, head: Token) -> bool:
    """Whether a token below a kept child is part of another clause."""
    while token.i != head.i:
        if token.dep_ in ("relcl", "advcl", "parataxis"):
            return True
        if token.head.i == token.i:
            return False
        token = token.head
    return False


def _gerund_and_noun(token: Token) -> tuple[Token, int] | None:
    """The two parts of "hiking and black coffee", which the parser reads as one phrase."""
    for child in token.lefts:
        if child.tag_ == "VBG" and child.dep_ == "amod":
            conjunction = [c for c in child.children if c.dep_ == "cc"]
            if conjunction:
                return child, conjunction[0].idx + len(conjunction[0])
    return None
