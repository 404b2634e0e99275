"""The managed local Neo4j: one server for each data folder, shared by every process that uses it."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from graphmem.config import Settings
from graphmem.errors import LocalServerError

from .filelock import NOT_ON_WINDOWS, FileLock
from .home import Home, State, checked_size
from .install import Progress, install, is_installed, jars_folder, require_space
from .jars import VERSION, damaged
from .java import find_java
from .launch import Launcher, PortTakenError, drop_archives, failure, keep_archive
from .process import birth, choose_ports, end, find_process

__all__ = ["LocalServer", "Progress", "ServerInfo", "ServerStatus", "install"]

USERNAME = "neo4j"
BOLT_PORT, HTTP_PORT = 7687, 7474
START_SECONDS = 300.0
"""How long a start may take, with recovery after a crash."""
STOP_SECONDS = 60.0
"""How long a stop may take before the process is killed; committed data is safe either way."""
START_BYTES = 300_000_000
"""Free space that a start asks for: it would do with less, but the first writes would not."""
_REFUSED_SECONDS = 30.0
"""How long a refused password at the start may be that of another server on the same port."""
_POLL_SECONDS = 0.25
_DYING_SECONDS = 3.0
_PORT_TRIES = 3

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Where the running server is, and how to log in."""

    bolt_uri: str
    http_uri: str
    browser_url: str
    username: str
    password: str = field(repr=False)
    password_file: Path
    pid: int
    home: Path


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What a data folder's server does; `info` while it runs or starts, `detail` for people."""

    state: Literal["stopped", "starting", "running", "not-installed", "foreign", "broken"]
    info: ServerInfo | None
    detail: str


def _quiet(step: str, done: float | None) -> None:
    """Show nobody how far a start is."""


