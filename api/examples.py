"""Examples of the OpenAPI document, and the rules between fields that the models check in code."""

from __future__ import annotations

from typing import Any

_REMEMBER: dict[str, Any] = {
    "english": {
        "summary": "Two messages of a chat",
        "value": {
            "scope": {"actor_id": "haruka", "session_id": "s-12"},
            "messages": [
                {
                    "id": "m1",
                    "role": "user",
                    "name": "Haruka",
                    "content": "I moved to Osaka last month.",
                    "occurred_at": "2026-02-03T09:00:00+09:00",
                },
                {"id": "m2", "role": "assistant", "content": "Noted."},
            ],
            "source": {"type": "chat", "id": "trip-planning"},
        },
    },
    "japanese": {
        "summary": "One text in Japanese",
        "value": {
            "scope": {"actor_id": "haruka"},
            "text": "先月、大阪に引っ越しました。",
            "occurred_at": "2026-02-03T09:00:00+09:00",
        },
    },
    "facts": {
        "summary": "A fact given by the caller; nothing is extracted",
        "value": {
            "scope": {"actor_id": "haruka"},
            "text": "Haruka works at Aozora.",
            "extraction": "none",
            "facts": [{"subject": "user", "predicate": "works_at", "object": "Aozora", "valid_at": "2025-06"}],
        },
    },
}
_RECALL: dict[str, Any] = {
    "now": {
        "summary": "What is true now",
        "value": {"scope": {"actor_id": "haruka"}, "query": "Where does she live?", "limit": 5},
    },
    "then": {
        "summary": "What was true then, with the reason for each that was left out",
        "value": {
            "scope": {"actor_id": "haruka"},
            "query": "どこに住んでいましたか",
            "as_of": "2025-06-01T00:00:00Z",
            "explain": True,
        },
    },
    "filtered": {
        "summary": "Only among plans that are not about Osaka",
        "value": {
            "scope": {"actor_id": "haruka"},
            "query": "What is planned for the summer?",
            "filter": {
                "and": [
                    {"field": "category", "op": "eq", "value": "plan"},
                    {"field": "valid_at", "op": "gte", "value": "2026-06"},
                    {"not": {"field": "entity", "op": "eq", "value": "Osaka"}},
                ]
            },
        },
    },
}
EXAMPLES = {"remember": _REMEMBER, "recall": _RECALL}
"""Examples of request bodies by operation id."""


def _one_of(**kinds: str) -> dict[str, Any]:
    """Exactly one of the named properties is given and not null."""
    return {"oneOf": [{"required": [name], "properties": {name: {"type": kind}}} for name, kind in kinds.items()]}


SHAPES: dict[str, dict[str, Any]] = {
    "FactPatch": {"minProperties": 1},
    "PredicatePatch": {"minProperties": 1},
    "NotePatch": {"minProperties": 1},
    "EntryPatch": {"minProperties": 1},
    "RememberRequest": _one_of(text="string", messages="array"),
    "BulkItem": _one_of(text="string", messages="array"),
    "ForgetTarget": _one_of(
        all="boolean",
        ids="array",
        query="string",
        entity="string",
        session_id="string",
        source_id="string",
        since="string",
    )
    | {
        "dependentSchemas": {
            "until": {
                "anyOf": [
                    {"properties": {"until": {"type": "null"}}},
                    {"required": ["since"], "properties": {"since": {"type": "string"}}},
                ]
            },
            "min_score": {
                "anyOf": [
                    {"properties": {"min_score": {"type": "null"}}},
                    {"required": ["query"], "properties": {"query": {"type": "string"}}},
                ]
            },
        }
    },
}
"""Rules between the fields of a model, as JSON Schema, by the model's name."""

NOT_NULL = {
    "FactPatch": ("text", "object", "valid_at", "importance", "confidence", "category", "tags", "pinned"),
    "PredicatePatch": ("cardinality", "kind", "half_life_days"),
    "NotePatch": ("body", "keywords", "tags", "aliases", "category", "importance", "pinned", "valid_at", "links"),
    "EntryPatch": ("path", "content", "tags", "keywords", "importance"),
}
"""Fields that may be left out but not be null, by the model's name."""
