"""What an English sentence says is over: given up, sold, cancelled, left, closed down, parted from.

Which relation that ends, only what is known can tell: coffee may be drunk, liked, or what a shop sells. So each is left
open (`Loose`), in one of a few ways of ending that rule out what cannot end so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .draft import Draft, Loose, Name
from .english_clauses import Clause
from .english_make import make, prepositions
from .english_nouns import bare_words, joined, noun_phrase, phrases
from .english_scene import Scene, Token
from .english_spans import has_owner, is_proper
from .english_ties import told
from .wordings import ENDS

_WAYS: dict[str, str] = {
    **dict.fromkeys(("stop", "quit", "drop", "ditch", "kick", "abandon", "renounce", "forgo", "cease"), "habit"),
    **dict.fromkeys(("sell", "scrap", "donate", "trade", "swap", "exchange", "replace", "rehome", "junk", "pawn"),
                     "thing"),
    **dict.fromkeys(("cancel", "terminate", "discontinue", "delete", "deactivate", "unsubscribe"), "contract"),
    **dict.fromkeys(("leave", "resign", "retire", "withdraw"), "post"),
    **dict.fromkeys(("divorce", "dump"), "person"),
    **dict.fromkeys(("outgrow", "overcome"), "illness"),
}  # fmt: skip
"""Verbs whose object is over."""
_WITH_PARTICLE: dict[tuple[str, str], str] = {
    ("give", "up"): "habit", ("cut", "out"): "habit", ("swear", "off"): "habit", ("lay", "off"): "habit",
    ("come", "off"): "habit", ("get", "off"): "habit", ("wean", "off"): "habit", ("pack", "in"): "habit",
    ("phase", "out"): "habit", ("give", "away"): "thing", ("throw", "out"): "thing", ("throw", "away"): "thing",
    ("hand", "over"): "post", ("drop", "out"): "post", ("step", "down"): "post", ("go", "off"): "liking",
    ("break", "up"): "person", ("split", "up"): "person", ("split", "from"): "person", ("part", "from"): "person",
    ("get", "over"): "illness", ("put", "down"): "pet", ("opt", "out"): "contract", ("pull", "out"): "post",
    ("move", "out"): "home", ("move", "away"): "home",
}  # fmt: skip
"""The same with a particle or an adverb behind the verb."""
_GONE = frozenset({"fold", "dissolve", "collapse"})
_MADE_AWAY = frozenset({"shelve", "cancel", "scrap", "axe", "discontinue", "liquidate", "dissolve", "abandon", "close"})
_GONE_WITH = frozenset({("go", "under"), ("go", "bankrupt"), ("go", "bust"), ("shut", "down"), ("wind", "down"),
                        ("close", "down"), ("fall", "through"), ("call", "off"), ("go", "away")})  # fmt: skip
"""What a firm or project does that is no more."""
_DIES = frozenset({"die", "pass"})
_PARTED = frozenset({"together", "couple", "married", "item", "dating", "engaged"})
_KINDS = frozenset({"membership", "subscription", "account", "plan", "policy", "contract", "allergy", "habit",
                    "medication",
                    "licence", "license", "job", "position", "lessons", "classes", "class"})  # fmt: skip
"""Nouns before which the thing itself is named: "my FitBox membership"."""
_MOST = 6


def partings(scene: Scene, clauses: Sequence[Clause]) -> None:
    """File what is over in a sentence that claims so."""
    found = [loose for clause in clauses if not scene.denied for loose in _of_clause(clause, scene)]
    seen = {(one.draft.subject, one.draft.target, one.way): one for one in found}
    scene.loose += list(seen.values())[:_MOST]


def _of_clause(clause: Clause, scene: Scene) -> Iterator[Loose]:
    side = list(scene.side)
    yield from _found(clause, scene)
    scene.side = side  # looking at phrases files what stands in them; that is the rules' to do


def _found(clause: Clause, scene: Scene) -> Iterator[Loose]:
    if clause.candidate or not told(clause) or clause.habitual_past:
        return
    if clause.ended:
        feels = "liking" if clause.lemma in _FEELS else "habit"
        for token in _objects(clause, scene, feels):
            yield from _over(clause, scene, feels, token)
        yield from _apart(clause, scene)
        return
    happened = clause.tense == "past" or clause.perfect
    if clause.negated or not happened:
        return
    way = _way(clause)
    if way == "person":
        yield from _separated(clause, scene)
    elif way and not (clause.lemma == "leave" and not clause.perfect and not _WORK.search(scene.content)):
        for token in _objects(clause, scene, way):
            yield from _over(clause, scene, way, token)
    yield from _goodbye(clause, scene)
    yield from _no_more(clause, scene)


_FEELS = frozenset({"like", "love", "enjoy", "stand", "adore"})


_WORK = re.compile(
    r"\b(?:jobs?|work(?:s|ed|ing)?|notice|resign\w*|joined|joining|started|after (?:\w+ ){1,3}years|years? at|employer"
    r"|career|(?:last|this|in) (?:week|month|year|spring|summer|autumn|winter|january|february|march|april|may|june"
    r"|july|august|september|october|november|december))\b",
    re.IGNORECASE,
)
""" "left Acme at six" is the way home; with one of these it is the job."""


def _particles(clause: Clause) -> set[str]:
    behind = [
        c for c in clause.verb.children if c.dep_ in ("prt", "advmod", "prep", "acomp", "advcl") and c.i > clause.verb.i
    ]
    return {c.lower_ for c in behind}


def _way(clause: Clause) -> str:
    particles = _particles(clause) | {""}
    if clause.lemma == "drop" and "off" in particles:
        return ""
    way = next((w for (verb, word), w in _WITH_PARTICLE.items() if verb == clause.lemma and word in particles), "")
    if clause.lemma == "get" and "rid" in {c.lower_ for c in clause.verb.subtree}:
        return "thing"
    return way or _WAYS.get(clause.lemma, "")


def _objects(clause: Clause, scene: Scene, way: str) -> Iterator[Token]:
    """What the verb acts on: its object, the one of an inner verb, and what stands behind the way's prepositions."""
    token = clause.child("dobj", "obj", "attr", "oprd")
    if token is not None:
        yield token
    inner = clause.child("xcomp")
    if inner is not None and inner.tag_ == "VBG":
        yield inner
        yield from (c for c in inner.children if c.dep_ == "dobj")
    words = _BEHIND.get(way, ("on", "off", "into", "of")) + (("to",) if clause.lemma in _GOES else ())
    around = [clause.verb, *(c for c in clause.verb.children if c.dep_ in ("acomp", "advmod", "prt", "prep"))]
    for node in around:
        for word, target, _ in prepositions(node, scene):
            if word.rsplit("_", 1)[-1] in words:
                yield target


