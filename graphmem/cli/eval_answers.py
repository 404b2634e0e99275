"""`graphmem eval answers`: recall, answer and grade with the configured model."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings
from .eval_retrieval import Data, Format, Kind, Mode, Out, show_table, tell_written, unique
from .output import Stages, clean, print_json, stdout

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.eval.answers import Plan, Report
    from graphmem.eval.dataset import Dataset


async def answers(
    *,
    data: Data,
    format_: Format = "auto",
    mode: Annotated[Mode, Parameter(help="Mode of recall.")] = "hybrid",
    kinds: Annotated[
        tuple[Kind, ...], Parameter(help="Kinds of memories to recall.", negative=(), consume_multiple=True)
    ] = ("fact", "note", "episode"),
    depth: Annotated[int, Parameter(help="Memories of one answer.", validator=Number(gte=1, lte=100))] = 10,
    max_tokens: Annotated[
        int, Parameter(help="Tokens of one answer's context.", validator=Number(gte=1, lte=100_000))
    ] = 1000,
    extract: Annotated[bool, Parameter(negative=(), help="Also extract facts while loading.")] = False,
    judge_model: Annotated[str | None, Parameter(help="The model that grades; default: the one that answers.")] = None,
    limit: Annotated[
        int, Parameter(help="Ask only so many questions; 0 asks all. Each takes two calls.", validator=Number(gte=0))
    ] = 100,
    seed: Annotated[int, Parameter(help="Of the questions drawn and of the resampling.", validator=Number(gte=0))] = 1,
    concurrency: Annotated[int, Parameter(help="Questions at once.", validator=Number(gte=1, lte=64))] = 4,
    misses: Annotated[bool, Parameter(negative=(), help="List every answer that is wrong.")] = False,
    out: Out = None,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Answer questions from memory with the configured model, and have the answers graded."""
    from graphmem.errors import ConfigurationError
    from graphmem.eval.answers import Plan
    from graphmem.eval.formats import read

    settings = load_settings(common)
    if not settings.has_model:
        raise ConfigurationError(
            "Answers need a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own, and "
            "GRAPHMEM_LLM_MODEL for its model."
        )
    dataset = read(data, format_).to_answer().sample(limit or None, seed)
    plan = Plan(
        mode=mode, kinds=unique(kinds), depth=depth, max_tokens=max_tokens, concurrency=concurrency, seed=seed,
        extract=extract,
    )  # fmt: skip
    report = await _run(settings, judge_model or settings.llm_model, dataset, plan)
    if as_json:
        print_json(report)
    else:
        _show(report, misses=misses)
    if out is not None:
        from graphmem.eval.answer_files import write

        tell_written(*write(report, out))
    return 0


async def _run(settings: Settings, judge: str, dataset: Dataset, plan: Plan) -> Report:
    from graphmem.eval.answers import Models, evaluate
    from graphmem.memory import Memory
    from graphmem.providers.llm_chat import ChatModel

    async with AsyncExitStack() as stack:
        answering = ChatModel(settings)
        stack.push_async_callback(answering.close)
        judging = ChatModel(settings.model_copy(update={"llm_model": judge}))
        stack.push_async_callback(judging.close)
        stages = stack.enter_context(Stages())
        memory = await stack.enter_async_context(Memory.open(settings, progress=stages))
        models = Models(answering, judging, settings.llm_model, judge)
        return await evaluate(memory, models, dataset, plan, stages)


def _show(report: Report, *, misses: bool) -> None:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table("", "questions", "right", "", "token f1", "", "without a usable answer", box=SIMPLE)
    for name, score in [("all", report.overall), *report.categories.items()]:
        intervals = [f"[{f.low:.3f}, {f.high:.3f}]" for f in (score.right, score.f1)]
        figures = (f"{score.right.value:.3f}", intervals[0], f"{score.f1.value:.3f}", intervals[1])
        table.add_row(name, str(score.questions), *figures, str(score.failed))
    show_table(table)
    if misses:
        for given in report.answers:
            if not given.is_right:
                right = "not in the documents" if given.right is None else clean(given.right)
                stdout().print(f"{given.category}: {clean(given.question)} | {right} | {clean(given.given) or '–'}")
    stdout().print(
        f"{report.model} answered with {report.answer_calls} calls, {report.judge} graded with {report.judge_calls}; "
        f"{report.prompt_tokens + report.completion_tokens} tokens, {report.context_tokens:.0f} of context an answer; "
        f"{report.seconds:.0f} s in all"
    )
    if report.loading_calls:
        stdout().print(f"loading took {report.loading_calls} calls and {report.loading_tokens} tokens")
