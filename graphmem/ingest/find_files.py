"""Which files of a folder are read: in order, without what is hidden and without links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from ..errors import InvalidInput
from .readers import SUFFIXES


@dataclass(frozen=True, slots=True)
class Found:
    """A file, or one that is left out for `skipped`."""

    path: Path
    size: int = 0
    named: bool = False
    """Whether it was named itself, not found in a folder."""
    skipped: str | None = None
    failed: str | None = None


def find_files(paths: Sequence[Path], include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[Found]:
    """Files that are named and those of folders that are named, each once.

    A pattern is compared with a file's name and with its path below the folder, `*` also across `/`; one that is
    excluded may be a folder. Errors: InvalidInput (there is no such file or folder).
    """
    found: dict[Path, Found] = {}
    for path in paths:
        for item in _below(path, include, exclude):
            found.setdefault(item.path, item)
    return list(found.values())


def _below(path: Path, include: Sequence[str], exclude: Sequence[str]) -> Iterator[Found]:
    try:
        place = path.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"there is no file or folder {path}", field="path") from None
    except (OSError, RuntimeError) as error:  # a link to itself is a RuntimeError before Python 3.13
        yield Found(path.absolute(), named=True, failed=_why(error))
        return
    if place.is_dir():
        yield from _folder(place, place, include, exclude)
    else:
        yield Found(place, _size(place), named=True)


def _folder(path: Path, root: Path, include: Sequence[str], exclude: Sequence[str]) -> Iterator[Found]:
    """What stands in a folder and its folders, in the order of names."""
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError as error:
        yield Found(path, failed=_why(error))
        return
    yield from _entries(entries, root, include, exclude)


def _entries(
    entries: Iterable[os.DirEntry[str]], root: Path, include: Sequence[str], exclude: Sequence[str]
) -> Iterator[Found]:
    for entry in entries:
        path = Path(entry.path)
        place = path.relative_to(root).as_posix()
        if entry.name.startswith(".") or _matches(place, exclude):
            continue
        if entry.is_symlink():
            if not include or _matches(place, include):
                yield Found(path, skipped="a link; what it leads to is read where it stands, or when it is named")
        elif entry.is_dir():
            yield from _folder(path, root, include, exclude)
        elif not include or _matches(place, include):
            yield Found(path, _size(path), skipped=_unreadable(entry, path, asked=bool(include)))


def _unreadable(entry: os.DirEntry[str], path: Path, *, asked: bool) -> str | None:
    """Why a file of a folder is not read; one that a pattern asks for may have any ending."""
    if not entry.is_file():
        return "not a regular file"
    if path.suffix.lower() in SUFFIXES or asked:
        return None
    return f"{path.suffix} is not read" if path.suffix else "has no ending that says what it is"


def _matches(place: str, patterns: Sequence[str]) -> bool:
    name = place.rpartition("/")[2]
    return any(fnmatch(name, p) or fnmatch(place, p) or fnmatch(place, p.rstrip("/")) for p in patterns)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _why(error: OSError | RuntimeError) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read: {reason or 'links in a circle'}"
