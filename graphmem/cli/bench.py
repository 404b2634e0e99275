"""`graphmem bench`: recall and remember beside the bare driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings, open_memory
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from graphmem.eval.bench import Comparison, Report


async def bench(
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
