"""The answer to extract.md: what the model is asked for, read leniently item by item."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.functional_validators import AfterValidator

from graphmem.models.base import MAX_NAME, check_text

Category = Literal["preference", "profile", "relationship", "constraint", "plan", "decision", "milestone", "general"]
EntityType = Literal["person", "organisation", "place", "thing", "concept"]
_TYPE_NAMES = {
    "organization": "organisation",
    "company": "organisation",
    "location": "place",
    "city": "place",
}


def _as_text(value: Any) -> Any:
    """Numbers become text and a list of one its item; anything else is left to be refused."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.10g}" if isinstance(value, float) else str(value)
    return value.strip() if isinstance(value, str) else value


def _as_optional_text(value: Any) -> Any:
    text = _as_text(value)
    if not isinstance(text, str) or text.lower() in ("null", "none", "n/a"):
        return None
    try:
        return check_text(text)
    except ValueError:
        return None


def _as_flag(default: bool) -> BeforeValidator:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

    def read(value: Any) -> bool:
        return words.get(str(value).strip().lower(), default)

    return BeforeValidator(read)


def _as_unit(default: float) -> BeforeValidator:
    def read(value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            return default
        return min(max(number, 0.0), 1.0) if math.isfinite(number) else default

    return BeforeValidator(read)


def _as_one_of(*allowed: str, default: str | None = None, names: dict[str, str] | None = None) -> BeforeValidator:
    def read(value: Any) -> str | None:
        word = str(value).strip().lower()
        word = (names or {}).get(word, word)
        return word if word in allowed else default

    return BeforeValidator(read)


def _as_turn(value: Any) -> int:
    try:
        return int(str(value).strip())
    except ValueError:
        return -1


_TYPES = _as_one_of("person", "organisation", "place", "thing", "concept", names=_TYPE_NAMES)
_CATEGORIES = _as_one_of(*Category.__args__, default="general")  # type: ignore[attr-defined]
Written = Annotated[
    str,
    BeforeValidator(_as_text),
    StringConstraints(min_length=1, max_length=MAX_NAME),
    AfterValidator(check_text),
]
Optional = Annotated[str | None, BeforeValidator(_as_optional_text)]


class Item(BaseModel):
    """One fact as the model writes it; subject, predicate and object are needed, extra keys are dropped."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    turn: Annotated[int, BeforeValidator(_as_turn)] = -1
    subject: Written
    subject_is_speaker: Annotated[bool, _as_flag(False)] = False
    subject_type: Annotated[EntityType | None, _TYPES] = None
    predicate: Written
    object: Written
    object_type: Annotated[EntityType | None, _TYPES] = None
    polarity: Annotated[bool, _as_flag(True)] = True
    event: Annotated[Literal["assert", "retract"], _as_one_of("assert", "retract", default="assert")] = "assert"
    valid_at: Optional = None
    invalid_at: Optional = None
    correction: Annotated[bool, _as_flag(False)] = False
    cardinality: Annotated[Literal["one", "many"] | None, _as_one_of("one", "many")] = None
    category: Annotated[Category, _CATEGORIES] = "general"
    confidence: Annotated[float, _as_unit(0.7)] = 0.7
    importance: Annotated[float, _as_unit(0.5)] = 0.5
    quote: Optional = None
    text: Optional = None


class Answer(BaseModel):
    """The whole answer; its schema is what the endpoint is asked to keep to."""

    facts: list[Item] = Field(default_factory=list)


def read_items(raw: list[Any]) -> tuple[list[Item], int]:
    """The items that can be read, and how many cannot."""
    items: list[Item] = []
    for entry in raw:
        try:
            items.append(Item.model_validate(entry))
        except ValidationError:
            continue
    return items, len(raw) - len(items)


def answer_schema() -> dict[str, Any]:
    """The JSON schema of `Answer` in the strict form: every key required, no others allowed."""
    schema = Answer.model_json_schema()
    item = _strict(schema["$defs"]["Item"])
    facts = {"type": "array", "items": item}
    return {
        "type": "object",
        "properties": {"facts": facts},
        "required": ["facts"],
        "additionalProperties": False,
    }


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    kept = ("type", "enum", "anyOf")
    properties = {
        name: {key: value[key] for key in kept if key in value} for name, value in schema["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
