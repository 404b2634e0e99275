"""English talk of habits: commuting, languages, pastimes, sizes, diets, what cannot be eaten, what is liked best."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import activity, make, objects, plain, prepositions
from .english_nouns import noun_phrase, owner_of, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import has_owner
from .english_ties import person, told

_ON_FOOT = {"cycle": "bicycle", "bike": "bicycle", "walk": "on foot", "drive": "car", "run": "on foot",
            "scoot": "scooter", "row": "boat", "kayak": "kayak"}  # fmt: skip
_WORKPLACES = frozenset({"work", "school", "office", "campus", "university", "college"})
_LEARNT = frozenset({"learn", "grow", "raise"})
_GETS_BY = frozenset({"get", "converse", "communicate"})
_ERRANDS = frozenset({"shopping", "looking", "going", "missing", "working", "wrong", "crazy", "hunting"})
_FREE_TIME = re.compile(
    r"\b(?:spare|free|leisure) time\b|\b(?:on|at|most|every) (?:the )?(?:weekends?|sundays?|saturdays?)\b"
    r"|\bfor (?:fun|pleasure|relaxation)\b|\bto relax\b|\bdays? off\b",
    re.I,
)
_SIZE = re.compile(
    r"\bsize (?P<size>\d{1,3}(?:[.,]5|½)?|x{0,3}[sml]|small|medium|large)\b(?: in)?(?: (?P<thing>[a-z]+))?"
    r"|\ba (?P<size2>\d{1,3}(?:[.,]5|½)?) in (?P<thing2>[a-z]+)",
    re.I,
)
_WORN = {"shoe": "shoe", "shoes": "shoe", "boots": "shoe", "boot": "shoe", "trainers": "shoe", "sneakers": "shoe",
         "footwear": "shoe", "shirt": "shirt", "shirts": "shirt", "dress": "dress", "dresses": "dress",
         "trousers": "trouser", "jeans": "trouser", "glove": "glove", "gloves": "glove", "hat": "hat", "hats": "hat",
         "ring": "ring", "rings": "ring", "jacket": "jacket", "jackets": "jacket", "coat": "coat"}  # fmt: skip
_BEST = re.compile(
    r"\b(?:more|better) than (?:any|all) (?:of )?(?:the )?other (?P<kind>[a-z]+)\b"
    r"|\b(?:above|over) all other (?P<kind2>[a-z]+)\b|\bbest of all (?:the )?(?P<kind3>[a-z]+)\b",
    re.I,
)
_SICK = re.compile(
    r"\b(?:because of|due to|on account of|owing to) (?:an?|his|her|my|their|the) (?:[a-z]+ )?allergy\b", re.I
)


def habits(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """The habit that the clause tells of; nothing where another rule has to read it."""
    if clause.lemma == "be" and (best := list(_is_favourite(clause, scene))):
        yield from best
        return
    if not person(clause):
        return
    if _SICK.search(scene.sentence.text) and clause.lemma in ("eat", "have", "drink", "touch", "take"):
        yield from _cannot_eat(clause, scene)
        return
    if not told(clause):
        return
    for rule in (_commute, _tongue, _size, _best, _instrument, _eats, _reacts, _pastime):
        found = list(rule(clause, scene))
        if found:
            yield from found
            return


def _commute(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "takes the ferry to work", "cycles to school", "commutes by train"."""
    if clause.tense == "past" and not clause.ended:
        return
    found = list(prepositions(clause.verb, scene))
    token = clause.child("dobj")
    for word in (token, clause.child("xcomp")):
        found += prepositions(word, scene) if word is not None else []
    there = any(w == "to" and t.lower_ in _WORKPLACES for w, t, _ in found) or _misread_work(clause)
    means = next((t for w, t, _ in found if w == "by"), None)
    if clause.lemma == "commute" or (there and clause.lemma in ("go", "get", "travel", "come")):
        phrase = noun_phrase(means, scene) if means is not None else None
    elif there and clause.lemma in ("take", "catch", "ride") and token is not None:
        article = next((c for c in token.children if c.dep_ in ("det", "poss")), None)
        words = [c for c in token.children if c.dep_ in ("compound", "amod", "nummod") and c.i < token.i]
        start = words[0].left_edge.idx if words else token.idx
        phrase = Phrase(Name(scene.read(start, token.idx + len(token))), token.text, token) if article else None
    elif there and token is None and clause.lemma in _ON_FOOT:
        name = Name(_ON_FOOT[clause.lemma])
        phrase = Phrase(name, name.text, clause.verb)
    else:
        phrase = None
    if phrase is not None:
        yield make(clause, scene, "commute", phrase.name, cardinality="one", canonical=False, confidence=0.75)


