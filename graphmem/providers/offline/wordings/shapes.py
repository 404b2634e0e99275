"""How the values of relations look: an amount of money is no bank, and a town no price."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERED = frozenset(
    {
        "phone",
        "email",
        "price",
        "deadline",
        "birthday",
        "start_time",
        "end_time",
        "meeting_day",
        "version",
        "capacity",
        "shoe_size",
    }
)
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\d[\d.,万千]*\s?(?:euros?|dollars?|pounds?|yen|cents?|EUR|USD|GBP|JPY|francs?|kroner|円|ドル|ユーロ)",
    re.I,
)
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[月火水木金土日]曜", re.I)
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\d{4}-\d\d|\d+月|月末|年末|\b\d{1,2}/\d{1,2}\b",
    re.I,
)
_CLOCK = re.compile(
    r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m|p\.m|o'clock)\b|\b\d{1,2}:\d\d\b|\bnoon\b|\bmidnight\b|\d+時|正午", re.I
)
_PHONE = re.compile(r"\+?\(?\d[\d ()./-]{5,}\d")
_MAIL = re.compile(r"\S+@\S+\.\w+")
_SHAPES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (_MAIL, frozenset({"email"})),
    (_MONEY, frozenset({"price"})),
    (_CLOCK, frozenset({"start_time", "end_time", "deadline"})),
    (_DAY, frozenset({"meeting_day", "deadline"})),
    (_DATE, frozenset({"deadline", "birthday"})),
    (_PHONE, frozenset({"phone"})),
)
_WITH_DIGITS = frozenset(
    {
        "version",
        "office",
        "capacity",
        "shoe_size",
        "phone_model",
        "car",
        "located_in",
        "subscription_plan",
        "blood_type",
    }
)


def fitting(value: str) -> frozenset[str] | None:
    """The relations whose values look like this one; None where any other than a numbered one may be meant."""
    for shape, relations in _SHAPES:
        if shape.search(value):
            return relations
    if any(c.isdigit() for c in value):
        return _WITH_DIGITS
    return None


@dataclass(frozen=True, slots=True)
class Look:
    """What can be told of a subject and a value before it is known how they belong together."""

    person: bool | None
    """Whether the subject is a person; None where it may be either."""
    named: bool
    """Whether the value is a name."""
    dated: bool = False
    """Whether the value is a time expression."""
    acts: bool | None = None
    """Whether the value does something to the subject, or the subject to the value; None where neither."""


TELLING = frozenset({"phone", "email", "price", "start_time", "version"})
"""Relations that the look of their values nearly tells."""
_THINGS = frozenset(
    {
        "price",
        "deadline",
        "meeting_day",
        "start_time",
        "end_time",
        "version",
        "capacity",
        "color",
        "located_in",
        "owner",
    }
)
_EITHER = frozenset({"office", "phone", "email"})
_PLAIN = frozenset(
    {
        "job_title",
        "diet",
        "commute",
        "favourite_color",
        "favourite_food",
        "located_in",
        "office",
        "color",
        "political_office",
    }
)
_TIMES = frozenset({"deadline", "birthday", "start_time", "end_time", "meeting_day"})


_ACTORS = frozenset({"manager", "doctor", "owner"})
_ACTING = _ACTORS | {"works_at", "insured_with", "favourite_color", "favourite_food", "car", "phone_model"}


def fits(relation: str, value: str, look: Look) -> bool:
    """Whether a value of this look can be one of the relation's, of such a subject."""
    if look.person is not None and relation not in _EITHER and (relation in _THINGS) is look.person:
        return False
    if (relation in _ACTORS and look.acts is False) or (relation not in _ACTING and look.acts):
        return False
    if look.dated and relation not in _TIMES:
        return False
    allowed = fitting(value)
    if allowed is not None:
        return relation in allowed
    return relation not in _NUMBERED and (look.named or relation in _PLAIN)
