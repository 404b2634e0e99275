"""The stretch of time that a question speaks of: `last week`, `in June 2024`, 先週, 昨日."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from graphmem.models.times import BEGINNING, OPEN_END
from graphmem.providers.pieces import is_japanese

from .dates import DateSpan, period_end, resolve_dates, shift

_WEEKEND = re.compile(r"(?i)weekend|週の?末")
_WEEK = re.compile(r"(?i)\bweek\b|週(?!の?[月火水木金土日末])")
_SEASON = re.compile(r"(?i)\b(?:spring|summer|autumn|fall|winter)\b|[春夏秋冬]$")
_LAST_FEW = re.compile(r"(?i)\b(?:last|past)\s+(\w+\s+(?:day|week|month|year)s)\b")
_BACK = re.compile(r"(?i)\b(?:last|past)\b|ここ|この|過去")


def period_of(query: str, reference: datetime) -> tuple[datetime, datetime] | None:
    """Beginning and end (not included) of the first time that the query names, in UTC; None when it names none.

    Words like `yesterday` are read from `reference`, days are days of its zone. A bare month or weekday is a past one.
    """
    if few := _LAST_FEW.search(query):
        spans = resolve_dates(f"{few[1]} ago", reference, "en")
        return (spans[0].value.at, reference.astimezone(UTC)) if spans else None
    spans = resolve_dates(query, reference, "ja" if is_japanese(query) else "en")
    for span in spans:
        start, end = _bounds(span, query[max(0, span.start - 4) : span.end], reference)
        if start < end:
            return start.astimezone(UTC), end.astimezone(UTC)
    return None


def _bounds(span: DateSpan, words: str, reference: datetime) -> tuple[datetime, datetime]:
    start, end = span.value.at, _end(span, words)
    if span.length is not None:  # "in the last two weeks" looks back, "for two weeks" names no time
        back = shift(reference, -span.length[0], span.length[1])
        return (back, reference) if _BACK.search(words) else (start, start)
    if span.kind == "since":
        return start, max(reference, end)
    if span.kind == "until":
        return BEGINNING, end
    return start, end


def _end(span: DateSpan, words: str) -> datetime:
    at = span.value.at
    if span.until is not None:
        return span.until.at
    if _WEEKEND.search(words):
        return at + timedelta(days=2)
    if _WEEK.search(words) and span.value.precision == "day":
        return at + timedelta(days=7)
    if _SEASON.search(words) and span.value.precision == "month":
        return shift(at, 3, "month")
    if span.value.precision == "instant":
        return at + timedelta(hours=1)
    return min(period_end(span.value).at, OPEN_END)
