"""English clauses with "be" and "have", and verbs without a rule of their own."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_make import activity, make, place, plan, prepositions
from .english_nouns import Phrase, Scene, Token, bare_words, has_owner, is_proper, noun_phrase, owner_of, phrases
from .english_slots import is_job, named, objects, typed
from .english_text import third_person

_PLACES = ("in", "on", "at", "behind", "under", "near", "inside", "above", "below", "beside", "next_to", "opposite", "between")
_LIGHT = frozenset(
    "time fun blast look chance conversation talk meeting idea question plan problem trouble feeling day night "
    "weekend week break rest walk dinner lunch breakfast moment point issue experience opportunity hope way".split()
)


def be(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What a clause with "be" says."""
    if not clause.assertive:
        return
    token = clause.subject_token
    if token is not None and has_owner(token) and not _names_person(token, clause, scene):
        yield from _attribute(clause, scene, token)
        return
    adjective = clause.child("acomp")
    noun = clause.child("attr")
    if adjective is not None and adjective.pos_ != "PROPN":
        yield from _adjective(clause, scene, adjective)
    elif (noun or adjective) is not None:
        yield from _noun(clause, scene, noun or adjective)
    else:
        yield from _where(clause, scene)


def _names_person(token: Token, clause: Clause, scene: Scene) -> bool:
    """Whether "my sister" or "my dog Rex" is the subject itself, not a property of the speaker."""
    return is_proper(token) or "'s " not in clause.subject.text or (
        lemma_of(token) in scene.words.kin and not _proper_attr(clause)
    )


def _proper_attr(clause: Clause) -> bool:
    token = clause.child("attr", "acomp")
    return token is not None and is_proper(token) and not any(c.dep_ == "det" for c in token.children)


