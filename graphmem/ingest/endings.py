"""Known values by the words that name them, and which relations a way of ending something can end.

"I gave up coffee" ends what is drunk or eaten and no address; "the Civic" names the Honda Civic that is known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..models.ids import name_key
from ..models.names import entity_key

_LASTING = frozenset(
    {"born_in", "comes_from", "birthday", "birth_year", "name", "alias", "nationality", "native_language", "blood_type",
     "visited", "won", "speaks", "age", "died_in", "wants", "wants_to", "needs", "needs_to", "plans_to", "decided_to",
     "is", "is_a", "finished", "bought", "sold", "favourite_color", "has_quality"}
)  # fmt: skip
"""What nobody gives up or sells."""
_FEELINGS = frozenset({"likes", "prefers", "dislikes", "loves", "enjoys"})
_ILLNESS = frozenset({"allergic_to", "has", "suffers_from"})
_PARTNERS = frozenset(
    {
        "married_to",
        "girlfriend",
        "boyfriend",
        "partner",
        "fiance",
        "dates",
        "sees",
        "恋人",
        "付き合う_と",
        "交際する_と",
    }
)
_PEOPLE = frozenset(
    {"sister", "brother", "mother", "father", "child", "son", "daughter", "cousin", "aunt", "uncle", "nephew", "niece",
     "grandmother", "grandfather", "friend", "sibling", "knows", "colleague", "neighbor"}
)  # fmt: skip
_HOMES = frozenset({"lives_in", "address", "located_in", "location"})
_THINGS = frozenset({"owns", "car", "has", "phone_model", "uses", "plays", "drives", "rides", "wears", "has_pet"})
_POSTS = frozenset(
    {"works_at", "member_of", "team", "works_on", "attends", "job_title", "plays_for", "trains_at", "political_party",
     "office", "studies"}
)  # fmt: skip
_CLOSED = frozenset(
    {"works_at", "works_on", "attends", "trains_at", "uses", "subscribes_to", "bank", "member_of", "team"}
)
_KEPT = frozenset({"owns", "car", "has", "phone_model", "has_pet", "attends", "job_title"})
_NEVER_HABIT = _LASTING | _FEELINGS | _ILLNESS | _PARTNERS | _PEOPLE | _HOMES | _KEPT
_ONLY = {
    "thing": _THINGS,
    "post": _POSTS,
    "closed": _CLOSED,
    "person": _PARTNERS,
    "pet": frozenset({"has_pet", "has", "owns"}),
    "illness": _ILLNESS,
    "home": _HOMES,
}
_NOT = {"habit": _NEVER_HABIT, "contract": (_NEVER_HABIT - {"has"}) | {"works_at", "drinks", "eats"}, "": _LASTING}

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]")
_RUN = re.compile(r"[ァ-ヶー]{3,}|[A-Za-z]{3,}[A-Za-z0-9 ]*")
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "our",
        "his",
        "her",
        "their",
        "old",
        "new",
        "little",
        "big",
        "same",
        "other",
        "one",
        "ones",
        "of",
        "in",
        "on",
        "at",
        "with",
        "for",
        "to",
        "from",
        "and",
        "or",
        "by",
        "every",
        "per",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
    ]
)
_KINDS = frozenset(
    [
        "team",
        "project",
        "plan",
        "account",
        "membership",
        "subscription",
        "school",
        "university",
        "college",
        "gym",
        "bank",
        "company",
        "firm",
        "group",
        "class",
        "department",
        "job",
        "role",
        "habit",
        "diet",
        "street",
        "road",
        "city",
        "town",
        "house",
        "flat",
        "phone",
        "car",
        "number",
        "street",
        "course",
        "club",
        "office",
    ]
)
"""Words that many values share; alone they name none."""
_LEAST = 3
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHAPES = (
    ("mail", re.compile(r"\S@\S")),
    (
        "money",
        re.compile(r"[$€£¥]\s?\d|\d[\d.,万千]*\s?(?:euros?|dollars?|pounds?|yen|cents?|eur|usd|gbp|円|ドル|ユーロ)"),
    ),
    (
        "clock",
        re.compile(
            r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b|[\d一二三四五六七八九十]+時(?!間)|\bnoon\b|正午"
        ),
    ),
    (
        "date",
        re.compile(
            rf"\b\d{{1,2}}\s+(?:{_MONTHS})\b|\b(?:{_MONTHS})\s+\d|[\d一二三四五六七八九十]+月[\d一二三四五六七八九十]+日|\d{{4}}-\d\d"
        ),
    ),
    ("weekday", re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[月火水木金土日]曜")),
    ("phone", re.compile(r"^\+?\(?\d[\d ()./-]{5,}\d$")),
)
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_COUNTED = re.compile(r"[一二三四五六七八九十百千万]+(?=階|人|本|度|号|室|分|歳|個|枚|冊|台|回|泊|畳|丁目)")
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|top)(?= floor\b)|#(?:st|nd|rd|th)\b"
)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a subject at present: relation, value, and how that is compared."""

    sense: str
    name: str
    keys: frozenset[str]
    one: bool