def _misread_work(clause: Clause) -> bool:
    """ "cycles to work", where the tagger took the noun for a verb."""
    thing = clause.child("dobj")
    below = [*clause.verb.children, *(thing.children if thing is not None else ())]
    token = next((c for c in below if c.dep_ in ("xcomp", "advcl", "relcl", "acl")), None)
    if token is None or token.lower_ not in ("work", "school") or token.nbor(-1).lower_ != "to":
        return False
    return all(c.lower_ in ("to", "by", "now", "again") or c.is_punct for c in token.children)


def _language(token: Token | None, scene: Scene) -> bool:
    return token is not None and token.lower_ in scene.words.lists["languages"]


def _tongue(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "grew up speaking Welsh", "gets by in French", "is fluent in Thai"; "prefers to be written to in Twi"."""
    inner = clause.child("xcomp", "advcl", "acl")
    if clause.lemma == "prefer":
        behind = [t for t in clause.verb.subtree if t.i > clause.verb.i]
        target = next((t for t in behind if _language(t, scene)), None)
        if target is not None and any(lemma_of(t) in scene.words.lists["contact_verbs"] for t in behind):
            yield make(clause, scene, "preferred_language", Name(target.text), state=True, confidence=0.75)
        return
    heads: list[Token] = []
    if clause.lemma == "learn" and inner is not None and lemma_of(inner) == "play":
        yield from _learns_instrument(clause, scene, inner)
        return
    if inner is not None and lemma_of(inner) == "speak" and clause.lemma in _LEARNT:
        ongoing = clause.lemma == "learn" and clause.tense == "present" and not clause.perfect
        heads = [] if ongoing else [c for c in inner.children if c.dep_ in ("dobj", "acomp", "oprd")]
    adjective = clause.child("acomp") if clause.lemma == "be" else None
    if adjective is not None and adjective.lower_ in ("fluent", "conversant", "bilingual", "proficient"):
        found = [*prepositions(adjective, scene), *prepositions(clause.verb, scene)]
        heads = [t for w, t, _ in found if w == "in"]
    if clause.lemma in _GETS_BY:
        heads = [t for w, t, _ in prepositions(clause.verb, scene) if w in ("in", "by_in")]
        heads += [
            t for c in clause.verb.children if c.lower_ == "by" for w, t, _ in prepositions(c, scene) if w == "in"
        ]
    for head in heads[:1]:
        if _language(head, scene):
            for phrase in phrases(head, scene):
                yield make(clause, scene, "speaks", phrase, state=clause.lemma not in _LEARNT)


def _learns_instrument(clause: Clause, scene: Scene, inner: Token) -> Iterator[Draft]:
    """ "is learning to play the viola": studies it; one who has learned to, plays it."""
    ongoing = clause.tense == "present" and not clause.perfect
    token = next((c for c in inner.children if c.dep_ == "dobj"), None)
    for phrase in phrases(token, scene) if token is not None else ():
        if phrase.head.lemma_.lower() in scene.words.lists["instruments"]:
            yield make(clause, scene, "studies" if ongoing else "plays", phrase, state=ongoing)


def _size(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "takes a size 38 shoe", "needs a 39 in shoes"."""
    if clause.lemma not in ("take", "wear", "need", "be") or clause.tense != "present" or clause.negated:
        return
    text = scene.sentence.text
    match = _SIZE.search(text, clause.verb.idx)
    if match is None:
        return
    worn = _WORN.get((match["thing"] or match["thing2"] or "").lower())
    if worn:
        group = "size" if match["size"] else "size2"
        value = Name(scene.read(*match.span(group)))
        yield make(clause, scene, f"{worn}_size", value, cardinality="one", canonical=False, confidence=0.75)


def _best(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "likes teal more than any other colour": a favourite."""
    match = _BEST.search(scene.sentence.text) if clause.lemma in ("like", "love", "enjoy", "prefer") else None
    if match is None or clause.tense != "present" or clause.negated:
        return
    kind = match["kind"] or match["kind2"] or match["kind3"]
    if kind.endswith("s") and kind not in ("dress",):
        kind = kind[:-1]
    if _COMMON_THINGS.search(kind):
        return
    for phrase in objects(clause, scene)[:1]:
        words = re.split(r"\s+(?:more|better|above|over)\b", phrase.name.text)[0]
        text = f"{clause.subject.text}'s favourite {kind} is {words}"
        yield make(clause, scene, scene.words.attribute_predicate(f"favourite {kind}"), Name(words), text=text)


_COMMON_THINGS = re.compile(r"^(?:thing|one|person|people|part|kind)$")


def _is_favourite(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Ramen is Diego's favourite dish"."""
    token = clause.child("attr")
    if token is None or not has_owner(token) or clause.subject_token is None or not clause.assertive:
        return
    yield from favourite_of(clause, scene, token, Phrase(clause.subject, clause.subject.text, clause.subject_token))


def favourite_of(clause: Clause, scene: Scene, token: Token, value: Phrase) -> Iterator[Draft]:
    """That `value` is what the noun says: "his favourite dish"."""
    liked = next((c for c in token.children if c.lower_ in ("favourite", "favorite")), None)
    owner = owner_of(token, scene)
    if liked is None or owner is None or owner == value.name or clause.tense == "future":
        return
    kind = scene.read(token.idx, token.idx + len(token))
    predicate = scene.words.attribute_predicate(f"favourite {kind}")
    text = f"{owner.text}'s favourite {kind} is {value.shown}"
    yield make(clause, scene, predicate, value, subject=owner, text=text)


def _instrument(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "has been strumming a banjo": plays one."""
    if clause.lemma not in ("strum", "practise", "practice", "busk") or clause.tense == "past":
        return
    token = clause.child("dobj") or next((t for w, t, _ in prepositions(clause.verb, scene) if w == "on"), None)
    for phrase in phrases(token, scene) if token is not None else ():
        if phrase.head.lemma_.lower() in scene.words.lists["instruments"]:
            yield make(clause, scene, "plays", phrase)


def _eats(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "eats vegetarian", "follows a vegan diet", "has become pescatarian"."""
    if clause.lemma not in ("eat", "follow", "become", "turn", "keep", "switch", "change"):
        return
    if clause.tense == "past" and clause.lemma not in _NEW_DIET and not clause.ended:
        return
    for child in clause.verb.children:
        words = [child] if child.i > clause.verb.i and child.dep_ != "prep" else []
        if child.dep_ == "prep" and child.lower_ == "to":
            words = list(child.children)
        words += [c for word in words if lemma_of(word) in ("diet", "food") for c in word.children]
        for word in words:
            if word.lower_ in scene.words.lists["diets"]:
                yield make(clause, scene, "diet", Name(word.text), state=clause.lemma not in _NEW_DIET)
                return


_NEW_DIET = frozenset({"become", "turn", "switch", "change"})


def _spends(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "spends her weekends fishing": a hobby."""
    time = clause.child("dobj", "npadvmod")
    doing = next((t for t in clause.verb.subtree if t.tag_ == "VBG" and time is not None and t.i > time.i), None)
    spare = ("weekend", "sunday", "saturday", "evening", "time", "holiday")
    name = activity(doing, scene) if doing is not None else None
    if time is not None and lemma_of(time) in spare and has_owner(time) and name is not None:
        yield make(clause, scene, "hobby", name, cardinality="many", canonical=False, confidence=0.75)


def _reacts(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "reacts badly to penicillin": an allergy."""
    how = {c.lower_ for c in clause.verb.children if c.dep_ == "advmod"}
    if clause.lemma != "react" or clause.tense != "present":
        return
    if how & {"badly", "severely", "allergically", "violently", "terribly"}:
        for word, target, _ in prepositions(clause.verb, scene):
            if word == "to":
                for phrase in phrases(target, scene):
                    yield make(clause, scene, "allergic_to", phrase)
                return


def _cannot_eat(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "can't eat cashew nuts because of an allergy"."""
    if clause.negated and not clause.ended and clause.modal in ("can", "ca"):
        for phrase in objects(clause, scene):
            yield make(clause, scene, "allergic_to", phrase, polarity=True, state=False)


def _pastime(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "goes birdwatching in her free time", "has taken up roller derby": a hobby."""
    if clause.negated and not clause.ended:
        return
    up = any(c.lower_ == "up" and c.dep_ == "prt" for c in clause.verb.children)
    if clause.lemma == "take" and up and (clause.perfect or clause.tense == "past"):
        for phrase in objects(clause, scene):
            if phrase.head.lemma_.lower() in scene.words.lists["instruments"]:
                yield make(clause, scene, "plays", phrase, state=False)
            elif not any(c.dep_ in ("det", "poss") for c in phrase.head.children) and not scene.dated(phrase.head):
                taken_up = plain(phrase, scene)
                yield make(
                    clause, scene, "hobby", taken_up, state=False, cardinality="many", canonical=False, confidence=0.75
                )
        return
    if clause.lemma == "spend" and clause.tense == "present":
        yield from _spends(clause, scene)
        return
    doing = next((c for c in clause.verb.children if c.tag_ == "VBG" and c.i > clause.verb.i), None)
    habit = clause.tense == "present" and not clause.perfect and not clause.progressive
    if clause.lemma == "go" and doing is not None and habit and doing.lower_ not in _ERRANDS:
        often = _FREE_TIME.search(scene.sentence.text) or not clause.dates
        name = activity(doing, scene)
        if often and name is not None:
            bare = Name(re.split(r"\s+(?:every|on|in|at|with|most|twice|once)\b", name.text)[0])
            yield make(clause, scene, "hobby", bare, cardinality="many", canonical=False, confidence=0.75)
