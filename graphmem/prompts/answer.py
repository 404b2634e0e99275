"""The answer to answer.md: few words, or that they are not known; read leniently."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

_LONGEST = 2_000
"""Characters of an answer that are kept."""


class Answer(BaseModel):
    """What the model answers; `known` is false, and the text empty, where the memories do not say it."""

    model_config = ConfigDict(frozen=True)

    answer: str
    known: bool


def read_answer(value: Any) -> Answer | None:
    """The answer in a JSON value; None when it is none. An empty text is not known, whatever it says of itself."""
    if not isinstance(value, dict) or "answer" not in value:
        return None
    text = _text(value["answer"])
    if text is None:
        return None
    known = str(value.get("known", bool(text))).strip().lower() not in ("false", "no", "0", "none")
    return Answer(answer=text if known else "", known=known and bool(text))


def _text(value: Any) -> str | None:
    if value is None:
        return ""
    if isinstance(value, list):
        value = ", ".join(str(part) for part in value)
    return " ".join(str(value).split())[:_LONGEST] if isinstance(value, str | int | float) else None


def answer_schema() -> dict[str, Any]:
    """The JSON schema of `Answer` in the strict form: every key required, no others allowed."""
    properties = {"answer": {"type": "string"}, "known": {"type": "boolean"}}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
