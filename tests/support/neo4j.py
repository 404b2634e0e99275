"""A real Neo4j for the tests: a given server, a container, or the managed local one, in that order."""

from __future__ import annotations

import gc
import tempfile
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graphmem.config import Settings

IMAGE = "neo4j:2026-community"
CONTAINER_PASSWORD = "graphmem-tests"
PREFIXES = ("NEO4J_", "OPENAI_", "GRAPHMEM_", "LANGSMITH_", "LANGCHAIN_")


def settings_for_tests(**values: Any) -> Settings:
    """Settings of these values and the defaults: conftest cleans the environment, no `.env` is read."""
    return Settings(_env_file=None, **values)  # type: ignore[call-arg]


@asynccontextmanager
async def running_neo4j(environ: Mapping[str, str]) -> AsyncIterator[Settings]:
    """Settings of a running Neo4j; one that was started here is stopped and its data removed at the end."""
    if uri := environ.get("NEO4J_TEST_URI"):
        yield settings_for_tests(
            neo4j_uri=uri,
            neo4j_username=environ.get("NEO4J_TEST_USERNAME", "neo4j"),
            neo4j_password=environ.get("NEO4J_TEST_PASSWORD", ""),
            neo4j_database=environ.get("NEO4J_TEST_DATABASE", "neo4j"),
        )
    elif docker_answers():
        with _container() as container:
            yield settings_for_tests(neo4j_uri=container.get_connection_url(), neo4j_password=CONTAINER_PASSWORD)
    else:
        async with _local_server(environ) as settings:
            yield settings


def docker_answers() -> bool:
    """Whether a Docker engine answers within three seconds; a `docker` command alone proves nothing."""
    try:
        import docker
    except ImportError:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # its client leaves the failed socket open
        answers = _ping(docker)
        gc.collect()
    return answers


def _ping(docker: Any) -> bool:
    from requests.exceptions import RequestException

    try:
        client = docker.from_env(timeout=3)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except (docker.errors.DockerException, RequestException, OSError):
        return False


def _container() -> Any:
    from testcontainers.community.neo4j import Neo4jContainer

    # user and password are given, else the container class reads the developer's environment
    return Neo4jContainer(IMAGE, username="neo4j", password=CONTAINER_PASSWORD)


@asynccontextmanager
async def _local_server(environ: Mapping[str, str]) -> AsyncIterator[Settings]:
    from graphmem.errors import LocalServerError
    from graphmem.store.local import LocalServer

    # the jars are shared with every other data folder: only the data is temporary
    cache = {"cache_dir": Path(path)} if (path := environ.get("GRAPHMEM_CACHE_DIR")) else {}
    with tempfile.TemporaryDirectory(prefix="graphmem-tests-", ignore_cleanup_errors=True) as folder:
        server = LocalServer(settings_for_tests(data_dir=Path(folder), heap="1g", page_cache="64m", **cache))
        try:
            info = await server.ensure_started()
        except LocalServerError as error:
            _impossible(environ, f"the managed local Neo4j does not start: {error}")
        try:
            yield settings_for_tests(
                neo4j_uri=info.bolt_uri,
                neo4j_username=info.username,
                neo4j_password=info.password,
                data_dir=Path(folder),
                **cache,
            )
        finally:
            await server.stop()


def _impossible(environ: Mapping[str, str], reason: str) -> None:
    if environ.get("GRAPHMEM_REQUIRE_NEO4J") == "1":
        pytest.fail(f"no Neo4j for the tests: {reason}", pytrace=False)
    pytest.skip(f"no Neo4j for the tests: {reason}; set NEO4J_TEST_URI to use a server of your own")
