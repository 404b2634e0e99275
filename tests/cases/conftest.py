"""The service under test, started once for all cases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from .service import LiveService

if TYPE_CHECKING:
    from graphmem.config import Settings


@pytest.fixture(scope="session")
async def service(neo4j_settings: Settings) -> AsyncIterator[LiveService]:
    running = LiveService(neo4j_settings)
    await running.start()
    yield running
    await running.stop()
