"""English time expressions."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from .dates import (
    Found,
    Kind,
    Prefer,
    Unit,
    midnight,
    month_start,
    nearest,
    run,
    shift,
    weekday,
    year_of_month,
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "a couple of": 2, "couple of": 2,
}  # fmt: skip
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
_DATE_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NUMBER = r"(\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_UNIT = r"(day|week|month|year)s?"
_CLOCK = r"(?:(noon|midnight)|(\d{1,2})(?::(\d{2}))?\s*(a\.?m\b\.?|p\.?m\b\.?)|(\d{1,2}):(\d{2}))"
_SINCE = re.compile(
    r"\b(?:since|from|as of|starting|beginning|effective)\s+(?:on\s+|in\s+|from\s+)?(?:the\s+)?"
    r"(?:(?:early|late|mid)[ -])?$",
    re.I,
)
_UNTIL = re.compile(r"\b(?:until|till|til|through|up to)\s+(?:the\s+)?(?:end of\s+)?$", re.I)
_TO = re.compile(r"(?:\bto\s+|\band\s+|-|–|—)\s*$", re.I)
_BETWEEN = re.compile(r"\bbetween\s+$", re.I)
_LEAD = re.compile(r"\b(?:on|in|during|around|by|at)\s+(?:the\s+)?(?:(?:early|late|mid)[ -])?$", re.I)
_LEADS: tuple[tuple[re.Pattern[str], Kind | None], ...] = (
    (_SINCE, "since"),
    (_UNTIL, "until"),
    (_BETWEEN, "since"),
    (_LEAD, None),
)
_CLOCK_BEFORE = re.compile(rf"{_CLOCK}\s+(?:on\s+)?$", re.I)
_CLOCK_AFTER = re.compile(rf"\s*,?\s*(?:at\s+)?{_CLOCK}", re.I)


def find(text: str, reference: datetime, prefer: Prefer) -> list[Found]:
    """Dates of an English sentence with what their prepositions say."""
    found: list[Found] = []
    for item in run(text, reference, prefer, _RULES):
        found.append(_with_clock(text, _with_lead(text, item, found[-1] if found else None), reference))
    return found


def _with_lead(text: str, item: Found, before: Found | None) -> Found:
    head = text[: item.start]
    if item.kind == "during" and item.length:
        return item
    if _TO.search(head) and before and before.kind in ("since", "point") and len(head.rstrip()) - before.end <= 5:
        start = _TO.search(head)
        return replace(item, start=start.start() if start else item.start, kind="until")
    for pattern, kind in _LEADS:
        if match := pattern.search(head):
            return replace(item, start=match.start(), kind=kind or item.kind)
    return item


def _with_clock(text: str, item: Found, reference: datetime) -> Found:
    """Join "noon on 10 April" and "3 May at 3pm" into one moment."""
    if item.precision != "day" or item.until:
        return item
    if match := _CLOCK_AFTER.match(text, item.end):
        return replace(item, end=match.end(), day=_clock(match, item.day), precision="instant")
    bare = re.sub(r"\bon\s+(?:the\s+)?$", "", text[: item.start], flags=re.I)
    if match := _CLOCK_BEFORE.search(bare + " " if not bare.endswith(" ") else bare):
        moment = replace(item, start=match.start(), day=_clock(match, item.day), precision="instant")
        return _with_lead(text, moment, None)
    return item


def _clock(match: re.Match[str], day: datetime) -> datetime:
    word, hour, minute, half, hour24, minute24 = match.groups()[-6:]
    if word:
        return day.replace(hour=12) if word.lower() == "noon" else day
    if hour24:
        return day.replace(hour=int(hour24), minute=int(minute24))
    return day.replace(hour=int(hour) % 12 + (12 if half.lower().startswith("p") else 0), minute=int(minute or 0))


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _month(text: str) -> int:
    return _MONTHS.index(text[:3].lower()) + 1


def _iso(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    day = ref.replace(year=int(m[1]), month=int(m[2]), day=int(m[3]))
    return Found(m.start(), m.end(), midnight(day), "day")


def _iso_month(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return Found(m.start(), m.end(), month_start(int(m[1]), int(m[2])), "month")


def _slashed(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    first, second = int(m[1]), int(m[2])
    month, day = (second, first) if first > 12 else (first, second)
    return Found(m.start(), m.end(), midnight(ref.replace(year=int(m[3]), month=month, day=day)), "day")


def _dated(m: re.Match[str], ref: datetime, prefer: Prefer, day: str, month: str, year: str | None) -> Found:
    number = int(day)
    years = int(year) if year else year_of_month(ref, _month(month), prefer, number)
    moment = midnight(ref.replace(year=years, month=_month(month), day=number))
    return Found(m.start(), m.end(), moment, "day", relative=year is None and prefer == "future")


def _day_month(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    return _dated(m, ref, prefer, m[1], m[2], m[3])


def _month_day(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    return _dated(m, ref, prefer, m[2], m[1], m[3])


def _month_year(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return Found(m.start(), m.end(), month_start(int(m[2]), _month(m[1])), "month")


def _bare_month(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    word, month = (m[1] or "").lower(), _month(m[2])
    year = year_of_month(ref, month, "future" if word == "next" else "past" if word == "last" else prefer)
    return Found(m.start(), m.end(), month_start(year, month), "month", relative=bool(word) or prefer == "future")


def _year(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return Found(m.start(1), m.end(1), month_start(int(m[1])), "year")


def _first_year(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return Found(m.start(), m.end(), month_start(int(m[0])), "year", "since")


def _word_day(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    word = re.sub(r"\s+", " ", m[0].lower())
    shifts = {"yesterday": -1, "last night": -1, "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
              "the day before yesterday": -2, "day before yesterday": -2}  # fmt: skip
    return Found(m.start(), m.end(), shift(midnight(ref), shifts.get(word, 0), "day"), "day", relative=True)


def _ago(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return _moved(m, ref, -_number(m[1]), m[2].lower())  # type: ignore[arg-type]


def _ahead(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return _moved(m, ref, _number(m[1]), m[2].lower())  # type: ignore[arg-type]


def _moved(m: re.Match[str], ref: datetime, amount: int, unit: Unit) -> Found:
    moment = shift(midnight(ref), amount, unit)
    if unit == "year":
        return Found(m.start(), m.end(), month_start(moment.year), "year", relative=True)
    if unit == "month":
        return Found(m.start(), m.end(), month_start(moment.year, moment.month), "month", relative=True)
    return Found(m.start(), m.end(), moment, "day", relative=True)


def _named(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    """last, this or next week, month, year, weekend."""
    step = {"last": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}[m[1].lower()]
    unit = m[2].lower()
    kind: Kind = "during" if step == 0 else "point"
    if unit == "year":
        end = month_start(ref.year + step + 1)
        return Found(
            m.start(), m.end(), month_start(ref.year + step), "year", kind, end if not step else None, None, True
        )
    if unit == "month":
        first = shift(month_start(ref.year, ref.month), step, "month")
        end = shift(first, 1, "month")
        return Found(m.start(), m.end(), first, "month", kind, end if not step else None, None, True)
    if unit == "weekend":
        return Found(m.start(), m.end(), weekday(ref, 5, step), "day", relative=True)
    monday = weekday(ref, 0, step)
    return Found(m.start(), m.end(), monday, "day", kind, monday + timedelta(days=7) if not step else None, None, True)


def _season(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    month = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[m[2].lower()]
    word, year = m[1].lower(), ref.year
    first = month_start(year, month)
    if word == "last" and shift(first, 3, "month") > ref:
        year -= 1
    elif word == "next" and first <= ref:
        year += 1
    return Found(m.start(), m.end(), month_start(year, month), "month", relative=True)


def _week_day(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    word, target = (m[1] or "").lower(), _DAYS.index(m[2][:3].lower())
    if word == "this":
        day = weekday(ref, target, 0)
    else:
        day = nearest(ref, target, "future" if word in ("next", "coming") else "past" if word == "last" else prefer)
    return Found(m.start(), m.end(), day, "day", relative=True)


def _duration(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    unit: Unit = m[2].lower()  # type: ignore[assignment]
    amount = _number(m[1])
    today = midnight(ref)
    return Found(m.start(), m.end(), today, "day", "during", shift(today, amount, unit), (amount, unit), True)


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


_RULES = (
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), _iso),
    (re.compile(r"\b(\d{4})/(\d{1,2})/(\d{1,2})\b"), _iso),
    (re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b"), _slashed),
    (re.compile(rf"\b{_DATE_DAY}\s+(?:of\s+)?({_MONTH})(?:,?\s+(\d{{4}}))?\b"), _day_month),
    (re.compile(rf"\b({_MONTH})\s+(?:the\s+)?{_DATE_DAY}(?!\d)(?:,?\s+(\d{{4}}))?"), _month_day),
    (re.compile(rf"(?<!\d )(?<!th )\b({_MONTH}),?\s+(?:of\s+)?((?:19|20)\d\d)\b"), _month_year),
    (re.compile(r"\b((?:19|20)\d\d)-(\d{2})\b(?!-)"), _iso_month),
    (_rule(r"\b(?:the )?day after tomorrow\b|\b(?:the )?day before yesterday\b|\byesterday\b|\btomorrow\b|\btoday\b"
           r"|\btonight\b|\blast night\b|\bthis (?:morning|afternoon|evening)\b"), _word_day),
    (_rule(rf"\b{_NUMBER}\s+{_UNIT}\s+ago\b"), _ago),
    (_rule(rf"\bin\s+{_NUMBER}\s+{_UNIT}(?:['’]s?\s+time)?\b"), _ahead),
    (_rule(rf"\b{_NUMBER}\s+{_UNIT}\s+(?:from now|later)\b"), _ahead),
    (_rule(rf"\bfor\s+(?:the (?:next|last|past)\s+)?{_NUMBER}\s+{_UNIT}\b(?!\s+old)"), _duration),
    (re.compile(rf"(?<!every )(?<!each )\b(?:([Ll]ast|[Nn]ext|[Cc]oming|[Tt]his)\s+)?({_DAY})(?!s\b)"), _week_day),
    (_rule(r"\b(last|this|next)\s+(spring|summer|autumn|fall|winter)\b"), _season),
    (_rule(r"\b(last|past|this|current|next|coming)\s+(weekend|week|month|year)\b"), _named),
    (re.compile(rf"(?<=\b[Ii]n )(?:(last|next) )?({_MONTH})\b(?! \d)"), _bare_month),
    (re.compile(rf"(?<=[Ss]ince |[Uu]ntil )(?:(last|next) )?({_MONTH})\b(?! \d)"), _bare_month),
    (re.compile(rf"(?<=[Ff]rom )(?:(last|next) )?({_MONTH})\b(?! \d)"), _bare_month),
    (re.compile(rf"\b([Ll]ast|[Nn]ext|[Tt]his)\s+({_MONTH})\b(?! \d)"), _bare_month),
    (_rule(r"\b(?:in|since|from|until|till|during|of|by|to|and|between|early|late|around)\s+(?:the year\s+)?"
           r"((?:18|19|20)\d\d)\b(?!\s*(?:people|dollars|euros|km|kg|m\b))"), _year),
    (_rule(r"\b(?:19|20)\d\d(?=\s?[-–]\s?(?:19|20)\d\d\b)"), _first_year),
    (_rule(r"(?<=[\d]-|[\d]–)((?:18|19|20)\d\d)\b"), _year),
)  # fmt: skip
