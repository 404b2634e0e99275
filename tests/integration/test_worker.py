"""The worker in the background of a `Memory`."""

from __future__ import annotations

import asyncio

import pytest

from graphmem import Memory


@pytest.mark.timeout(60)
async def test_it_stops_also_in_the_moment_in_which_it_is_woken(memory: Memory) -> None:
    async with Memory.open(memory.settings) as other:
        await other.wait_idle()
        await asyncio.sleep(1)  # until it waits to be woken
        other._worker.wake()
        async with asyncio.timeout(10):
            await other._worker.stop()
