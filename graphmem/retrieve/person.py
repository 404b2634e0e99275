"""The first person of a query: whoever asks about "me" asks about the owner, who has a name in what is remembered."""

from __future__ import annotations

import re

_ENGLISH = (
    (re.compile(r"\b(?:am I|I am|I'm)\b", re.IGNORECASE), "is {name}"),
    (re.compile(r"\bdo I\b", re.IGNORECASE), "does {name}"),
    (re.compile(r"\bhave I\b", re.IGNORECASE), "has {name}"),
    # "my cousin Ken" names whom it means; the owner's name beside it would only find the kinship
    (re.compile(r"\b(?:my|mine)\b(?!(?:\s+\w+){1,3}\s+(?-i:[A-Z]))", re.IGNORECASE), "{name}'s"),
    (re.compile(r"\bI(?:'ve|'d|'ll)?\b"), "{name}"),
    (re.compile(r"\b(?:me|myself)\b", re.IGNORECASE), "{name}"),
)
_JAPANESE = re.compile(r"(?:私|僕|俺|わたし|ぼく|おれ|自分|うち)(?=[はがのをにもと、]|$)")

_REACH = r"(?! (?:call|reach|phone|ring|dial|write|send|contact|e-?mail|meet)\b)"
_AS_SUBJECT = re.compile(rf"\b(?:(?:am|do|did|was|have) I{_REACH}|I (?:am|was|have)|my(?! \w+ [A-Z]))\b")


def in_third_person(query: str, name: str) -> str:
    """The query with its first person named: "Where do I live?" becomes "Where does Maya live?"."""
    for pattern, form in _ENGLISH:
        query = pattern.sub(form.format(name=name).replace("\\", ""), query)
    return _JAPANESE.sub(name.replace("\\", ""), query)


def speaks_of_self(query: str) -> bool:
    """Whether the query has a first person at all."""
    return bool(_JAPANESE.search(query)) or any(pattern.search(query) for pattern, _ in _ENGLISH)


def owns_or_does(query: str) -> bool:
    """Whether the first person is whom the query is about, also where it names others."""
    return bool(_JAPANESE.search(query) or _AS_SUBJECT.search(query))
