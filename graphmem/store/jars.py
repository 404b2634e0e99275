"""The jars that make up Neo4j: their coordinates, what they must contain, and whether a folder holds them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

VERSION = "2026.09.0"
"""Release of Neo4j Community that is run."""

_MARKER = "complete.json"


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar by its Maven coordinate `group:artifact:version[:classifier]`."""

    coordinate: str
    sha256: str

    @property
    def parts(self) -> tuple[str, str, str, str]:
        """Group, artifact, version and classifier (empty when there is none)."""
        group, artifact, version, *classifier = self.coordinate.split(":")
        return group, artifact, version, "".join(classifier)

    @property
    def filename(self) -> str:
        """Name of the file in the installed folder."""
        return "-".join(part for part in self.parts[1:] if part) + ".jar"

    def is_file(self, path: Path) -> bool:
        """Whether `path` is this jar, byte for byte; reads the whole file."""
        try:
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest() == self.sha256
        except FileNotFoundError:
            return False


def _parse(text: str) -> Iterator[Jar]:
    for line in text.splitlines():
        if line and not line.startswith("#"):
            coordinate, sha256 = line.split()
            yield Jar(coordinate, sha256)


@cache
def all_jars() -> tuple[Jar, ...]:
    """Every jar that Neo4j needs, as pinned in `neo4j_jars.txt`."""
    return tuple(_parse((files(__package__) / "neo4j_jars.txt").read_text(encoding="utf-8")))


@cache
def list_id() -> str:
    """Release and a short digest of the list, so that another list means another folder."""
    lines = "".join(f"{jar.coordinate} {jar.sha256}\n" for jar in all_jars())
    return f"{VERSION}-{hashlib.sha256(lines.encode()).hexdigest()[:8]}"


def mark_complete(folder: Path) -> None:
    """Note that every jar in `folder` was checked, with the sizes."""
    sizes = {jar.filename: (folder / jar.filename).stat().st_size for jar in all_jars()}
    (folder / _MARKER).write_text(json.dumps(sizes, indent=0), encoding="utf-8")


def is_complete(folder: Path) -> bool:
    """Whether `folder` holds every jar in full, by name and size; contents were checked when installed."""
    try:
        sizes: dict[str, int] = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
        return {jar.filename for jar in all_jars()} == set(sizes) and all(
            (folder / name).stat().st_size == size for name, size in sizes.items()
        )
    except (FileNotFoundError, ValueError):
        return False


def damaged(folder: Path) -> list[Jar]:
    """Jars that are missing from `folder` or are not what they must be; reads every file, about a second."""
    return [jar for jar in all_jars() if not jar.is_file(folder / jar.filename)]
