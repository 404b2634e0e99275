"""A report of answers as files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .answers import Report, Score
from .chart import draw
from .report_files import shown, table, write_files


def write(report: Report, folder: Path) -> tuple[list[Path], bool]:
    """Write report.md, report.json and report.png; the paths, and whether the chart had to be left out.

    Errors: InvalidInput where the folder cannot be written to.
    """
    scores = _scores(report)
    bars = {
        "right": [score.right for score in scores.values()],
        "token f1": [score.f1 for score in scores.values()],
    }
    title = f"{report.data}: {report.overall.questions} questions"
    return write_files(folder, page(report), report, lambda path: draw(path, title, "", list(scores), bars))


def page(report: Report) -> str:
    """The report in Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _scores(report: Report) -> dict[str, Score]:
    return {"all": report.overall, **(report.categories if len(report.categories) > 1 else {})}


def _lines(report: Report) -> Iterator[str]:
    yield f"# Answers on {report.data}"
    yield ""
    left_out = f" ({report.skipped} left out)" if report.skipped else ""
    yield (
        f"{report.overall.questions} questions{left_out} over {report.documents} documents of {report.actors} actors. "
        f"Recall: {report.mode}, {report.depth} memories, kinds {', '.join(report.kinds)}. Facts extracted: "
        f"{report.facts}. Answered by {report.model}, graded by {report.judge}. Seed: {report.seed}. "
        f"graphmem {report.version}."
    )
    yield ""
    yield "In brackets: the interval that holds the mean in 95 of 100 resamplings of the questions."
    yield ""
    rows = [
        [name, str(score.questions), shown(score.right), shown(score.f1), str(score.failed)]
        for name, score in _scores(report).items()
    ]
    yield from table(["", "questions", "right", "token f1", "without a usable answer"], rows)
    yield ""
    yield (
        f"Answering took {report.answer_calls} calls, grading {report.judge_calls}: {report.prompt_tokens} tokens of "
        f"prompts, {report.completion_tokens} of answers; {report.context_tokens:.0f} tokens of context an answer. "
        f"Loading took {report.loading_calls} calls and {report.loading_tokens} tokens."
    )
