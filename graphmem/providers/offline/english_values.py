"""English properties and their values: "my shirt size is large", "her birthday is May 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import activity, make, prepositions, typed
from .english_nouns import bare_words, noun_phrase, owner_of, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper

PLACES = (
    "in",
    "on",
    "at",
    "behind",
    "under",
    "near",
    "inside",
    "above",
    "below",
    "beside",
    "next_to",
    "opposite",
    "between",
)

_PASTIMES = frozenset({"hobby", "interest", "pastime", "passion"})


_TITLED = frozenset(
    {"film", "movie", "book", "novel", "story", "play", "musical", "opera", "song", "album", "band", "group", "show"}
    | {"series", "sitcom", "game", "magazine", "podcast", "restaurant", "pub", "shop", "brand", "comic"}
)
"""What has a name of several words, with "and" or a comma in it."""
_LEAST_DIGITS = 3
"""Digits of a telephone number, be it an extension; what has fewer is a make of phone."""
_HOMES = frozenset({"home", "address", "house", "flat", "apartment", "residence", "place"})
_DESKS = frozenset({"desk", "office", "workstation", "workplace", "cubicle", "seat"})
_ROOM = re.compile(
    r",\s*(?:room|floor|level|desk|bay|suite|unit|block|wing|row|seat|\d+(?:st|nd|rd|th) floor)\b[\w .-]*", re.I
)


def pastimes(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "My hobbies are knitting and climbing", which the parser reads as something that hobbies do."""
    token = clause.subject_token
    if token is None or lemma_of(token) not in _PASTIMES or (owner := owner_of(token, scene)) is None:
        return
    for verb in [clause.verb, *(c for c in clause.verb.children if c.dep_ == "conj" and c.tag_ == "VBG")]:
        if doing := activity(verb, scene):
            text = f"{owner.text}'s {bare_words(token, scene)}: {doing.text}"
            yield make(clause, scene, lemma_of(token), doing, subject=owner, text=text, cardinality="many")