class LocalServer:
    """The server of `settings.data_dir`, whichever process started it."""

    def __init__(self, settings: Settings) -> None:
        # one folder, one server: links and relative paths must not make two of it
        self._settings = settings
        self._home = Home(settings.data_dir.expanduser().resolve())

    async def ensure_started(self, progress: Progress | None = None) -> ServerInfo:
        """The running server: joined, or started, or first installed.

        It outlives this process; `stop` ends it. Errors: LocalServerError that says what to do.
        """
        report = progress or _quiet
        async with self._opening():
            return await self._joined(report) or await self._start(report)

    async def revive(self) -> ServerInfo | None:
        """The running server, started again where it ended by itself; None where somebody stopped it.

        Errors: LocalServerError that says what to do.
        """
        async with self._opening():
            died = self.has_died()
            return await self._joined(_quiet) or (await self._start(_quiet) if died else None)

    async def stop(self) -> bool:
        """End the server and wait until it is gone; False when none ran. Errors: LocalServerError."""
        if not self._home.folder.exists():
            return False
        try:
            return await self._stop()
        except OSError as error:
            raise self._explained(error) from error

    async def _stop(self) -> bool:
        async with self._exclusive():
            state = self._running()
            if state:
                in_order = await end(state.pid, state.birth, STOP_SECONDS)
                if in_order:
                    await asyncio.to_thread(keep_archive, self._home, jars_folder(self._settings))
            self._home.forget_process()
            return state is not None

    async def status(self) -> ServerStatus:
        """What the server does now; changes and starts nothing."""
        try:
            return await self._status()
        except OSError as error:
            return ServerStatus("broken", None, self._explained(error).message)

    async def _status(self) -> ServerStatus:
        home = self._home
        if state := self._running():
            return await self._running_status(state)
        if home.is_locked():
            return ServerStatus("foreign", None, f"another process has the database in {home.neo4j} open")
        try:
            home.check_version()
        except LocalServerError as error:
            return ServerStatus("broken", None, error.message)
        if home.has_data and not home.password():
            return ServerStatus("broken", None, f"the password file {home.password_file} is missing")
        if not is_installed(self._settings):
            return ServerStatus("not-installed", None, f"Neo4j {VERSION} is fetched at the first start")
        return ServerStatus("stopped", None, f"data in {home.folder}" if home.has_data else "no data yet")

    def has_died(self) -> bool:
        """Whether the server ended by itself: neither `stop` nor a start that failed ended it."""
        state = self._home.read_state()
        return state is not None and state.pid > 0 and birth(state.pid) != state.birth

    def log_tail(self, lines: int) -> str:
        """The last lines of the server's log; empty when it never ran."""
        return self._home.log_tail(lines)

    @property
    def log_file(self) -> Path:
        """The server's log."""
        return self._home.log

    @asynccontextmanager
    async def _opening(self) -> AsyncIterator[None]:
        """The sole right to start it, and faults of the data folder as errors that say what to do."""
        if sys.platform == "win32":
            raise LocalServerError(NOT_ON_WINDOWS)
        try:
            self._home.prepare()
            async with self._exclusive():
                yield
        except OSError as error:
            raise self._explained(error) from error

    async def _joined(self, report: Progress) -> ServerInfo | None:
        state = self._running()
        return await self._ready(state, report) if state else None

    def _exclusive(self) -> FileLock:
        return FileLock(self._home.lock, "another process starts or stops this Neo4j", START_SECONDS + STOP_SECONDS)

    def _running(self) -> State | None:
        """The live server of this folder, also when its note was lost with the process that started it."""
        state = self._home.read_state()
        if state and state.pid and birth(state.pid) == state.birth:
            return state
        pid = find_process(self._home.argument)
        mark = birth(pid) if pid else None
        if not state or not pid or not mark:
            return None
        return replace(state, pid=pid, birth=mark)

    async def _running_status(self, state: State) -> ServerStatus:
        try:
            answers = await self._answers(state)
        except LocalServerError as error:
            return ServerStatus("broken", None, error.message)
        where = f"Neo4j {VERSION}, process {state.pid}"
        return ServerStatus("running" if answers else "starting", self._info(state), where)

    def _info(self, state: State) -> ServerInfo:
        http = f"http://127.0.0.1:{state.http_port}"
        return ServerInfo(
            bolt_uri=f"bolt://127.0.0.1:{state.bolt_port}",
            http_uri=http,
            browser_url=f"{http}/browser/",
            username=USERNAME,
            password=self._home.password() or "",
            password_file=self._home.password_file,
            pid=state.pid,
            home=self._home.neo4j,
        )

    async def _start(self, report: Progress) -> ServerInfo:
        home = self._home
        home.check_version()
        await self._wait_for_lock()
        for name in ("heap", "page_cache"):
            checked_size(name, getattr(self._settings, name))
        java = await asyncio.to_thread(find_java, self._settings)
        jars = await install(self._settings, report)
        launcher = Launcher(home, self._settings, java, jars)
        require_space(home.folder, START_BYTES, "start Neo4j")
        home.ensure_password()
        if not home.has_data:
            report("preparing the database", None)
            home.write_conf(self._settings, BOLT_PORT, HTTP_PORT)
            await asyncio.to_thread(launcher.set_password)
        home.note_version()
        return await self._launch(launcher, report)

    async def _wait_for_lock(self) -> None:
        """Errors: LocalServerError when another process keeps the database open; a dying one has a moment."""
        end_at = time.monotonic() + _DYING_SECONDS
        while self._home.is_locked():
            if time.monotonic() > end_at:
                raise LocalServerError(
                    f"another process has the database in {self._home.neo4j} open: end it, or use another "
                    "folder with GRAPHMEM_DATA_DIR."
                )
            await asyncio.sleep(_POLL_SECONDS)

    async def _launch(self, launcher: Launcher, report: Progress) -> ServerInfo:
        noted = self._home.read_state()
        bolt = [noted.bolt_port, BOLT_PORT] if noted else [BOLT_PORT]
        http = [noted.http_port, HTTP_PORT] if noted else [HTTP_PORT]
        for _ in range(_PORT_TRIES):
            state = self._spawn(launcher, *choose_ports(bolt, http))
            if info := await self._ready(state, report):
                return info
            error = await self._ended()
            if not isinstance(error, PortTakenError):
                raise error
            log.info("a port was taken meanwhile; trying others")
            bolt = http = []
        raise LocalServerError(
            "Neo4j finds no free port on 127.0.0.1: other programs take them; end some, then run this again."
        )

    def _spawn(self, launcher: Launcher, bolt: int, http: int) -> State:
        home = self._home
        home.write_conf(self._settings, bolt, http)
        # noted before the start too: if we die in between, the next one finds the process by its argument
        home.write_state(State(bolt, http))
        home.clear_last_run()
        pid = launcher.start()
        state = State(bolt, http, pid, birth(pid) or "ended")
        home.write_state(state)
        return state

    async def _ready(self, state: State, report: Progress) -> ServerInfo | None:
        """Wait until the server takes our password; None when it ends meanwhile.

        Errors: LocalServerError when it takes too long or refuses the password.
        """
        end_at = time.monotonic() + START_SECONDS
        refused_until = time.monotonic() + _REFUSED_SECONDS
        said = False  # nothing is to be said about a server that runs
        while not await self._answers_ours(state, refused_until):
            if not said:
                report("starting Neo4j", None)
                said = True
            if birth(state.pid) != state.birth:
                return None
            if time.monotonic() > end_at:
                raise LocalServerError(
                    f"Neo4j (process {state.pid}) does not answer after {START_SECONDS:.0f} seconds: look at "
                    "`graphmem db logs`, or run `graphmem db stop` and start again."
                )
            await asyncio.sleep(_POLL_SECONDS)
        self._home.write_state(state)
        return self._info(state)

    async def _answers_ours(self, state: State, refused_until: float) -> bool:
        """Like `_answers`, but patient: another server may have taken the port, and ours is about to find out."""
        try:
            return await self._answers(state)
        except LocalServerError:
            if time.monotonic() > refused_until and birth(state.pid) == state.birth:
                raise
            return False

    async def _answers(self, state: State) -> bool:
        """Whether the database can be used. Errors: LocalServerError when the password is refused."""
        # no password is tried on a server that took the port meanwhile: three wrong ones lock its own users out
        if not await asyncio.to_thread(self._home.has_opened, state.bolt_port):
            return False
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", state.bolt_port)
            writer.close()
        except OSError:
            return False
        from neo4j import AsyncGraphDatabase
        from neo4j.exceptions import DriverError, Neo4jError

        info = self._info(state)
        driver = AsyncGraphDatabase.driver(info.bolt_uri, auth=(info.username, info.password), connection_timeout=5)
        try:
            async with driver, driver.session(database="neo4j") as session:
                # an empty transaction says that the database, not only the port, is open
                await (await session.begin_transaction()).rollback()
                return True
        except (DriverError, Neo4jError, OSError) as error:
            # three refusals in a row make Neo4j answer AuthenticationRateLimit for some seconds: refused all the same
            if isinstance(error, Neo4jError) and (error.code or "").startswith("Neo.ClientError.Security."):
                raise LocalServerError(
                    f"Neo4j refuses the password in {self._home.password_file}: put the right one there."
                ) from error
            return False

    async def _ended(self) -> LocalServerError:
        self._home.forget_process()
        text = f"{self._home.log_tail(200)}\n{self._home.console.read_text(errors='replace')[-20_000:]}"
        folder = jars_folder(self._settings)
        if broken := await asyncio.to_thread(damaged, folder):
            for jar in broken:
                (folder / jar.filename).unlink(missing_ok=True)
            names = ", ".join(jar.coordinate for jar in broken)
            return LocalServerError(f"Neo4j ended: damaged jars ({names}). Start again: they are fetched anew.")
        drop_archives(folder)
        return failure(text, "ended while it started", self._home.neo4j)

    def _explained(self, error: OSError) -> LocalServerError:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = (
            "the disk is full: free some space" if full else f"{os.strerror(error.errno or errno.EIO)}: make it usable"
        )
        return LocalServerError(
            f"the data folder {self._home.folder} cannot be used: {what}, or set GRAPHMEM_DATA_DIR."
        )
