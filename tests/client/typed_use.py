"""Not run but checked by mypy in strict mode, as the code of a user is (pyproject.toml, `files`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import assert_type

import httpx

from graphmem import AsyncGraphMem, GraphMem, Memory
from graphmem.client import Timeout
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery, HistoryEntry, RememberResult
from graphmem.models.manage import ForgetRequest, Health, Page, Receipt
from graphmem.models.note import Entry, EntryPut
from graphmem.models.recall import RecallRequest, RecallResult
from graphmem.models.truth import FactAction


async def either(memory: Memory | AsyncGraphMem, said: RememberRequest, asked: RecallRequest) -> str:
    """What takes the library takes the service."""
    assert_type(await memory.remember("default", said, idempotency_key="k"), RememberResult)
    assert_type(await memory.list_facts("default", FactQuery(actor_id="mio")), Page[Fact])
    assert_type(await memory.fact_history("default", "mio", "f"), tuple[HistoryEntry, ...])
    assert_type(await memory.truth.confirm("default", "f", FactAction(scope=said.scope)), Fact)
    assert_type(await memory.health(), Health)
    async for result in memory.remember_all("default", [said]):
        assert_type(result, RememberResult)
    return (await memory.recall("default", asked)).context


async def over_http(client: httpx.AsyncClient, put: EntryPut) -> None:
    """The async side."""
    async with AsyncGraphMem("http://h", api_key="k", timeout=Timeout(read=9), http_client=client) as memory:
        assert_type(memory.iter_facts("default", FactQuery(actor_id="mio")), AsyncIterator[Fact])
        assert_type(await memory.entries.put("default", put), tuple[Entry, bool])
        assert_type(memory.with_options(timeout=2), AsyncGraphMem)


def without_async(asked: RecallRequest, forget: ForgetRequest) -> None:
    """The sync side."""
    with GraphMem(timeout=5, http_client=httpx.Client()) as memory:
        assert_type(memory.recall("default", asked), RecallResult)
        assert_type(memory.forget("default", forget), Receipt)
        assert_type(memory.iter_facts("default", FactQuery(actor_id="mio")), Iterator[Fact])
        assert_type(memory.with_options(max_retries=0), GraphMem)
