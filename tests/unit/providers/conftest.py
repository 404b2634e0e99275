"""A scripted endpoint and settings that point at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from graphmem.config import Settings
from graphmem.ports import Turn
from tests.support.openai_server import OpenAIServer

NOON = datetime.fromisoformat("2026-02-03T12:00:00+09:00")


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def settings_for(server: OpenAIServer) -> Callable[..., Settings]:
    def make(**changes: Any) -> Settings:
        return Settings(openai_base_url=server.url, openai_api_key="test", **{"llm_timeout": 20.0, **changes})

    return make


@pytest.fixture
def turn() -> Callable[..., Turn]:
    def make(content: str, *, index: int = 0, role: Any = "user", speaker: str = "Haruka") -> Turn:
        return Turn(index, role, speaker, content, NOON)

    return make
