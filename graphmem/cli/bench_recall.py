"""`graphmem bench recall`: recall in a large store beside its slowest arm, or graphmem beside other memories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings
from .failures import UsageError
from .output import Stages, print_json, stderr, stdout

if TYPE_CHECKING:
    from rich.table import Table

    from graphmem.eval.against import Against, PeerName
    from graphmem.eval.recall import RecallReport

_FACTS, _ACTORS = 100_000, 1_000
_SENTENCES, _SPEAKERS = 2_000, 10
"""With `--against`, where each text is embedded and some systems store one at a time."""


async def recall(
    *,
    facts: Annotated[
        int | None,
        Parameter(help="Facts in the store (100000; 2000 with --against).", validator=Number(gte=100, lte=1_000_000)),
    ] = None,
    actors: Annotated[
        int | None,
        Parameter(help="Actors who share them (1000; 10 with --against).", validator=Number(gte=1, lte=100_000)),
    ] = None,
    recalls: Annotated[int, Parameter(help="Recalls at each size.", validator=Number(gte=20, lte=10_000))] = 100,
    picture: Annotated[Path | None, Parameter(help="Draw the growth into this PNG file.")] = None,
    against: Annotated[
        str | None, Parameter(help="Instead: beside these, on texts with known answers: mem0,graphiti.")
    ] = None,
    data: Annotated[
        Path | None, Parameter(help="For --against: what `eval retrieval` reads; default: made-up sentences.")
    ] = None,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Recall in a large store beside its slowest arm alone, its growth, many clients; 1 when a goal is missed."""
    if against is not None:
        return await _against(_peers(against), data, facts, actors, as_json=as_json, common=common)
    from graphmem.eval.recall import RecallPlan, measure

    with Stages() as stages:
        report = await measure(load_settings(common), RecallPlan(facts or _FACTS, actors or _ACTORS, recalls), stages)
    if as_json:
        print_json(report)
    else:
        _show(report)
    if picture is not None:
        _draw(report, picture)
    return 0 if all(report.reached.values()) else 1


def _peers(names: str) -> list[PeerName]:
    """The systems of a list with commas. Errors: UsageError for one that is not known."""
    known: dict[str, PeerName] = {"mem0": "mem0", "graphiti": "graphiti"}
    try:
        return [known[name.strip()] for name in names.split(",")]
    except KeyError as error:
        raise UsageError(f"--against: give mem0, graphiti or both with a comma, not {error.args[0]}") from error


async def _against(
    peers: list[PeerName], data: Path | None, facts: int | None, actors: int | None, *, as_json: bool, common: Common
) -> int:
    from graphmem.eval.against import measure
    from graphmem.eval.formats import read
    from graphmem.eval.paraphrases import made

    found = made(facts or _SENTENCES, actors or _SPEAKERS) if data is None else read(data).to_find()
    with Stages() as stages:
        report = await measure(load_settings(common), found, peers, stages)
    if as_json:
        print_json(report)
    else:
        _show_sides(report)
    return 0 if report.reached else 1


def _draw(report: RecallReport, picture: Path) -> None:
    from graphmem.eval.growth_chart import draw

    if not draw(report, picture):
        stderr().print("the picture needs matplotlib: pip install 'graphmem[eval]'")


def _show_sides(report: Against) -> None:
    table = _table("", "recall@10", "p50", "p95", "stored in")
    for side in report.sides:
        times = f"{side.p50:.1f} ms", f"{side.p95:.1f} ms"
        table.add_row(side.name, f"{side.recall:.3f}", *times, f"{side.load_seconds:.1f} s")
    stdout().print(table)
    for name, reason in report.left_out.items():
        stdout().print(f"{name} is left out: {reason}")
    mark = "ok" if report.reached else "missed"
    stdout().print(
        f"{report.documents:,} texts of {report.actors} actors, {report.queries} queries ({report.data}); goal: the "
        f"highest recall@10 and the lowest p50: {mark}"
    )


def _show(report: RecallReport) -> None:
    from graphmem.eval.recall import CLIENTS_GOAL, FLOOR_GOAL, GROWTH_GOAL, P50_GOAL, P95_GOAL

    out, last = stdout(), report.stages[-1]
    out.print(_sizes(report))
    out.print(_parts(report))
    out.print(_precision(report))
    clients, marks = report.clients, {name: "ok" if done else "missed" for name, done in report.reached.items()}
    out.print(
        f"recall over its slowest arm: p50 {last.p50_ratio:.2f} (goal <= {P50_GOAL}: {marks['p50']}), "
        f"p95 {last.p95_ratio:.2f} (goal <= {P95_GOAL}: {marks['p95']}); over all arms in one query and the audit: p50 "
        f"{last.floor_ratio:.2f} (goal <= {FLOOR_GOAL}: {marks['floor']})"
    )
    out.print(
        f"growth from {report.stages[0].facts:,} to {last.facts:,} facts: {report.growth:.2f}, as timed "
        f"{report.growth_as_timed:.2f} (goal <= {GROWTH_GOAL}: {marks['growth']})"
    )
    server = "" if clients.server_cpu_ms is None else f" and {clients.server_cpu_ms:.1f} ms of Neo4j"
    out.print(
        f"{clients.clients} clients on {clients.cores} cores: {clients.recalls} recalls in {clients.seconds:.2f} s, "
        f"one by one {clients.seconds_alone:.2f} s, ratio {clients.ratio:.2f} "
        f"(goal <= {CLIENTS_GOAL}: {marks['clients']}); processor time of one: {clients.client_cpu_ms:.1f} ms{server}"
    )
    out.print(
        f"{last.facts:,} facts of {report.actors:,} actors (the largest has {report.largest_actor:,}), loaded at "
        f"{report.load_facts_per_second:.0f} facts/s"
    )


def _table(*names: str) -> Table:
    from rich.table import Table

    table = Table()
    for index, name in enumerate(names):
        table.add_column(name, justify="right" if index else "left")
    return table


def _sizes(report: RecallReport) -> Table:
    names = list(report.stages[0].arms)
    table = _table("p50 / p95 in ms", "recall", "its query", *names, "all and audit", "fixed work")
    for stage in report.stages:
        times = (stage.recall, stage.query, *stage.arms.values(), stage.floor, stage.busy)
        table.add_row(f"{stage.facts:,} facts", *(f"{t.p50:.1f} / {t.p95:.1f}" for t in times))
    return table


def _parts(report: RecallReport) -> Table:
    table = _table("where a recall's time goes", "count", "share", "median")
    for part in report.parts:
        table.add_row(part.name, f"{part.count}", f"{part.share:.0%}", f"{part.median_ms:.1f} ms")
    return table


def _precision(report: RecallReport) -> Table:
    table = _table("recall@10 of filtered vectors", "owners", "passed", "recall@10", "lowest", "")
    for row in report.precision:
        name = f"scope {row.selectivity:.2%}" + (" and valid" if row.valid else "")
        mark = "ok" if row.reached else "missed"
        table.add_row(name, f"{row.owners}", f"{row.passed:.2%}", f"{row.recall:.3f}", f"{row.lowest:.1f}", mark)
    return table
