"""What an ideal model adds to the hints of a case.

A hint is a bare triple. Our prompt asks the model for more: whether one value at most can hold, whether the
statement is a denial, and a sentence that is clear when read alone. This stands for that judgement of the model,
which it makes by common sense and by the words in front of it; it knows nothing of the checks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ONE_VALUED = {
    *("amount", "bus_line", "is", "lab_badge_access", "length", "location", "passport_expires", "place", "sits_at"),
    *("staff_count", "stored_on", "takes_to_work", "therapy_day", "tutor", "valerian_dose", "weight"),
    *("locker_word", "会長", "部屋", "場所", "家賃", "警報の合言葉", "草刈りの曜日", "公開日", "司会"),
}
"""Relations of the cases of which only one value can hold at a time: one desk, one dose, one chairman."""

_DENIED_VALUE = re.compile(r"^(?:not|no)\s+(?=\w)")
_DENIED_RELATION = {"持っていない": "持っている"}
_SPEAKER = re.compile(r"\b(?:I|me|my|mine|we|us|our)\b|私|僕|俺|うち|自分|弊社", re.IGNORECASE)
_END = re.compile(r"[.!?。!?](?:\s|$)|。")
_LONGEST = 200


def judged(hints: list[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """The hints of one text with what a model would say besides."""
    return [_judged(hint, text, alone=len(hints) == 1) for hint in hints]


def _judged(hint: Mapping[str, Any], text: str, *, alone: bool) -> dict[str, Any]:
    fact = dict(hint)
    if fact["p"] in ONE_VALUED:
        fact.setdefault("cardinality", "one")
    if affirmed := _DENIED_RELATION.get(fact["p"]):
        fact |= {"p": affirmed, "polarity": False}
    if match := _DENIED_VALUE.match(str(fact["o"])):
        fact |= {"o": fact["o"][match.end() :], "polarity": False}
    if alone and _is_a_sentence(text) and str(fact["s"]) != "user":
        fact.setdefault("text", text)
    return fact


def _is_a_sentence(text: str) -> bool:
    """One plain sentence that needs no speaker to be understood."""
    plain = len(text) <= _LONGEST and text.isprintable()
    return plain and len(_END.findall(text)) == 1 and not _SPEAKER.search(text)
