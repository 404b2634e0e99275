"""The answer to rerank.md: one grade a memory, read leniently."""

from __future__ import annotations

import math
from typing import Any

HIGHEST = 10
"""The best grade; 0 is the worst."""


def read_grades(raw: list[Any], count: int) -> dict[int, float]:
    """The grades that can be read, 0 to 1, by memory; the first of several for one memory counts."""
    found: dict[int, float] = {}
    for entry in raw:
        memory, grade = _number(entry, "memory"), _number(entry, "grade")
        if memory is None or grade is None or memory not in range(count):
            continue
        found.setdefault(int(memory), min(max(grade / HIGHEST, 0.0), 1.0))
    return found


def _number(entry: Any, key: str) -> float | None:
    try:
        number = float(str(entry[key]).strip())
    except (KeyError, TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def answer_schema() -> dict[str, Any]:
    """The JSON schema of the answer in the strict form: every key required, no others allowed."""
    grade = {
        "type": "object",
        "properties": {"memory": {"type": "integer"}, "grade": {"type": "integer"}},
        "required": ["memory", "grade"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"grades": {"type": "array", "items": grade}},
        "required": ["grades"],
        "additionalProperties": False,
    }
