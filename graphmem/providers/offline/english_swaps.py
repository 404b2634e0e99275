"""English talk of one thing taking another's place, and of things that are given away, sold, cancelled or let lapse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_groups import is_school
from .english_habits import favourite_of
from .english_make import make, place, prepositions, typed
from .english_nouns import bare_words, joined, noun_phrase, owner_of
from .english_scene import Phrase, Scene, Token
from .english_spans import has_owner, is_proper
from .english_ties import is_make, model, person, told

_FOR = frozenset({"trade", "swap", "exchange", "ditch", "change", "drop"})
_WITH = frozenset({"replace"})
_GIVEN_AWAY = frozenset({"give", "sell", "rehome", "donate", "scrap", "lose"})
_CANCELLED = frozenset(
    {"cancel", "end", "terminate", "close", "discontinue", "drop", "stop", "quit", "give", "delete", "deactivate"}
)
_CONTRACTS: dict[str, tuple[str, ...]] = {
    "policy": ("insured_with",),
    "insurance": ("insured_with",),
    "cover": ("insured_with",),
    "coverage": ("insured_with",),
    "membership": ("member_of", "trains_at"),
    "subscription": ("member_of", "subscribes_to", "uses"),
    "plan": ("subscription_plan",),
    "account": ("uses", "bank"),
    "contract": ("uses", "works_at"),
}
"""What is cancelled or lapses, and the relations that may have been known of it; one that is not known stays unsaid."""
_KIND = "|".join(_CONTRACTS)
_LAPSED = re.compile(
    rf"\blet (?:his|her|my|our|their|the) (?P<firm>[A-Z][\w'’&-]*(?: [A-Z&][\w'’-]*)*) (?:\w+ )?(?P<kind>{_KIND})\b"
    rf" (?:lapse|expire|run out)\b|\blet (?:his|her|my|our|their|the) (?:\w+ )?(?P<kind2>{_KIND}) (?:with|at|from|to)"
    r" (?P<firm2>[A-Z][\w'’&-]*(?: [A-Z&][\w'’-]*)*) (?:lapse|expire|run out)\b"
)
_AWARD = re.compile(r"\b(?:prize|medal|award|trophy|cup|title|scholarship|fellowship|grant)\b", re.I)


def swaps(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """The new value and the end of the old one; nothing where another rule has to read it."""
    if not told(clause) or clause.negated:
        return
    if clause.lemma in ("go", "award", "give", "receive", "take") and (won := list(_went_to(clause, scene))):
        yield from won
    elif clause.lemma in ("replace", "succeed", "take") and not clause.passive and _in_role(clause):
        yield from _took_place(clause, scene)
    elif person(clause) or clause.lemma in ("die", "pass", *_RUNS_OUT):
        yield from _of_person(clause, scene)


def _in_role(clause: Clause) -> bool:
    """Whether somebody or something takes a role over: "replaced Hans as her manager"."""
    token = clause.child("dobj")
    around = [*clause.verb.subtree] if clause.lemma == "take" else [*clause.verb.children]
    around += token.children if token is not None else []
    over = clause.lemma != "take" or any(c.lower_ == "over" for c in clause.verb.children)
    return over and any(c.lower_ == "as" and c.dep_ == "prep" for c in around)


def _of_person(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if match := _LAPSED.search(scene.sentence.text) if clause.lemma == "let" else None:
        group = "" if match["kind"] else "2"
        firm = Name(scene.read(*match.span("firm" + group)), "organisation")
        yield from _ended(clause, scene, _CONTRACTS[match["kind" + group]], firm)
    elif clause.lemma in ("go", "turn") and clause.perfect | (clause.tense == "past"):
        yield from _went_off(clause, scene)
    elif clause.lemma in ("switch", "change", "move", "transfer", "upgrade") and (
        changed := list(_switched(clause, scene))
    ):
        yield from changed
    elif clause.lemma in ("unsubscribe", "withdraw", "drop", "resign") and (left := list(_dropped(clause, scene))):
        yield from left
    elif clause.lemma in ("die", "pass"):
        yield from _died(clause, scene)
    elif clause.lemma in _RUNS_OUT:
        yield from _ran_out(clause, scene)
    elif clause.tense == "past" or clause.perfect:
        found = list(_swapped(clause, scene)) if clause.lemma in _FOR | _WITH | {"substitute"} else []
        found = found or (list(_cancelled(clause, scene)) if clause.lemma in _CANCELLED else [])
        yield from found or _gave_away(clause, scene)


def _ended(clause: Clause, scene: Scene, predicates: tuple[str, ...], target: Phrase | Name) -> Iterator[Draft]:
    for predicate in predicates:
        yield make(clause, scene, predicate, target, state=False, ended=True, confidence=0.75)


def _swapped(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "traded his Patrol for a Lexus", "replaced the sofa with a futon", "substituted oat milk for cream"."""
    token = clause.child("dobj")
    if token is None and clause.lemma == "trade":  # traded in his Volvo for a Kia
        token = next((t for w, t, _ in prepositions(clause.verb, scene) if w == "in"), None)
    word = "with" if clause.lemma in _WITH else "for"
    found = [*prepositions(clause.verb, scene), *(prepositions(token, scene) if token is not None else ())]
    other = next((t for w, t, _ in found if w == word), None)
    if token is None or other is None:
        return
    old, new = (other, token) if clause.lemma == "substitute" else (token, other)
    yield from _exchange(clause, scene, old, new)


