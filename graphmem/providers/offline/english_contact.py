"""English talk of telephone numbers and addresses: who is reached where, and what has gone out of use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_leads import NAME
from .english_make import make
from .english_nouns import owner_of
from .english_scene import Scene

_VALUE = r"(?P<value>\bQax*\b|[^\s@,;:]+@[^\s@,;:]+\w|\+?\(?\d[\d\s()./-]{4,}\d)"
"""An address or number; the words that stand in for one in the parser's sentence, too."""
_ANY = re.compile(_VALUE)
_REACH = re.compile(
    rf"\b(?:reach|contact|e-?mail|call|text|ring|phone|message) (?P<who>me|{NAME}) (?:at|on|under|via)\s+"
    rf"(?:(?:his|her|my) )?(?:(?:mobile|phone|cell)(?: number)?,?\s+)?{_VALUE}",
)
_DEAD = re.compile(
    r"\b(?:dead|gone|disconnected|cut off|out of (?:service|use|order)|inactive|obsolete"
    r"|no longer (?:in use|in service|active|valid|works?)|not in (?:use|service))\b",
    re.I,
)
_HOLDERS = frozenset({"address", "number", "email", "e-mail", "mail", "phone", "mobile", "extension"})
_DELIVERED = frozenset({"go", "come", "send", "forward", "deliver", "be"})


def reach(scene: Scene) -> Iterator[Draft]:
    """ "Reach me at …", "you can call Anna Berg on …": a request that holds a number or an address."""
    text = scene.sentence.text
    match = _REACH.search(text)
    if match is None or re.search(r"\b(?:no longer|n['’]t|not|never)\b", text[: match.end()]):
        return
    value = scene.read(*match.span("value")).rstrip(".,;")
    mine = match["who"] == "me"
    who = scene.context.me if mine else Name(scene.read(*match.span("who")), "person")
    if predicate := _kind(value):
        said = scene.words.predicate(predicate).sentence("en", who.text, value, polarity=True)
        yield Draft(who, predicate, Name(value), 0, len(text), said, confidence=0.85)


def contact(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "has a new address: …", "Priya's mail goes to …", "can no longer be reached there"."""
    if clause.lemma in ("reach", "contact") and clause.passive and clause.ended:
        yield from _unreachable(clause, scene)
    elif clause.lemma in ("have", "get") and not clause.negated and not clause.modal:
        token = clause.child("dobj")
        if token is not None and lemma_of(token) in _HOLDERS and (found := _value(scene, token.idx)):
            yield make(clause, scene, found[0], found[1], confidence=0.75)
    elif clause.lemma in _DELIVERED and clause.subject_token is not None and not clause.negated:
        words = clause.subject.text.rsplit("'s ", 1)[-1].lower()
        owner = owner_of(clause.subject_token, scene) if words in _HOLDERS | {"post", "calls"} else None
        if owner is not None and (found := _value(scene, clause.verb.idx)):
            text = scene.words.predicate(found[0]).sentence("en", owner.text, found[1].text, polarity=True)
            yield make(clause, scene, found[0], found[1], subject=owner, text=text, confidence=0.75)


def out_of_use(clause: Clause, scene: Scene) -> bool:
    """Whether the clause says that a number or an address has gone; one that is nobody's yet waits for its owner."""
    token = clause.subject_token
    named = token is not None and any(lemma_of(t) in _HOLDERS for t in token.subtree)
    if token is None or not named or not _DEAD.search(scene.sentence.text, clause.verb.idx):
        return False
    found = _value(scene, 0)
    if found is None or (owner := owner_of(token, scene)) is None:
        scene.context.gone = found[1] if found else None
        return found is not None
    text = scene.words.predicate(found[0]).sentence("en", owner.text, found[1].text, polarity=True)
    known = [d for d in scene.side if d.target.text == found[1].text]
    scene.side = [d for d in scene.side if d not in known]
    scene.side.append(make(clause, scene, found[0], found[1], subject=owner, state=False, ended=True, text=text,
                           polarity=True))  # fmt: skip
    return True


def _unreachable(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """The number or address that was spoken of ends."""
    thing = scene.context.gone.text if scene.context.gone else ""
    found = _value(scene, 0) or (_kind(thing), Name(thing))
    if found[0]:
        yield make(clause, scene, found[0], found[1], state=False, ended=True)


def _value(scene: Scene, start: int) -> tuple[str, Name] | None:
    match = _ANY.search(scene.sentence.text, start)
    if match is None:
        return None
    value = scene.read(*match.span("value")).rstrip(".,;")
    kind = _kind(value)
    return (kind, Name(value)) if kind else None


def _kind(value: str) -> str:
    """What an address or number is; empty for years, extensions and other words."""
    if re.fullmatch(r"[^\s@]+@[^\s@]+", value):
        return "email"
    digits = sum(c.isdigit() for c in value)
    return "phone" if digits >= 7 and re.fullmatch(r"[\d\s()+./-]+", value) else ""
