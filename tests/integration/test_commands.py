"""A user's "forget that …" hides the fact from recall at once, erases nothing, and says so when it names nothing."""

from __future__ import annotations

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.recall import RecallRequest

ACTOR = "ada"


async def say(memory: Memory, store_id: str, text: str, at: str) -> list[str]:
    result = await memory.remember(
        store_id,
        RememberRequest.model_validate(
            {"scope": {"actor_id": ACTOR}, "text": text, "occurred_at": at, "extraction": "offline"}
        ),
    )
    return [r.reason for r in result.rejected]


async def recalled(memory: Memory, store_id: str, query: str) -> list[str]:
    request = {"scope": {"actor_id": ACTOR}, "query": query, "kinds": ["fact"], "dry_run": True}
    return [item.text for item in (await memory.recall(store_id, RecallRequest.model_validate(request))).items]


@pytest.mark.parametrize(
    ("told", "command", "query", "text"),
    [
        ("I like jazz.", "Please forget that I like jazz.", "Do I like jazz?", "ada likes jazz"),
        ("ジャズが好きです。", "ジャズが好きだということは忘れて。", "ジャズは好き?", "adaはジャズが好き"),
    ],
)
async def test_forget_that(memory: Memory, store_id: str, told: str, command: str, query: str, text: str) -> None:
    await say(memory, store_id, told, "2026-01-05T09:00:00Z")
    assert await recalled(memory, store_id, query) == [text]
    assert await say(memory, store_id, command, "2026-02-05T09:00:00Z") == []
    assert await recalled(memory, store_id, query) == []
    page = await memory.list_facts(store_id, FactQuery(actor_id=ACTOR, validity="any"))
    assert [fact.text for fact in page.items] == [text]


async def test_what_names_nothing_is_refused(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "I like jazz.", "2026-01-05T09:00:00Z")
    reasons = await say(memory, store_id, "Forget what I said about music.", "2026-02-05T09:00:00Z")
    assert reasons == ["forget_unclear"]
    assert await recalled(memory, store_id, "Do I like jazz?") == ["ada likes jazz"]
