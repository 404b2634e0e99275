"""What is done to an English sentence before it is parsed: corrections, labels, names that hide the verb."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .english_fragments import spelled_out
from .english_leads import easier_names, lead_removed
from .lexicon import lexicon
from .sentences import Sentence

_QUESTION = re.compile(
    r"\?[\"')\]”]*\s*$|^\W*(?:who|what|when|where|why|how|which|whose|do|does|did|is|are|was|were|can|could|will|would"
    r"|should|have|has|had|am|may|shall|don't|doesn't|didn't|isn't|aren't|won't|wouldn't)\s+(?:i|you|he|she|it|we|they"
    r"|the|my|your|this|that|there|any|about)\b|^\W*(?:what a|how)\b",
    re.I,
)


_FICTION = re.compile(
    r"^\W*(?:in|from) (?:the|this|that|my|a) (?:movie|film|book|novel|story|game|series|show|dream|play|episode|song)\b"
    r"|^\W*(?:my|the) (?:main )?character\b|^\W*(?:imagine|suppose|pretend|let['’]s say|say) (?:that )?"
    r"(?:i|we|you|he|she|my)\b"
    r"|^\W*(?:translate|rewrite|rephrase|summari[sz]e|paraphrase|proofread)\b[^.!?]{0,60}:",
    re.I,
)


_REPAIR = re.compile(
    r"\s*[,.–—-]*\s*\b(?:no,? wait|wait,? no|no,? sorry|sorry,? (?:i mean|i meant|no)|i mean|i meant|or rather"
    r"|correction|scratch that|make that|no,? actually|oops)\b[,:]?\s*",
    re.I,
)


_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|no|sorry|wait|oops|hmm|ah)\b[\s,!.]*)*(?:actually|correction|i meant(?: to say(?: that)?)?"
    r"|i misspoke|i was wrong"
    r"|my mistake|to correct (?:myself|that)|scratch that|in fact)\b[\s,:]*",
    re.I,
)


_MISTAKE = re.compile(
    r"\b(?:that|it|this)(?:['’]s| is| was) (?:wrong|incorrect|not right|not correct|a mistake|a typo|an error)\b"
    r"|\b(?:the|my|our|that|this)(?: [\w-]+){1,3} (?:was|is) (?:a (?:typo|mistake|slip|misprint)|an error|wrong"
    r"|incorrect)\b"
    r"|\b(?:i (?:misread|misspoke|was wrong|made a mistake|got (?:it|that) wrong)|my mistake|my bad)\b",
    re.I,
)


_INSTEAD = re.compile(r"(?P<cut>,\s*(?:and\s+)?not\s+(?!only\b)(?P<old>[\w'’ -]{1,40}))(?=\s*[.!,;]|\s*$)", re.I)


_NOT_IN_BUT_IN = re.compile(
    r"\b[a-z]+ (?P<cut>not (?P<old>(?:in|at|on|for|with|from|by|to) [\w'’ -]{1,40}?),? but )"
    r"(?=(?:in|at|on|for|with|from|by|to) )"
)
_RATHER_THAN = re.compile(r"(?<=\w)(?P<cut>,? rather than (?P<old>[A-Z0-9][\w'’ -]{0,40}))(?=\s*[.!]|\s*$)")
_NOT_BUT = re.compile(
    r"\b(?:is|are|was|were|in|at|on|to|for|with) (?P<cut>not (?!only\b|just\b)(?P<old>[\w'’ -]{1,40}?),? but )(?=\S)"
)
_IN_FACT = re.compile(r"(?<=\w )(?:actually|in fact)(?= \w)|^\W*(?:as )?it turns out\b", re.I)
_BY_NOW = re.compile(r"\b(?:now|nowadays|these days|any ?more|by now|since)\b", re.I)


_DENIED = re.compile(r"^\W*(?:it(?: is|'s|’s) not (?:that|true that|the case that)|it isn(?:'|’)t that)\s+", re.I)


_HANDED = re.compile(r"\b(?:left|right)-handed\b", re.I)


_NEITHER = re.compile(
    r"^\W*(?P<neither>[Nn]either )(?:[A-Z][\w'’-]*|[Mm]y [a-z]+)(?: [A-Z][\w'’-]*)?(?P<nor> nor )(?=[A-Z]|my )"
)


_NAMED_START = re.compile(
    r"^(?!(?:My|Our|His|Her|Their|The|This|These|All|Some|I|We|He|She|They|It|You|Who|That|There|What|And|But|So|Just)\b)"
    r"((?:[A-Z][\w'’.-]*)(?:\s+[A-Z][\w'’.-]*){0,3})\s+([a-z]+(?:-[a-z]+)?(?:s|ed)|rang|left|quit|got|took|sold|bought|went|gave"
    r"|moved|found|became|began|ran|wrote|said|told)\b"
)


_THING_START = re.compile(r"^([Tt]he(?: [\w'’-]+){1,4}?) ([a-z]+s)(?= (?:in|on|at|every|to|from|with|for|the|a|an)\b)")


_MINE_START = re.compile(
    r"^((?:My|Our)(?: [a-z][\w'’-]*){1,2}?) ([a-z]+s)"
    r"(?= (?:in|on|at|every|to|from|with|for|the|a|an|[a-z]+ly|[A-Z]\w+)\b)"
)


_ROLE = re.compile(
    r"\b[Mm]y (?P<role>(?:[a-z]+ ){0,2}[a-z]+(?:-[a-z]+)*),? (?P<name>[A-Z]\w[\w-]*(?: [A-Z]\w[\w-]*)?)"
    r"(?:,(?= [a-z]))?(?!\w)(?!['’](?!s\b))"
)


_LABEL = re.compile(
    r"^\W*(?:draft|note|(?:quick )?update|fyi|ps|p\.s\.|reminder|todo|edit|btw|by the way)\s*[:,]\s*", re.I
)


STAND_IN = "He always"


_PREPOSITIONS = frozenset(
    [
        "to",
        "in",
        "at",
        "on",
        "from",
        "for",
        "with",
        "by",
        "of",
        "is",
        "are",
        "was",
        "were",
        "the",
        "a",
        "an",
        "and",
        "or",
    ]
)


_QUOTED = re.compile(
    r"(?:[,:]|\b(?:says?|said|asked|told \w+|wrote|replied|shouted))\s*[\"“][^\"“”]{8,}[\"”]"
    r"|^\s*[\"“][^\"“”]{8,}[\"”](?=\s+\w+ (?:said|asked|wrote))|^\s*[\"“][^\"“”]{3,}[,!?][\"”](?=\s+[\w. ]+\s*\w+ed\b)"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sentence ready for the parser, and what was read from it before."""

    sentence: Sentence
    corrects: bool = False
    denies: bool = False
    roles: tuple[tuple[str, int, int], ...] = ()
    instead_of: str = ""
    """What the speaker says is not so: "the green line, not the blue one"."""
    contrasts: bool = False
    """Whether the statement is set against another: "was actually born in May"."""


