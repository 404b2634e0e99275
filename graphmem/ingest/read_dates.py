"""When a file's messages were written: what they say themselves, else the file's name, else its time of change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pydantic import TypeAdapter, ValidationError

from graphmem.models.base import ZonedTime
from graphmem.models.episode import Message
from graphmem.models.times import ValidTimeIn

_NAMED = re.compile(r"(?<!\d)(\d{4})(?:-(\d{1,2})-(\d{1,2})|_(\d{1,2})_(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?!\d)")
_SPACED = re.compile(r"^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?) ?(Z|[+-]\d{2}):?(\d{2})?$")
_TIME: TypeAdapter[ValidTimeIn] = TypeAdapter(ValidTimeIn)
_ZONED: TypeAdapter[datetime] = TypeAdapter(ZonedTime)
_UNSET = datetime(1980, 1, 3, tzinfo=UTC)
"""Archives and images without times set a file's to 1970 or 1980-01-01; what is older than this says nothing."""


def read_date(value: str) -> datetime | None:
    """A date as metadata has it, with the zone that it names, else UTC; None when it is none."""
    value = value.strip()
    if match := _SPACED.match(value):  # YAML and SQL write a blank, some an offset without colon
        day, clock, zone, minutes = match.groups()
        value = f"{day}T{clock}{zone}" + ("" if zone == "Z" else f":{minutes or '00'}")
    for read in (_zoned, _partial, parsedate_to_datetime):
        try:
            found = read(value)
        except (ValidationError, ValueError, TypeError, OverflowError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _zoned(value: str) -> datetime:
    if len(value) <= 10:  # a date: `_partial` reads it, and refuses days that are none
        raise ValueError(value)
    return _ZONED.validate_python(value)


def _partial(value: str) -> datetime:
    return _TIME.validate_python(value.replace("/", "-")).at


def named_date(name: str) -> datetime | None:
    """The date in a file's name, such as `2025-06-18 trip.md`; the start of that day in UTC."""
    match = _NAMED.search(name)
    if match is None:
        return None
    year, month, day = (int(group) for group in match.groups() if group)
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def changed_at(modified: float, now: datetime) -> datetime:
    """When a file was last changed, in the zone of this machine; never later than `now`, which it is where unset."""
    try:
        time = datetime.fromtimestamp(modified, tz=UTC)
    except (OverflowError, ValueError, OSError):
        return now
    return time.astimezone() if _UNSET < time < now else now


def dated(messages: Sequence[Message], undated: datetime) -> tuple[Message, ...]:
    """Every message with a time; those that share one are a second apart, in their order.

    Messages without a time of their own get `undated`.
    """
    seen: Counter[datetime] = Counter()
    return tuple(_stamped(message, message.occurred_at or undated, seen) for message in messages)


def _stamped(message: Message, time: datetime, seen: Counter[datetime]) -> Message:
    seen[time] += 1
    stamp = time + timedelta(seconds=seen[time] - 1)
    return message if stamp == message.occurred_at else message.model_copy(update={"occurred_at": stamp})


def neighbours_dates(messages: Iterable[Message]) -> list[Message]:
    """Turns of a talk without a time get that of the turn before, the first ones that of the first that has one."""
    found = list(messages)
    last = next((m.occurred_at for m in found if m.occurred_at), None)
    for position, message in enumerate(found):
        if message.occurred_at is None and last is not None:
            found[position] = message.model_copy(update={"occurred_at": last})
        last = message.occurred_at or last
    return found
