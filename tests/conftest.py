"""Fixtures of every suite: one real Neo4j a process, one store a test, a clean environment."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .support.neo4j import PREFIXES, running_neo4j

if TYPE_CHECKING:
    from graphmem import Memory
    from graphmem.config import Settings

ROOT = Path(__file__).resolve().parent.parent
PROCESSES = 2
"""Each has a Neo4j of its own, so that none takes up the jobs of another's stores; more would need much memory."""


def pytest_xdist_auto_num_workers() -> int:
    """One process on a given server, for the reason above."""
    return 0 if os.environ.get("NEO4J_TEST_URI") else PROCESSES


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session", autouse=True)
def outer_environment() -> Iterator[dict[str, str]]:
    """The environment the run was started in; what graphmem reads from it is taken away for the whole run."""
    outer = dict(os.environ)
    with pytest.MonkeyPatch.context() as patch:
        for name in outer:
            if name.startswith(PREFIXES):
                patch.delenv(name)
        yield outer


@pytest.fixture(autouse=True)
def _clean_environment(outer_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that one test sets without a monkeypatch does not reach the next."""
    for name in tuple(os.environ):
        if name.startswith(PREFIXES):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
async def neo4j_settings(outer_environment: dict[str, str]) -> AsyncIterator[Settings]:
    """Settings of a real Neo4j that runs for the whole session."""
    async with running_neo4j(outer_environment) as settings:
        yield settings


@pytest.fixture(scope="session")
async def memory(neo4j_settings: Settings) -> AsyncIterator[Memory]:
    """The library, opened once on that server."""
    from graphmem import Memory

    async with Memory.open(neo4j_settings) as opened:
        yield opened


@pytest.fixture
async def store_id(memory: Memory) -> AsyncIterator[str]:
    """The id of a fresh store; it and everything in it is gone after the test."""
    from graphmem.errors import NotFound
    from graphmem.models.manage import StoreIn

    name = f"t-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=name))
    yield name
    with contextlib.suppress(NotFound):  # the test may have deleted it itself
        await memory.delete_store(name)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of field cases and data sets beside the repository."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("the folder ../shared (field cases and data sets) is not there")
    return path