def prepare(sentence: Sentence) -> Prepared | None:
    """The sentence without what was taken back, and whether it corrects or denies; None when it claims nothing."""
    if _QUESTION.search(sentence.text) or _FICTION.search(sentence.text):
        return None
    denies = False
    if match := _LABEL.match(sentence.text):
        sentence = sentence.without(0, match.end())
    sentence, corrects = lead_removed(sentence)
    if match := _CORRECTS.match(sentence.text):
        corrects = True
        sentence = sentence.without(0, match.end())
    if match := _DENIED.match(sentence.text):
        denies = True
        sentence = sentence.without(0, match.end())
    if match := _NEITHER.match(sentence.text):
        denies = not denies
        sentence = sentence.replaced(*match.span("nor"), " and ").without(*match.span("neither"))
    while (match := _REPAIR.search(sentence.text)) and match.start() > 0:
        corrects = True
        sentence = sentence.without(_taken_back(sentence.text, match), match.end())
    sentence, instead = _contrast(sentence)
    for match in reversed(list(_QUOTED.finditer(sentence.text))):
        sentence = sentence.without(match.start(), match.end())
    for match in reversed(list(_HANDED.finditer(sentence.text))):
        sentence = sentence.replaced(*match.span(), match[0].replace("-", ""))
    contrasts = _IN_FACT.search(sentence.text) is not None and not _BY_NOW.search(sentence.text)
    sentence, roles = _roles(spelled_out(easier_names(sentence)))
    if not sentence.text.strip():
        return None
    return Prepared(sentence, corrects, denies, tuple(roles), instead, contrasts or bool(instead))


