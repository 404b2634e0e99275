"""Where a provider's memory is: borrowed, or its own, opened when it is needed and closed with it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agent_framework import Agent
from pydantic import SecretStr

from graphmem import AsyncGraphMem, Memory
from graphmem.errors import ConfigurationError
from graphmem.eval.plugin import measure
from graphmem.plugins.agent_framework import GraphMemContextProvider, GraphMemHistoryProvider
from graphmem.plugins.agent_framework.probe import Probe
from graphmem.plugins.connect import Connection
from tests.support.tree import ROOT

from .scripted import ScriptedChatClient

PATIENT = {"recall_timeout": 250.0, "remember_timeout": 250.0}


class Opened:
    """Counts how often a memory is opened and closed."""

    def __init__(self, fails: int = 0) -> None:
        self.opened = self.closed = 0
        self._fails = fails
        self.gate = asyncio.Event()
        self.gate.set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        self.opened += 1
        await self.gate.wait()
        if self.opened <= self._fails:
            raise OSError("not there yet")
        yield f"memory {self.opened}"
        self.closed += 1


async def test_one_memory_for_all_who_ask_at_once_until_it_is_closed() -> None:
    counted = Opened()
    connection = Connection(None, counted.open)
    assert counted.opened == 0
    assert set(await asyncio.gather(*(connection.get() for _ in range(20)))) == {"memory 1"}
    await connection.close()
    assert (counted.opened, counted.closed) == (1, 1)
    assert await connection.get() == "memory 2"
    await connection.close()
    await connection.close()
    assert (counted.opened, counted.closed) == (2, 2)


async def test_opening_goes_on_when_the_one_who_waits_gives_up() -> None:
    counted = Opened()
    counted.gate.clear()
    connection = Connection(None, counted.open)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await connection.get()
    counted.gate.set()
    assert await connection.get() == "memory 1"
    await connection.close()


async def test_a_memory_that_could_not_be_opened_is_tried_again() -> None:
    counted = Opened(fails=1)
    connection = Connection(None, counted.open)
    with pytest.raises(OSError, match="not there yet"):
        await connection.get()
    assert await connection.get() == "memory 2"
    await connection.close()


async def test_closing_while_it_opens_leaves_nothing_open() -> None:
    counted = Opened()
    counted.gate.clear()
    connection = Connection(None, counted.open)
    waiting = asyncio.create_task(connection.get())
    await asyncio.sleep(0)
    await connection.close()
    with pytest.raises(Exception, match="closed"):
        await waiting
    assert counted.closed == 0


async def test_a_client_of_the_providers_own(address: str, memory: Memory, store_id: str) -> None:
    given: dict[str, Any] = {"base_url": address, "api_key": SecretStr("unused"), "store": store_id, "user_id": "maya"}
    history = GraphMemHistoryProvider(**given, timeout=250.0)
    async with GraphMemContextProvider(**given, search_user_id="maya", **PATIENT) as provider, history:
        agent = Agent(ScriptedChatClient(), context_providers=[history, provider])
        session = agent.create_session(session_id="s-1")
        await agent.run("I like green tea.", session=session)
        assert session.state["graphmem"]["remember"]["status"] == "ok"
        assert session.state["graphmem_history"]["save"]["status"] == "ok"
    assert len((await memory.sessions.messages(store_id, "maya", "s-1")).items) == 2


async def test_a_memory_that_was_given_stays_open(address: str, store_id: str) -> None:
    async with AsyncGraphMem(address) as client:
        async with GraphMemContextProvider(client=client, store=store_id):
            pass
        assert (await client.get_store(store_id)).id == store_id


def test_an_address_that_cannot_be_one_is_told_at_once() -> None:
    with pytest.raises(ConfigurationError):
        GraphMemContextProvider(base_url="not an address")


async def test_the_bench_compares_the_same_recalls(memory: Memory) -> None:
    def asking(store: str, actor: str) -> Any:
        provider = GraphMemContextProvider(
            memory=memory, store=store, search_user_id=actor, context_prompt=None, recall_timeout=250.0
        )
        return Probe(provider).ask

    found = await measure(memory, asking, facts=20, recalls=2)
    assert found.recall.ratio == pytest.approx(found.recall.graphmem / found.recall.bare)
    assert found.recall.reached == (found.recall.ratio <= 1.3)

    async def silent(_: str) -> str:
        return ""

    with pytest.raises(ConfigurationError, match="does not show"):
        await measure(memory, lambda *_: silent, facts=20, recalls=2)


def test_without_the_extra_the_import_says_what_to_install() -> None:
    code = "import sys\nsys.modules['agent_framework'] = None\nimport graphmem.plugins.agent_framework"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "docs", capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: Agent Framework is not installed: pip install 'graphmem[agent-framework]'."
    )
    code = "import sys, graphmem.cli, graphmem.plugins.tools\nprint('agent_framework' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "docs", capture_output=True, text=True, timeout=120)
    assert done.stdout == "False\n"