def _switched(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "switched from tea to coffee", "changed her insurance to Helvetia": what is switched tells the relation."""
    found = [*prepositions(clause.verb, scene)]
    origin = next((t for w, t, _ in found if w == "from"), None)
    if clause.child("dobj") is not None:
        yield from _changed_provider(clause, scene)
        return
    if origin is None or (clause.tense == "present" and not clause.perfect):
        return
    target = next((t for w, t, _ in [*found, *prepositions(origin, scene)] if w in ("to", "over_to", "from_to")), None)
    if target is not None and (relation_of(origin, scene) or relation_of(target, scene)):
        yield from _exchange(clause, scene, origin, target)


def _changed_provider(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "switched her insurance from Baloise to Helvetia", "changed banks to Nordea"."""
    token = clause.child("dobj")
    if token is None or not (clause.tense == "past" or clause.perfect):
        return
    words = scene.words
    lemmas = " ".join(t.lemma_.lower() for t in [*(c for c in token.lefts if c.dep_ == "compound"), token])
    predicate = words.attribute.get(lemmas) or words.attribute.get(lemma_of(token)) or words.kin.get(lemma_of(token))
    owner = owner_of(token, scene) if has_owner(token) else clause.subject
    if predicate is None or owner is None:
        return
    found = [*prepositions(clause.verb, scene), *prepositions(token, scene)]
    origin = next((t for w, t, _ in found if w == "from"), None)
    found += prepositions(origin, scene) if origin is not None else []
    target = next((t for w, t, _ in found if w.rsplit("_", 1)[-1] == "to"), None)
    if target is None or (value := noun_phrase(target, scene)) is None or not is_proper(target):
        return
    if predicate == "phone" and sum(c.isdigit() for c in value.name.text) < 3:
        predicate = "phone_model"
    yield make(clause, scene, predicate, value, subject=owner, state=False, confidence=0.75)
    if origin is not None and (before := noun_phrase(origin, scene)):
        text = f"{owner.text}'s {lemmas} was with {before.shown}"
        yield make(clause, scene, predicate, before, subject=owner, state=False, ended=True, text=text, confidence=0.75)


def _exchange(clause: Clause, scene: Scene, old: Token, new: Token) -> Iterator[Draft]:
    predicate = relation_of(old, scene) or relation_of(new, scene) or _held(old, clause, scene)
    before, after = noun_phrase(old, scene), noun_phrase(new, scene)
    if not predicate or before is None or after is None:
        return
    takes = "owns" if predicate == "car" and not is_make(new, scene) else predicate
    canonical = takes in scene.words.predicates
    yield make(clause, scene, takes, unowned(after, new, scene), state=False, canonical=canonical, confidence=0.75)
    yield from _ended(clause, scene, (predicate,), unowned(before, old, scene))


def unowned(phrase: Phrase, token: Token, scene: Scene) -> Phrase:
    """ "his old piano" as "old piano"."""
    if is_make(token, scene):
        name = model(token, scene)
        return Phrase(name, name.text, token)
    if not has_owner(token) or "'s " not in phrase.name.text:
        return phrase
    words = bare_words(token, scene)
    return Phrase(Name(words), words, token)


def _held(token: Token, clause: Clause, scene: Scene) -> str:
    """What a person has to do with a thing that they swap: it is theirs, or they use it."""
    if has_owner(token):
        return "owns" if owner_of(token, scene) == clause.subject and not scene.words.kin.get(lemma_of(token)) else ""
    tool = is_proper(token) and clause.lemma in _WITH  # a town can be traded for another, a program is replaced
    return "uses" if tool or any(c.dep_ == "det" and c.lower_ == "the" for c in token.children) else ""


def relation_of(token: Token, scene: Scene) -> str:
    """The relation that a thing has to its person by what it is: tea is drunk, a cello played; empty if unknown."""
    lists, word = scene.words.lists, lemma_of(token)
    if word in lists["drinks"]:
        return "drinks"
    if word in lists["foods"]:
        return "eats"
    if token.lower_ in lists["diets"]:
        return "diet"
    if word in lists["instruments"]:
        return "plays"
    if word in lists["pets"]:
        return "has_pet"
    return "car" if is_make(token, scene) else ""


def _took_place(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Ramen has replaced arepas as his favourite dish", "Joy took over from Henrik as her manager"."""
    token = clause.child("dobj")
    behind = [*prepositions(clause.verb, scene), *(prepositions(token, scene) if token is not None else ())]
    if token is None:
        token = next((t for w, t, _ in behind if w.rsplit("_", 1)[-1] == "from"), None)
        behind += prepositions(token, scene) if token is not None else []
    role = next((t for w, t, _ in behind if w == "as"), None)
    if token is None or role is None or (owner := owner_of(role, scene)) is None or clause.subject_token is None:
        return
    if not (clause.tense == "past" or clause.perfect):
        return
    value = Phrase(clause.subject, clause.subject.text, clause.subject_token)
    found = list(favourite_of(clause, scene, role, value))
    words = bare_words(role, scene)
    if not found:
        predicate = scene.words.attribute_predicate(words)
        text = f"{owner.text}'s {words} is {value.shown}"
        found = [make(clause, scene, predicate, value, subject=owner, state=False, text=text)]
    said = clause.candidate and _says(clause, owner, scene)
    before = noun_phrase(token, scene)
    for draft in [d.but(candidate=clause.candidate and not said) for d in found]:
        yield draft
        if before is not None:
            text = f"{owner.text}'s {words} is {before.shown}"
            yield draft.but(target=before.name, event="retract", text=text)


def _says(clause: Clause, owner: Name, scene: Scene) -> bool:
    """Whether it is the owner who says so."""
    head = clause.head.head
    return any(c.dep_ == "nsubj" and owner.text.endswith(scene.read(c.idx, c.idx + len(c))) for c in head.children)


def _went_off(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "has gone off teal": no longer likes it."""
    found: Phrase | None = place(clause.verb, scene, "off")
    off = next((c for c in clause.verb.children if c.lower_ == "off"), None)
    token = next((c for c in clause.verb.children if off is not None and c.left_edge.i == off.i + 1), None)
    if found is None and token is not None and token.pos_ in ("NOUN", "PROPN", "ADV", "ADJ") and not scene.dated(token):
        found = Phrase(Name(scene.read(token.idx, token.idx + len(token))), token.text, token)
    if found is not None and clause.lemma == "go":
        yield make(clause, scene, "likes", found, state=False, ended=True)


def _gave_away(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "gave the parrot away", "sold her piano", "got rid of the van": it is theirs no more."""
    away = any(c.lower_ == "away" and c.dep_ in ("prt", "advmod") for c in clause.verb.children)
    token = clause.child("dobj")
    if clause.lemma in ("get", "rid"):
        rid = next(
            (c for c in clause.verb.children if c.lower_ == "rid"), clause.verb if clause.lemma == "rid" else None
        )
        token = next((t for t in rid.subtree if t.dep_ == "pobj"), None) if rid is not None else None
    elif clause.lemma == "give" and any(c.lower_ == "up" and c.dep_ == "prt" for c in clause.verb.children):
        if token is not None and relation_of(token, scene) == "plays" and (phrase := noun_phrase(token, scene)):
            yield from _ended(clause, scene, ("plays",), phrase)
        return
    elif clause.lemma not in _GIVEN_AWAY or (clause.lemma == "give" and not away):
        return
    if token is None or (phrase := noun_phrase(token, scene)) is None or phrase.name.is_speaker:
        return
    own = has_owner(token) and owner_of(token, scene) == clause.subject
    definite = token.pos_ == "PRON" or any(c.dep_ == "det" and c.lower_ == "the" for c in token.children)
    if not own and not definite and not is_proper(token):
        return
    thing = unowned(phrase, token, scene)
    word = thing.name.text.split()[-1].lower()
    pet = word in scene.words.lists["pets"]
    if clause.lemma == "give" and not pet and not own and token.pos_ != "PRON":
        return  # "gave away the ending"
    if clause.lemma == "lose" and not pet:
        return
    if clause.lemma in ("sell", "donate"):
        yield make(clause, scene, clause.verb.lower_, phrase, state=False, canonical=False)
    predicates = ("has_pet",) if pet else ("car", "owns") if is_make(token, scene) else ("owns",)
    yield from _ended(clause, scene, predicates, thing)


def _dropped(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "unsubscribed from Netflix", "dropped out of Lund University"."""
    if not (clause.tense == "past" or clause.perfect) or clause.child("dobj") is not None:
        return
    where = place(clause.verb, scene, "from", "out_of", "of")
    if where is None or not is_proper(where.head):
        return
    if clause.lemma == "unsubscribe":
        yield from _ended(clause, scene, _CONTRACTS["subscription"], where)
    elif is_school(where.name.text):
        yield from _ended(clause, scene, ("attends",), where)


def _ran_out(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Ida's contract with Telia has expired"."""
    token = clause.subject_token
    predicates = _CONTRACTS.get(lemma_of(token)) if token is not None else None
    owner = owner_of(token, scene) if token is not None else None
    if token is None or predicates is None or owner is None or not (clause.tense == "past" or clause.perfect):
        return
    if clause.lemma == "run" and not any(c.lower_ == "out" for c in clause.verb.children):
        return
    where = place(token, scene, "at", "of", "to", "with")
    if where is not None and is_proper(where.head):
        for predicate in predicates:
            yield make(clause, scene, predicate, where, subject=owner, state=False, ended=True, confidence=0.75)


_RUNS_OUT = frozenset({"expire", "lapse", "run"})


def _died(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "Bo's cat died": Bo has it no more."""
    token = clause.subject_token
    if token is None or lemma_of(token) not in scene.words.lists["pets"] or clause.tense != "past":
        return
    if (clause.lemma == "die" or any(c.lower_ == "away" for c in clause.verb.children)) and (
        owner := owner_of(token, scene)
    ):
        pet = Name(bare_words(token, scene))
        text = f"{owner.text} has a pet: {pet.text}"
        yield make(clause, scene, "has_pet", pet, subject=owner, state=False, ended=True, text=text)


def _cancelled(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "cancelled his Polar Mutual policy", "closed her account with Nordea"."""
    token = clause.child("dobj")
    predicates = _CONTRACTS.get(lemma_of(token)) if token is not None else None
    if predicates and clause.lemma in ("delete", "deactivate"):
        predicates = ("uses",)
    if token is None or predicates is None or (clause.lemma == "give" and clause.child("prt") is None):
        return
    names = [
        c for c in token.children if c.i < token.i and c.dep_ in ("compound", "nmod", "amod", "poss") and is_proper(c)
    ]
    if names:
        yield from _ended(
            clause, scene, predicates, Name(scene.read(names[0].left_edge.idx, names[-1].idx + len(names[-1])))
        )
        return
    words = ("at", "of", "to", "with", "in")
    where = place(token, scene, *words) or place(clause.verb, scene, *words)
    if where is not None and is_proper(where.head):
        yield from _ended(clause, scene, predicates, typed(where, "organisation"))


def _went_to(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "The Halden Prize went to Esther", "Esther received the Halden Prize": she won it."""
    token = clause.child("dobj")
    if clause.lemma == "receive" and token is not None and (prize := noun_phrase(token, scene)):
        if _AWARD.search(prize.name.text) and is_proper(token) and (clause.tense == "past" or clause.perfect):
            yield make(clause, scene, "won", prize, state=False, canonical=False, confidence=0.7)
        return
    winner = place(clause.verb, scene, "to") if clause.lemma == "go" or clause.passive else None
    if not _AWARD.search(clause.subject.text) or winner is None or not is_proper(winner.head):
        return
    if clause.tense == "past" or clause.perfect:
        prize = Phrase(clause.subject, clause.subject.text, clause.verb)
        for name in [winner, *(p for t in joined(winner.head) if (p := noun_phrase(t, scene)))]:
            yield make(clause, scene, "won", prize, subject=name.name, state=False, canonical=False, confidence=0.7)
