"""English verbs whose meaning is known: where someone lives, what they like, own, speak, plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .draft import Draft, Name
from .english_change import awarded, based, cancel, change, dismissed, hand_in, reached
from .english_clauses import Clause, lemma_of
from .english_make import activity, make, objects, place, plain, plan, prepositions, typed
from .english_nouns import joined, noun_phrase, phrases
from .english_scene import Phrase, Scene
from .english_spans import has_owner, is_proper
from .english_work import become, belong, join, leave, start, work

Slot = Callable[[Clause, Scene], Iterator[Draft]]


_COMPARED = re.compile(r"\s+(?:over|to|instead of|rather than)\s+")


def _live(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = place(clause.verb, scene, "in", "at", "near", "on", "outside")
    if where and not clause.modal and lives(clause, scene):
        yield make(clause, scene, "lives_in", typed(where, "place"))


def _move(clause: Clause, scene: Scene) -> Iterator[Draft]:
    target = place(clause.verb, scene, "to", "into", "in_to", "over_to", "back_to", "from_to", "in")
    origin = place(clause.verb, scene, "from", "out_of", "away_from")
    if origin and not target:
        target = place(origin.head, scene, "to") or _misread_target(clause, scene)
    ahead = clause.tense == "future" or (clause.progressive and not clause.perfect)
    if ahead and not clause.dates:
        draft = plan(clause, scene, "plans_to", clause.verb)
        yield from [draft] if draft else []
        return
    if clause.negated or clause.modal or (target and not _is_place(target)):
        return
    home = lives(clause, scene)
    predicate = "lives_in" if home else "located_in"
    if target:
        yield make(clause, scene, predicate, typed(target, "place"), state=False, canonical=home)
    if origin:
        yield make(clause, scene, predicate, typed(origin, "place"), state=False, ended=True, canonical=home)


def _misread_target(clause: Clause, scene: Scene) -> Phrase | None:
    """ "from Elm Street to Harbour Road", where the tagger took the name for a verb."""
    token = clause.child("advcl", "xcomp")
    if token is None or token.pos_ != "PROPN" or not any(c.lower_ == "to" for c in token.children):
        return None
    last = next((c for c in token.children if c.dep_ == "dobj"), token)
    return Phrase(
        Name(scene.read(token.idx, last.idx + len(last)), "place"), scene.read(token.idx, last.idx + len(last)), last
    )


def lives(clause: Clause, scene: Scene) -> bool:
    """Whether the subject is one that has a home: a person or an animal, not a museum."""
    token = clause.subject_token
    if token is None or clause.subject.is_speaker or clause.coreferent or clause.subject.type == "person":
        return True
    if clause.subject.text.split()[-1].lower() in scene.words.lists["organisation_words"]:
        return False
    return is_proper(token) or "'s " in clause.subject.text or token.lemma_.lower() in scene.words.lists["pets"]


def _is_place(phrase: Phrase) -> bool:
    return is_proper(phrase.head) or phrase.head.ent_type_ in ("GPE", "LOC", "FAC") or not has_owner(phrase.head)


def _turn(clause: Clause, scene: Scene) -> Iterator[Draft]:
    token = clause.child("dobj", "attr", "acomp", "oprd", "npadvmod")
    if token is not None and token.text.isdigit() and int(token.text) < 120:
        yield make(clause, scene, "age", Name(token.text), state=False)


def _finish(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I finished reading The Glass Orchard": the object of the inner verb."""
    inner = clause.child("xcomp")
    token = next((c for c in inner.children if c.dep_ == "dobj"), None) if inner is not None else None
    if token is not None and clause.tense == "past":
        for phrase in phrases(token, scene):
            yield make(clause, scene, "finished", phrase, state=False, canonical=False)


