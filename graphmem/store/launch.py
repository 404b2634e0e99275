"""The command lines of Neo4j, and what its output says when it ends."""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from graphmem.config import Settings, child_environment
from graphmem.errors import LocalServerError

from .home import Home, checked_size
from .java import VECTOR_MODULE, Java
from .process import spawn

log = logging.getLogger(__name__)

_LAST_LINES = 12
_REASONS = (
    (
        r"No space left on device|Disk quota exceeded|[Nn]ot enough (?:disk )?space",
        "the disk is full: free some space",
    ),
    (
        r"(?:Store|File)LockException|[Ll]ock file has been locked",
        "another process has the database files open: end it",
    ),
    (
        r"OutOfMemoryError|Could not reserve enough|Cannot allocate memory|insufficient memory|"
        r"Invalid memory configuration|Too small maximum heap|Invalid maximum heap size",
        "its memory does not fit: close other programs, or set GRAPHMEM_HEAP and GRAPHMEM_PAGE_CACHE",
    ),
    (r"UnsupportedClassVersionError", "the Java is too old: unset GRAPHMEM_JAVA"),
    (
        r"AccessDeniedException|Permission denied",
        "a file in the data folder is not accessible: make it so",
    ),
)
_PORT_TAKEN = re.compile(r"Address already in use|BindException|PortBind")


class PortTakenError(LocalServerError):
    """Another program took the port between our look and Neo4j's start."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """Runs Neo4j's programs with one Java on one data folder."""

    home: Home
    settings: Settings
    java: Java
    jars: Path

    def set_password(self) -> None:
        """Give the new database its password, by a file, since other users can read arguments.

        Errors: LocalServerError with what the program said.
        """
        admin = "org.neo4j.server.startup.Neo4jAdminCommand"
        command = [*self._java("-XX:TieredStopAtLevel=1"), admin, "dbms", "set-initial-password"]
        folder = self.home.neo4j
        done = subprocess.run(
            [*command, f"@{self.home.password_file}"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=folder,
            env=child_environment(NEO4J_HOME=str(folder), NEO4J_CONF=str(folder / "conf")),
        )
        if done.returncode or not (folder / "data" / "dbms" / "auth.ini").exists():
            raise failure(f"{done.stdout}\n{done.stderr}", "could not set its password", folder)

    def start(self) -> int:
        """Start the server, detached, and return its process id."""
        flags = [
            f"-Xmx{checked_size('heap', self.settings.heap)}",
            "-XX:+ExitOnOutOfMemoryError",
            *([f"--add-modules={VECTOR_MODULE}"] if self.java.has_vector else []),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            *self._archive_flags(),
        ]
        main = "org.neo4j.server.Neo4jCommunity"
        command = [*self._java(*flags), main, self.home.argument, f"--config-dir={self.home.neo4j / 'conf'}"]
        return spawn(command, self.home.console, self.home.neo4j)

    def _archive_flags(self) -> list[str]:
        """Flags that use the class data of an earlier run, which halves the start, or leave it at the end."""
        name = _archive_name(self.java)
        if name is None:
            return []
        if (self.jars / name).exists():
            return [f"-XX:SharedArchiveFile={self.jars / name}"]
        return [f"-XX:ArchiveClassesAtExit={self.home.tmp / name}"]

    def _java(self, *flags: str) -> list[str]:
        # the scratch files of Java and of JNA stay inside the data folder
        tmp = self.home.tmp
        inside = ["-XX:-UsePerfData", f"-Djava.io.tmpdir={tmp}", f"-Djna.tmpdir={tmp}"]
        return [str(self.java.path), *flags, *inside, "-cp", f"{self.jars}/*"]


def _archive_name(java: Java) -> str | None:
    """Name of the class data for this Java; None for one without class data of its own (it gains nothing)."""
    folder = java.path.resolve().parent.parent
    try:
        release = (folder / "release").read_bytes()
    except OSError:
        return None
    if not (folder / "lib" / "server" / "classes.jsa").exists():
        return None
    return f"classes-{hashlib.sha256(bytes(folder) + release).hexdigest()[:12]}.jsa"


def keep_archive(home: Home, jars: Path) -> None:
    """Keep the class data that a server left when it ended in order; without it the next start is slower."""
    for made in home.tmp.glob("classes-*.jsa"):
        draft = jars / f".{made.name}-{home.folder.stat().st_ino}"
        try:
            shutil.move(made, draft)
            draft.replace(jars / made.name)
        except OSError as error:
            log.info("the class data for faster starts is not kept: %s", error.strerror)
            draft.unlink(missing_ok=True)


def drop_archives(jars: Path) -> None:
    """Drop kept class data, in case it is what makes a start fail."""
    for archive in jars.glob("classes-*.jsa"):
        archive.unlink(missing_ok=True)


def failure(text: str, what: str, folder: Path) -> LocalServerError:
    """The error for a Neo4j that failed with this output."""
    if _PORT_TAKEN.search(text):
        return PortTakenError("a port that Neo4j needs is in use: end the program that uses it, then start again.")
    for pattern, advice in _REASONS:
        if re.search(pattern, text):
            return LocalServerError(f"Neo4j {what}: {advice}, then start again (log: `graphmem db logs`).")
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if " ERROR " in line or line.startswith("Error")]
    last = "\n".join((errors or lines)[-_LAST_LINES:])
    return LocalServerError(f"Neo4j {what}; its log is in {folder / 'logs'}. Last lines:\n{last}")
