"""Files: read, compare with what is known of each, remember what is new, retire what is no longer there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Literal

from ..errors import Conflict, DatabaseError, InvalidInput, NotFound
from ..models.episode import Extraction, RememberRequest, Source
from ..models.fact import EpisodeRef, RememberResult
from ..models.scope import Scope
from ..ports import Clock
from ..store.driver import Database
from .file_ids import FilePart, file_id, file_parts, path_of
from .find_files import Found
from .readers import DateFrom, Kind, NotAChat, file_date, parse_file, with_times
from .sources import Part, Sources

log = logging.getLogger(__name__)

BATCH = 25
"""Messages of one remember call."""
BATCH_CHARACTERS = 20_000
"""Characters of one remember call, unless one message is longer."""
SOURCE_TYPES: dict[Kind, str] = {
    "text": "document",
    "markdown": "document",
    "pdf": "document",
    "html": "web",
    "chat": "chat",
    "locomo": "chat",
}
"""What a document or a page says is reported; what is said in a chat is its speaker's own word."""
_UNREADABLE = frozenset({"extraction", "store", "scope.actor_id", "scope.session_id"})
"""Fields that are wrong for every file alike."""

Outcome = Literal["new", "changed", "same", "moved", "skipped", "failed"]
Remember = Callable[[str, RememberRequest], Awaitable[RememberResult]]
Retry = Callable[[str, str, str], Awaitable[RememberResult]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are taken in."""

    store_id: str
    actor_id: str
    session_id: str | None = None
    extraction: Extraction = "auto"
    date: datetime | None = None
    """When files were written that do not say it."""
    wait: bool = True
    dry_run: bool = False


@dataclass(slots=True)
class FileReport:
    """What became of a file; counts of episodes and facts."""

    path: str
    outcome: Outcome
    reason: str | None = None
    kind: Kind | None = None
    date_from: DateFrom | None = None
    moved_from: str | None = None
    new: int = 0
    known: int = 0
    pending: int = 0
    failed: int = 0
    gone: int = 0
    added: int = 0
    updated: int = 0
    retired: int = 0
    rejected: int = 0
    redacted: int = 0
    problems: dict[str, int] = field(default_factory=dict)

    def count(self, result: RememberResult) -> None:
        """Count what one call did."""
        for episode in result.episodes:
            self._count_episode(episode)
        for decision in result.facts:
            self.added += decision.event == "ADD"
            self.updated += decision.event == "UPDATE"
            self.retired += (decision.event == "DELETE") + len(decision.superseded)
        self.rejected += len(result.rejected)

    def _count_episode(self, episode: EpisodeRef) -> None:
        self.redacted += sum(r.count for r in episode.redacted)
        if episode.status == "failed":
            self.fail(episode.error or "failed")
        elif episode.status == "pending":
            self.pending += 1
        elif episode.duplicate:
            self.known += 1
        else:
            self.new += 1

    def fail(self, problem: str, count: int = 1) -> None:
        """Count episodes that failed, and why."""
        self.failed += count
        self.problems[problem] = self.problems.get(problem, 0) + count
        self.outcome, self.reason = "failed", "; ".join(f"{n} episodes: {p}" for p, n in self.problems.items())


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read."""

    file: str
    kind: Kind
    date_from: DateFrom
    parts: tuple[FilePart, ...]


class Files:
    """Takes files in, one after the other; what was interrupted goes on where it was."""

    def __init__(self, database: Database, clock: Clock, remember: Remember, retry: Retry) -> None:
        self._database = database
        self._clock = clock
        self._remember = remember
        self._retry = retry

    async def ingest(
        self, found: Iterable[Found], options: IngestOptions, progress: Progress | None = None
    ) -> AsyncIterator[FileReport]:
        """A report of each file; what is wrong with one does not stop the others.

        `progress` is called with a path and how many of its messages of how many are done. Errors: NotFound (store),
        InvalidInput (options), DatabaseUnavailable; the same call goes on where it ended.
        """
        for item in found:
            if item.skipped is not None:
                yield FileReport(str(item.path), "skipped", item.skipped)
            elif item.failed is not None:
                yield FileReport(str(item.path), "failed", item.failed)
            else:
                yield await self._file(item, options, progress or _quietly)

    async def _file(self, item: Found, options: IngestOptions, progress: Progress) -> FileReport:
        report = FileReport(str(item.path), "same")
        try:
            read = await asyncio.to_thread(self._read, item.path, options)
        except InvalidInput as error:
            other = isinstance(error, NotAChat) and not item.named
            report.outcome, report.reason = ("skipped" if other else "failed"), error.message
            return report
        except Exception as error:
            log.debug("reading a file", exc_info=True)
            report.outcome, report.reason = "failed", f"cannot be read ({type(error).__name__})"
            return report
        report.kind, report.date_from = read.kind, read.date_from
        work = _Work(self, Sources(self._database, self._clock, options.store_id, options.actor_id), options, read)
        try:
            await work.run(report, progress)
        except DatabaseError as error:
            if type(error) is not DatabaseError:  # it is away, and so it is for the next file
                raise
            report.fail(error.message)
        return report

    def _read(self, path: Path, options: IngestOptions) -> _Read:
        now = self._clock.now()
        document = parse_file(path, now=now)
        file = file_id(path)
        date, date_from = file_date(document, path, now, given=options.date)
        timed = with_times(document, date).messages  # ids are of what the file states: a guessed time is in none
        parts = zip(file_parts(document, file, options.session_id), timed, strict=True)
        return _Read(file, document.kind, date_from, tuple(part.at(message.occurred_at) for part, message in parts))

    async def send(self, options: IngestOptions, read: _Read, parts: Sequence[FilePart], report: FileReport) -> None:
        """Remember parts of one session in one call; where one of them is refused, each by itself."""
        request = RememberRequest(
            scope=Scope(actor_id=options.actor_id, session_id=parts[0].session_id),
            messages=tuple(part.message for part in parts),
            source=Source(type=SOURCE_TYPES[read.kind], id=read.file),
            extraction=options.extraction,
            wait=options.wait,
        )
        try:
            report.count(await self._remember(options.store_id, request))
        except InvalidInput as error:
            if error.field in _UNREADABLE:
                raise
            if len(parts) == 1:
                report.fail(error.message)
                return
            for part in parts:
                await self.send(options, read, [part], report)

    async def again(self, options: IngestOptions, left: Sequence[Part], report: FileReport) -> None:
        """Process what an earlier run left behind, call by call."""
        tried: set[str] = set()
        for part in left:
            if part.id in tried:
                continue
            try:
                result = await self._retry(options.store_id, options.actor_id, part.id)
            except (Conflict, NotFound):  # processed or erased meanwhile
                continue
            tried.update(episode.id for episode in result.episodes)
            report.count(result)


@dataclass(frozen=True, slots=True)
class _Work:
    """One file beside what the graph holds of it."""

    files: Files
    sources: Sources
    options: IngestOptions
    read: _Read

    async def run(self, report: FileReport, progress: Progress) -> None:
        """Bring the graph to what the file says."""
        known = await self.sources.parts(self.read.file)
        if not known and (old := await self._former()):
            report.moved_from, report.outcome = old, "moved"
            known = await self.sources.parts(old)
            report.known = len(known)
            if not self.options.dry_run:
                await self.sources.move(known, old, self.read.file)
            return
        held = {(part.session_id, part.source_id): part for part in known}
        fresh = [part for part in self.read.parts if not _is_held(part, held)]
        here = {part.key for part in self.read.parts}
        gone = [part for part in known if (part.session_id, part.source_id) not in here]
        left = [part for part in known if part.status != "processed" and (part.session_id, part.source_id) in here]
        report.gone, report.known = len(gone), len(self.read.parts) - len(fresh) - len(left)
        if self.options.dry_run:
            report.new = len(fresh) + len(left)
        else:
            await self._bring(report, progress, fresh, left)
            await self._retire(report, gone)
        if report.outcome != "failed" and (report.new or report.pending or gone):
            report.outcome = "changed" if known else "new"

    async def _bring(
        self, report: FileReport, progress: Progress, fresh: Sequence[FilePart], left: Sequence[Part]
    ) -> None:
        total = len(self.read.parts)
        done = total - len(fresh)
        progress(report.path, done, total)
        if self.options.wait:
            await self.files.again(self.options, left, report)
        else:
            report.pending += len(left)
        for batch in _batches(fresh):
            await self.files.send(self.options, self.read, batch, report)
            done += len(batch)
            progress(report.path, done, total)

    async def _retire(self, report: FileReport, gone: Sequence[Part]) -> None:
        """What is gone ends when what has come in its place is there; else the next run ends it."""
        if report.failed:
            return
        ready = [part for part in gone if self.options.wait or part.status != "pending"]
        report.retired += await self.sources.retire(ready)

    async def _former(self) -> str | None:
        """The id under which exactly this content is known, of a file that is no longer there."""
        own = sorted(_mark(part.message.id or "", self.read.file) for part in self.read.parts)
        hashes = [self.read.parts[i].content_hash for i in (0, len(own) // 2, -1)]
        for source in await self.sources.holding(hashes):
            path = path_of(source)
            if path is None or await asyncio.to_thread(_may_exist, path):
                continue
            parts = await self.sources.parts(source)
            if sorted(_mark(part.source_id, source) for part in parts) == own and _same_places(parts, self.read.parts):
                return source
        return None


def _is_held(part: FilePart, held: dict[tuple[str | None, str], Part]) -> bool:
    """Whether the graph holds these words under this id."""
    known = held.get((part.session_id, part.message.id or ""))
    return known is not None and known.content_hash == part.content_hash


def _may_exist(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # it is in a folder that this user may not read
        return True


def _mark(part_id: str, source: str) -> str:
    return part_id.removeprefix(source)


def _same_places(known: Sequence[Part], parts: Sequence[FilePart]) -> bool:
    """Whether the sessions are those that the file would have now, and the words those of its own ids."""
    return sorted((p.session_id or "", p.content_hash) for p in known) == sorted(
        (p.session_id or "", p.content_hash) for p in parts
    )


def _batches(parts: Iterable[FilePart]) -> Iterator[list[FilePart]]:
    """Calls of one session each, in order."""
    for _, run in groupby(parts, key=lambda part: part.session_id):
        batch: list[FilePart] = []
        size = 0
        for part in run:
            length = len(part.message.content)
            if batch and (len(batch) == BATCH or size + length > BATCH_CHARACTERS):
                yield batch
                batch, size = [], 0
            batch.append(part)
            size += length
        yield batch


def _quietly(path: str, done: int, total: int) -> None:
    """Show no progress."""
