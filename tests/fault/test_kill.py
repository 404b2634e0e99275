"""`kill -9` of the database, of a client, of a worker: nothing acknowledged is lost, nothing is half-written."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import uuid
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.models.manage import StoreIn
from tests.support.openai_server import OpenAIServer

from .graph import Graph
from .load import said, spoken, talk_all

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = 3
BUSY = 240.0
"""Seconds for what takes ten on a machine with nothing else to do: a new server plans every query anew."""
pytestmark = [
    pytest.mark.timeout(600),
    # the driver leaves a socket open when it is stopped amid a handshake
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TEXT = "I live in Osaka."
FACTS = {TEXT: [{"s": "user", "p": "lives_in", "o": "Osaka"}]}
SAID = {TEXT: ["lives_in"]}


@pytest.fixture
async def store(server_settings: Settings, graph: Graph) -> str:
    """The id of an empty store."""
    name = f"fault-{uuid.uuid4().hex[:12]}"
    async with Memory.open(server_settings) as memory:
        await memory.create_store(StoreIn(id=name))
    return name


def with_model(settings: Settings, model: OpenAIServer, **values: object) -> Settings:
    return settings.model_copy(update={"openai_base_url": model.url, **values})


@asynccontextmanager
async def process(settings: Settings, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another Python process with the same settings; killed at the end."""
    names = ("data_dir", "cache_dir", "heap", "page_cache", "extractor", "job_lease", "llm_timeout")
    env = {**os.environ, **{f"GRAPHMEM_{name.upper()}": str(getattr(settings, name)) for name in names}}
    if settings.openai_base_url:
        env |= {"OPENAI_BASE_URL": settings.openai_base_url}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments, env=env, cwd=ROOT, stdout=PIPE, stderr=DEVNULL
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


async def eventually(graph: Graph, store: str, **wanted: int) -> None:
    """Wait, waking nobody, until the episodes are in these states."""
    async with asyncio.timeout(BUSY):
        while await graph.statuses(store) != wanted:  # noqa: ASYNC110  another process writes it
            await asyncio.sleep(0.1)


async def asked(model: OpenAIServer) -> None:
    """Wait until the model got a call."""
    async with asyncio.timeout(BUSY):
        while not model.calls["llm"]:  # noqa: ASYNC110  it is counted in the server's threads
            await asyncio.sleep(0.05)


# the driver leaves a socket open when it is stopped amid a handshake
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_killed_database_keeps_what_was_acknowledged_and_nothing_by_halves(
    server_settings: Settings, graph: Graph, store: str
) -> None:
    acknowledged: set[str] = set()
    enough = asyncio.Event()

    def heard(episode_id: str) -> None:
        acknowledged.add(episode_id)
        if len(acknowledged) > 4 * PEOPLE:
            enough.set()

    async with Memory.open(server_settings) as memory:
        talking = asyncio.create_task(talk_all(memory, store, PEOPLE, heard))
        async with asyncio.timeout(BUSY):
            await enough.wait()
        await graph.kill()
        talking.cancel()
        await asyncio.wait([talking])
        await memory._worker.stop()  # so that the graph can be looked at as the crash left it
        await graph.start()

        found = await graph.episodes(store)
        assert acknowledged <= found
        states = await graph.check(store, said(PEOPLE))
        assert states["pending"] > 0
        assert states["processed"] > 0

        memory._worker.start()  # a memory that was open all the time goes on
        await memory.wait_idle(BUSY)
    assert await graph.check(store, said(PEOPLE)) == {"processed": len(found)}

    async with Memory.open(server_settings) as memory:
        page = await memory.list_episodes(store, "遥", page_size=200)
    assert {episode.id for episode in page.items} <= found
    gc.collect()


async def test_killed_client_leaves_its_pending_episodes_to_another_process(
    server_settings: Settings, graph: Graph, store: str
) -> None:
    acknowledged = []
    async with Memory.open(server_settings), process(server_settings, "tests.fault.load", store) as child:
        assert child.stdout is not None
        async with asyncio.timeout(BUSY):
            while len(acknowledged) < 20:
                acknowledged.append((await child.stdout.readline()).decode().strip())
        child.kill()
        await child.wait()
        states = await graph.check(store, said(3))
        await eventually(graph, store, processed=states.total())
    found = {
        row["id"] for row in await graph.rows("MATCH (e:Episode {store_id: $store}) RETURN e.id AS id", store=store)
    }
    assert set(acknowledged) <= found
    assert await graph.check(store, said(3)) == {"processed": len(found)}


