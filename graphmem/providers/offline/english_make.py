"""Drafts from an English clause: timing, endings, plans and wording in one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from .draft import Draft, Name
from .english_clauses import Clause, lemma_of
from .english_nouns import noun_phrase, phrases
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper
from .english_text import clause_text, show_date
from .timing import Timing, timing

_MANY_WORDS = 12
"""Words of an object; longer ones are clauses, not names."""


def make(
    clause: Clause,
    scene: Scene,
    predicate: str,
    target: Phrase | Name,
    *,
    state: bool = True,
    polarity: bool | None = None,
    ended: bool | None = None,
    text: str | None = None,
    canonical: bool = True,
    subject: Name | None = None,
    confidence: float | None = None,
    cardinality: Literal["one", "many"] | None = None,
) -> Draft:
    """One draft of a clause. `state`: true of a span of time, so that a past one has ended."""
    name, shown = (target, target.text) if isinstance(target, Name) else (target.name, target.shown)
    predicate = scene.words.belonging(predicate, name.text)
    positive = not clause.negated if polarity is None else polarity
    if isinstance(target, Phrase) and any(c.dep_ in ("det", "neg") and c.lower_ == "no" for c in target.head.children):
        positive = not positive
    over, when = _ending(clause, scene, state, ended)
    who = subject or clause.subject
    entry = scene.words.predicate(predicate)
    if text is None and canonical and not (subject is None and _plural(clause)):
        article = scene.shown(clause.subject_token) if subject is None and clause.subject_token is not None else ""
        article = article if not clause.coreferent and not who.is_speaker else ""
        text = entry.sentence("en", article + who.text, _shown(predicate, shown), polarity=positive or over)
    if text is None and over:
        text = affirmed(who.text, predicate, shown)
    return Draft(
        subject=who,
        predicate=predicate,
        target=name,
        start=0,
        end=len(scene.sentence.text),
        text=text or clause_text(clause, scene),
        polarity=True if over else positive,
        event="retract" if over else "assert",
        valid_at=(when.start or when.end) if over else when.start,
        invalid_at=None if over else when.end,
        confidence=(confidence or (0.85 if canonical else 0.5)) - (0.1 if clause.coreferent else 0.0),
        candidate=clause.candidate,
        cardinality=cardinality,
    )


def affirmed(subject: str, predicate: str, shown: str) -> str:
    """What has ended, as it was while it held: the text of a fact says what it states, not that it is over."""
    if predicate.isalpha() and not predicate.endswith("s") and predicate not in ("is", "color", "won", "diet"):
        return f"{subject}'s {predicate} is {shown}"
    verb = "is" if predicate in ("is", "is_a", "color", "has_quality") else predicate.replace("_", " ")
    return f"{subject} {verb} {shown}"


def _plural(clause: Clause) -> bool:
    return clause.subject_token is not None and clause.subject_token.tag_ == "NNS" and not clause.subject.is_speaker


def _shown(predicate: str, shown: str) -> str:
    if predicate != "job_title" or not shown[:1].islower() or shown.split(maxsplit=1)[0] in ("a", "an", "the"):
        return shown
    return f"{'an' if shown[0] in 'aeiou' else 'a'} {shown}"


def _ending(clause: Clause, scene: Scene, state: bool, forced: bool | None) -> tuple[bool, Timing]:
    past = clause.tense == "past" or clause.habitual_past
    when = timing(clause.dates, scene.context.reference, state=state, past=past, perfect=clause.perfect)
    if forced is not None:
        return forced, when
    if clause.habitual_past or (state and past and not clause.negated and not clause.perfect):
        since = any(span.kind == "since" for span in clause.dates)
        bounded = when.start is not None and (when.end is not None or since)
        return not bounded, when
    return clause.ended, when


def plan(clause: Clause, scene: Scene, predicate: str, verb: Token, *, candidate: bool = False) -> Draft | None:
    """A plan, wish or need: its object is what is to be done, with dates in digits."""
    words = verb_phrase(verb, scene)
    if not words or _small_talk(verb):
        return None
    draft = make(clause, scene, predicate, Name(words), state=False, canonical=False, confidence=0.6)
    category = {"decided_to": "decision"}.get(predicate, "plan")
    return draft.but(valid_at=None, invalid_at=None, category=category, candidate=candidate or clause.candidate)


def _small_talk(verb: Token) -> bool:
    """ "I want to thank you", "I'll keep you posted": said to the listener, not planned."""
    said = (
        "say",
        "tell",
        "ask",
        "thank",
        "see",
        "hear",
        "know",
        "mention",
        "let",
        "be",
        "do",
        "share",
        "check",
        "keep",
        "make",
    )
    to_you = any(t.lower_ in ("you", "your", "yours", "ya", "u") for t in verb.subtree)
    return to_you or (lemma_of(verb) in said and not any(c.dep_ == "dobj" for c in verb.children))


def verb_phrase(verb: Token, scene: Scene) -> str:
    """The verb with its objects as words: "visit Kyoto in May (2026-05)"; empty when too long."""
    left = {"to", "will", "'ll", "’ll", "going", "gonna", "not", "n't"}
    tokens = [
        t
        for t in verb.subtree
        if not (
            t.i < verb.i and (t.dep_ in ("aux", "nsubj", "neg", "mark", "advmod", "cc", "punct") or t.lower_ in left)
        )
        and not _elsewhere(t, verb)
    ]
    tokens = [t for t in tokens if t.i >= verb.i]
    while tokens and tokens[-1].is_punct and tokens[-1].text not in (")", '"'):
        tokens.pop()
    if not tokens or len(tokens) > _MANY_WORDS:
        return ""
    text = scene.read(tokens[0].idx, tokens[-1].idx + len(tokens[-1]))
    first = verb.lemma_ if verb.tag_ == "VBG" and not any(c.dep_ == "mark" for c in verb.children) else verb.text
    text = first + text[len(verb.text) :]
    spans = [s for s in scene.dates if s.relative and not s.length and tokens[0].idx <= s.start < tokens[-1].idx + 1]
    return str(text) + "".join(
        f" ({show_date(s, scene)})" for s in spans if text.rstrip().endswith(scene.read(s.start, s.end))
    )


def _elsewhere(token: Token, verb: Token) -> bool:
    while token.i != verb.i:
        if token.dep_ in ("advcl", "relcl", "parataxis") or (token.dep_ in ("conj", "cc") and token.head.i == verb.i):
            return True
        if token.head.i == token.i:
            return False
        token = token.head
    return False


def activity(verb: Token, scene: Scene) -> Name | None:
    """A gerund or infinitive as the name of an activity: "hiking in the rain"."""
    tokens = [t for t in verb.subtree if t.i >= verb.i and not _elsewhere(t, verb) and not scene.dated(t)]
    while tokens and tokens[-1].is_punct:
        tokens.pop()
    if not tokens or len(tokens) > _MANY_WORDS:
        return None
    return Name(scene.read(tokens[0].idx, tokens[-1].idx + len(tokens[-1])))


def prepositions(verb: Token, scene: Scene) -> Iterator[tuple[str, Token, Token]]:
    """(preposition, its object, the preposition's token) below a verb or noun; dates are left out."""
    for child in verb.children:
        if child.dep_ not in ("prep", "dative", "agent") or scene.dated(child):
            continue
        for inner in child.children:
            if inner.dep_ in ("pobj", "pcomp") and not scene.dated(inner):
                yield child.lower_, inner, child
            elif inner.dep_ == "prep":
                yield from (
                    (f"{child.lower_}_{word}", target, token) for word, target, token in prepositions(child, scene)
                )


def place(verb: Token, scene: Scene, *words: str) -> Phrase | None:
    """The object of one of the prepositions; a common noun gives way to the place it lies in ("a flat in Oslo")."""
    for word, target, _ in prepositions(verb, scene):
        if word in words:
            inner = place(target, scene, "in", "at", "near") if target.pos_ != "PROPN" and "to" in words else None
            found = inner or noun_phrase(target, scene)
            if found:
                return found
    return None


def typed(phrase: Phrase, kind: str) -> Phrase:
    """The phrase with a type that its place in the clause gives away."""
    return Phrase(Name(phrase.name.text, kind, phrase.name.is_speaker), phrase.shown, phrase.head)


def objects(clause: Clause, scene: Scene) -> list[Phrase]:
    """Direct objects of the clause, joined ones included; empty words are left out."""
    token = clause.child("dobj", "obj", "oprd", "attr")
    if token is None:
        token = _misread_noun(clause)
    if token is None:
        return []
    vague = scene.words.lists["vague"]
    found = [p for p in phrases(token, scene) if p.head.lemma_.lower() not in vague or is_proper(p.head)]
    return [p for p in found if not any(c.lower_ == "your" or c.tag_ in ("WRB", "WP", "WDT") for c in p.head.subtree)]


def _misread_noun(clause: Clause) -> Token | None:
    """ "eat gluten", where the tagger took the noun for a verb."""
    token = clause.child("xcomp", "advcl", "advmod")
    bare = (
        token is not None
        and (token.tag_ in ("VB", "VBP") or (token.dep_ == "advmod" and token.tag_ in ("JJ", "NN")))
        and token.i == clause.verb.i + 1
        and not list(token.children)
    )
    return token if bare else None


def plain(phrase: Phrase, scene: Scene) -> Phrase:
    """The phrase without what it is for, with whom and when: "statins for cholesterol", "squash with Ben"."""
    head = phrase.head
    if is_proper(head) or not any(c.dep_ == "prep" and c.lower_ != "of" for c in head.children):
        return phrase
    first = min(
        [head.i, *(c.left_edge.i for c in head.children if c.i < head.i and c.dep_ in ("compound", "amod", "nummod"))]
    )
    words = scene.read(head.doc[first].idx, head.idx + len(head))
    return Phrase(Name(words, phrase.name.type), words, head)


def is_me(phrase: Phrase | Name) -> bool:
    """Whether a phrase names the speaker."""
    return phrase.is_speaker if isinstance(phrase, Name) else phrase.name.is_speaker