def keys_of(name: str) -> frozenset[str]:
    """How a value is compared with known ones."""
    return frozenset((name_key(name), entity_key(name)))


def can_end(way: str, sense: str) -> bool:
    """Whether something said to be over in this way can be a value of that relation."""
    if way == "liking":
        return sense in _FEELINGS - {"dislikes"} or sense.startswith("favourite_") or sense == "plays"
    if way in _ONLY:
        return sense in _ONLY[way]
    return sense not in _NOT.get(way, _LASTING)


def named_by(words: str, known: Iterable[Known]) -> list[Known]:
    """The values that the words name: by the whole name, else the only one that they are a part of."""
    every = list(known)
    keys = keys_of(words)
    if whole := [k for k in every if k.keys & keys]:
        return whole
    part = [k for k in every if _part(words, k.name)]
    return part if len({name_key(k.name) for k in part}) == 1 else []


def mentions(text: str, known: Known) -> bool:
    """Whether a sentence names the value: whole, or by a word of it that is no word for its kind."""
    if name_key(known.name) in name_key(text):
        return True
    if _JAPANESE.search(known.name):
        return any(run in text for run in _RUN.findall(known.name))
    said = {w.casefold() for w in _WORD.findall(text)}
    own = [w for w in _WORD.findall(known.name) if w[:1].isupper() and len(w) >= _LEAST]
    return any(w.casefold() in said for w in own if w.casefold() not in _KINDS | _EMPTY)


def alike(one: str, other: str) -> bool:
    """Whether two names end or begin with the word for one kind of thing: two schools, two doctors."""
    if _JAPANESE.search(one) and _JAPANESE.search(other):
        return one[-_LEAST:] == other[-_LEAST:]
    first, second = (w.casefold().split() for w in (one, other))
    return bool(first and second) and (first[-1] == second[-1] or (first[0] == second[0] and len(first) > 1))


def shape(value: str) -> str:
    """How a value that can be measured or counted looks, so that two values of one thing compare; empty for others."""
    text = unicodedata.normalize("NFKC", value).casefold()
    if found := next((kind for kind, pattern in _SHAPES if pattern.search(text)), ""):
        return found
    counted = _ORDINAL.sub("#", _COUNTED.sub("#", _DIGITS.sub("#", text)))
    return counted if "#" in counted and counted.strip("# ") else ""


def _part(words: str, name: str) -> bool:
    """Whether the words are a part of the name, or the name of them where they only add its kind."""
    if _JAPANESE.search(words) or _JAPANESE.search(name):
        short, long = sorted((name_key(words), name_key(name)), key=len)
        return len(short) > 1 and (long.startswith(short) or long.endswith(short))
    said, own = _content(words), _content(name)
    telling = said - _KINDS
    if not said or not any(len(w) >= _LEAST for w in telling):
        return False
    return said <= own or (bool(own) and own <= said and said - own <= _KINDS)


def _content(words: str) -> frozenset[str]:
    found: Sequence[str] = [w.casefold().removesuffix("'s").removesuffix("’s") for w in _WORD.findall(words)]
    return frozenset(_singular(w) for w in found if w not in _EMPTY)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LEAST and word.endswith("s") and not word.endswith("ss") else word