def attribute(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    """The value of a property that the subject names: "my shirt size is large"."""
    owner = owner_of(token, scene)
    if owner is None:
        return
    yield from valued(clause, scene, owner, bare_words(token, scene))


def valued(clause: Clause, scene: Scene, owner: Name, words: str) -> Iterator[Draft]:
    """The value of a property of the owner."""
    if (where := _whereabouts(clause, scene)) is not None:
        if words.lower() in _HOMES and (words.lower() == "home" or is_proper(where.head)):
            yield make(clause, scene, "lives_in", Name(where.name.text, "place"), subject=owner)
            return
        if words.lower() in _DESKS:
            spot = _with_room(clause, scene, where)
            said = f"{owner.text}'s {words} is {spot.shown}"
            yield make(clause, scene, "office", spot.name, subject=owner, text=said, confidence=0.75)
            return
        thing = Name(f"{owner.text}'s {words}")
        said = f"{thing.text} {verb_form(clause)} {where.shown}"
        yield make(clause, scene, "located_in", where.name, subject=thing, text=said, confidence=0.7)
        return
    predicate = scene.words.attribute_predicate(words)
    for target in _values(clause, scene):
        if target.name.is_speaker:
            continue
        shown = target.shown
        if predicate == "name" and (kin := _kin_behind(owner, scene)):
            person, holder = Name(target.name.text, "person"), scene.context.me
            scene.context.meet(person)
            yield make(
                clause,
                scene,
                kin,
                person,
                subject=holder,
                text=f"{holder.text}'s {owner.text.split(chr(39) + 's ')[-1]} is {shown}",
            )
            continue
        if predicate == "phone" and sum(c.isdigit() for c in target.name.text) < _LEAST_DIGITS:
            predicate = "phone_model"
        value = typed(target, "person") if predicate in scene.words.kin.values() else target
        if value.name.type == "person":
            scene.context.meet(value.name)
        known = predicate in scene.words.predicates or predicate.startswith("favourite_")
        text = (
            None
            if scene.words.predicate(predicate).templates
            else f"{owner.text}'s {words} {verb_form(clause)} {shown}"
        )
        plural = clause.subject_token is not None and clause.subject_token.tag_ in ("NNS", "NNPS")
        cardinality = None if known or predicate in scene.words.kin.values() else "many" if plural else "one"
        yield make(clause, scene, predicate, value, subject=owner, text=text, cardinality=cardinality)  # type: ignore[arg-type]


def _whereabouts(clause: Clause, scene: Scene) -> Phrase | None:
    """The place in "my bike is in the shed"; a time ("my break is at noon") is a value of its own."""
    if clause.child("attr", "acomp", "oprd", "dobj") is not None or clause.tense != "present":
        return None
    for word, target, prep in prepositions(clause.verb, scene):
        if word in PLACES and not target.like_num and target.text[:1] not in "0123456789":
            found = noun_phrase(target, scene)
            return Phrase(found.name, f"{prep.text} {found.shown}", target) if found else None
    return None


def _with_room(clause: Clause, scene: Scene, where: Phrase) -> Phrase:
    """ "Building C" of "in Building C, room 214" as the whole of it."""
    text = scene.sentence.text
    end = where.head.idx + len(where.head)
    match = _ROOM.match(text, end)
    if match is None:
        return where
    tail = scene.read(end, match.start() + len(match[0].rstrip(" .")))
    return Phrase(Name(where.name.text + tail), where.shown + tail, where.head)


def verb_form(clause: Clause) -> str:
    """ "is", "were not": the verb of a sentence about a property."""
    plural = clause.subject_token is not None and clause.subject_token.tag_ in ("NNS", "NNPS")
    word = ("were" if plural else "was") if clause.tense == "past" else ("are" if plural else "is")
    return f"{word} not" if clause.negated else word


def _kin_behind(owner: Name, scene: Scene) -> str | None:
    prefix = f"{scene.context.speaker}'s "
    return scene.words.kin.get(owner.text[len(prefix) :].lower()) if owner.text.startswith(prefix) else None


def _values(clause: Clause, scene: Scene) -> Iterator[Phrase]:
    token = clause.child("attr", "acomp", "oprd", "dobj") or _misread_name(clause)
    if token is not None and (token.lemma_.lower() in scene.words.lists["opinions"] or odd_words(token)):
        return
    if token is None and (when := _day_and_time(clause, scene)):
        yield when
    elif token is None:
        for word, target, prep in prepositions(clause.verb, scene):
            if word in (*PLACES, "from", "to") and (found := noun_phrase(target, scene)):
                yield Phrase(found.name, f"{prep.text} {found.shown}", target)
                return
        yield from date_value(clause, scene)
    elif scene.dated(token):
        yield from date_value(clause, scene)
    elif token.pos_ in ("ADJ", "VERB", "ADV", "INTJ"):
        text = scene.read(*span_of(token))
        yield Phrase(Name(text), text, token)
    elif whole := _title(clause, scene, token) or _colour_and_name(scene, token):
        yield whole
    else:
        yield from phrases(token, scene)


def _title(clause: Clause, scene: Scene, token: Token) -> Phrase | None:
    """ "Paris, Texas", "Pride and Prejudice": of one work or group the capital words that are joined are its name."""
    kind = clause.subject_token
    if kind is None or kind.tag_ != "NN" or lemma_of(kind) not in _TITLED or token.pos_ != "PROPN":
        return None
    last = token
    while after := next((c for c in last.children if c.dep_ in ("conj", "appos") and c.pos_ == "PROPN"), None):
        last = after
    if last.i == token.i:
        return None
    text = scene.read(token.left_edge.idx, last.idx + len(last))
    return Phrase(Name(text), text, token)


def _colour_and_name(scene: Scene, token: Token) -> Phrase | None:
    """ "A grey Renault Clio", where the parser takes the colour for a thing that has the name beside it."""
    name = next((c for c in token.children if c.dep_ == "appos" and c.left_edge.i == token.i + 1), None)
    if name is None or name.pos_ != "PROPN" or token.pos_ != "NOUN":
        return None
    text = scene.read(token.idx, name.idx + len(name))
    return Phrase(Name(text), text, name)


_AT = re.compile(r"\s+at\s+\d{1,2}(?:[:.]\d\d)?(?:\s?(?:am|pm|o['’]clock))?\b")


def _day_and_time(clause: Clause, scene: Scene) -> Phrase | None:
    """ "is on Tuesday at 10": the day and the hour are one value."""
    text = scene.sentence.text
    for span in list(clause.dates):
        match = _AT.match(text, span.end)
        if match and span.start >= clause.verb.idx and not span.length:
            scene.dates[:] = [s for s in scene.dates if not span.start <= s.start < match.end()]
            clause.dates[:] = [s for s in clause.dates if not span.start <= s.start < match.end()]
            words = re.sub(r"^(?:on|in|at)\s+", "", scene.read(span.start, match.end()))
            return Phrase(Name(words), scene.read(span.start, match.end()), clause.verb)
    return None


def _misread_name(clause: Clause) -> Token | None:
    """ "My nickname is Tee", where the tagger took the name for an adverb."""
    adverb = clause.child("advmod")
    return adverb if adverb is not None and adverb.i > clause.verb.i and adverb.text[:1].isupper() else None


def span_of(token: Token) -> tuple[int, int]:
    """Where the words of an adjective stand, without what is joined to it."""
    aside = ("punct", "advcl", "relcl", "cc", "conj")
    first = last = token
    while first.i > 0 and token.is_ancestor(first.nbor(-1)) and (_hyphen(first) or first.nbor(-1).dep_ not in aside):
        first = first.nbor(-1)
    while last.i + 1 < len(token.doc) and token.is_ancestor(last.nbor()) and last.nbor().dep_ not in aside:
        last = last.nbor()
    return first.idx, last.idx + len(last)


def _hyphen(token: Token) -> bool:
    """Whether a hyphen stands at or right before the token: colour-blind."""
    return "-" in (token.text, token.nbor(-1).text)


def date_value(clause: Clause, scene: Scene) -> Iterator[Phrase]:
    """ "Her birthday is May 3": the date is the value, not the time of the fact."""
    for span in list(clause.dates):
        if span.start >= clause.verb.idx:
            clause.dates.remove(span)
            scene.dates.remove(span)
            text = scene.read(span.start, span.end)
            bare = text.split(" ", 1)[1] if text.lower().startswith(("on ", "in ")) else text
            yield Phrase(Name(bare), text, clause.verb)
            return


def odd_words(token: Token) -> bool:
    """Whether the words are an exclamation or a feeling rather than a description."""
    return any(t.tag_ in ("WRB", "WP") or t.lower_ in ("so", "too", "really", "super", "like") for t in token.subtree)