async def test_a_job_under_lease_is_taken_up_only_when_its_process_is_dead(
    server_settings: Settings, graph: Graph, store: str, model: OpenAIServer
) -> None:
    model.script_facts(FACTS)
    model.inject("llm", "delay", 60)
    settings = with_model(server_settings, model, job_lease=6)
    async with Memory.open(settings):
        async with process(settings, "tests.fault.load", store, TEXT) as child:
            await asked(model)
            await asyncio.sleep(1)
            assert model.calls["llm"] == 1
            child.kill()
        assert await graph.check(store, SAID) == {"pending": 1}
        await eventually(graph, store, processed=1)
        assert model.calls["llm"] == 2
    assert await graph.check(store, SAID) == {"processed": 1}


async def test_a_caller_slower_than_its_lease_writes_nothing_twice(
    server_settings: Settings, graph: Graph, store: str, model: OpenAIServer
) -> None:
    model.script_facts(FACTS)
    model.inject("llm", "delay", 8)
    async with Memory.open(with_model(server_settings, model, job_lease=1)) as memory:
        result = await memory.remember(store, spoken(TEXT))
    assert model.calls["llm"] == 2
    assert [episode.status for episode in result.episodes] == ["processed"]
    assert await graph.check(store, SAID) == {"processed": 1}


async def test_what_is_erased_while_it_is_read_leaves_nothing(
    server_settings: Settings, graph: Graph, store: str, model: OpenAIServer
) -> None:
    model.script_facts(FACTS)
    model.inject("llm", "delay", 2)
    async with Memory.open(with_model(server_settings, model, job_lease=60)) as memory:
        remembering = asyncio.create_task(memory.remember(store, spoken(TEXT)))
        await asked(model)
        (episode,) = (await memory.list_episodes(store, "haruka")).items
        await memory.delete_episode(store, "haruka", episode.id)
        await remembering
    assert await graph.check(store, SAID) == {}
    assert await graph.rows("MATCH (f:Fact {store_id: $store}) RETURN f.text", store=store) == []


async def test_closing_gives_back_what_was_not_done(
    server_settings: Settings, graph: Graph, store: str, model: OpenAIServer
) -> None:
    texts = [f"{TEXT} {i}" for i in range(3)]
    model.script_facts(dict.fromkeys(texts, FACTS[TEXT]))
    model.inject("llm", "delay", 60)
    settings = with_model(server_settings, model, job_lease=600)
    async with Memory.open(settings) as memory:
        for text in texts:
            await memory.remember(store, spoken(text, wait=False))
        await asked(model)
    async with Memory.open(settings) as memory:
        await memory.wait_idle(BUSY)
    assert await graph.check(store, dict.fromkeys(texts, SAID[TEXT])) == {"processed": 3}


async def test_a_job_that_was_tried_too_often_fails_until_somebody_asks_for_it(
    server_settings: Settings, graph: Graph, store: str, model: OpenAIServer
) -> None:
    model.script_facts(FACTS)
    model.inject("llm", "delay", 60)
    settings = with_model(server_settings, model, job_lease=600)
    async with Memory.open(settings) as memory:
        await memory.remember(store, spoken(TEXT, wait=False))
    query = "MATCH (e:Episode {store_id: $store}) SET e.attempts = 5, e.lease_until = datetime() RETURN e.id AS id"
    ((episode),) = await graph.rows(query, store=store)
    model.reset()
    model.script_facts(FACTS)
    async with Memory.open(settings) as memory:
        await eventually(graph, store, failed=1)
        assert (await memory.get_episode(store, "haruka", episode["id"])).error == "too_many_attempts"
        assert not model.calls["llm"]
        result = await memory.retry_episode(store, "haruka", episode["id"])
        assert [one.status for one in result.episodes] == ["processed"]
    assert await graph.check(store, SAID) == {"processed": 1}
