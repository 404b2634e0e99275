"""Where English names and noun phrases begin and end in a parse."""

from __future__ import annotations

import re

from .english_scene import Scene, Token

ARTICLES = frozenset({"a", "an", "the", "some", "any", "this", "that", "these", "those", "no"})


def is_proper(token: Token) -> bool:
    """Whether the head of the phrase is a name."""
    return token.pos_ == "PROPN" or (token.text[:1].isupper() and token.i > 0 and token.pos_ in ("NOUN", "ADJ", "X"))


def has_owner(token: Token) -> bool:
    """Whether a possessive stands before the noun."""
    return any(c.dep_ == "poss" or c.tag_ == "PRP$" for c in token.children)


def called(token: Token) -> Token | None:
    """The name in "a company called Tidewater"."""
    for child in token.children:
        if child.dep_ == "acl" and child.lower_ in ("called", "named") and child.i > token.i:
            return next((c for c in child.children if c.dep_ in ("oprd", "attr", "dobj") and is_proper(c)), None)
    return None


def proper_part(token: Token, owned: bool, scene: Scene) -> list[Token]:
    """The name inside "my sister Anna", "Anna" or "Ken Morikawa"; empty where the phrase is not a name."""
    if owned:
        named = [c for c in token.children if c.dep_ == "appos" and is_proper(c) and c.i > token.i]
        if named:
            return _run(named[0], scene)
        if is_proper(token):
            left = [t for t in _run(token, scene) if t.dep_ != "poss"]
            return left if len(left) < _noun_count(token) else []
        return []
    if not is_proper(token) or any(c.dep_ == "det" for c in token.children):
        return []
    if len(token) < 3 and any(c.dep_ == "compound" and not c.text[:1].isupper() for c in token.children):
        return []  # vitamin D, hepatitis B
    if any(c.dep_ in ("amod", "nummod") and not c.text[:1].isupper() and c.i < token.i for c in token.children):
        return []
    return _run(token, scene)


def _noun_count(token: Token) -> int:
    return 1 + sum(c.pos_ in ("NOUN", "PROPN") and c.dep_ in ("compound", "nmod", "amod") for c in token.subtree)


def _run(token: Token, scene: Scene) -> list[Token]:
    """The capital words around a name's head, with hyphens, numbers and "of" parts between names."""
    doc, first, last = token.doc, token.i, token.i
    while first > 0 and doc[first - 1].head in doc[first : token.i + 1] and _name_like(doc[first - 1]):
        first -= 1
    while last + 2 < len(doc) and doc[last + 1].text == "&" and doc[last + 2].text[:1].isupper():
        last += 2
    while (
        last + 1 < len(doc)
        and _name_like(doc[last + 1])
        and not scene.dated(doc[last + 1])
        and doc[last + 1].dep_ not in ("appos", "conj", "ROOT", "dobj", "npadvmod")
    ):
        last += 1
    last = _with_of(doc, first, last)
    first, last = _with_signs(doc, first, last)
    while first < token.i and doc[first].is_punct:
        first += 1
    while last > token.i and (doc[last].is_punct or doc[last].tag_ == "POS"):
        last -= 1
    return list(doc[first : last + 1])


def _with_signs(doc: Token, first: int, last: int) -> tuple[int, int]:
    """The ends of a name with what touches it: A/B, Tilde~Works."""
    while first > 0 and not doc[first - 1].whitespace_ and _inner_sign(doc[first - 1], doc[first]):
        first -= 1
    while last + 1 < len(doc) and not doc[last].whitespace_ and _inner_sign(doc[last + 1], doc[last]):
        last += 1
    return first, last


def _with_of(doc: Token, first: int, last: int) -> int:
    """The last word of "University of Warsaw"; a possessive in front ("my Aunt of Leeds") names somebody else."""
    if first > 0 and doc[first - 1].tag_ in ("PRP$", "POS"):
        return last
    while last + 2 < len(doc) and doc[last + 1].lower_ == "of" and doc[last + 2].pos_ == "PROPN":
        last += 2
        while last + 1 < len(doc) and doc[last + 1].pos_ == "PROPN" and doc[last].dep_ == "compound":
            last += 1
    return last


def _inner_sign(token: Token, beside: Token) -> bool:
    """Whether a token that touches a name without a blank belongs to it: A/B, Tilde~Works."""
    signs = ("/", "~", "+", "&", "_", "@", "-")
    return token.text in signs or (beside.text in signs and token.is_alpha)


def _name_like(token: Token) -> bool:
    if token.tag_ == "HYPH":
        return True
    return (
        (token.text[:1].isupper() or token.text[:1].isdigit())
        and token.pos_ in ("PROPN", "NOUN", "NUM", "ADJ", "X")
        and token.tag_ != "PRP$"
    )


def bounds(token: Token, scene: Scene) -> tuple[int, int, int]:
    """Start without the article, end, and start with it, as character positions."""
    kept = [token]
    for child in token.children:
        if _belongs(child, token, scene):
            kept.extend(t for t in child.subtree if not scene.dated(t) and not _cut(t, token))
    kept.sort(key=lambda t: t.i)
    tokens = _contiguous(kept, token)
    first = 0
    while first < len(tokens) - 1 and (
        tokens[first].lower_ in ARTICLES or tokens[first].tag_ in ("PRP$", "POS", ":", "PDT")
    ):
        first += 1
    begin = tokens[0].idx if tokens[0].lower_ in ARTICLES else tokens[first].idx
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
        return (child.i < head.i and child.tag_ == "HYPH") or child.text in ("(", ")", "/", "-")
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


def gerund_and_noun(token: Token) -> tuple[Token, int] | None:
    """The two parts of "hiking and black coffee", which the parser reads as one phrase."""
    for child in token.lefts:
        if child.tag_ == "VBG" and child.dep_ == "amod":
            conjunction = [c for c in child.children if c.dep_ == "cc"]
            if conjunction:
                return child, conjunction[0].idx + len(conjunction[0])
    return None
