"""What every model shares: frozen, unknown fields refused, text and time checked the same way."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

MAX_TEXT = 50_000
"""Characters of one message; longer documents are split by the caller or by `graphmem ingest`."""
MAX_MESSAGES = 500
"""Messages of one remember call."""
MAX_QUERY = 4_000
"""Characters of a recall query."""
MAX_NAME = 500
"""Characters of an entity name, predicate or literal."""
MAX_ID = 256
"""Characters of an id that the caller chooses."""
MAX_PAGE = 200
"""Rows of one page of a list."""


class Model(BaseModel):
    """Base model: immutable, closed, no silent conversion of unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def check_text(value: str) -> str:
    """Return the text as it is; ValueError for NUL, lone surrogates or nothing but white space."""
    if "\x00" in value:
        raise ValueError("must not contain a NUL character")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        raise ValueError("must not contain unpaired surrogates")
    if not value.strip() or all(unicodedata.category(c) in ("Cc", "Cf", "Zs", "Zl", "Zp") for c in value):
        raise ValueError("must not be blank")
    return value


def check_id(value: str) -> str:
    """Return the id as it is; ValueError for control characters, surrogates, or blanks at either end."""
    check_text(value)
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in value):
        raise ValueError("must not contain control characters")
    if value != value.strip():
        raise ValueError("must not begin or end with white space")
    return value


_NOT_A_TIME = "must be an RFC 3339 time such as 2026-02-03T09:00:00+09:00"
_DATETIME = TypeAdapter(datetime)


def _utc(value: datetime) -> datetime:
    """A time without an offset is read as UTC (contract, section 7)."""
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise ValueError("is outside the years 1 to 9999") from error


def _aware(value: datetime) -> datetime:
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def _time_text(value: Any) -> Any:
    """Only RFC 3339 text or datetime objects are times; numbers are refused, not read as epochs."""
    if isinstance(value, bool | int | float):
        raise ValueError(_NOT_A_TIME)
    if not isinstance(value, str):
        return value
    if value.strip().lstrip("+-").replace(".", "", 1).isdigit():
        raise ValueError(_NOT_A_TIME)
    try:
        return _DATETIME.validate_python(value, strict=False)  # read here: strict models take text too
    except ValidationError as error:
        raise ValueError(_NOT_A_TIME) from error


Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT), AfterValidator(check_text)]
"""Free text of 1 to `MAX_TEXT` characters."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME), AfterValidator(check_text)]
"""Name of 1 to `MAX_NAME` characters."""
Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_ID), AfterValidator(check_id)]
"""Identifier chosen by the caller, any script, 1 to `MAX_ID` characters."""
StoreId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{1,54}[a-z0-9]$")]
"""Store id: 3 to 56 characters of `a-z0-9-`, lower-case letter first, letter or digit last."""
Time = Annotated[datetime, BeforeValidator(_time_text), AfterValidator(_utc)]
"""Point in time, always aware and in UTC."""
ZonedTime = Annotated[datetime, BeforeValidator(_time_text), AfterValidator(lambda v: _utc(v) and _aware(v))]
"""Point in time, always aware, with the offset as it was written, so that "today" is the speaker's day."""
Unit = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
"""A number from 0 to 1."""
