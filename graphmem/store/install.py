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
    return settings.cache_dir / f"neo4j-{list_id()}"


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
        settings.cache_dir.mkdir(parents=True, exist_ok=True)
        async with FileLock(
            settings.cache_dir / "install.lock", "another process installs Neo4j", LOCK_SECONDS
        ):
            if not is_complete(folder):
                await _install(folder, progress or (lambda step, done: None))
    except OSError as error:
        raise _explained(error, settings.cache_dir) from error
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
    """Put `jar` into `target`; a copy that is not what it must be is dropped and fetched once more.

    Errors: LocalServerError that names the jar.
    """
    for source in _sources():
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=target) as folder:
            copy = Path(folder) / "checked.jar"
            shutil.copyfile(_resolve(jar, source, Path(folder)), copy)
            if jar.is_file(copy):
                copy.replace(target / jar.filename)
                return
        log.warning("a copy of the jar %s is damaged; trying again", jar.coordinate)
    raise LocalServerError(
        f"the jar {jar.coordinate} arrives cut short or changed (SHA-256 differs from the pinned one). "
        "Check the network and the Maven repository in use, then run it again: only this jar is fetched anew."
    )


def _sources() -> Iterator[list[Path]]:
    """Local Maven repositories to look in before the network: the user's own first, then none, twice."""
    from jgo.config import GlobalSettings

    yield [Path(GlobalSettings.load().repo_cache)]
    yield []
    yield []


def _resolve(jar: Jar, local: list[Path], scratch: Path) -> Path:
    """The jar's file, found in `local` or fetched into `scratch`."""
    group, artifact, version, classifier = jar.parts
    try:
        component = _maven(local, scratch).project(group, artifact).at_version(version)
        return Path(component.artifact(classifier).resolve())
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EACCES):
            raise
        reason = type(error).__name__
        raise LocalServerError(_failed(jar, reason)) from error
    except RuntimeError as error:  # what jgo raises when no repository has it
        raise LocalServerError(_failed(jar, "no repository has it")) from error


def _maven(local: list[Path], scratch: Path) -> Any:
    """A Maven context that writes below `scratch` only; the user's jgo repositories come first."""
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext

    remote = {**GlobalSettings.load().repositories, "central": MAVEN_CENTRAL_URL}
    return MavenContext(repo_cache=scratch / "maven", local_repos=local, remote_repos=remote, timeout=TIMEOUT)


def _failed(jar: Jar, reason: str) -> str:
    return (
        f"fetching the jar {jar.coordinate} failed ({reason}). "
        "Check the network connection and run it again: it goes on where it stopped."
    )


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
