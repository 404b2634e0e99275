"""A model endpoint that is away while nobody waits: work stays, is tried again by itself, and is done once."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.models.manage import StoreIn
from tests.support.openai_server import OpenAIServer

from .graph import Graph
from .load import spoken

BUSY = 240.0
pytestmark = [
    pytest.mark.timeout(600),
    # the driver leaves a socket open when it is stopped amid a handshake
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TEXTS = [f"I live in Osaka {i}." for i in range(3)]
FACTS = {text: [{"s": "user", "p": "likes", "o": text[10:-1]}] for text in TEXTS}
SAID = {text: ["likes"] for text in TEXTS}


@pytest.fixture
async def settings(server_settings: Settings, model: OpenAIServer) -> Settings:
    model.script_facts(FACTS)
    return server_settings.model_copy(update={"openai_base_url": model.url, "job_retry": 0.2, "llm_timeout": 2.0})


async def store_in(memory: Memory) -> str:
    name = f"fault-{uuid.uuid4().hex[:12]}"
    await memory.create_store(StoreIn(id=name))
    return name


async def errors(memory: Memory, store: str) -> list[str | None]:
    return [episode.error for episode in (await memory.list_episodes(store, "haruka")).items]


async def test_down_and_back(settings: Settings, graph: Graph, model: OpenAIServer) -> None:
    model.inject("llm", "refuse_connection", times="always")
    async with Memory.open(settings) as memory:
        store = await store_in(memory)
        for text in TEXTS:
            told = await memory.remember(store, spoken(text, wait=False))
            assert [episode.status for episode in told.episodes] == ["pending"]
        async with asyncio.timeout(BUSY):
            while not any(await errors(memory, store)):  # noqa: ASYNC110  the worker writes it
                await asyncio.sleep(0.1)
        assert await graph.check(store, SAID) == {"pending": 3}
        model.inject("llm", "none")
        await memory.wait_idle(BUSY)
    assert await graph.check(store, SAID) == {"processed": 3}


@pytest.mark.parametrize(("mode", "error"), [("http_402", "quota_exceeded"), ("refusal", "refused")])
async def test_what_does_not_pass_by_itself_waits_for_somebody(
    settings: Settings, graph: Graph, model: OpenAIServer, mode: str, error: str
) -> None:
    model.inject("llm", mode, times="always")
    async with Memory.open(settings) as memory:
        store = await store_in(memory)
        await memory.remember(store, spoken(TEXTS[0], wait=False))
        await memory.wait_idle(BUSY)
        assert await errors(memory, store) == [error]
    assert await graph.check(store, SAID) == {"failed": 1}


async def test_down_for_good_ends_after_five_tries(settings: Settings, graph: Graph, model: OpenAIServer) -> None:
    model.inject("llm", "http_500", times="always")
    quick = settings.model_copy(update={"job_retry": 0.01})
    async with Memory.open(quick) as memory:
        store = await store_in(memory)
        await memory.remember(store, spoken(TEXTS[0], wait=False))
        await memory.wait_idle(BUSY)
        (episode,) = (await memory.list_episodes(store, "haruka")).items
        assert (episode.status, episode.attempts) == ("failed", 5)
        assert episode.error in ("server_error", "timeout")
    assert await graph.check(store, SAID) == {"failed": 1}
