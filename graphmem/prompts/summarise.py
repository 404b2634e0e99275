"""The answer to summarise.md: what the model is asked for, read leniently item by item."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.functional_validators import AfterValidator

from graphmem.models.base import check_text

MAX_SENTENCE = 600
"""Characters of one sentence; a longer one is no summary."""
_MOST_ITEMS = 20


def _as_turns(value: Any) -> list[int]:
    values = value if isinstance(value, list) else [value]
    return [int(str(turn).strip()) for turn in values if str(turn).strip().isdecimal()]


class Item(BaseModel):
    """One sentence, and the messages that it claims to rest on."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_SENTENCE), AfterValidator(check_text)]
    turns: Annotated[list[int], BeforeValidator(_as_turns)] = Field(default_factory=list)


class Answer(BaseModel):
    """The whole answer."""

    topic: str = ""
    summary: list[Item] = Field(default_factory=list)
    open_items: list[Item] = Field(default_factory=list)


def read_answer(value: Any) -> tuple[Answer, int] | None:
    """The answer in a JSON value and how many of its items cannot be read; None when it is no answer."""
    if not isinstance(value, dict) or not isinstance(value.get("summary"), list):
        return None
    summary, bad = _items(value["summary"])
    given = value.get("open_items")
    open_items, worse = _items(given if isinstance(given, list) else [])
    topic = value.get("topic")
    return Answer(topic=_topic(topic), summary=summary, open_items=open_items), bad + worse


def _topic(value: Any) -> str:
    try:
        return check_text(" ".join(value.split()))[:200] if isinstance(value, str) else ""
    except ValueError:
        return ""


def _items(raw: list[Any]) -> tuple[list[Item], int]:
    found: list[Item] = []
    for entry in raw[:_MOST_ITEMS]:
        try:
            found.append(Item.model_validate({"text": entry} if isinstance(entry, str) else entry))
        except ValidationError:
            continue
    return found, len(raw) - len(found)


def answer_schema() -> dict[str, Any]:
    """The JSON schema of `Answer` in the strict form: every key required, no others allowed."""
    item = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "turns": {"type": "array", "items": {"type": "integer"}}},
        "required": ["text", "turns"],
        "additionalProperties": False,
    }
    properties = {
        "topic": {"type": "string"},
        "summary": {"type": "array", "items": item},
        "open_items": {"type": "array", "items": item},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
