"""What stands before an English statement and is no part of it, and names that the parser would cut."""

from __future__ import annotations

import re

from .sentences import Sentence

_HEADING = re.compile(
    r"^\W*(?:[\w'’-]+\s+){0,3}?(?P<noun>notes?|updates?|details?|news|corrections?|reminder|memo|info|information|facts?"
    r"|heads-up|thing|story|point|aside|trivia|clarification|amendment|addendum|remark|erratum|record)"
    r"(?:\s+(?:from|for|on|about|by|to|of)\s+(?P<about>[^:.!?]{1,60}?))?\s*(?::|\s[–—-])\s+(?=(?:\S+\s+){2})",
    re.I,
)
_CHECKED = re.compile(
    r"^\W*(?:just |re-?)?(?:checked|confirmed|verified|asked|heard|learned|learnt|noted|spoke|double-checked)\b"
    r"[^:.!?]{0,60}:\s+(?=[A-Z])",
    re.I,
)
_WRONG = re.compile(
    r"^\W*(?:(?:sorry|oops|my mistake|apologies)[\s,!.]+)?"
    r"(?:(?:i|we) (?:(?:had|got|have got|wrote|put) (?:it|that|this) (?:all )?(?:wrong|down wrong|backwards|mixed up)"
    r"|mixed (?:it|that|this|things) up|misremembered|misspoke|stand corrected|made a mistake)\s*[:;,–—-]"
    r"|contrary to (?:what (?:i|we) (?:said|told you|wrote)|[^,:]{1,40}),)\s*",
    re.I,
)
_WRONG_ABOUT = re.compile(
    r"^\W*(?:i|we) (?:was|were|have been|had been) (?:wrong|mistaken)(?: (?:about|on) (?P<about>[^:;.!?]{1,60}?))?"
    r"\s*[:;–—-]\s*",
    re.I,
)
_WORD = r"[A-Z][\w'’-]*"
_PARTICLE = r"(?:de|del|della|di|da|dos|das|du|van|von|der|den|ter|ten|zu|af|av|la|le|bin|ibn|al|el)"
_PARTICLES = re.compile(rf"(?<=\b)(?:{_WORD})((?: {_PARTICLE})+)(?= [A-Z])")
NAME = rf"{_WORD}(?: (?:{_PARTICLE} ){{0,2}}{_WORD}){{0,3}}"
"""A name as it is written: capital words, with particles between them."""
_PRONOUN = re.compile(r"(?:he|she)\b(?!['’])", re.I)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = rf"(?:{_NTH}(?: of)? {_MONTH}(?:,? \d{{4}})?|{_MONTH}(?: {_NTH})?(?:,? \d{{4}})?|\d{{4}})"
_FRONT_DATE = re.compile(
    rf"^\W*(?:(?:on|in|as of|since|by|from|until|around) (?:the )?(?:(?:early|late|mid)[ -])?{_DAY}"
    rf"|from {_DAY} (?:to|until|till|through) {_DAY}|between {_DAY} and {_DAY})(?P<gap> )(?=(?-i:[A-Z]))",
    re.I,
)
OPENING = re.compile(
    rf"^(?P<name>(?!(?:The|A|An|My|Our|This|That|These|Those|It|He|She|They|We|You|There)\b){NAME}) (?=[a-z])"
)
"""A name that opens a sentence."""
_STARTS_WITH_NAME = re.compile(rf"(?!{_MONTH})[A-Z]")
_NOUN_FOR = re.compile(
    rf"^(?:The )?(?P<noun>[Hh]ome|(?:[Pp]hone |[Mm]obile )?[Nn]umber|[Mm]ail|[Ee]-?mail(?: address)?|[Aa]ddress"
    rf"|[Pp]ost)(?P<for> (?:for|of) )(?P<name>{NAME})(?= )"
)


def lead_removed(sentence: Sentence) -> tuple[Sentence, bool]:
    """The statement behind "Customer note:" or "I had it wrong:", and whether what led it in says that it corrects."""
    if match := _WRONG.match(sentence.text) or _WRONG_ABOUT.match(sentence.text):
        return _without_heading(sentence, match), True
    if match := _CHECKED.match(sentence.text):
        return sentence.without(0, match.end()), False
    match = _HEADING.match(sentence.text)
    if match is None or not re.match(r"(?:[A-Z]|[a-z])", sentence.text[match.end() :]):
        return sentence, False
    corrects = match["noun"].lower().startswith(("correction", "erratum"))
    return _without_heading(sentence, match), corrects


def _without_heading(sentence: Sentence, match: re.Match[str]) -> Sentence:
    """ "Good news from Anna Berg: she …" is told of Anna Berg."""
    rest = sentence.without(0, match.end())
    pronoun = _PRONOUN.match(rest.text)
    about = match.groupdict().get("about")
    if pronoun is None or not about or not re.fullmatch(NAME, about):
        return rest
    start, end = match.span("about")
    return Sentence(
        sentence.text[start:end] + rest.text[pronoun.end() :],
        sentence.starts[start:end] + rest.starts[pronoun.end() :],
        sentence.stops[start:end] + rest.stops[pronoun.end() :],
        sentence.language,
    )


_RATHER = re.compile(r"(?:\bwould|(?<=\w)['’]d) (?:rather|sooner|prefer to)(?= (?P<verb>[a-z]+)\b)")
_PLURAL = re.compile(r"\b(?:i|we|you|they)\W*$", re.I)


def preferred(sentence: Sentence) -> Sentence:
    """ "would rather speak Twi" as "prefers to speak Twi" where it tells of talking, which a person does again."""
    match = _RATHER.search(sentence.text)
    if match is None or match["verb"] not in _TALKS:
        return sentence
    words = "prefer to" if _PLURAL.search(sentence.text[: match.start()]) else "prefers to"
    lead = "" if sentence.text[match.start()] == "w" else " "
    return sentence.replaced(*match.span(), lead + words)


_TALKS = frozenset({"speak", "talk", "be", "write", "read", "communicate", "correspond", "chat", "hear", "use"})


def easier_names(sentence: Sentence) -> Sentence:
    """The sentence with names and dates set so that the parser keeps each whole; it reads as it was written."""
    sentence = preferred(sentence)
    for match in list(_PARTICLES.finditer(sentence.text)):
        start, end = match.span(1)
        text = sentence.text[:start] + match[1].title() + sentence.text[end:]
        sentence = Sentence(text, sentence.starts, sentence.stops, sentence.language)
    date = _FRONT_DATE.match(sentence.text)
    if date and _STARTS_WITH_NAME.match(sentence.text[date.end() :]):
        sentence = sentence.replaced(*date.span("gap"), ", ")
    if held := _NOUN_FOR.match(sentence.text):
        sentence = _owner_first(sentence, held)
    return sentence


def _owner_first(sentence: Sentence, match: re.Match[str]) -> Sentence:
    """ "Home for Anna Berg is Oslo" as "Anna Berg's home is Oslo"."""
    start, end = match.span("name")
    mark = match.start("for")
    noun, rest = slice(*match.span("noun")), slice(match.end(), None)
    return Sentence(
        sentence.text[start:end] + "'s " + sentence.text[noun].lower() + sentence.text[rest],
        sentence.starts[start:end] + (sentence.starts[mark],) * 3 + sentence.starts[noun] + sentence.starts[rest],
        sentence.stops[start:end] + (sentence.stops[mark],) * 3 + sentence.stops[noun] + sentence.stops[rest],
        sentence.language,
    )
