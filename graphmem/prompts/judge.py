"""The answer to judge.md: one verdict a pair, read leniently."""

from __future__ import annotations

from typing import Any, get_args

from graphmem.ports import Relation

RELATIONS: tuple[Relation, ...] = get_args(Relation)
_OTHER_WORDS: dict[str, Relation] = {
    "identical": "same",
    "duplicate": "same",
    "update": "adds",
    "refines": "adds",
    "contradiction": "contradicts",
    "contradict": "contradicts",
    "different": "unrelated",
    "none": "unrelated",
}


def read_verdicts(raw: list[Any], count: int) -> dict[int, Relation]:
    """The verdicts that can be read, by pair; a pair that is judged twice in two ways is not judged."""
    found: dict[int, Relation] = {}
    doubtful: set[int] = set()
    for entry in raw:
        pair, relation = _pair(entry), _relation(entry)
        if pair is None or relation is None or not 0 <= pair < count:
            continue
        if found.setdefault(pair, relation) != relation:
            doubtful.add(pair)
    return {pair: relation for pair, relation in found.items() if pair not in doubtful}


def _pair(entry: Any) -> int | None:
    try:
        return int(str(entry["pair"]).strip())
    except (KeyError, TypeError, ValueError):
        return None


def _relation(entry: Any) -> Relation | None:
    word = entry.get("relation")
    word = word[0] if isinstance(word, list) and len(word) == 1 else word
    word = str(word).strip().lower()
    return next((relation for relation in RELATIONS if relation == word), _OTHER_WORDS.get(word))


def answer_schema() -> dict[str, Any]:
    """The JSON schema of the answer in the strict form: every key required, no others allowed."""
    verdict = {
        "type": "object",
        "properties": {"pair": {"type": "integer"}, "relation": {"type": "string", "enum": list(RELATIONS)}},
        "required": ["pair", "relation"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": verdict}},
        "required": ["verdicts"],
        "additionalProperties": False,
    }
