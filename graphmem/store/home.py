"""The data folder of the managed Neo4j: its files, its configuration, and what is remembered about it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import sys
from collections import deque
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from graphmem.config import Settings
from graphmem.errors import ConfigurationError, LocalServerError

from .jars import VERSION

_SIZE = re.compile(r"[1-9]\d*[kmg]", re.IGNORECASE)
_TAIL_BYTES = 1_000_000

_CONF = """\
# Written at every start; changes made here are lost.
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt}
server.bolt.advertised_address=127.0.0.1:{bolt}
server.http.listen_address=127.0.0.1:{http}
server.http.advertised_address=127.0.0.1:{http}
server.https.enabled=false
server.memory.heap.max_size={heap}
server.memory.pagecache.size={page_cache}
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
dbms.fleet_manager.enabled=false
server.fleet_discovery.enabled=false
# Neo4j Browser does not report how it is used
client.allow_telemetry=false
# a plan costs more than running it, and the counts of a small graph change all the time
dbms.cypher.min_replan_interval=10m
db.tx_log.rotation.size=64M
db.tx_log.rotation.retention_policy=128M size
# without it every stop waits ten seconds for new requests
internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=0s
"""


@dataclass(frozen=True, slots=True)
class State:
    """The last server of a data folder: its ports, and its process while it runs."""

    bolt_port: int
    http_port: int
    pid: int = 0
    birth: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below one data folder."""

    folder: Path

    @property
    def neo4j(self) -> Path:
        """Home folder of Neo4j: `conf`, `data`, `logs`, `tmp`."""
        return self.folder / "neo4j"

    @property
    def lock(self) -> Path:
        """Held by the process that starts or stops the server."""
        return self.folder / "server.lock"

    @property
    def password_file(self) -> Path:
        """The password of the user `neo4j`, one line, readable by its owner only."""
        return self.folder / "neo4j.password"

    @property
    def console(self) -> Path:
        """What the Java process prints."""
        return self.neo4j / "logs" / "console.log"

    @property
    def tmp(self) -> Path:
        """Scratch files of the server, emptied before a start."""
        return self.neo4j / "tmp"

    @property
    def log(self) -> Path:
        """What Neo4j logs since its last start."""
        return self.neo4j / "logs" / "neo4j.log"

    @property
    def store_lock(self) -> Path:
        """Locked by Neo4j while it runs."""
        return self.neo4j / "data" / "databases" / "store_lock"

    @property
    def argument(self) -> str:
        """The argument by which the server of this folder is known among all processes."""
        return f"--home-dir={self.neo4j}"

    @property
    def has_data(self) -> bool:
        """Whether Neo4j was ever started here."""
        return (self.neo4j / "data" / "databases" / "system").exists()

    def prepare(self) -> None:
        """Make the folders, for their owner only."""
        fresh = not self.folder.exists() or not any(self.folder.iterdir())
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if fresh:
            self.folder.chmod(0o700)
        self.neo4j.mkdir(exist_ok=True, mode=0o700)
        self.neo4j.chmod(0o700)
        for name in ("conf", "data", "logs", "tmp"):
            (self.neo4j / name).mkdir(exist_ok=True, mode=0o700)

    def read_state(self) -> State | None:
        """The last server, as noted; None when nothing readable is noted."""
        try:
            return State(**json.loads((self.folder / "server.json").read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def write_state(self, state: State) -> None:
        """Note the server."""
        _write(self.folder / "server.json", json.dumps(asdict(state)))

    def forget_process(self) -> None:
        """Note that no server runs; its ports stay noted."""
        state = self.read_state()
        if state and state.pid:
            # a process that is gone is recognised without the note, so a full disk must not stop a stop
            with contextlib.suppress(OSError):
                self.write_state(replace(state, pid=0, birth=""))

    def password(self) -> str | None:
        """The password, when one was made."""
        try:
            return self.password_file.read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None

    def ensure_password(self) -> str:
        """The password, made when the folder is new. Errors: LocalServerError when it is lost."""
        if found := self.password():
            return found
        if self.has_data:
            raise LocalServerError(
                f"the password of the Neo4j in {self.folder} is lost: put it back into {self.password_file}, "
                "or use another folder with GRAPHMEM_DATA_DIR."
            )
        made = secrets.token_hex(20)  # letters and digits: nothing that a command line reads as an option
        _write(self.password_file, f"{made}\n")
        return made

    def check_version(self) -> None:
        """Errors: LocalServerError when the data is of a release that this one cannot open."""
        found = self._noted_version()
        if found is None and self.has_data:
            raise LocalServerError(
                f"{self.neo4j} holds a Neo4j database that graphmem did not make: use another folder with "
                "GRAPHMEM_DATA_DIR, or run that database yourself and set NEO4J_URI."
            )
        if found is not None and not _can_open(found):
            raise LocalServerError(
                f"the data in {self.folder} is of Neo4j {found}, and this graphmem runs {VERSION}: "
                "install the graphmem that made it, or use another folder with GRAPHMEM_DATA_DIR."
            )

    def _noted_version(self) -> str | None:
        try:
            return (self.folder / "neo4j.version").read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    def note_version(self) -> None:
        """Note that the data is of this release from now on."""
        if self._noted_version() != VERSION:
            _write(self.folder / "neo4j.version", f"{VERSION}\n")

    def write_conf(self, settings: Settings, bolt: int, http: int) -> None:
        """Write `neo4j.conf` for these settings and ports."""
        heap, page_cache = (
            checked_size("heap", settings.heap),
            checked_size("page_cache", settings.page_cache),
        )
        text = _CONF.format(bolt=bolt, http=http, heap=heap, page_cache=page_cache)
        _write(self.neo4j / "conf" / "neo4j.conf", text)

    def clear_last_run(self) -> None:
        """Set the last run's log aside, so that it is not taken for news, and empty the scratch folder."""
        shutil.rmtree(self.tmp, ignore_errors=True)
        self.tmp.mkdir(exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            self.log.replace(self.log.with_suffix(".previous.log"))
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.touch(mode=0o600)  # empty until this run says something, see `has_opened`

    def has_opened(self, port: int) -> bool:
        """Whether the server says that it is the one behind this port; True also where its log is gone."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return True
        return any("Bolt enabled" in line and line.rstrip(". ").endswith(f":{port}") for line in text.splitlines())

    def log_tail(self, lines: int) -> str:
        """The last lines of Neo4j's log, and of what Java printed when Neo4j logged nothing."""
        return _tail(self.log, lines) or _tail(self.console, lines)

    def is_locked(self) -> bool:
        """Whether some process has the database files open."""
        if sys.platform == "win32":
            return False
        import fcntl

        try:
            with self.store_lock.open("r+b") as stream:
                fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except (BlockingIOError, PermissionError):
            return True
        return False


def checked_size(name: str, value: str) -> str:
    """`value` when it is a size such as 512m or 1g. Errors: ConfigurationError that names the variable."""
    if not _SIZE.fullmatch(value):
        raise ConfigurationError(f"GRAPHMEM_{name.upper()} is {value!r}: give a size such as 512m or 1g.")
    return value.lower()


def _can_open(version: str) -> bool:
    """Neo4j opens data of its own and of earlier releases of the year-numbered line."""
    try:
        found, ours = (tuple(map(int, text.split("."))) for text in (version, VERSION))
    except ValueError:
        return False
    return (2025,) <= found <= ours


def _write(path: Path, text: str) -> None:
    """Replace the file at once, readable by its owner only, so that a reader never sees half of it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _tail(path: Path, lines: int) -> str:
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            text = stream.read().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(deque(text.splitlines(), maxlen=lines))
