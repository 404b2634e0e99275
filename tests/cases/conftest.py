"""The service under test, started once for all cases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from tests.support.openai_server import OpenAIServer

from .service import LiveService

if TYPE_CHECKING:
    from graphmem.config import Settings


@pytest.fixture(scope="session")
async def service(neo4j_settings: Settings) -> AsyncIterator[LiveService]:
    with OpenAIServer(vectors="local") as model:
        running = LiveService(neo4j_settings, model)
        await running.start()
        yield running
        await running.stop()
