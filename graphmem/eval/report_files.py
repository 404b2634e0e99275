"""A report as files: a page to read, the figures as JSON, and a chart where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.models.base import Model

from .chart import draw
from .figures import Report, System
from .measures import Figure

_SHOWN = ("recall@1", "recall@5", "recall@10", "hit@10", "mrr@10", "ndcg@10")
_CHARTED = "recall@10"


def write(report: Report, folder: Path) -> tuple[list[Path], bool]:
    """Write report.md, report.json and report.png; the paths, and whether the chart had to be left out.

    Errors: InvalidInput where the folder cannot be written to.
    """
    groups = ["all", *(report.categories if len(report.categories) > 1 else ())]
    bars = {
        system.name: [(system.overall if g == "all" else system.categories[g])[_CHARTED] for g in groups]
        for system in report.systems
    }
    title = f"{report.data}: {report.queries} queries"
    return write_files(folder, page(report), report, lambda path: draw(path, title, _CHARTED, groups, bars))


def write_files(folder: Path, text: str, report: Model, chart: Callable[[Path], bool]) -> tuple[list[Path], bool]:
    """Write a page, a report and its chart into a folder; as `write`."""
    names = [folder / f"report.{ending}" for ending in ("md", "json", "png")]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names[0].write_text(text, encoding="utf-8")
        names[1].write_text(report.model_dump_json(indent=2) + "\n", encoding="utf-8")
        drawn = chart(names[2])
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written to: {error.strerror}", field="out") from error
    return names if drawn else names[:2], not drawn


def page(report: Report) -> str:
    """The report in Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# Retrieval on {report.data}"
    yield ""
    left_out = f" ({report.skipped} left out)" if report.skipped else ""
    yield (
        f"{report.queries} queries{left_out} over {report.documents} documents of {report.actors} actors. "
        f"Kinds: {', '.join(report.kinds)}. Facts extracted: {report.facts}. Embedder: {report.embedder}. "
        f"BM25 over {'stems' if report.stemmed else 'words as they are'}. Answers: {report.depth}. "
        f"Seed: {report.seed}. graphmem {report.version}."
    )
    yield ""
    yield "In brackets: the interval that holds the mean in 95 of 100 resamplings of the queries."
    yield ""
    yield "## All queries"
    yield ""
    rows = [[s.name, *(shown(s.overall[name]) for name in _SHOWN), f"{s.tokens:.0f}"] for s in report.systems]
    everything = ["1.000" if name == "recall@10" else "" for name in _SHOWN]
    rows.append(["full context", *everything, f"{report.full_context_tokens:.0f}"])
    yield from table(["", *_SHOWN, "tokens"], rows)
    if len(report.categories) > 1:
        yield from _categories(report)
    if report.differences:
        yield from _differences(report)
    yield from _costs(report)


def _categories(report: Report) -> Iterator[str]:
    heads = [f"{name} ({count})" for name, count in report.categories.items()]
    for measured in ("recall@5", "recall@10", "mrr@10"):
        yield ""
        yield f"## {measured} by category"
        yield ""
        rows = [[s.name, *(shown(s.categories[c][measured]) for c in report.categories)] for s in report.systems]
        yield from table(["", *heads], rows)


def _differences(report: Report) -> Iterator[str]:
    yield ""
    yield f"## {report.differences[0].system} over the others, query by query"
    yield ""
    measures = list(dict.fromkeys(d.measure for d in report.differences))
    others = list(dict.fromkeys(d.baseline for d in report.differences))
    cells = {
        (d.baseline, d.measure): f"{shown(d.figure, sign='+')}{'' if d.clear else ' not clear'}"
        for d in report.differences
    }
    yield from table(["over", *measures], [[other, *(cells[other, m] for m in measures)] for other in others])


def _costs(report: Report) -> Iterator[str]:
    ours = [system for system in report.systems if system.latency or system.gate]
    if not ours:
        return
    yield ""
    yield "## Time, and what the default gate does"
    yield ""
    heads = ["", "p50", "p95", "recalls timed", "right answers", "cut by the gate", "left without any answer"]
    yield from table(heads, [_cost(system) for system in ours])


def _cost(system: System) -> list[str]:
    latency, gate = system.latency, system.gate
    times = [f"{latency.p50:.0f} ms", f"{latency.p95:.0f} ms", str(latency.recalls)] if latency else ["", "", ""]
    return [system.name, *times, *([str(gate.right), str(gate.cut), str(gate.emptied)] if gate else ["", "", ""])]


def shown(figure: Figure, *, sign: str = "") -> str:
    """A figure with its interval."""
    return f"{figure.value:{sign}.3f} [{figure.low:{sign}.3f}, {figure.high:{sign}.3f}]"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table; all columns but the first are figures."""
    yield f"| {' | '.join(map(_cell, heads))} |"
    yield f"| --- |{' ---: |' * (len(heads) - 1)}"
    for row in rows:
        cells = [*row, *[""] * (len(heads) - len(row))]
        yield f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