def _attribute(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    owner = owner_of(token, scene)
    if owner is None:
        return
    words = bare_words(token, scene)
    predicate = scene.words.attribute_predicate(words)
    for target in _values(clause, scene):
        shown = target.shown
        if predicate == "name" and (kin := _kin_behind(owner, scene)):
            person, holder = Name(target.name.text, "person"), scene.context.me
            scene.context.meet(person)
            yield make(clause, scene, kin, person, subject=holder, text=f"{holder.text}'s {owner.text.split(chr(39) + 's ')[-1]} is {shown}")
            continue
        value = typed(target, "person") if predicate in scene.words.kin.values() else target
        if value.name.type == "person":
            scene.context.meet(value.name)
        known = predicate in scene.words.predicates or predicate.startswith("favourite_")
        text = None if scene.words.predicate(predicate).templates else f"{owner.text}'s {words} {_verb(clause)} {shown}"
        cardinality = None if known or predicate in scene.words.kin.values() else "one"
        yield make(clause, scene, predicate, value, subject=owner, text=text, cardinality=cardinality)  # type: ignore[arg-type]


def _verb(clause: Clause) -> str:
    plural = clause.subject_token is not None and clause.subject_token.tag_ in ("NNS", "NNPS")
    word = ("were" if plural else "was") if clause.tense == "past" else ("are" if plural else "is")
    return f"{word} not" if clause.negated else word


def _kin_behind(owner: Name, scene: Scene) -> str | None:
    prefix = f"{scene.context.speaker}'s "
    return scene.words.kin.get(owner.text[len(prefix) :].lower()) if owner.text.startswith(prefix) else None


def _values(clause: Clause, scene: Scene) -> Iterator[Phrase]:
    token = clause.child("attr", "acomp", "oprd", "dobj")
    if token is None:
        for _, target, prep in prepositions(clause.verb, scene):
            if found := noun_phrase(target, scene):
                yield Phrase(found.name, f"{prep.text} {found.shown}", target)
                return
        yield from _date_value(clause, scene)
    elif scene.dated(token):
        yield from _date_value(clause, scene)
    elif token.pos_ in ("ADJ", "VERB", "ADV"):
        text = scene.read(*_span(token))
        yield Phrase(Name(text), text, token)
    else:
        yield from phrases(token, scene)


def _span(token: Token) -> tuple[int, int]:
    tokens = [t for t in token.subtree if t.dep_ not in ("punct", "advcl", "relcl", "cc", "conj")]
    return tokens[0].idx, tokens[-1].idx + len(tokens[-1])


def _date_value(clause: Clause, scene: Scene) -> Iterator[Phrase]:
    """ "Her birthday is May 3": the date is the value, not the time of the fact."""
    for span in list(clause.dates):
        if span.start >= clause.verb.idx:
            clause.dates.remove(span)
            text = scene.read(span.start, span.end)
            bare = text.split(" ", 1)[1] if text.lower().startswith(("on ", "in ")) else text
            yield Phrase(Name(bare), text, clause.verb)
            return


def _adjective(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    word, lists = token.lower_, scene.words.lists
    person = clause.subject.is_speaker or (clause.subject_token is not None and is_proper(clause.subject_token)) or clause.coreferent
    if word == "old":
        yield from _age(clause, scene, token)
        return
    arguments = list(prepositions(token, scene)) + [p for p in prepositions(clause.verb, scene) if p[0] in ("to", "of", "with")]
    if arguments:
        yield from _with_argument(clause, scene, token, arguments[0])
    elif _diet(token, scene):
        yield make(clause, scene, "diet", Name(scene.read(*_span(token))))
    elif word in lists["colors"]:
        yield make(clause, scene, "color", Name(token.text), canonical=False, confidence=0.7)
    elif token.text in lists["traits"] or scene.read(*_span(token)) in lists["traits"]:
        yield make(clause, scene, "has_quality", Name(scene.read(*_span(token))), canonical=False, confidence=0.6)
    elif not person and clause.tense == "present" and clause.subject_token is not None and clause.subject_token.pos_ == "NOUN":
        yield make(clause, scene, "has_quality", Name(scene.read(*_span(token))), canonical=False)


def _diet(token: Token, scene: Scene) -> bool:
    words = scene.read(*_span(token)).lower()
    return words in scene.words.lists["diets"] or token.lemma_.lower() in scene.words.lists["diets"]


def _with_argument(clause: Clause, scene: Scene, token: Token, argument: tuple[str, Token, Token]) -> Iterator[Draft]:
    word, target, _ = argument
    found: list[Phrase | Name] = list(phrases(target, scene))
    if target.tag_ == "VBG" and (doing := activity(target, scene)):
        found = [doing]
    for phrase in found:
        if token.lower_ == "allergic" and word == "to":
            yield make(clause, scene, "allergic_to", phrase)
        elif token.lower_ == "married" and word == "to":
            yield make(clause, scene, "married_to", phrase)
        elif token.lower_ in ("fond",):
            yield make(clause, scene, "likes", phrase)
        elif clause.tense == "present" and _stable(token, scene):
            yield make(clause, scene, f"{token.lower_}_{word}", phrase, canonical=False)


def _stable(token: Token, scene: Scene) -> bool:
    moods = ("proud", "glad", "happy", "thankful", "grateful", "sorry", "sure", "excited", "tired", "thrilled", "ready",
             "busy", "sad", "worried", "upset", "aware", "off", "able", "curious", "keen", "up", "down", "late", "good",
             "great", "okay", "ok", "fine", "stoked", "pumped", "nervous", "amazed", "lucky", "blessed", "similar")  # fmt: skip
    return token.lower_ not in moods


def _age(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    years = next((c for c in token.children if c.dep_ == "npadvmod" and lemma_of(c) == "year"), None)
    number = next((c for c in years.children if c.dep_ == "nummod"), None) if years is not None else None
    if number is not None:
        yield make(clause, scene, "age", Name(number.text))


def _noun(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    if scene.dated(token):
        return
    if has_owner(token) and clause.subject_token is not None and is_proper(clause.subject_token):
        yield from _relation(clause, scene, token)
        return
    for phrase in phrases(token, scene):
        yield from _one_noun(clause, scene, phrase)


def _relation(clause: Clause, scene: Scene, token: Token) -> Iterator[Draft]:
    """ "Anna is my sister": a fact of the owner."""
    owner, words = owner_of(token, scene), bare_words(token, scene)
    if owner is not None and owner != clause.subject:
        predicate = scene.words.attribute_predicate(token.lemma_.lower() if token.lemma_.lower() in scene.words.kin else words)
        person = Name(clause.subject.text, "person" if predicate in scene.words.kin.values() else None)
        yield make(clause, scene, predicate, person, subject=owner, text=f"{owner.text}'s {words} {_verb(clause)} {person.text}")


def _one_noun(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    lists, head = scene.words.lists, phrase.head.lemma_.lower()
    person = clause.subject.is_speaker or clause.coreferent or (clause.subject_token is not None and is_proper(clause.subject_token))
    person = person or "'s " in clause.subject.text
    if _diet(phrase.head, scene):
        yield make(clause, scene, "diet", Name(phrase.head.text))
    elif head in ("member", "part") and (group := place(phrase.head, scene, "of")):
        yield make(clause, scene, "member_of", group)
    elif head == "fan" and (liked := place(phrase.head, scene, "of")):
        yield make(clause, scene, "likes", liked)
    elif person and is_job(phrase, scene):
        yield from _job(clause, scene, phrase)
    elif head in lists["vague"] or head in _LIGHT or clause.tense == "past":
        return
    elif clause.subject_token is not None and not person and (is_proper(phrase.head) or phrase.head.like_num or _counted(phrase)):
        yield make(clause, scene, "is", phrase, canonical=False, confidence=0.7)
    elif not (clause.subject_token is not None and clause.subject_token.lower_ in ("it", "they")):
        yield make(clause, scene, "is_a", phrase, canonical=False)


def _counted(phrase: Phrase) -> bool:
    return any(c.dep_ == "nummod" for c in phrase.head.children)


def _job(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    where = place(phrase.head, scene, "at", "for", "with")
    name = phrase.name.text
    if where:
        name = name.split(f" {_preposition(phrase.head)} ", 1)[0]
        yield make(clause, scene, "works_at", typed(where, "organisation"))
    yield make(clause, scene, "job_title", Name(name))


def _preposition(token: Token) -> str:
    return next((str(c.text) for c in token.children if c.dep_ == "prep"), "at")


def _where(clause: Clause, scene: Scene) -> Iterator[Draft]:
    origin = place(clause.verb, scene, "from")
    if origin and is_proper(origin.head) and clause.tense == "present":
        yield make(clause, scene, "comes_from", origin)
        return
    visited = place(clause.verb, scene, "to")
    if visited and clause.perfect:
        yield make(clause, scene, "visited", visited, state=False, canonical=False, confidence=0.7)
        return
    for word, target, _ in prepositions(clause.verb, scene):
        found = noun_phrase(target, scene)
        if found and word in _PLACES and clause.tense == "present" and found.head.lemma_.lower() not in _LIGHT:
            yield make(clause, scene, "located_in", found, canonical=False, confidence=0.7)
            return


def have(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What a clause with "have", "get" or "adopt" says of pets, kin, allergies and things."""
    inner = clause.child("xcomp")
    if inner is not None and clause.lemma == "have":
        draft = plan(clause, scene, "needs_to", inner) if clause.tense == "present" else None
        yield from [draft] if draft else []
        return
    token = clause.child("dobj")
    if token is None or clause.modal or clause.tense == "future":
        return
    for phrase in [p for p in phrases(token, scene)]:
        yield from _had(clause, scene, phrase)


def _had(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    head, lists = phrase.head.lemma_.lower(), scene.words.lists
    state = clause.lemma == "have"
    if head == "allergy":
        yield from _allergy(clause, scene, phrase)
    elif head in lists["pets"]:
        names = _given_names(phrase.head, scene)
        for name in names:
            yield make(clause, scene, "has_pet", name, state=state, text=f"{clause.subject.text} has a {head} named {name.text}")
        if not names:
            yield make(clause, scene, "has_pet", phrase, state=state)
    elif state and (kin := scene.words.kin.get(head)) and (names := _given_names(phrase.head, scene)):
        for name in names:
            person = Name(name.text, "person")
            scene.context.meet(person)
            yield make(clause, scene, kin, person, text=f"{clause.subject.text}'s {head} is {name.text}")
    elif state and clause.tense == "present" and head not in lists["vague"] and head not in _LIGHT:
        yield make(clause, scene, "has", phrase, canonical=False, confidence=0.6)


def _allergy(clause: Clause, scene: Scene, phrase: Phrase) -> Iterator[Draft]:
    for word, target, _ in prepositions(phrase.head, scene):
        if word == "to":
            for found in phrases(target, scene):
                yield make(clause, scene, "allergic_to", found)
            return
    compound = [t for t in phrase.head.lefts if t.dep_ in ("compound", "amod", "nmod")]
    if compound:
        yield make(clause, scene, "allergic_to", Name(scene.read(compound[0].idx, compound[-1].idx + len(compound[-1]))))


def _given_names(token: Token, scene: Scene) -> list[Name]:
    """The names in "two cats, Miso and Pixel" and "a sister named Anna"."""
    for child in token.children:
        if child.dep_ == "appos" and is_proper(child):
            return [p.name for p in phrases(child, scene)]
        if child.dep_ == "acl" and child.lower_ in ("named", "called"):
            target = next((c for c in child.children if c.dep_ in ("oprd", "attr", "dobj", "npadvmod")), None)
            if target is not None:
                return [p.name for p in phrases(target, scene)]
    return []


def general(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A verb without a rule: its object, or what its first preposition governs."""
    if (clause.lemma in scene.words.lists["generic_skip"] and not clause.passive) or clause.modal not in ("", "can", "ca"):
        return
    if clause.tense == "future" or (clause.progressive and _ahead(clause, scene)):
        draft = plan(clause, scene, "plans_to", clause.verb)
        yield from [draft] if draft and clause.subject.is_speaker else []
        return
    particle = clause.child("prt")
    form = _form(clause) + (f"_{particle.lower_}" if particle is not None else "")
    found = objects(clause, scene) if not clause.passive else []
    for phrase in found:
        yield make(clause, scene, form, phrase, state=False, canonical=False)
    if not found and clause.child("dobj", "ccomp", "xcomp") is None:
        yield from _by_preposition(clause, scene, form)


def _ahead(clause: Clause, scene: Scene) -> bool:
    return any(span.value.at > scene.context.reference for span in clause.dates)


def _form(clause: Clause) -> str:
    if clause.passive:
        return str(clause.verb.lower_)
    if clause.negated or clause.ended or clause.tense == "present" and not clause.perfect:
        return ("can_" if clause.modal and not clause.negated else "") + (clause.lemma if clause.modal and not clause.negated else third_person(clause.lemma))
    return str(clause.verb.lower_)


def _by_preposition(clause: Clause, scene: Scene, form: str) -> Iterator[Draft]:
    for word, target, _ in prepositions(clause.verb, scene):
        name: Phrase | Name | None = noun_phrase(target, scene)
        if target.tag_ == "VBG":
            name = activity(target, scene)
        if name is not None:
            yield make(clause, scene, f"{form}_{word}", name, state=False, canonical=False)
            return
    spans = [s for s in clause.dates if s.kind == "point" and s.start > clause.verb.idx]
    if spans and clause.tense == "present" and not clause.subject.is_speaker:
        text = scene.read(spans[0].start, spans[0].end)
        if text.lower().startswith("in ") and len(text.split()) == 2:
            clause.dates.clear()
            yield make(clause, scene, f"{form}_in", Name(text[3:]), state=False, canonical=False)
        else:
            yield make(clause, scene, form, Name(text), state=False, canonical=False)
    elif clause.passive and clause.tense == "present":
        yield make(clause, scene, "has_quality", Name(clause.verb.text), canonical=False)


__all__ = ["be", "general", "have", "named"]