def _contrast(sentence: Sentence) -> tuple[Sentence, str]:
    """The sentence without "not the blue one", and those words."""
    patterns = (_INSTEAD, _NOT_BUT, _NOT_IN_BUT_IN, _RATHER_THAN)
    match = next((m for p in patterns if (m := p.search(sentence.text))), None)
    if match is None or match.start() == 0:
        return sentence, ""
    return sentence.without(*match.span("cut")), match["old"]


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


def _roles(sentence: Sentence) -> tuple[Sentence, list[tuple[str, int, int]]]:
    """ "My dog Rex barks" as "Rex barks" with (role, start, end of the name), for the parser often misreads it."""
    words = lexicon()
    roles: list[tuple[str, int, int]] = []
    position = 0
    while match := _ROLE.search(sentence.text, position):
        position = match.end()
        noun = match["role"].split()[-1].lower()
        if noun in words.kin or noun in words.lists["pets"]:
            comma = match.end("name") < match.end()
            if comma:
                sentence = sentence.without(match.end("name"), match.end())
            sentence = sentence.without(match.start(), match.start("name"))
            roles.append((match["role"], match.start(), match.start() + len(match["name"])))
            position = match.start() + len(match["name"])
    return sentence, roles


def stand_in(sentence: Sentence) -> Sentence | None:
    """The sentence with a pronoun for the name or thing it opens with, for words that the parser does not know."""
    match = next((m for p in (_NAMED_START, _THING_START, _MINE_START) if (m := p.match(sentence.text))), None)
    if match is None:
        return None
    if "-" in match[2]:
        sentence = sentence.replaced(*match.span(2), match[2].replace("-", ""))
    return sentence.replaced(*match.span(1), STAND_IN)


def better(first: Any, second: Any) -> bool:
    """Whether the parse with the stand-in found more: a subject, or an object that the first one missed."""
    if not any(t.dep_ in ("nsubj", "nsubjpass") for t in second):
        return False
    if not found_clause(first):
        return True
    parts = ("dobj", "prep", "attr", "acomp", "xcomp")
    return _count(second, *parts) > _count(first, *parts) or _odd(first)


def _count(doc: Any, *deps: str) -> int:
    root = next((t for t in doc if t.dep_ == "ROOT"), None)
    return sum(c.dep_ in deps for c in root.children) if root is not None else 0


def _odd(doc: Any) -> bool:
    """A bare verb right behind a finite one is a noun that was misread: "restores harps"."""
    return any(
        t.dep_ == "xcomp" and t.tag_ in ("VBP", "VBZ", "VB") and t.i == t.head.i + 1 and t.head.tag_ == "VBZ"
        for t in doc
    )


def found_clause(doc: Any) -> bool:
    """Whether the parser saw a subject and its verb."""
    return any(t.dep_ in ("nsubj", "nsubjpass") and t.head.pos_ in ("VERB", "AUX") for t in doc)


def is_mistake(text: str) -> bool:
    """Whether the sentence says that something said before was wrong."""
    return _MISTAKE.search(text) is not None
