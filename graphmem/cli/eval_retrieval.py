"""`graphmem eval retrieval`: recall beside BM25, vectors and both fused, on data with known answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from rich.table import Table

    from graphmem.config import Settings
    from graphmem.eval.dataset import Dataset
    from graphmem.eval.retrieval import Plan, Report

Mode = Literal["hybrid", "keyword", "vector"]
Kind = Literal["episode", "fact", "note"]
Baseline = Literal["bm25", "dense", "rrf"]
_SHOWN = ("recall@1", "recall@5", "recall@10", "hit@10", "mrr", "ndcg@10")
_WIDEST = 500
"""Columns of a table, which takes no more than it needs."""


async def retrieval(
    *,
    data: Annotated[Path, Parameter(help="A file or a folder: LoCoMo, lines of documents and queries, JSQuAD.")],
    format: Annotated[  # noqa: A002  the name of the option
        Literal["auto", "locomo", "jsonl", "jsquad"], Parameter(help="What the data is; auto looks at it.")
    ] = "auto",
    mode: Annotated[
        tuple[Mode, ...], Parameter(help="Modes of recall; the first is compared with all else.", negative=())
    ] = ("hybrid", "keyword", "vector"),
    kinds: Annotated[tuple[Kind, ...], Parameter(help="Kinds of memories to recall.", negative=())] = ("episode",),
    baseline: Annotated[tuple[Baseline, ...], Parameter(help="What it is compared with.", negative_iterable=())] = (
        "bm25",
        "dense",
        "rrf",
    ),
    depth: Annotated[int, Parameter(help="Answers of one query.", validator=Number(gte=10, lte=100))] = 10,
    max_tokens: Annotated[int, Parameter(help="Tokens of one answer's context.", validator=Number(gte=1))] = 1000,
    extract: Annotated[bool, Parameter(negative=(), help="Also extract facts while loading.")] = False,
    gate: Annotated[bool, Parameter(help="Count what the default gate cuts of the right answers.")] = True,
    limit: Annotated[int | None, Parameter(help="Ask only so many queries.", validator=Number(gte=1))] = None,
    timed: Annotated[int, Parameter(help="Recalls to time, one after the other.", validator=Number(gte=0))] = 100,
    seed: Annotated[int, Parameter(help="Of the queries drawn and of the resampling.")] = 1,
    concurrency: Annotated[int, Parameter(help="Queries at once.", validator=Number(gte=1, lte=64))] = 8,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Measure how well recall finds what answers, beside BM25, vectors and both fused."""
    from graphmem.eval.formats import read
    from graphmem.eval.retrieval import Plan

    dataset = read(data, format).sample(limit, seed)
    plan = Plan(
        modes=mode, kinds=kinds, baselines=baseline, depth=depth, max_tokens=max_tokens, concurrency=concurrency,
        seed=seed, extract=extract, gate=gate, timed=timed,
    )  # fmt: skip
    report = await _run(load_settings(common), dataset, plan)
    if as_json:
        print_json(report)
    else:
        _show(report)
    return 0


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


def _show(report: Report) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("", *_SHOWN, "tokens", "p50", "p95", "cut by the gate", box=SIMPLE)
    for system in report.systems:
        latency, gate = system.latency, system.gate
        table.add_row(
            system.name,
            *(f"{system.overall[name].value:.3f}" for name in _SHOWN),
            f"{system.tokens:.0f}",
            f"{latency.p50:.0f} ms" if latency else "",
            f"{latency.p95:.0f} ms" if latency else "",
            f"{gate.cut} of {gate.right}" if gate else "",
        )
    _print(table)
    if len(report.categories) > 1:
        _show_categories(report)
    for d in report.differences:
        if d.measure in ("recall@10", "mrr"):
            f, mark = d.figure, "" if d.clear else " (not clear)"
            line = f"{d.measure}: {f.value:+.3f} [{f.low:+.3f}, {f.high:+.3f}]{mark}"
            stdout().print(f"{d.system} over {d.baseline}, {line}")
    stdout().print(
        f"{report.documents} documents of {report.actors} actors loaded in {report.load_seconds:.0f} s, "
        f"{report.queries} queries ({report.skipped} skipped), {report.seconds:.0f} s in all; "
        f"everything would be {report.full_context_tokens:.0f} tokens"
    )


def _show_categories(report: Report) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("recall@10", *(f"{name} ({count})" for name, count in report.categories.items()), box=SIMPLE)
    for system in report.systems:
        table.add_row(system.name, *(f"{system.categories[c]['recall@10'].value:.3f}" for c in report.categories))
    _print(table)


def _print(table: Table) -> None:
    """At the table's own width: nothing is cut where the output goes to a file."""
    for column in table.columns:
        column.no_wrap = True
    stdout(width=_WIDEST).print(table, crop=False)
