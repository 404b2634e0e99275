"""Taking in files: what comes in, and what became of each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .base import MAX_TEXT, Model
from .episode import Extraction
from .fact import EpisodeRef, Usage
from .note import MAX_PATH, FileDone
from .redaction import Redacted
from .scope import Scope

MAX_FILES = 500
"""Files of one import call."""
MAX_FILE = 2 * MAX_TEXT
"""Characters of one file of an import call; its body has to fit into a note, which takes half of that."""


class ImportFile(Model):
    """One file; what is wrong with its path or text fails this file alone."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATH)] = Field(
        description="Its place in the folder, such as `people/Freya Lundahl.md`; also the `source_id` of its text.",
        examples=["people/Freya Lundahl.md"],
    )
    content: Annotated[str, StringConstraints(max_length=MAX_FILE)] = Field(
        description="The whole file, with its front matter."
    )


class ImportRequest(Model):
    """Body of `POST …/import`."""

    scope: Scope
    format: Literal["markdown", "mcp-memory"] = Field(
        "markdown",
        description="`mcp-memory`: JSON lines of the reference MCP memory server; each observation and relation "
        "becomes a fact, and `extraction`, `notes_only` and `auto_link` are not used.",
    )
    files: Annotated[tuple[ImportFile, ...], Field(min_length=1, max_length=MAX_FILES)]
    extraction: Extraction = "auto"
    notes_only: bool = Field(False, description="Write the notes and do not remember their text.")
    auto_link: bool = Field(True, description="Propose links between notes beside those that they hold.")
    wait: bool = Field(True, description="False: answer when all is saved, before facts are looked for.")


class LineProblem(Model):
    """A line, or a part of one, that was not taken in as it stands."""

    line: int = Field(description="Its number in the file, from 1.")
    reason: str = Field(description="Which field is wrong and how; never a value.")
    taken: bool = Field(False, description="The rest of the line was taken in.")


class ImportedFile(FileDone):
    """What became of one file of an import."""

    note_id: str | None = None
    episode: EpisodeRef | None = None
    facts: int = Field(0, description="Facts that were added or changed, or that its text says again.")
    redacted: tuple[Redacted, ...] = Field((), description="Secrets that were taken out before anything was stored.")
    problems: tuple[LineProblem, ...] = Field((), description="Of `mcp-memory`: lines that were not taken in.")


class ImportResult(Model):
    """Answer of `POST …/import`: every file in the order of the call."""

    files: tuple[ImportedFile, ...]
    counts: dict[str, int] = Field(description="How many files have each outcome.")
    usage: Usage
