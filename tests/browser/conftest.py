"""One memory to look at: what was replaced, ended, disputed, noted and recalled, in both languages."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.ids import owner_key
from graphmem.models.manage import StoreIn, StorePatch
from graphmem.models.note import NoteIn
from graphmem.models.recall import RecallRequest

ACTOR = "遥"
SCOPE = {"actor_id": ACTOR, "session_id": "s-1"}
SAID: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("m1", "2024-04-01", "I live in Kyoto.", {"predicate": "lives_in", "object": "Kyoto"}),
    ("m2", "2025-02-01", "大阪に引っ越しました。", {"predicate": "lives_in", "object": "大阪"}),
    ("m3", "2026-03-01", "I moved to Sapporo.", {"predicate": "lives_in", "object": "Sapporo"}),
    ("m4", "2024-05-01", "I play tennis.", {"predicate": "plays", "object": "tennis", "importance": 0.1}),
    ("m5", "2025-11-02", "I no longer play tennis.", {"predicate": "plays", "object": "tennis", "event": "retract"}),
    ("m6", "2026-01-05", "My mother is Yoko.", {"predicate": "mother_is", "object": "Yoko", "cardinality": "one"}),
    ("m7", "2026-01-05", "My mother is Keiko.", {"predicate": "mother_is", "object": "Keiko", "cardinality": "one"}),
    ("m8", "2026-01-06", "緑茶が好きです。", {"predicate": "likes", "object": "緑茶", "importance": 0.3}),
    ("m9", "2026-01-07", "I still like 緑茶.", {"predicate": "likes", "object": "緑茶", "importance": 0.3}),
)


@dataclass(frozen=True)
class Looked:
    """The store and the owner's key, which every query of the guide is bound to."""

    store: str
    owner: str


@pytest.fixture(scope="session")
async def looked(memory: Memory) -> AsyncIterator[Looked]:
    store = f"t-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=store))
    await memory.update_store(store, StorePatch.model_validate({"settings": {"decay": {"archive_below": 0.2}}}))
    messages = [
        {"id": source, "role": "user", "content": text, "occurred_at": f"{day}T09:00:00Z"}
        for source, day, text, _ in SAID
    ]
    facts = [{"subject": "user", "message_id": source, **fact} for source, _, _, fact in SAID]
    call = {"scope": SCOPE, "messages": messages, "facts": facts, "extraction": "none"}
    await memory.remember(store, RememberRequest.model_validate(call))
    for title, body in (("Moving", "What to pack. See [[Boxes]]. 大阪"), ("Boxes", "Where boxes are.")):
        note = {"scope": {"actor_id": ACTOR}, "title": title, "body": body, "auto_link": False}
        await memory.notes.create(store, NoteIn.model_validate(note))
    asked = {"scope": {"actor_id": ACTOR}, "query": "緑茶", "kinds": ["fact"]}
    await memory.recall(store, RecallRequest.model_validate(asked))
    yield Looked(store, owner_key(store, ACTOR))
    await memory.delete_store(store)
