"""Valid times that keep their precision: `2019`, `2025-06`, `2026-09-01` or a date-time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter, WithJsonSchema

from .base import Model, Time

Precision = Literal["year", "month", "day", "instant"]

OPEN_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Stands for "no end" inside an index, where null cannot be compared; never shown."""

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for "since ever" in comparisons; never shown."""

_PARTIAL = re.compile(r"^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$")
_TIME: TypeAdapter[datetime] = TypeAdapter(Time)


class ValidTime(Model):
    """A point in valid time and how exactly it was said; `at` is the start of the period, in UTC."""

    at: datetime
    precision: Precision = "instant"

    @property
    def written(self) -> str:
        """As it may be given again: `2019`, `2025-06`, `2026-09-01` or a date-time."""
        text = self.at.isoformat()
        return text[: {"year": 4, "month": 7, "day": 10}.get(self.precision, len(text))]


def _parse(value: Any) -> Any:
    if isinstance(value, ValidTime):
        return value
    if isinstance(value, str) and (match := _PARTIAL.match(value.strip())):
        year, month, day = match.groups()
        try:
            at = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
        except ValueError as error:
            raise ValueError("is not a date of the calendar") from error
        return ValidTime(at=at, precision="day" if day else "month" if month else "year")
    if isinstance(value, str | datetime):
        return ValidTime(at=_TIME.validate_python(value))
    raise ValueError("must be a year, a month, a date or an RFC 3339 time")


ValidTimeIn = Annotated[
    ValidTime,
    BeforeValidator(_parse),
    PlainSerializer(lambda value: value.written, return_type=str, when_used="json"),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "string", "format": "date"},
                {"type": "string", "pattern": "^[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?$"},
            ],
            "description": "A year, month, date or RFC 3339 time.",
            "examples": ["2019", "2025-06"],
        }
    ),
]
"""A valid time as callers write it."""
