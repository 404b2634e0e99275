"""Consolidation with a model: one call a session, only what the messages support, and going on without it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import ProviderError
from graphmem.models.manage import Budget, StorePatch, StoreSettings
from graphmem.ports import Reply

from .test_consolidate import Talk


class Echo:
    """A model that repeats the first message, and adds something that nobody said."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The answer."""
        self.asked.append(user)
        if self.broken:
            raise ProviderError("The model endpoint cannot be reached.", reason="unreachable")
        first = json.loads(user.splitlines()[0])["text"].splitlines()[0]
        lines = [{"text": first, "turns": [0]}, {"text": "Zoe flew to Mars with 40 llamas.", "turns": [0]}]
        answer = {"topic": "", "summary": lines, "open_items": []}
        return Reply(json.dumps(answer), prompt_tokens=50, completion_tokens=10)

    async def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
async def model(neo4j_settings: Settings) -> AsyncIterator[tuple[Echo, Memory]]:
    """The library with that model."""
    echo = Echo()
    async with Memory.open(neo4j_settings, chat=echo) as opened:
        yield echo, opened


async def test_each_session_is_asked_about_once_and_unsupported_sentences_are_dropped(
    model: tuple[Echo, Memory], store_id: str
) -> None:
    echo, memory = model
    talk = Talk(memory, store_id)
    await talk.tell("s1", "Rain fell on the harbour of Reno.")
    await talk.tell("s2", "My sister paints walls in Boise.")
    dry = await talk.consolidate(dry_run=True)
    assert (dry.summarised, dry.llm_calls, echo.asked) == (2, 0, [])
    done = await talk.consolidate()
    assert (done.summarised, done.llm_calls, done.dropped) == (2, 2, 2)
    assert (done.prompt_tokens, done.completion_tokens, len(echo.asked)) == (100, 20, 2)
    session = (await talk.sessions())["s1"]
    assert (session.summary, session.summarised_by) == ("Rain fell on the harbour of Reno.", "llm")
    assert "Mars" not in await talk.derived()
    again = await talk.consolidate()
    assert (again.changed, again.llm_calls, len(echo.asked)) == (0, 0, 2)


async def test_without_the_model_the_pass_goes_on_and_the_next_one_tries_again(
    model: tuple[Echo, Memory], store_id: str
) -> None:
    echo, memory = model
    talk = Talk(memory, store_id)
    await talk.tell("s1", "Rain fell on the harbour of Reno.")
    await talk.tell("s2", "My sister paints walls in Boise.")
    echo.broken = True
    done = await talk.consolidate()
    assert (done.summarised, done.llm_calls, len(echo.asked)) == (2, 0, 1)  # it is not asked a second time
    assert {s.summarised_by for s in (await talk.sessions()).values()} == {"offline"}
    still = await talk.consolidate()
    assert (still.changed, len(echo.asked)) == (0, 2)
    echo.broken = False
    assert (await talk.consolidate()).summarised == 2
    assert {s.summarised_by for s in (await talk.sessions()).values()} == {"llm"}


async def test_a_summary_of_the_model_stays_when_there_is_none_any_more(
    model: tuple[Echo, Memory], memory: Memory, store_id: str
) -> None:
    _, with_model = model
    await Talk(with_model, store_id).tell("s1", "Rain fell on the harbour of Reno.")
    await Talk(with_model, store_id).consolidate()
    talk = Talk(memory, store_id)
    assert (await talk.consolidate()).changed == 0
    assert (await talk.sessions())["s1"].summarised_by == "llm"


async def test_the_budget_of_the_store_ends_the_calls_and_not_the_pass(
    model: tuple[Echo, Memory], store_id: str
) -> None:
    echo, memory = model
    talk = Talk(memory, store_id)
    settings = StoreSettings(budget=Budget(calls_per_day=1))
    await memory.update_store(store_id, StorePatch(settings=settings))
    await talk.tell("s1", "Rain fell on the harbour of Reno.")
    await talk.tell("s2", "My sister paints walls in Boise.")
    done = await talk.consolidate()
    assert (done.summarised, done.llm_calls, len(echo.asked)) == (2, 1, 1)
    assert sorted(str(s.summarised_by) for s in (await talk.sessions()).values()) == ["llm", "offline"]
