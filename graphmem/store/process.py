"""Processes and ports: start one that outlives us, know it again, end it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from graphmem.config import child_environment
from graphmem.errors import LocalServerError

_POLL_SECONDS = 0.1
_DETACH = 'log=$1; shift; "$@" >"$log" 2>&1 </dev/null & echo $!'
"""Shell that starts a program as nobody's child, so that it is not left as a zombie, and prints its id."""


def birth(pid: int) -> str | None:
    """A mark that no other process with this id ever has; None when no such process runs."""
    if sys.platform == "linux":
        return _linux_birth(pid)
    listed = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, began = listed.stdout.strip().partition(" ")
    return began.strip() if began and not state.startswith("Z") else None


def _linux_birth(pid: int) -> str | None:
    try:
        # the name, in brackets, may hold anything; what counts stands after the last bracket
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # a killed process may look dead while its threads still hold its files
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" and threads < 2 else f"{boot}:{fields[19]}"


def find_process(argument: str) -> int | None:
    """The id of a process of this user that was started with exactly this argument."""
    return next((pid for pid, command in _commands() if argument in command), None)


def _commands() -> Iterator[tuple[int, list[str]]]:
    if sys.platform == "linux":
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if entry.stat().st_uid == os.getuid():
                    yield int(entry.name), (entry / "cmdline").read_text(errors="replace").split("\0")
            except OSError:  # it ended, or may not be read
                continue
        return
    listed = subprocess.run(["ps", "-xww", "-o", "pid=,command="], capture_output=True, text=True, check=False)
    for line in listed.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield int(pid), command.split()


def spawn(command: Sequence[str], log: Path, folder: Path, **environment: str) -> int:
    """Start `command` in its own session with its output in `log`, and return its process id."""
    started = subprocess.run(
        ["/bin/sh", "-c", _DETACH, "sh", str(log), *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=folder,
        env=child_environment(**environment),
        start_new_session=True,
        check=False,
    )
    if started.returncode:
        raise LocalServerError(f"Neo4j could not be started: {started.stderr.strip()}")
    return int(started.stdout)


async def end(pid: int, mark: str, patience: float) -> bool:
    """Ask the process to end, make it after `patience` seconds, wait until it is gone; whether asking did."""
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 10.0)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if await _gone(pid, mark, seconds):
            return number == signal.SIGTERM
    raise LocalServerError(f"Neo4j (process {pid}) does not end: end it with `kill -9 {pid}`.")


async def _gone(pid: int, mark: str, seconds: float) -> bool:
    end_at = time.monotonic() + seconds
    while birth(pid) == mark:
        if time.monotonic() > end_at:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True


def is_free(port: int) -> bool:
    """Whether a server could listen on this port of the loopback address."""
    with socket.socket() as client:
        client.settimeout(1)
        if client.connect_ex(("127.0.0.1", port)) == 0:
            return False
    try:
        with socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True


def choose_ports(*wanted: Sequence[int]) -> list[int]:
    """One port for each list: its first that is free, else one that the system gives."""
    chosen: list[int] = []
    for candidates in wanted:
        usable = (port for port in candidates if port not in chosen and is_free(port))
        chosen.append(next(usable, None) or _any_port())
    return chosen


def _any_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])
