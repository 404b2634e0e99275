"""`graphmem eval retrieval`: recall beside BM25, vectors and both fused, on data with known answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings
from .output import Stages, print_json, stderr, stdout

if TYPE_CHECKING:
    from rich.table import Table

    from graphmem.config import Settings
    from graphmem.eval.dataset import Dataset
    from graphmem.eval.figures import Report, System
    from graphmem.eval.retrieval import Plan

_Value = TypeVar("_Value")
Mode = Literal["hybrid", "keyword", "vector"]
Kind = Literal["episode", "fact", "note"]
Baseline = Literal["bm25", "dense", "rrf", "neighbours"]
Data = Annotated[Path, Parameter(help="A file or a folder: LoCoMo, lines of documents and queries, JSQuAD.")]
Format = Annotated[
    Literal["auto", "locomo", "jsonl", "jsquad"], Parameter(name="--format", help="What the data is; auto looks at it.")
]
Out = Annotated[Path | None, Parameter(help="Folder for report.md, report.json and report.png.")]
_SHOWN = ("recall@1", "recall@5", "recall@10", "hit@10", "mrr@10", "ndcg@10")
_WIDEST = 500
"""Columns of a table, which takes no more than it needs."""


async def retrieval(
    *,
    data: Data,
    format_: Format = "auto",
    mode: Annotated[
        tuple[Mode, ...],
        Parameter(help="Modes of recall; the first is compared with all else.", negative=(), consume_multiple=True),
    ] = ("hybrid", "keyword", "vector"),
    kinds: Annotated[
        tuple[Kind, ...], Parameter(help="Kinds of memories to recall.", negative=(), consume_multiple=True)
    ] = ("episode",),
    baseline: Annotated[
        tuple[Baseline, ...],
        Parameter(help="What it is compared with.", consume_multiple=True),
    ] = ("bm25", "dense", "rrf", "neighbours"),
    depth: Annotated[int, Parameter(help="Answers of one query.", validator=Number(gte=10, lte=100))] = 10,
    max_tokens: Annotated[
        int, Parameter(help="Tokens of one answer's context.", validator=Number(gte=1, lte=100_000))
    ] = 1000,
    extract: Annotated[bool, Parameter(negative=(), help="Also extract facts while loading.")] = False,
    gate: Annotated[bool, Parameter(help="Count what the default gate cuts of the right answers.")] = True,
    timed: Annotated[
        int, Parameter(help="Recalls of each mode to time, one after the other.", validator=Number(gte=0))
    ] = 100,
    limit: Annotated[int | None, Parameter(help="Ask only so many queries.", validator=Number(gte=1))] = None,
    seed: Annotated[int, Parameter(help="Of the queries drawn and of the resampling.", validator=Number(gte=0))] = 1,
    concurrency: Annotated[int, Parameter(help="Queries at once.", validator=Number(gte=1, lte=64))] = 8,
    out: Out = None,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Measure how well recall finds what answers, beside BM25, vectors and both fused."""
    from graphmem.eval.formats import read
    from graphmem.eval.retrieval import Plan

    dataset = read(data, format_).to_find().sample(limit, seed)
    plan = Plan(
        modes=unique(mode), kinds=unique(kinds), baselines=unique(baseline), depth=depth, max_tokens=max_tokens,
        concurrency=concurrency, seed=seed, extract=extract, gate=gate, timed=timed,
    )  # fmt: skip
    report = await _run(load_settings(common), dataset, plan)
    if as_json:
        print_json(report)
    else:
        _show(report)
    if out is not None:
        from graphmem.eval.report_files import write

        tell_written(*write(report, out))
    return 0


def unique(values: Sequence[_Value]) -> tuple[_Value, ...]:
    """The values in their order, each once."""
    return tuple(dict.fromkeys(values))


async def _run(settings: Settings, dataset: Dataset, plan: Plan) -> Report:
    from graphmem.eval.retrieval import evaluate
    from graphmem.memory import Memory
    from graphmem.providers import make_embedder

    embedder = make_embedder(settings)
    try:
        with Stages() as stages:
            async with Memory.open(settings, progress=stages, embedder=embedder) as memory:
                return await evaluate(memory, embedder, dataset, plan, stages)
    finally:
        await embedder.close()


def tell_written(written: Sequence[Path], chart_left_out: bool) -> None:
    """Say on standard error which files were written."""
    console = stderr()
    console.print("written: " + ", ".join(str(path) for path in written), soft_wrap=True)
    if chart_left_out:
        console.print("report.png needs matplotlib: pip install 'graphmem[eval]'", soft_wrap=True)


def _show(report: Report) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("", *_SHOWN, "tokens", "p50", "p95", "cut by the gate", box=SIMPLE)
    for system in report.systems:
        table.add_row(system.name, *(f"{system.overall[name].value:.3f}" for name in _SHOWN), *_costs(system))
    table.add_row(
        "full context", *("1.000" if n == "recall@10" else "" for n in _SHOWN), f"{report.full_context_tokens:.0f}"
    )
    show_table(table)
    if len(report.categories) > 1:
        _show_categories(report)
    for d in report.differences:
        if d.measure in ("recall@10", "mrr@10"):
            f, mark = d.figure, "" if d.clear else " (not clear)"
            line = f"{d.measure} {f.value:+.3f} [{f.low:+.3f}, {f.high:+.3f}]{mark}"
            stdout().print(f"{d.system} over {d.baseline}: {line}")
    stdout().print(
        f"{report.documents} documents of {report.actors} actors loaded in {report.load_seconds:.0f} s, "
        f"{report.queries} queries ({report.skipped} left out), {report.seconds:.0f} s in all"
    )
    if not report.stemmed and any(system.name == "bm25" for system in report.systems):
        stdout().print("bm25 searched words as they are; with graphmem[eval] it searches stems, which finds more")


def _costs(system: System) -> tuple[str, ...]:
    latency, gate = system.latency, system.gate
    times = (f"{latency.p50:.0f} ms", f"{latency.p95:.0f} ms") if latency else ("", "")
    return (f"{system.tokens:.0f}", *times, f"{gate.cut} of {gate.right}" if gate else "")


def _show_categories(report: Report) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("recall@10", *(f"{name} ({count})" for name, count in report.categories.items()), box=SIMPLE)
    for system in report.systems:
        table.add_row(system.name, *(f"{system.categories[c]['recall@10'].value:.3f}" for c in report.categories))
    show_table(table)


def show_table(table: Table) -> None:
    """At the table's own width: nothing is cut where the output goes to a file."""
    for column in table.columns:
        column.no_wrap = True
    stdout(width=_WIDEST).print(table, crop=False)
