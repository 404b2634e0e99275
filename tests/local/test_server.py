"""The real thing: one server for each data folder, and no committed write is ever lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from graphmem.config import Settings
from graphmem.errors import LocalServerError
from graphmem.store import local, process
from graphmem.store.home import State
from graphmem.store.local import BOLT_PORT, HTTP_PORT, LocalServer, ServerInfo

from .conftest import MakeSettings

LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}
TEXT = "遥は大阪に住んでいる"
CLI = [sys.executable, "-c", "from graphmem.cli import main; main()", "db"]
ChildEnv = Callable[[Settings], dict[str, str]]


@pytest.fixture(scope="module", autouse=True)
async def first_start(server: LocalServer) -> ServerInfo:
    """The first start, while other programs have the usual ports."""
    with ExitStack() as stack:
        for port in (BOLT_PORT, HTTP_PORT):
            if process.is_free(port):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
        return await server.ensure_started()


async def run(info: ServerInfo, query: str, **parameters: Any) -> list[list[Any]]:
    async with AsyncGraphDatabase.driver(info.bolt_uri, auth=(info.username, info.password)) as driver:
        return [record.values() for record in (await driver.execute_query(query, parameters)).records]


async def write(info: ServerInfo, name: str) -> None:
    await run(info, "MERGE (n:Kept {name: $name}) SET n.text = $text", name=name, text=TEXT)


async def read(info: ServerInfo, name: str) -> list[list[Any]]:
    return await run(info, "MATCH (n:Kept {name: $name}) RETURN n.text", name=name)


def listening(port: int) -> set[str]:
    """Addresses, as the kernel writes them, on which something listens at this port."""
    tables = [Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
    rows = [line.split() for table in tables if table.exists() for line in table.read_text().splitlines()]
    return {row[1].partition(":")[0] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}


async def noted_process(server: LocalServer, before: int) -> State:
    """The note of a server that was started after the one with process id `before`."""
    for _ in range(1200):
        state = server._home.read_state()
        if state and state.pid not in (0, before):
            return state
        await asyncio.sleep(0.05)
    raise AssertionError("no process was noted in 60 seconds")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def call(env: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    child = await asyncio.create_subprocess_exec(
        *CLI, *arguments, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await child.communicate()
    assert child.returncode is not None
    return child.returncode, out.decode(), err.decode()


async def test_taken_ports_are_left_to_their_owners(first_start: ServerInfo) -> None:
    ports = {int(uri.rpartition(":")[2]) for uri in (first_start.bolt_uri, first_start.http_uri)}
    assert len(ports) == 2
    assert not ports & {BOLT_PORT, HTTP_PORT}


async def test_only_the_owner_can_read_password_and_data(server: LocalServer) -> None:
    info = await server.ensure_started()
    assert mode(info.password_file) == 0o600
    assert mode(info.home) == 0o700
    assert mode(info.home.parent) == 0o700
    assert info.password_file.read_text().strip() == info.password
    assert info.password not in repr(info)
    assert not any(info.password in " ".join(command) for _, command in process._commands())


async def test_it_listens_on_loopback_only_and_wants_the_password(server: LocalServer) -> None:
    from neo4j.exceptions import AuthError

    info = await server.ensure_started()
    assert listening(int(info.bolt_uri.rpartition(":")[2])) <= LOOPBACK
    assert listening(int(info.http_uri.rpartition(":")[2])) <= LOOPBACK
    async with AsyncGraphDatabase.driver(info.bolt_uri, auth=("neo4j", "wrong-password")) as driver:
        with pytest.raises(AuthError):
            await driver.verify_connectivity()


async def test_three_that_start_it_at_once_get_one_server_with_the_data_and_ports_of_before(
    server: LocalServer, child_env: ChildEnv
) -> None:
    before = await server.ensure_started()
    await write(before, "stop")
    assert await server.stop()
    assert process.birth(before.pid) is None
    assert (await server.status()).state == "stopped"
    assert not await server.stop()
    env = child_env(server._settings)
    (code, first, _), (other, second, _), info = await asyncio.gather(
        call(env, "start"), call(env, "start"), server.ensure_started()
    )
    assert (code, other) == (0, 0)
    assert first == second
    assert info.bolt_uri in first
    assert info.password not in first
    assert info.pid != before.pid
    assert (info.bolt_uri, info.http_uri) == (before.bolt_uri, before.http_uri)
    said: list[str] = []
    assert (await server.ensure_started(lambda stage, _: said.append(stage))).pid == info.pid
    assert not said, "a server that runs is joined without a word"
    assert await read(info, "stop") == [[TEXT]]


async def test_kill_of_the_server_and_then_of_its_starter_loses_no_commit(
    server: LocalServer, child_env: ChildEnv
) -> None:
    before = await server.ensure_started()
    await write(before, "kill")
    os.kill(before.pid, signal.SIGKILL)  # and at once, while it may still be dying:
    starter = await asyncio.create_subprocess_exec(
        *CLI, "start", env=child_env(server._settings), stderr=asyncio.subprocess.DEVNULL
    )
    state = await noted_process(server, before.pid)
    assert (await server.status()).state == "starting"
    starter.kill()
    await starter.wait()
    server._home.forget_process()  # as if it had died just before it could note the process
    after = await server.ensure_started()
    assert after.pid == state.pid
    assert await read(after, "kill") == [[TEXT]]


async def test_a_wrong_password_file_is_named(server: LocalServer) -> None:
    info = await server.ensure_started()
    info.password_file.write_text("something else\n")
    try:
        with pytest.raises(LocalServerError, match=r"refuses the password in .*neo4j\.password"):
            await server.ensure_started()
        # also while Neo4j refuses to look at any password because of the many wrong ones before
        assert [(await server.status()).state for _ in range(4)] == ["broken"] * 4
    finally:
        info.password_file.write_text(f"{info.password}\n")


async def test_the_commands_show_the_running_server(server: LocalServer, child_env: ChildEnv) -> None:
    info = await server.ensure_started()
    env = child_env(server._settings)
    code, out, _ = await call(env, "status")
    assert (code, out.splitlines()[0]) == (0, f"running: Neo4j 2026.09.0, process {info.pid}")
    code, out, _ = await call(env, "browser", "--no-open")
    assert code == 0
    assert f"{info.http_uri}/browser/" in out
    assert "neo4j.password" in out
    assert info.password not in out
    code, out, _ = await call(env, "logs", "--lines", "1")
    assert (code, len(out.splitlines())) == (0, 1)
    assert out.startswith("20")


async def test_a_reused_process_id_is_not_taken_for_the_server(server: LocalServer) -> None:
    await server.stop()
    state = {**json.loads((server._home.folder / "server.json").read_text()), "pid": os.getpid()}
    (server._home.folder / "server.json").write_text(json.dumps({**state, "birth": "another process"}))
    assert (await server.status()).state == "stopped"
    assert not await server.stop()  # and this process is still here to say so


async def test_no_password_is_tried_on_a_server_that_took_the_port_meanwhile(
    server: LocalServer, make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await server.ensure_started()
    taken = int(first.bolt_uri.rpartition(":")[2])
    choose, calls = local.choose_ports, 0

    def late(*wanted: list[int]) -> list[int]:
        nonlocal calls
        calls += 1
        bolt, http = choose(*wanted)
        return [taken if calls == 1 else bolt, http]

    monkeypatch.setattr(local, "choose_ports", late)
    second = LocalServer(make_settings())
    starting = asyncio.create_task(second.ensure_started())
    states = set()
    try:
        while not starting.done():
            await asyncio.sleep(2)  # not sooner: a right password in between lets Neo4j forget the wrong ones
            states.add((await server.status()).state)
        assert (await starting).bolt_uri != first.bolt_uri
        assert calls == 2
        assert states == {"running"}  # three wrong passwords would lock out the users of the first
    finally:
        await asyncio.wait([starting])
        await second.stop()
