"""`graphmem calibrate`: from where on a score answers a query, for the store's embedder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import DEFAULT_STORE, NO_OPTIONS, Common, Json, Store, load_settings, open_memory
from .failures import UsageError
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.eval.calibrate import Point
    from graphmem.eval.calibration import Calibrated
    from graphmem.models.recall import Mode


async def calibrate(
    *,
    store: Store = DEFAULT_STORE,
    data: Annotated[
        Path | None,
        Parameter(
            help="Labelled questions, one JSON object a line: query, actor, expected; default: made of the facts."
        ),
    ] = None,
    memories: Annotated[
        Path | None,
        Parameter(
            help="Measure in a store made of these, one JSON object a line: actor, id, text, at?; it is removed."
        ),
    ] = None,
    keep: Annotated[
        float | None,
        Parameter(
            help="Share of the answers to keep, such as 0.99; default: see below the table.",
            validator=Number(gt=0, lte=1),
        ),
    ] = None,
    apply: Annotated[bool, Parameter(negative=(), help="Write the least scores into the store's settings.")] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> None:
    """Measure from where on a score answers a query: what passes of the answers, and of questions without one.

    A memory passes by its score, or by its vector score alone.
    """
    from graphmem.eval import calibration as run
    from graphmem.eval.stores import temporary_store

    if memories is not None and (data is None or apply):
        raise UsageError("--memories needs --data, and has no store for --apply")
    questions = None if data is None else run.read_questions(data)
    lines = None if memories is None else run.read_memories(memories)
    async with open_memory(load_settings(common)) as memory:
        with Stages() as stages:
            if lines is None:
                found = await run.calibrate(memory, store, questions, keep=keep, progress=stages)
            else:
                async with temporary_store(memory, "calibrate") as made:
                    await run.fill(memory, made, lines, stages)
                    found = await run.calibrate(memory, made, questions, keep=keep, progress=stages)
        if apply:
            await run.apply(memory, store, found)
    if as_json:
        print_json({"applied": apply, "modes": {mode: _data(one) for mode, one in found.items()}})
        return
    _show(stdout(), found, keep=keep)
    stdout().print(
        f"written to the settings of {store}" if apply else "nothing was changed; --apply writes it to the store"
    )


def _data(one: Calibrated) -> dict[str, Any]:
    chosen = asdict(one.chosen)
    return {**chosen, "around": list(chosen["around"]), "present": asdict(one.present)}


def _show(console: Console, found: Mapping[Mode, Calibrated], *, keep: float | None) -> None:
    from rich.table import Table

    for mode, one in found.items():
        chosen = one.chosen
        with_answer = f"{chosen.answerable} questions with an answer ({chosen.found} found)"
        title = f"{mode}: {with_answer}, {chosen.unanswerable} without; AUC {chosen.auc:.3f}"
        table = Table("", "min_score", "min_vector", "kept", "refused", "right of what passes", title=title)
        for column in table.columns[1:]:
            column.justify = "right"
        for point in chosen.around:
            table.add_row("chosen" if point == chosen.point else "", *_figures(point))
        table.add_section()
        table.add_row("present", *_figures(one.present))
        console.print(table)
    console.print("kept: of the questions with an answer, those to which a right memory passes")
    console.print("refused: of the questions without one, those to which nothing passes")
    best = "the best mean of kept, counted twice, and refused"
    console.print(
        f"chosen: {f'keeps {keep:.0%}, and refuses most' if keep else best}; in hybrid first by the vector alone,"
    )
    console.print("then the lowest score that costs no more than a point of it")
    console.print("semantic takes the numbers of hybrid")


def _figures(point: Point) -> tuple[str, ...]:
    vector = "" if point.min_vector is None else f"{point.min_vector:.3f}"
    return (f"{point.min_score:.3f}", vector, f"{point.kept:.3f}", f"{point.refused:.3f}", f"{point.precision:.3f}")
