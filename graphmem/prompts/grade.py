"""The answer to grade.md: right or wrong, read leniently."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

_RIGHT = frozenset({"right", "correct", "true", "yes"})
_WRONG = frozenset({"wrong", "incorrect", "false", "no"})


class Grade(BaseModel):
    """Whether the given answer means the same as the right one."""

    model_config = ConfigDict(frozen=True)

    verdict: Literal["right", "wrong"]


def read_grade(value: Any) -> Grade | None:
    """The grade in a JSON value; None when it is none."""
    word = value.get("verdict") if isinstance(value, dict) else None
    word = word[0] if isinstance(word, list) and len(word) == 1 else word
    word = str(word).strip().lower()
    if word in _RIGHT:
        return Grade(verdict="right")
    return Grade(verdict="wrong") if word in _WRONG else None


def answer_schema() -> dict[str, Any]:
    """The JSON schema of `Grade` in the strict form: every key required, no others allowed."""
    properties = {"verdict": {"type": "string", "enum": ["right", "wrong"]}}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
