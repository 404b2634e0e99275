"""`graphmem ingest`: folders and files remembered, with progress; run again, it goes on where it was."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from cyclopts import Parameter

from graphmem.errors import InvalidInput

from .common import (
    DEFAULT_ACTOR,
    DEFAULT_STORE,
    NO_OPTIONS,
    Actor,
    Common,
    Json,
    Store,
    load_settings,
    open_memory,
    parse_time,
)
from .failures import UsageError
from .output import clean, print_json, shorten, stderr, stdout

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from graphmem.ingest.files import FileReport, IngestOptions
    from graphmem.ingest.find_files import Found

Patterns = list[str] | None
SHOWN = 20
"""Files left out that are named one by one."""
_FACTS = ("added", "updated", "retired", "rejected")
_EPISODES = ("new", "known", "pending", "failed", "gone")


async def ingest(
    paths: Annotated[list[Path], Parameter(help="Folders and files.", negative=())],
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    session: Annotated[str | None, Parameter(help="Session of what names none itself.")] = None,
    extraction: Annotated[
        Literal["auto", "llm", "offline", "none"], Parameter(help="What reads the facts from the text.")
    ] = "auto",
    include: Annotated[Patterns, Parameter(help="Only files of folders that match, such as *.md.", negative=())] = None,
    exclude: Annotated[Patterns, Parameter(help="Not what matches: files or folders.", negative=())] = None,
    date: Annotated[str | None, Parameter(help="When files were written that do not say it.")] = None,
    dry_run: Annotated[bool, Parameter(negative=(), help="Say what would be done; store nothing.")] = False,
    wait: Annotated[bool, Parameter(negative="--no-wait", help="Find the facts now; else a worker does later.")] = True,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Remember text, Markdown, HTML, PDF and chat files; what is known already is not remembered again."""
    from graphmem.ingest.files import IngestOptions
    from graphmem.ingest.find_files import find_files
    from graphmem.models.scope import Scope

    Scope(actor_id=actor, session_id=session)
    options = IngestOptions(
        store_id=store,
        actor_id=actor,
        session_id=session,
        extraction=extraction,
        date=parse_time("--date", date),
        wait=wait,
        dry_run=dry_run,
    )
    settings = load_settings(common)
    try:
        found = find_files(paths, include or (), exclude or ())
    except InvalidInput as error:
        raise UsageError(error.message) from error
    async with open_memory(settings) as memory:
        await memory.get_store(store)
        reports = await _run(memory.files.ingest, found, options, quiet=as_json)
    if as_json:
        print_json(_summary(reports, options))
    else:
        _show(reports, options)
    return int(any(report.outcome == "failed" for report in reports))


async def _run(ingest: Any, found: Sequence[Found], options: IngestOptions, *, quiet: bool) -> list[FileReport]:
    reports: list[FileReport] = []
    try:
        with Bar(found, quiet=quiet) as bar:
            async for report in ingest(found, options, bar.message):
                reports.append(report)
                bar.file(report)
    except (KeyboardInterrupt, asyncio.CancelledError):
        stderr().print(f"interrupted after {len(reports)} of {len(found)} files; the same command goes on from there")
        raise
    return reports


class Bar:
    """Files and messages on standard error; nothing when that is no terminal."""

    def __init__(self, found: Sequence[Found], *, quiet: bool) -> None:
        self._sizes = {str(item.path): max(1, item.size) for item in found}
        self._quiet = quiet or not sys.stderr.isatty()
        self._finished = self._messages = self._files = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if not self._quiet:
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            shown = TextColumn("{task.fields[files]}/{task.fields[of]} files  {task.fields[rate]} messages/s")
            columns = (TextColumn("{task.description}"), BarColumn(), shown, TimeElapsedColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=stderr())
            total = sum(self._sizes.values())
            self._task = self._progress.add_task("ingest", total=total, files=0, of=len(self._sizes), rate="–")
            self._progress.start()
        return self

    def message(self, path: str, done: int, total: int) -> None:
        """Show that `done` of the `total` messages of a file are done."""
        self._update(path, self._sizes.get(path, 0) * done / max(1, total), done)

    def file(self, report: FileReport) -> None:
        """Show that a file is done."""
        self._files += 1
        self._finished += self._sizes.get(report.path, 0)
        self._messages += report.new
        self._update(report.path, 0, 0)

    def _update(self, path: str, part: float, messages: int) -> None:
        if self._progress is None or self._task is None:
            return
        elapsed = self._progress.tasks[0].elapsed or 0.0
        rate = f"{(self._messages + messages) / elapsed:.1f}" if elapsed >= 1 else "–"
        name = shorten(Path(path).name, 24)
        done = self._finished + part
        self._progress.update(self._task, completed=done, description=name, files=self._files, rate=rate)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _summary(reports: Sequence[FileReport], options: IngestOptions) -> dict[str, Any]:
    files = Counter(dict.fromkeys(("new", "changed", "same", "moved", "skipped", "failed"), 0))
    files.update(report.outcome for report in reports)
    return {
        "dry_run": options.dry_run,
        "files": dict(files),
        "episodes": _total(reports, _EPISODES),
        "facts": _total(reports, _FACTS),
        "results": [{k: v for k, v in asdict(r).items() if v is not None and k != "problems"} for r in reports],
    }


def _total(reports: Sequence[FileReport], names: Sequence[str]) -> dict[str, int]:
    return {name: sum(getattr(report, name) for report in reports) for name in names}


def _show(reports: Sequence[FileReport], options: IngestOptions) -> None:
    _show_left_out([report for report in reports if report.outcome == "skipped"])
    for report in reports:
        if report.outcome == "failed":
            stderr().print(f"failed: {clean(report.path)}: {clean(report.reason or '')}", soft_wrap=True)
    summary, console = _summary(reports, options), stdout()
    if options.dry_run:
        console.print("nothing is stored (--dry-run); it would be:")
    console.print("files     " + _counts(summary["files"]))
    console.print("episodes  " + _counts(summary["episodes"]))
    if not options.dry_run:
        console.print("facts     " + _counts(summary["facts"]))
    for note in _notes(reports, options):
        console.print(note)


def _show_left_out(reports: Sequence[FileReport]) -> None:
    for report in reports[:SHOWN]:
        stderr().print(f"skipped: {clean(report.path)}: {clean(report.reason or '')}", soft_wrap=True)
    if len(reports) > SHOWN:
        endings = Counter(Path(report.path).suffix or "no ending" for report in reports[SHOWN:])
        more = ", ".join(f"{count} {clean(ending)}" for ending, count in endings.most_common(8))
        stderr().print(f"skipped: {len(reports) - SHOWN} more ({more}); --json names them all", soft_wrap=True)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items())


def _notes(reports: Sequence[FileReport], options: IngestOptions) -> list[str]:
    """What a user should know beside the counts."""
    notes = []
    if guessed := sum(report.date_from == "changed" for report in reports):
        notes.append(f"{guessed} files state no date: dated by their last change, or by --date where you give it")
    if redacted := sum(report.redacted for report in reports):
        notes.append(f"{redacted} secrets were taken out before anything was stored")
    if not options.wait and any(report.pending for report in reports):
        notes.append("pending episodes are read by a running `graphmem serve`, or by this command without --no-wait")
    return notes
