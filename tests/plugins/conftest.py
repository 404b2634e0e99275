"""Fixtures of the plug-ins: the same tests over the library in this process and over the service.

No test of the plug-ins depends on how fast the machine is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graphmem import AsyncGraphMem, Memory
from graphmem.plugins import tools
from graphmem.plugins.backend import Backend
from tests.client.conftest import address

__all__ = ["address"]


@pytest.fixture(params=["embedded", "remote"])
async def backend(request: pytest.FixtureRequest, memory: Memory, address: str) -> AsyncIterator[Backend]:
    """The memory as a plug-in sees it: in this process, or behind the service on a real socket."""
    if request.param == "embedded":
        yield memory
        return
    async with AsyncGraphMem(address, backoff=0.001, timeout=280.0) as client:
        yield client


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "CALL_SECONDS", 280.0)
    monkeypatch.setattr(tools, "SAVE_SECONDS", 270.0)
