"""Time expressions of English and Japanese sentences, resolved against the time of speaking."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from graphmem.models.times import Precision, ValidTime

Kind = Literal["point", "since", "until", "during"]
Unit = Literal["day", "week", "month", "year"]
Prefer = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """One time expression: `text[start:end]`, its value and how it bounds a fact.

    `during` has an end (`until`, not included); one with `length` gives only a duration ("for one year"), whose
    start is the reference. `relative` tells that the words mean nothing without the time of speaking.
    """

    start: int
    end: int
    value: ValidTime
    kind: Kind = "point"
    until: ValidTime | None = None
    length: tuple[int, Unit] | None = None
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A date before its preposition or particle is read."""

    start: int
    end: int
    day: datetime
    precision: Precision
    kind: Kind = "point"
    until: datetime | None = None
    length: tuple[int, Unit] | None = None
    relative: bool = False


Handler = Callable[[re.Match[str], datetime, Prefer], Found | None]


def resolve_dates(text: str, reference: datetime, language: str, *, prefer: Prefer = "past") -> list[DateSpan]:
    """The time expressions of `text`, in order and without overlap.

    `reference` is aware; days are days of its zone. Months and years start in UTC. `prefer` decides what a bare
    weekday or month means. Expressions that are no date of the calendar are left out.
    """
    if reference.tzinfo is None:
        raise ValueError("reference must be aware")
    if language == "ja":
        from .dates_ja import find
    else:
        from .dates_en import find
    return [_finish(found) for found in find(text, reference, prefer)]


def run(
    text: str, reference: datetime, prefer: Prefer, rules: Iterable[tuple[re.Pattern[str], Handler]]
) -> list[Found]:
    """All matches of the rules, longest first at one place, earlier rules before later ones."""
    found: list[Found] = []
    for pattern, handler in rules:
        for match in pattern.finditer(text):
            if any(match.start() < f.end and f.start < match.end() for f in found):
                continue
            try:
                result = handler(match, reference, prefer)
            except (ValueError, OverflowError):  # no date of the calendar: 31 February, year 0
                continue
            if result is not None:
                found.append(result)
    return sorted(found, key=lambda f: f.start)


def midnight(moment: datetime) -> datetime:
    """The start of the local day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def shift(moment: datetime, amount: int, unit: Unit) -> datetime:
    """The moment so many calendar units later; 29 February and 31sts fall back to the month's last day."""
    if unit in ("day", "week"):
        return moment + timedelta(days=amount * (7 if unit == "week" else 1))
    months = moment.year * 12 + moment.month - 1 + amount * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def month_start(year: int, month: int = 1) -> datetime:
    """The start of a month, in UTC."""
    return datetime(year, month, 1, tzinfo=UTC)


def weekday(reference: datetime, target: int, weeks: int) -> datetime:
    """The weekday (Monday is 0) of the week that lies `weeks` after the reference's."""
    monday = midnight(reference) - timedelta(days=reference.weekday())
    return monday + timedelta(days=7 * weeks + target)


def nearest(reference: datetime, target: int, prefer: Prefer) -> datetime:
    """The last (or next) day of that weekday, not the reference's own day."""
    ahead = (target - reference.weekday()) % 7
    if prefer == "future":
        return midnight(reference) + timedelta(days=ahead or 7)
    return midnight(reference) - timedelta(days=(7 - ahead) % 7 or 7)


def year_of_month(reference: datetime, month: int, prefer: Prefer, day: int = 1) -> int:
    """The year that a month without one means."""
    if prefer == "past":
        return reference.year - ((month, day) > (reference.month, reference.day))
    return reference.year + (month < reference.month)


def period_end(value: ValidTime) -> ValidTime:
    """The end (not included) of the day, month or year that a time names."""
    if value.precision == "instant":
        return value
    return ValidTime(at=shift(value.at, 1, value.precision), precision=value.precision)


def valid_time(moment: datetime, precision: Precision) -> ValidTime:
    """A time of the contract: in UTC."""
    return ValidTime(at=moment.astimezone(UTC), precision=precision)


def _finish(found: Found) -> DateSpan:
    until = valid_time(found.until, found.precision) if found.until else None
    span = DateSpan(found.start, found.end, valid_time(found.day, found.precision), relative=found.relative)
    return replace(span, kind=found.kind, until=until, length=found.length)
