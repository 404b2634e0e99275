"""Fetches Neo4j: every jar by its coordinate, checked, and in place only when all are."""

from __future__ import annotations

import asyncio
import errno
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphmem.config import Settings
from graphmem.errors import LocalServerError

from .filelock import FileLock
from .jars import Jar, damaged, is_complete, list_id, mark_complete

Progress = Callable[[str, float | None], None]
"""Called with a step and how much of it is done, 0 to 1, or None when unknown."""

PARALLEL = 4
INSTALL_BYTES = 500_000_000
"""Free space that an installation needs: the jars, and the copies in flight."""
TIMEOUT = 30
"""Seconds without an answer from the repository."""
LOCK_SECONDS = 1800.0
_SCRATCH = ".fetch-"

log = logging.getLogger(__name__)


def jars_folder(settings: Settings) -> Path:
    """Where the jars of this release are, once installed."""
    # absolute, since Neo4j runs in another folder
    return settings.cache_dir.expanduser().absolute() / f"neo4j-{list_id()}"


def is_installed(settings: Settings) -> bool:
    """Whether Neo4j is there in full."""
    return is_complete(jars_folder(settings))


async def install(settings: Settings, progress: Progress | None = None) -> Path:
    """The folder with the jars, fetched when they are not all there; needs no network once they are.

    A jar that is missing, cut short or changed is fetched again. Two processes wait for each other.
    Errors: LocalServerError when the disk is too full, a download fails, or a jar stays wrong.
    """
    folder = jars_folder(settings)
    if await asyncio.to_thread(is_complete, folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        async with FileLock(folder.parent / "install.lock", "another process installs Neo4j", LOCK_SECONDS):
            if not is_complete(folder):
                await _install(folder, progress or (lambda step, done: None))
    except OSError as error:
        raise _explained(error, folder.parent) from error
    return folder


async def _install(folder: Path, progress: Progress) -> None:
    progress("checking the Neo4j jars", None)
    target = await asyncio.to_thread(_prepare, folder)
    missing = await asyncio.to_thread(damaged, target)
    if missing:
        require_space(target, INSTALL_BYTES, "install Neo4j")
    await _fetch_all(missing, target, progress)
    mark_complete(target)
    if target != folder:
        target.rename(folder)


def _prepare(folder: Path) -> Path:
    """The folder to fetch into: beside `folder`, or `folder` itself when a server may run from it."""
    target = folder if folder.exists() else folder.with_name(f"{folder.name}.part")
    target.mkdir(exist_ok=True)
    for leftover in target.glob(f"{_SCRATCH}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    return target


async def _fetch_all(jars: list[Jar], target: Path, progress: Progress) -> None:
    slots = asyncio.Semaphore(PARALLEL)

    async def fetch(jar: Jar) -> None:
        if (target / jar.filename).exists():
            log.warning("the jar %s is damaged and is fetched again", jar.coordinate)
        async with slots:
            await asyncio.to_thread(fetch_jar, jar, target)

    tasks = [asyncio.create_task(fetch(jar)) for jar in jars]
    try:
        for count, task in enumerate(asyncio.as_completed(tasks), 1):
            await task
            progress("fetching Neo4j", count / len(jars))
    finally:
        for pending in tasks:
            pending.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def fetch_jar(jar: Jar, target: Path) -> None:
    """Put `jar` into `target`; what arrives cut short or changed is dropped and fetched again.

    Errors: LocalServerError that names the jar, when it does not arrive whole in three tries.
    """
    problem = ""
    for local in _local_repositories():
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=target) as scratch:
            copy = Path(scratch) / "checked.jar"
            problem = _copy(jar, local, copy)
            if not problem:
                copy.replace(target / jar.filename)
                return
        log.warning("the jar %s: %s; trying again", jar.coordinate, problem)
    raise LocalServerError(
        f"the jar {jar.coordinate} cannot be fetched: {problem}. Check the network connection and the Maven "
        "repository in use, then run it again: it goes on where it stopped."
    )


def _local_repositories() -> Iterator[list[Path]]:
    """Where to look before the network, one list a try: the user's own Maven repository only at first."""
    from jgo.config import GlobalSettings

    yield [Path(GlobalSettings.load().repo_cache)]
    yield []
    yield []


def _copy(jar: Jar, local: list[Path], copy: Path) -> str:
    """Make `copy` from `local` or the network and check it; the answer says what is wrong with it."""
    group, artifact, version, classifier = jar.parts
    try:
        component = _maven(local, copy.parent).project(group, artifact).at_version(version)
        shutil.copyfile(component.artifact(classifier).resolve(), copy)
    except OSError as error:  # those of the network have no number
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EACCES):
            raise
        return f"the download ends early or fails ({type(error).__name__})"
    except RuntimeError:  # what jgo raises then
        return "no repository has it"
    return "" if jar.is_file(copy) else "it arrives cut short or changed (its SHA-256 is not the pinned one)"


def _maven(local: list[Path], scratch: Path) -> Any:
    """A Maven context that writes below `scratch` only; the user's jgo repositories come first."""
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext

    remote = dict(GlobalSettings.load().repositories)
    remote.setdefault("central", MAVEN_CENTRAL_URL)
    return MavenContext(repo_cache=scratch / "maven", local_repos=local, remote_repos=remote, timeout=TIMEOUT)


def require_space(folder: Path, needed: int, purpose: str) -> None:
    """Errors: LocalServerError when the disk of `folder` has fewer than `needed` bytes free."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise LocalServerError(
            f"the disk is too full to {purpose}: {folder} has {free // 1_000_000} MB free and "
            f"{needed // 1_000_000} MB are needed. Free some space, or choose another folder "
            "with GRAPHMEM_DATA_DIR and GRAPHMEM_CACHE_DIR."
        )


def _explained(error: OSError, folder: Path) -> LocalServerError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what = "the disk is full: free some space"
    else:
        what = f"{error.strerror or type(error).__name__}: make it writable"
    return LocalServerError(f"Neo4j cannot be installed in {folder}: {what}, or set GRAPHMEM_CACHE_DIR.")
