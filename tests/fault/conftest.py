"""One managed server in a temporary folder for the whole folder of tests; it is killed and started again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from graphmem.config import Settings, default_cache_dir
from graphmem.store.local import LocalServer, install
from tests.support.neo4j import settings_for_tests
from tests.support.openai_server import OpenAIServer

from .graph import Graph


@pytest.fixture(scope="session")
async def server_settings(
    outer_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Settings]:
    """Settings of a small server of its own, whatever else the run uses; it is stopped at the end."""
    settings = settings_for_tests(
        data_dir=tmp_path_factory.mktemp("fault"),
        cache_dir=Path(outer_environment.get("GRAPHMEM_CACHE_DIR") or default_cache_dir()),
        heap="512m",
        page_cache="64m",
        extractor="none",
        job_lease=2,
    )
    await install(settings)
    try:
        yield settings
    finally:
        await LocalServer(settings).stop()


@pytest.fixture
def model() -> Iterator[OpenAIServer]:
    """A scripted model."""
    with OpenAIServer() as server:
        yield server


@pytest.fixture
async def graph(server_settings: Settings) -> AsyncIterator[Graph]:
    """The bare graph, started when it does not run."""
    async with Graph(server_settings) as graph:
        yield graph
