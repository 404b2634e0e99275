"""From the time expressions of a clause to the valid time of its fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.models.times import ValidTime

from .dates import DateSpan, Unit, month_start, period_end, shift, valid_time


@dataclass(frozen=True, slots=True)
class Timing:
    """When a fact begins and ends; `bounded` tells that both were said or follow from a past period."""

    start: ValidTime | None = None
    end: ValidTime | None = None


def timing(
    spans: Sequence[DateSpan], reference: datetime, *, state: bool, past: bool, perfect: bool, inclusive: bool = False
) -> Timing:
    """The valid interval that the spans of one clause give.

    `state`: the predicate lasts ("works at"), so a point in the past is a period that ended. `inclusive`: an end
    such as 5月まで includes the day or month it names.
    """
    start: ValidTime | None = None
    end: ValidTime | None = None
    length: tuple[int, Unit] | None = None
    for span in spans:
        if span.length:
            length = span.length
        elif span.kind == "until":
            end = period_end(span.value) if inclusive and span.value.precision in ("day", "month") else span.value
        elif span.kind == "during" and not past:
            start, end = start or span.value, end or span.until
        elif start is None or span.kind == "since":
            start = span.value
            if span.kind == "point" and state and past:
                end = end or _ended(span.value)
    if length:
        start, end = _with_length(start, end, length, reference, past=past, perfect=perfect)
    if start and end and end.at <= start.at:
        end = None
    return Timing(start, end)


def _ended(value: ValidTime) -> ValidTime | None:
    return period_end(value) if value.precision in ("year", "month") else None


def _with_length(
    start: ValidTime | None,
    end: ValidTime | None,
    length: tuple[int, Unit],
    reference: datetime,
    *,
    past: bool,
    perfect: bool,
) -> tuple[ValidTime | None, ValidTime | None]:
    amount, unit = length
    today = reference.replace(hour=0, minute=0, second=0, microsecond=0)
    if perfect:
        return start or _before(today, amount, unit), end
    if start:
        moment = start.at.astimezone(reference.tzinfo) if start.precision == "day" else start.at
        stop = shift(moment, amount, unit)
        return start, end or valid_time(stop, start.precision if start.precision != "instant" else "instant")
    if past:
        return None, end
    return valid_time(today, "day"), end or valid_time(shift(today, amount, unit), "day")


def _before(today: datetime, amount: int, unit: Unit) -> ValidTime:
    moment = shift(today, -amount, unit)
    if unit == "year":
        return valid_time(month_start(moment.year), "year")
    if unit == "month":
        return valid_time(month_start(moment.year, moment.month), "month")
    return valid_time(moment, "day")
