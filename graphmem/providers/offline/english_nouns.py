"""Noun phrases of an English parse: who or what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_scene import Phrase, Scene, Token
from .english_spans import bounds, called, gerund_and_noun, has_owner, is_proper, proper_part

_FIRST = frozenset({"i", "me", "we", "us", "myself"})


_OWN = frozenset({"my", "our"})


_THIRD_OWN = frozenset({"his", "her"})


_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.I)


def subject_name(token: Token, scene: Scene) -> Name | None:
    """Whom a subject speaks of; None for words that name nobody."""
    word = token.lower_
    if scene.named_first and token.i == 0:
        return _opening(scene.read(token.idx, token.idx + len(token)), scene)
    if word in _FIRST:
        return scene.context.me
    if word in ("he", "she", "him", "her"):
        return scene.context.person
    if word == "it":
        return scene.context.theme
    if (
        word in scene.words.lists["nobody"]
        or token.tag_ == "VBG"
        or token.pos_ in ("PRON", "DET")
        or any(c.dep_ == "neg" or c.lower_ == "no" for c in token.children)
    ):
        return None
    if not lasting(token, scene):
        return None
    phrase = noun_phrase(token, scene)
    return phrase.name if phrase else None


def _opening(words: str, scene: Scene) -> Name:
    """The name that a stand-in hides: "Otto", "the lamp", "my server"."""
    bare = _ARTICLE.sub("", words)
    first, _, rest = bare.partition(" ")
    if rest and first.lower() in _OWN:
        return Name(f"{scene.context.speaker}'s {rest}", "person" if scene.words.kin.get(rest.lower()) else None)
    return Name(bare)


def lasting(token: Token, scene: Scene) -> bool:
    """Whether a noun can be found again later: not "your courage", "that photo", "people", "a lot"."""
    for child in token.children:
        if child.tag_ == "PRP$" and (child.lower_ in ("your", "their") or owner_of(token, scene) is None):
            return False
        if child.dep_ in ("det", "predet") and child.lower_ in ("that", "those", "this", "these", "what", "such"):
            return False
    return is_proper(token) or has_owner(token) or token.lemma_.lower() not in scene.words.lists["vague"]


def noun_phrase(token: Token, scene: Scene) -> Phrase | None:
    """A noun phrase as a name without its article; None for pronouns, dates and empty words."""
    if token.pos_ == "ADV" or token.text[:1] in "'’":
        return None
    if token.lower_ in scene.words.lists["nobody"] or token.pos_ == "PRON" or scene.dated(token):
        name = _pronoun(token, scene)
        return Phrase(name, name.text, token) if name else None
    if (given := called(token)) and (inner := noun_phrase(given, scene)):
        return Phrase(inner.name, inner.shown, token)
    owner = owner_of(token, scene)
    proper = proper_part(token, owner is not None, scene)
    if proper:
        name = Name(scene.read(*_range(proper)))
        _note_role(token, proper, owner, scene, name)
        return Phrase(name, name.text, token)
    start, end, shown = bounds(token, scene)
    text = scene.read(start, end)
    if not any(c.isalnum() for c in text):
        return _plain_symbol(token, text)
    if owner is not None:
        kin = _role_of(token.lemma_.lower(), scene)
        mark = "'" if any(c.dep_ == "poss" and c.tag_ == "NNS" for c in token.children) else "'s"
        name = Name(f"{owner.text}{mark} {text}", "person" if kin else None)
        return Phrase(name, name.text, token)
    return Phrase(Name(text), scene.read(shown, end), token)


def _plain_symbol(token: Token, text: str) -> Phrase | None:
    return Phrase(Name(text), text, token) if text and not token.is_punct else None


def phrases(token: Token, scene: Scene) -> Iterator[Phrase]:
    """The phrase and those joined to it by "and", "or" or commas."""
    if split := gerund_and_noun(token):
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


def bare_words(token: Token, scene: Scene) -> str:
    """The phrase without its possessor and article, as written."""
    start, end, _ = bounds(token, scene)
    return scene.read(start, end)


def _pronoun(token: Token, scene: Scene) -> Name | None:
    word = token.lower_
    if word in _FIRST:
        return scene.context.me
    if word in ("him", "her"):
        return scene.context.person
    return scene.context.thing if word == "it" else None


def _role_of(lemma: str, scene: Scene) -> str | None:
    return scene.words.kin.get(lemma)


def _range(tokens: list[Token]) -> tuple[int, int]:
    return tokens[0].idx, tokens[-1].idx + len(tokens[-1])


def _note_role(token: Token, proper: list[Token], owner: Name | None, scene: Scene, name: Name) -> None:
    """File "my sister Anna" and "Ken, my coach" as facts of their own."""
    if owner is None:
        role = token.head.head  # the sister, where Lucy's birthday was read as another name of hers
        if token.dep_ == "poss" and owned_by_name(role) == token.head and has_owner(role):
            file_role(owner_of(role, scene), bare_words(role, scene), role.lemma_.lower(), scene, name)
        for child in token.children:
            kin = child.lemma_.lower() in scene.words.kin or child.lemma_.lower() in scene.words.lists["pets"]
            if child.dep_ == "appos" and kin and has_owner(child) and child.i > token.i and not is_proper(child):
                owner = owner_of(child, scene)
                file_role(owner, bare_words(child, scene), child.lemma_.lower(), scene, name)
        return
    indexes = {t.i for t in proper}
    roles = [t for t in [*token.lefts, token] if t.pos_ in ("NOUN", "ADJ") and t.i not in indexes and t.dep_ != "poss"]
    if roles:
        file_role(owner, " ".join(t.text for t in roles), roles[-1].lemma_.lower(), scene, name)


def owned_by_name(token: Token) -> Token | None:
    """The birthday in "my sister Lucy's birthday", which the parser takes for another name of the sister."""
    for child in token.children:
        named = [c for c in child.children if c.dep_ == "poss" and c.pos_ == "PROPN"]
        if child.dep_ == "appos" and named and named[0].left_edge.i == token.i + 1:
            return child
    return None


def file_role(owner: Name | None, words: str, lemma: str, scene: Scene, name: Name) -> None:
    """File that `name` is the owner's sister, dog, tutor."""
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
