"""Servers of these tests: their data is temporary, the jars are the installed ones."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from graphmem.config import Settings, default_cache_dir
from graphmem.store.local import LocalServer, install
from tests.support.neo4j import settings_for_tests

MakeSettings = Callable[..., Settings]


@pytest.fixture(scope="session")
def cache_dir(outer_environment: dict[str, str]) -> Path:
    """Where Neo4j is installed, or will be."""
    return Path(outer_environment.get("GRAPHMEM_CACHE_DIR") or default_cache_dir())


@pytest.fixture(scope="session")
async def jars(cache_dir: Path) -> Path:
    """The installed jars."""
    return await install(settings_for_tests(cache_dir=cache_dir))


@pytest.fixture
def make_settings(tmp_path: Path, cache_dir: Path) -> MakeSettings:
    """Settings of a small server in a new data folder."""

    def make(**values: object) -> Settings:
        small = {"data_dir": tmp_path / "data", "cache_dir": cache_dir, "heap": "512m", "page_cache": "64m"}
        return settings_for_tests(**{**small, **values})

    return make


@pytest.fixture(scope="module")
async def server(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LocalServer]:
    """One server for a module; each test may stop or kill it, and starts it again when it needs it."""
    folder = tmp_path_factory.mktemp("server") / "with a blank 日本"
    settings = settings_for_tests(data_dir=folder, cache_dir=jars.parent, heap="512m", page_cache="64m")
    server = LocalServer(settings)
    try:
        yield server
    finally:
        await server.stop()


@pytest.fixture
def child_env(outer_environment: dict[str, str]) -> Callable[[Settings], dict[str, str]]:
    """The environment in which another process has the same settings."""

    def make(settings: Settings) -> dict[str, str]:
        names = ("data_dir", "cache_dir", "heap", "page_cache")
        given = {f"GRAPHMEM_{name.upper()}": str(getattr(settings, name)) for name in names}
        return {**os.environ, **given, "PYTHONIOENCODING": "utf-8"}

    return make