def _like(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.modal in ("would", "'d", "’d"):
        yield from _wish(clause, scene)
        return
    if clause.tense != "present" or clause.modal:
        return
    for name in _liked(clause, scene):
        yield make(clause, scene, "likes", name)


def _liked(clause: Clause, scene: Scene) -> Iterator[Phrase | Name]:
    yield from (p for p in objects(clause, scene) if not p.name.is_speaker)
    inner = clause.child("xcomp", "ccomp")
    if inner is None or any(c.dep_ == "nsubj" for c in inner.children):
        return
    for verb in [inner, *(c for c in inner.children if c.dep_ == "conj" and c.tag_ == inner.tag_)]:
        if found := activity(verb, scene):
            yield found


def _dislike(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.lemma in ("stand", "bear") and not (clause.negated and clause.modal in ("can", "ca", "could")):
        return
    polarity = True if clause.lemma in ("stand", "bear") else None
    if clause.tense == "present":
        for name in _liked(clause, scene):
            yield make(clause, scene, "dislikes", name, polarity=polarity)


def _prefer(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.tense == "present" and not clause.modal:
        for name in _liked(clause, scene):
            full = name.text if isinstance(name, Name) else name.name.text
            text = scene.words.predicate("prefers").sentence(
                "en", clause.subject.text, full, polarity=not clause.negated or clause.ended
            )
            yield make(clause, scene, "prefers", Name(_COMPARED.split(full)[0]), text=text)


def _simple(predicate: str) -> Slot:
    def slot(clause: Clause, scene: Scene) -> Iterator[Draft]:
        if (clause.tense == "past" and not clause.ended) or clause.modal not in ("", "can"):
            return
        if clause.subject_token is not None and clause.subject_token.lower_ in ("it", "we") and predicate == "uses":
            return
        found = objects(clause, scene)
        if not found and predicate == "speaks" and (tongue := clause.child("acomp", "advmod", "oprd")) is not None:
            found = [Phrase(Name(tongue.text), tongue.text, tongue)] if tongue.text[:1].isupper() else []
        for phrase in found:
            if predicate not in ("speaks", "knows") or is_proper(phrase.head):
                yield make(
                    clause, scene, predicate, plain(phrase, scene) if predicate in ("plays", "studies") else phrase
                )

    return slot


def _learn(clause: Clause, scene: Scene) -> Iterator[Draft]:
    inner = clause.child("xcomp")
    if inner is not None and clause.tense == "present" and (doing := activity(inner, scene)):
        yield make(clause, scene, "learns_to", doing, canonical=False, confidence=0.6)
        return
    yield from _simple("studies")(clause, scene)


def _borrow_dates(clause: Clause, phrase: Phrase, scene: Scene) -> None:
    """ "smoking in January": the month is when it ended."""
    clause.dates.extend(s for s in scene.dates if s not in clause.dates and s.start > phrase.head.idx)


def _give_up(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I gave up coffee" ends a habit where its verb is plain."""
    lists = scene.words.lists
    if clause.child("prt") is None or clause.tense != "past" or clause.negated:
        return
    for phrase in objects(clause, scene):
        if phrase.head.lower_ == "smoking":
            _borrow_dates(clause, phrase, scene)
            yield make(
                clause, scene, "smokes", Name("tobacco"), state=False, ended=True, canonical=False, confidence=0.7
            )
            continue
        word = phrase.head.lemma_.lower()
        verb = "drinks" if word in lists["drinks"] else "eats" if word in lists["foods"] else None
        if verb:
            yield make(clause, scene, verb, phrase, state=False, ended=True, canonical=False, confidence=0.7)


def _smoke(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I don't smoke": what is smoked goes without saying."""
    if clause.tense == "past" and not clause.ended:
        return
    found: list[Phrase | Name] = list(objects(clause, scene)) or [Name("tobacco")]
    for thing in found if clause.modal in ("", "can", "ca") else ():
        yield make(clause, scene, "smokes", thing, canonical=False, confidence=0.7)


def _switch(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I switched from Spotify to Tidal": the one is used in place of the other."""
    if clause.tense == "future" or clause.negated or clause.modal or clause.child("dobj") is not None:
        return
    origin = place(clause.verb, scene, "from")
    target = place(clause.verb, scene, "to", "over_to", "from_to") or (
        place(origin.head, scene, "to") if origin else None
    )
    if origin and target and is_proper(origin.head) and is_proper(target.head):
        yield make(clause, scene, "uses", target, state=False, confidence=0.7)
        yield make(clause, scene, "uses", origin, state=False, ended=True, confidence=0.7)


def _walks(clause: Clause, scene: Scene) -> bool:
    """Whether somebody goes, not a price."""
    token = clause.subject_token
    someone = token is not None and (
        lemma_of(token) in scene.words.kin or lemma_of(token) in scene.words.lists["pets"] or token.lower_ == "people"
    )
    return clause.subject.is_speaker or clause.coreferent or token is None or is_proper(token) or someone


def _visit(clause: Clause, scene: Scene) -> Iterator[Draft]:
    diet = clause.child("acomp", "oprd", "attr", "advmod", "dobj")
    if clause.lemma == "go" and diet is not None and diet.lower_ in scene.words.lists["diets"]:
        if clause.tense != "future" and not clause.negated and not clause.modal:
            yield make(clause, scene, "diet", Name(diet.text), state=False)
        return
    if clause.lemma == "go" and not _walks(clause, scene) and (changed := list(change(clause, scene))):
        yield from changed
        return
    if clause.lemma == "visit":
        found = objects(clause, scene)
    else:
        target = place(clause.verb, scene, "to", "over_to", "back_to")
        found = [target] if target and is_proper(target.head) else []
    if clause.tense == "past" or clause.perfect:
        for phrase in found:
            yield make(clause, scene, "visited", phrase, state=False, canonical=False, confidence=0.7)


def _marry(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ "I married Tom", "Tom and I got married"."""
    others = list(joined(clause.subject_token)) if clause.subject_token is not None else []
    if clause.passive and any(t.lower_ == "i" for t in others) and is_proper(clause.subject_token):
        spouse = Name(clause.subject.text, "person")
        yield make(clause, scene, "married_to", spouse, subject=scene.context.me, state=False)
        return
    for phrase in objects(clause, scene) or [p for p in [place(clause.verb, scene, "to")] if p]:
        over = clause.lemma == "divorce"
        if not clause.negated and not clause.modal:
            yield make(clause, scene, "married_to", typed(phrase, "person"), state=False, ended=over)


def _born(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = place(clause.verb, scene, "in", "at")
    if where:
        yield make(clause, scene, "born_in", typed(where, "place"), state=False)
    for span in clause.dates:
        text = scene.read(span.start, span.end)
        bare = text.split(" ", 1)[1] if text.lower().startswith(("on ", "in ")) else text
        predicate = "birthday" if span.value.precision == "day" else "birth_year"
        yield make(
            clause, scene, predicate, Name(bare), state=False, canonical=predicate == "birthday", cardinality="one"
        )


def _call(clause: Clause, scene: Scene) -> Iterator[Draft]:
    target = clause.child("oprd", "attr")
    if target is None or not (phrase := noun_phrase(target, scene)):
        return
    if clause.passive:
        yield from named(clause, scene, phrase)
        return
    called = clause.child("dobj")
    if called is not None and called.tag_ in ("WP", "WDT"):
        holder = noun_phrase(clause.head.head, scene)
    else:
        holder = noun_phrase(called, scene) if called is not None else None
    if holder:
        who = Name(holder.name.text, "person", holder.name.is_speaker, (phrase.name.text,))
        yield make(clause, scene, "alias", phrase, subject=who)


def named(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    """ "X is called N": a kin relation or a pet for "my sister" and "my cat", else a name."""
    token = clause.subject_token
    lists = scene.words.lists
    if token is not None and has_owner(token) and not is_proper(token):
        head = lemma_of(token)
        owner = clause.subject.text.rsplit("'s ", 1)[0]
        who = scene.context.me if owner == scene.context.speaker else Name(owner)
        kin = scene.words.kin.get(head)
        if kin:
            person = typed(phrase, "person")
            scene.context.meet(person.name)
            yield make(clause, scene, kin, person, subject=who, text=f"{who.text}'s {head} is {phrase.name.text}")
            return
        if head in lists["pets"]:
            scene.context.meet(phrase.name)
            yield make(
                clause, scene, "has_pet", phrase, subject=who, text=f"{who.text} has a {head} named {phrase.name.text}"
            )
            return
    scene.context.meet(phrase.name)
    scene.context.theme = phrase.name
    yield make(clause, scene, "name", phrase)


def _wish(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.tense == "past":
        return
    inner = clause.child("xcomp")
    if inner is not None:
        draft = plan(clause, scene, "wants_to", inner, candidate=True)
        if draft:
            yield draft
        return
    for phrase in objects(clause, scene):
        yield make(clause, scene, "wants", phrase, canonical=False, confidence=0.5).but(candidate=True, category="plan")


def _intend(predicate: str) -> Slot:
    def slot(clause: Clause, scene: Scene) -> Iterator[Draft]:
        inner = clause.child("xcomp") or next((t for w, t, _ in prepositions(clause.verb, scene) if w == "on"), None)
        if (
            inner is not None
            and inner.pos_ in ("VERB", "AUX")
            and (clause.tense == "present" or predicate == "decided_to")
        ):
            draft = plan(clause, scene, predicate, inner)
            if draft:
                yield draft

    return slot


def _need(clause: Clause, scene: Scene) -> Iterator[Draft]:
    inner = clause.child("xcomp")
    if inner is not None:
        yield from _intend("needs_to")(clause, scene)
        return
    if clause.tense == "present" and clause.lemma == "need":
        for phrase in objects(clause, scene):
            yield make(clause, scene, "needs", phrase, canonical=False, confidence=0.6)


SLOTS: dict[str, Slot] = {
    "live": _live, "reside": _live, "dwell": _live,
    "move": _move, "relocate": _move,
    "work": work,
    "start": start, "begin": start, "get": start, "land": start, "accept": start, "take": start,
    "join": join, "hire": start, "employ": work,
    "leave": leave, "quit": leave, "resign": leave, "fire": leave,
    "turn": _turn, "finish": _finish,
    "become": become, "promote": become,
    "like": _like, "love": _like, "enjoy": _like, "adore": _like,
    "hate": _dislike, "dislike": _dislike, "detest": _dislike, "loathe": _dislike, "stand": _dislike, "bear": _dislike,
    "prefer": _prefer,
    "own": _simple("owns"), "possess": _simple("owns"), "speak": _simple("speaks"), "know": _simple("knows"),
    "play": _simple("plays"), "study": _simple("studies"), "learn": _learn, "give": _give_up, "use": _simple("uses"),
    "change": change, "rise": change, "increase": change, "drop": change, "fall": change, "decrease": change,
    "hand": hand_in, "submit": hand_in, "lay": dismissed, "dismiss": dismissed, "sack": dismissed, "retire": dismissed,
    "base": based, "reach": reached, "contact": reached, "award": awarded, "grant": awarded,
    "cancel": cancel, "end": cancel, "settle": _move, "belong": belong, "smoke": _smoke, "switch": _switch,
    "visit": _visit, "go": _visit, "travel": _visit, "fly": _visit,
    "marry": _marry, "divorce": _marry,
    "call": _call, "name": _call,
    "want": _wish, "wish": _wish, "hope": _wish,
    "plan": _intend("plans_to"), "intend": _intend("plans_to"), "decide": _intend("decided_to"),
    "need": _need,
}  # fmt: skip
"""Lemma to rule; a rule that yields nothing leaves the clause to the general one."""


def slot_of(clause: Clause) -> Slot | None:
    """The rule for a clause's verb."""
    if clause.lemma == "bear" and clause.passive:
        return _born
    return SLOTS.get(clause.lemma)
