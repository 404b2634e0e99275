"""The queue in the graph: whole jobs, each session in its order, whoever works."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem import Memory
from graphmem.errors import ProviderError
from graphmem.ingest.pipeline import Ingest
from graphmem.manage.bulk import Bulk
from graphmem.models.bulk import BulkItem, BulkRequest
from graphmem.models.episode import Source
from graphmem.models.scope import Scope

SCOPE = Scope(actor_id="ana")


class Ahead:
    """A clock that goes before the machine's: what it queues, no worker of another service on this server takes up."""

    def __init__(self, minutes: int) -> None:
        self._ahead = timedelta(minutes=minutes)

    def now(self) -> datetime:
        """So many minutes from now."""
        return datetime.now(UTC) + self._ahead


def ahead(memory: Memory, minutes: int = 10) -> Ingest:
    return replace(memory._ingest, clock=Ahead(minutes))


@pytest.fixture
async def idle(memory: Memory) -> AsyncIterator[Memory]:
    """The memory without its worker, its queue empty."""
    await memory.wait_idle()
    await memory._worker.stop()
    yield memory
    memory._worker.start()


def later(memory: Memory) -> Bulk:
    return Bulk(ahead(memory), lambda: None)


async def queued(
    memory: Memory, bulk: Bulk, store: str, *sessions: str | None, source: str | None = None
) -> dict[str, str]:
    """Job to session and number, for messages of these sessions."""
    items = tuple(
        BulkItem(
            text=f"Message {n} of {session}.",
            session_id=session,
            extraction="none",
            source=Source(id=source) if source else None,
        )
        for n, session in enumerate(sessions)
    )
    saved = await bulk.remember(store, BulkRequest(scope=SCOPE, items=items))
    names = {
        ref.id: f"{s or '-'}{n}"
        for n, (s, item) in enumerate(zip(sessions, saved.items, strict=True))
        for ref in item.episodes
    }
    jobs = [await memory.database.run("manage/episode", {"owner_key": f"{store}:ana", "episode_id": e}) for e in names]
    return {rows[0]["episode"]["job_id"]: name for rows, name in zip(jobs, names.values(), strict=True)}


async def claimed(memory: Memory, jobs: dict[str, str], limit: int = 4) -> list[str]:
    return [jobs[job_id] for job_id in await ahead(memory)._claimed(limit)]


async def done(memory: Memory, jobs: dict[str, str], *names: str) -> None:
    for job_id, name in jobs.items():
        if name in names:
            assert await ahead(memory)._process_quietly(job_id)


async def test_a_session_is_worked_on_by_one_worker_at_a_time_in_its_order(idle: Memory, store_id: str) -> None:
    jobs = await queued(idle, later(idle), store_id, "a", "a", "a", "b", None, None)

    assert await claimed(idle, jobs, 2) == ["a0", "a1"]
    assert await claimed(idle, jobs) == ["b3", "-4", "-5"]
    assert await claimed(idle, jobs) == []
    await done(idle, jobs, "a0")
    assert await claimed(idle, jobs) == []
    await done(idle, jobs, "a1")
    assert await claimed(idle, jobs) == ["a2"]


async def test_what_comes_after_a_failure_waits_for_the_next_try(idle: Memory, store_id: str) -> None:
    jobs = await queued(idle, later(idle), store_id, "a", "a", "b")
    first = next(job_id for job_id, name in jobs.items() if name == "a0")
    assert await claimed(idle, jobs, 1) == ["a0"]
    job = await idle._ingest.load(first)
    assert job is not None
    soon = idle._ingest.settings.model_copy(update={"job_retry": 10})
    await replace(ahead(idle), settings=soon)._fail(job, ProviderError("away", reason="timeout"), again=True)

    assert await claimed(idle, jobs) == ["b2"]
    then = await ahead(idle, 11)._claimed(4)
    assert [jobs[job_id] for job_id in then] == ["a0", "a1"]


async def test_a_job_that_failed_for_good_keeps_nobody(idle: Memory, store_id: str) -> None:
    jobs = await queued(idle, later(idle), store_id, "a", "a")
    assert await claimed(idle, jobs, 1) == ["a0"]
    job = await idle._ingest.load(next(iter(jobs)))
    assert job is not None
    await ahead(idle)._fail(job, ProviderError("broken", reason="refused"), again=True)
    assert await claimed(idle, jobs) == ["a1"]


async def test_a_new_version_of_a_source_waits_for_the_former_one(idle: Memory, store_id: str) -> None:
    jobs = await queued(idle, later(idle), store_id, None, source="s")
    items = (BulkItem(text="Another text.", source=Source(id="s"), extraction="none"),)
    await later(idle).remember(store_id, BulkRequest(scope=SCOPE, items=items))

    assert await claimed(idle, jobs, 1) == ["-0"]
    assert await ahead(idle)._claimed(4) == {}
    await done(idle, jobs, "-0")
    assert len(await ahead(idle)._claimed(4)) == 1


async def test_several_workers_keep_the_order_of_each_session(memory: Memory, store_id: str) -> None:
    sessions = [f"s{n % 3}" for n in range(60)]
    order: dict[str, list[int]] = {}
    async with AsyncExitStack() as stack:
        others = [await stack.enter_async_context(Memory.open(memory.settings)) for _ in range(2)]
        await queued(memory, memory.bulk, store_id, *sessions)
        for other in others:
            other._worker.wake()
        await memory.wait_idle()
    every = {"owner_key": f"{store_id}:ana", "after": "", "limit": 100}
    where = every | dict.fromkeys(("session_id", "source_id", "status"))
    rows = await memory.database.run("manage/episodes", where)
    for row in sorted(rows, key=lambda row: row["episode"]["updated_at"]):
        episode = row["episode"]
        order.setdefault(episode["session_id"], []).append(int(episode["content"].split()[1]))

    assert all(numbers == sorted(numbers) for numbers in order.values()), order
    assert sum(len(numbers) for numbers in order.values()) == 60
