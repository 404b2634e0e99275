"""LoCoMo conversations: two people over many dated sessions, and questions with the turns that answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

_SESSION = re.compile(r"session_(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"
_ADVERSARIAL = 5
"""Category of questions that the conversation does not answer."""


@dataclass(frozen=True, slots=True)
class LocomoTurn:
    """One turn; `id` is its `dia_id`."""

    id: str
    speaker: str
    text: str


def is_conversation(data: Any) -> bool:
    """Whether this is one LoCoMo conversation."""
    return isinstance(data, dict) and "speaker_a" in _turns(data)


def sessions(data: dict[str, Any]) -> Iterator[tuple[str, datetime, list[LocomoTurn]]]:
    """Session id, date and turns, in order of session numbers. Errors: KeyError, TypeError, ValueError."""
    turns = _turns(data)
    for number in sorted(int(m[1]) for key in turns if (m := _SESSION.fullmatch(key))):
        key = f"session_{number}"
        if turns[key]:
            yield key, session_date(turns[f"{key}_date_time"]), [_turn(turn) for turn in turns[key]]


def session_date(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a time in UTC. Errors: ValueError."""
    return datetime.strptime(text.strip(), _DATE).replace(tzinfo=UTC)


def questions(data: dict[str, Any], limit: int) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Question, answer and evidence of up to `limit` answerable questions, spread over the list."""
    asked = [q for q in data.get("qa", ()) if q.get("category") != _ADVERSARIAL and q.get("evidence")]
    step = max(1, len(asked) // max(1, limit))
    for q in asked[::step][:limit]:
        yield q["question"], str(q.get("answer", "")), tuple(e for e in q["evidence"])


def _turns(data: dict[str, Any]) -> dict[str, Any]:
    inner = data.get("conversation", data)
    return inner if isinstance(inner, dict) else {}


def _turn(turn: dict[str, Any]) -> LocomoTurn:
    caption = turn.get("blip_caption")
    parts = [turn.get("text", "").strip(), f"[shares an image: {caption}]" if caption else ""]
    return LocomoTurn(turn["dia_id"], turn["speaker"], " ".join(p for p in parts if p))
