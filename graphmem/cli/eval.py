"""`graphmem eval`: measure the memory on data with known answers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from .common import NO_OPTIONS, Common, Json, load_settings, open_memory
from .eval_answers import answers
from .eval_retrieval import retrieval
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from graphmem.eval.extraction import Report
    from graphmem.eval.supersession import Score

evaluate = App(name="eval", help="Measure the memory on data with known answers.", help_format="plaintext")
evaluate.command(retrieval, name="retrieval")
evaluate.command(answers, name="answers")


@evaluate.command(name="supersession")
async def supersession(
    *,
    data: Annotated[Path, Parameter(help="Folder with facts.jsonl and checks.jsonl.")],
    order: Annotated[
        Literal["arrival", "shuffled", "reversed"], Parameter(help="Order in which the facts come in.")
    ] = "arrival",
    via: Annotated[
        Literal["facts", "recall"], Parameter(help="Ask the list of facts, or recall with the question.")
    ] = "facts",
    text: Annotated[
        bool, Parameter(help="Give only the texts and their times to the offline extractor, and ask by recall.")
    ] = False,
    seed: Annotated[int, Parameter(help="Of the shuffled order.")] = 1,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Check facts that change, coexist, are corrected, retracted or dated; 1 when one comes out wrong."""
    from graphmem.eval.supersession import evaluate as run
    from graphmem.eval.supersession import shares

    async with open_memory(load_settings(common)) as memory:
        with Stages() as stages:
            scores = await run(memory, data, order=order, via=via, text=text, seed=seed, progress=stages)
    if as_json:
        print_json({kind: {**asdict(score), **shares(score)} for kind, score in scores.items()})
    else:
        _show(scores)
    return 0 if not scores["all"].failed else 1


@evaluate.command(name="extraction")
async def extraction(
    *,
    data: Annotated[
        Path | None, Parameter(help="Folder with en.jsonl and ja.jsonl; without it, the set of the repository.")
    ] = None,
    misses: Annotated[bool, Parameter(help="List every fact that was missed, and every one too many.")] = False,
    min_precision: Annotated[float, Parameter(help="Least precision of each split of each language.")] = 0.9,
    min_recall: Annotated[float, Parameter(help="Least recall of each split of each language.")] = 0.6,
    as_json: Json = False,
) -> int:
    """Measure the offline extractor on labelled sentences; 1 when a figure is under its threshold."""
    from graphmem.eval.extraction import SHIPPED, reached, summary
    from graphmem.eval.extraction import evaluate as run
    from graphmem.providers.offline import OfflineExtractor

    reports = await run(OfflineExtractor(), data or SHIPPED)
    if as_json:
        print_json({language: summary(report, misses=misses) for language, report in reports.items()})
    else:
        _show_extraction(reports, misses=misses)
    return 0 if all(reached(r, min_precision, min_recall) for r in reports.values()) else 1


def _show_extraction(reports: dict[str, Report], *, misses: bool) -> None:
    from rich.table import Table

    table = Table("", "split", "phenomenon", "precision", "recall", "right", "found", "said", "sentences")
    for column in table.columns:
        column.no_wrap = True
    for language, report in reports.items():
        for split, total in report.splits.items():
            by_kind = sorted(report.phenomena[split].items())
            for name, score in [("all", total), *by_kind]:
                counts = (score.right, score.found, score.wanted, score.sentences)
                figures = (f"{score.precision:.3f}", f"{score.recall:.3f}", *map(str, counts))
                table.add_row(
                    language, split, name, *figures, end_section=name == (by_kind[-1][0] if by_kind else "all")
                )
    stdout().print(table)
    if misses:
        for language, report in reports.items():
            for line in report.misses:
                stdout().print(f"{language} {line}")


def _show(scores: dict[str, Score]) -> None:
    from rich.table import Table

    from graphmem.eval.supersession import shares

    table = Table("kind", "checks", "first", "complete", "clean", "strict")
    for kind in sorted(scores, key=lambda k: (k == "all", k)):
        measured = shares(scores[kind])
        table.add_row(kind, str(scores[kind].checks), *(f"{value:.3f}" for value in measured.values()))
    stdout().print(table)
    if scores["all"].failed:
        stdout().print("wrong: " + ", ".join(scores["all"].failed[:20]))
