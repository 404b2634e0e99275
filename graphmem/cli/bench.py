"""`graphmem bench`: recall and remember beside the bare driver, and where the time of remembering goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from .bench_plugins import agent_framework
from .bench_recall import recall
from .common import NO_OPTIONS, Common, Json, load_settings, open_memory
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from graphmem.eval.bench import Comparison, Report
    from graphmem.eval.pace import Pace
    from graphmem.eval.queue import Load
    from graphmem.models.episode import RememberRequest

bench = App(name="bench", help="Measure recall and remember on this machine.", help_format="plaintext")
bench.command(recall, name="recall")
bench.command(agent_framework, name="agent-framework")


@bench.default
async def beside_driver(
    *,
    facts: Annotated[
        int, Parameter(help="Facts to remember in each round.", validator=Number(gte=10, lte=50_000))
    ] = 1000,
    batch: Annotated[
        int, Parameter(help="Facts in one call, and in one bare load.", validator=Number(gte=1, lte=500))
    ] = 250,
    rounds: Annotated[int, Parameter(help="Rounds of remembering.", validator=Number(gte=1, lte=100))] = 5,
    recalls: Annotated[int, Parameter(help="Recalls to measure.", validator=Number(gte=5, lte=10_000))] = 60,
    growth: Annotated[
        bool, Parameter(negative=(), help="Instead: remember one fact at 1,000 and at 100,000 facts.")
    ] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Measure recall and remember beside the bare driver; 1 when a goal is not reached."""
    if growth:
        return await _growth(as_json=as_json, common=common)
    from graphmem.eval.bench import Plan, run

    with Stages() as stages:
        report = await run(load_settings(common), Plan(facts, batch, rounds, recalls), stages)
    if as_json:
        print_json(report)
    else:
        _show(report)
    return 0 if report.recall.reached and report.remember.reached else 1


def _show(report: Report) -> None:
    from rich.table import Table

    table = Table()
    for name in ("", "graphmem", "bare", "ratio", "goal", ""):
        table.add_column(name, justify="left" if name == "" else "right")
    for title, row in (("recall p50", report.recall), ("remember", report.remember)):
        table.add_row(*_cells(title, row))
    stdout().print(table)
    stdout().print(
        f"{report.recalls} recalls over {report.facts} facts; "
        f"{report.nodes} nodes and {report.relationships} relationships in each load"
    )


def _cells(title: str, row: Comparison) -> tuple[str, ...]:
    figures = (f"{value:.1f} {row.unit}" for value in (row.graphmem, row.bare))
    return (title, *figures, f"{row.ratio:.2f}", row.goal, "ok" if row.reached else "missed")


async def _growth(*, as_json: bool, common: Common) -> int:
    from graphmem.eval.growth import GOAL, measure

    async with open_memory(load_settings(common)) as memory:
        with Stages() as stages:
            found = await measure(memory, progress=stages)
    if as_json:
        print_json(found)
    else:
        stdout().print(
            f"one fact with a rival: {found.small_ms:.1f} ms at {found.small:,} facts, {found.large_ms:.1f} ms at "
            f"{found.large:,}: ratio {found.ratio:.2f} (goal <= {GOAL:.0f})"
        )
    return 0 if found.reached else 1


@bench.command(name="remember")
async def remember(
    *,
    file: Annotated[
        Path | None, Parameter(help="A LoCoMo conversation, or what demo --file takes; default: the shipped ones.")
    ] = None,
    copies: Annotated[
        int, Parameter(help="Owners that remember the shipped conversations.", validator=Number(gte=1, lte=100))
    ] = 5,
    one_by_one: Annotated[
        bool, Parameter(negative=(), help="Read no call before the one before it is written, to compare.")
    ] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Remember a conversation offline and show where the time goes; 1 below 25 turns a second."""
    from graphmem.eval.pace import measure

    requests = _file_requests(file) if file is not None else _shipped_requests(copies)
    with Stages() as stages:
        found = await measure(load_settings(common), requests, stages, one_by_one=one_by_one)
    if as_json:
        print_json(found)
    else:
        _show_pace(found)
    return 0 if found.reached else 1


@bench.command(name="recall-under-load")
async def recall_under_load(
    *,
    pending: Annotated[int, Parameter(help="Episodes in the queue.", validator=Number(gte=10, lte=1_000_000))] = 50_000,
    recalls: Annotated[int, Parameter(help="Recalls to measure.", validator=Number(gte=5, lte=10_000))] = 60,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Recall beside a long queue that no worker takes up, and without one; 1 when it takes over 1.5 times as long."""
    from graphmem.eval.queue import measure
    from graphmem.memory import Memory

    with Stages() as stages:
        async with Memory.open(load_settings(common), progress=stages, work=False) as memory:
            found = await measure(memory, pending, recalls, stages)
    if as_json:
        print_json(found)
    else:
        _show_load(found)
    return 0 if found.reached else 1


def _show_load(found: Load) -> None:
    from rich.table import Table

    table = Table()
    for name in ("recall", "p50", "p95"):
        table.add_column(name, justify="left" if name == "recall" else "right")
    table.add_row("no queue", f"{found.without_p50:.1f} ms", f"{found.without_p95:.1f} ms")
    table.add_row(f"{found.pending:,} pending", f"{found.with_p50:.1f} ms", f"{found.with_p95:.1f} ms")
    stdout().print(table)
    mark = "ok" if found.reached else "missed"
    stdout().print(
        f"ratio {found.ratio:.2f} (goal <= {found.goal}: {mark}); p50 before the queue was filled "
        f"{found.before_p50:.1f} ms; the worker chooses jobs in {found.claim_ms:.1f} ms and counts the queue in "
        f"{found.count_ms:.1f} ms"
    )


def _file_requests(file: Path) -> list[RememberRequest]:
    from graphmem.ingest.readers import read_file

    from .demo import document_requests

    return document_requests("bench", read_file(file), "offline")


def _shipped_requests(copies: int) -> list[RememberRequest]:
    """Each copy has an owner of its own, so that all of it is new to the memory."""
    from .demo import LANGUAGES, document_requests, load_story

    stories = [load_story(language) for language in LANGUAGES]
    return [
        request
        for copy in range(copies)
        for story in stories
        for request in document_requests(f"{story.store}-{copy}", story.document, "offline")
    ]


def _show_pace(found: Pace) -> None:
    from rich.table import Table

    table = Table()
    for name in ("", "count", "seconds", "share", "median", "first"):
        table.add_column(name, justify="left" if name == "" else "right")
    for part in found.parts:
        times = (f"{part.median_ms:.1f} ms", f"{part.first_ms:.0f} ms")
        table.add_row(part.name, f"{part.count}", f"{part.seconds:.2f}", f"{part.share:.0%}", *times)
    table.add_row("everything else", "", f"{found.other_seconds:.2f}", f"{found.other_seconds / found.seconds:.0%}")
    stdout().print(table)
    server = "" if found.neo4j_cpu_seconds is None else f", Neo4j {found.neo4j_cpu_seconds:.1f} s"
    mark = "ok" if found.reached else "missed"
    stdout().print(
        f"{found.turns} turns in {found.calls} calls and {found.seconds:.1f} s ({found.facts} facts); the first call "
        f"{found.first_seconds:.1f} s; processor time {found.cpu_seconds:.1f} s{server}"
    )
    stdout().print(f"{found.turns_per_second:.1f} turns/s (goal >= {found.goal:.0f}: {mark})")