_GOES = frozenset({"go", "come", "belong", "subscribe"})
_BEHIND = {"thing": ("of", "in"), "contract": ("from", "with", "at", "of"), "post": ("from", "as", "of"),
           "person": ("with", "from"), "home": ("of", "from"), "pet": ("to",)}  # fmt: skip
"""The prepositions before what is over, by way; others are before why, where and with whom."""


def _names(token: Token, scene: Scene) -> Iterator[Name]:
    for phrase in phrases(token, scene):
        if phrase.name.is_speaker:
            continue
        head = phrase.head
        if head.lemma_.lower() in _KINDS:
            before = [c for c in head.children if c.dep_ in ("compound", "nmod", "amod") and c.i < head.i]
            if before:
                yield Name(scene.read(before[0].left_edge.idx, before[-1].idx + len(before[-1])))
        yield Name(bare_words(head, scene)) if has_owner(head) and not is_proper(head) else phrase.name
    if token.tag_ == "VBG":
        yield Name(scene.read(token.idx, token.idx + len(token)))


def _over(clause: Clause, scene: Scene, way: str, token: Token, *, who: Name | None = None) -> Iterator[Loose]:
    for name in _names(token, scene):
        yield Loose(_end(clause, scene, name, who), (ENDS,), way)


def _separated(clause: Clause, scene: Scene) -> Iterator[Loose]:
    """ "Lena and I split up", "broke up with Maja", "Maja dumped me"."""
    token = clause.subject_token
    beside = [token, *joined(token)] if token is not None else []
    together = any(t.lower_ == "i" for t in beside)
    if together or _acts_on_me(clause):
        for one in beside:
            if one.lower_ not in ("i", "we") and (phrase := noun_phrase(one, scene)):
                yield Loose(_end(clause, scene, phrase.name, scene.context.me), (ENDS,), "person")
    for one in _objects(clause, scene, "person"):
        yield from _over(clause, scene, "person", one)


def _end(clause: Clause, scene: Scene, target: Name, who: Name | None) -> Draft:
    return make(clause, scene, ENDS, target, subject=who, state=False, canonical=False, ended=True)


def _acts_on_me(clause: Clause) -> bool:
    token = clause.child("dobj")
    return token is not None and token.lower_ == "me"


def _apart(clause: Clause, scene: Scene) -> Iterator[Loose]:
    """ "Maja and I aren't together any more"."""
    token = clause.subject_token
    if token is None or not any(t.lower_ in _PARTED for t in clause.verb.children):
        return
    beside = [token, *joined(token)]
    if any(t.lower_ == "i" for t in beside):
        for one in beside:
            if one.lower_ != "i" and (phrase := noun_phrase(one, scene)):
                yield Loose(_end(clause, scene, phrase.name, scene.context.me), (ENDS,), "person")


def _goodbye(clause: Clause, scene: Scene) -> Iterator[Loose]:
    """ "we had to say goodbye to Biscuit", "had to put Rex down": of an animal."""
    if clause.lemma in ("say", "bid") and clause.head is not clause.verb:
        for token in _objects(clause, scene, "pet"):
            if token.lower_ != "goodbye":
                yield from _over(clause, scene, "pet", token, who=scene.context.me)


def _no_more(clause: Clause, scene: Scene) -> Iterator[Loose]:
    """ "Atlas got shelved", "Bluefin went under", "Biscuit passed away": the subject is no more, of whomever it is."""
    token = clause.subject_token
    if token is None or clause.subject.is_speaker:
        return
    dies = clause.lemma in _DIES and (clause.lemma == "die" or "away" in _particles(clause))
    gone = clause.lemma in _GONE and clause.child("dobj") is None
    closed = (
        gone
        or (clause.lemma in _MADE_AWAY and clause.passive)
        or any((clause.lemma, word) in _GONE_WITH for word in _particles(clause))
    )
    if dies or closed:
        draft = _end(clause, scene, clause.subject, scene.context.me)
        yield Loose(draft, (ENDS,), "pet" if dies else "closed")
