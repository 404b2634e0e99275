"""`remember`, `recall`, `facts` and `reembed`: thin covers of the same calls of `graphmem.Memory`."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from graphmem.errors import InvalidInput

from .common import (
    DEFAULT_ACTOR,
    DEFAULT_STORE,
    NO_OPTIONS,
    Actor,
    Common,
    Json,
    Store,
    load_settings,
    open_memory,
    parse_time,
)
from .failures import UsageError
from .output import Stages, clean, interval, pad, print_json, source_lines, stdout

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.models.fact import Decision, Fact, FactQuery, RememberResult
    from graphmem.models.filter import Filter
    from graphmem.models.recall import RecallItem, RecallResult

PAGE = 200
_MARKS = {"ADD": "+", "UPDATE": "~", "DELETE": "-", "NONE": "="}


async def remember(
    text: Annotated[str, Parameter(help="What to remember; - reads standard input.", allow_leading_hyphen=True)],
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    session: Annotated[str | None, Parameter(help="Session that it belongs to.")] = None,
    source_id: Annotated[str | None, Parameter(help="Your id of the text; repeats are recognised.")] = None,
    at: Annotated[str | None, Parameter(help="When it was said; default: now.")] = None,
    extraction: Annotated[
        Literal["auto", "llm", "offline", "none"], Parameter(help="What reads the facts from the text.")
    ] = "auto",
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Remember a text and show every decision."""
    from graphmem.models.episode import RememberRequest, Source
    from graphmem.models.scope import Scope

    request = RememberRequest(
        scope=Scope(actor_id=actor, session_id=session),
        text=_standard_input() if text == "-" else text,
        occurred_at=parse_time("--at", at),
        source=Source(id=source_id) if source_id else None,
        extraction=extraction,
    )
    async with open_memory(load_settings(common)) as memory:
        result = await memory.remember(store, request)
    if as_json:
        print_json(result)
    else:
        _show_decisions(result)
    return int(any(episode.status == "failed" for episode in result.episodes))


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input is not UTF-8 text", field="text") from error


def _show_decisions(result: RememberResult) -> None:
    console = stdout()
    for episode in result.episodes:
        known = ", known already" if episode.duplicate else ""
        failed = f": {episode.error}" if episode.error else ""
        console.print(f"episode {episode.id} {episode.status}{known}{failed}")
    for decision in result.facts:
        console.print(_decision(decision))
    if not result.facts:
        console.print("no facts were found; the text itself can be recalled")
    for candidate in result.rejected:
        console.print(f"x {clean(candidate.text)}  ({candidate.reason})")


def _decision(decision: Decision) -> str:
    fact = decision.fact
    replaced = f", replaces {len(decision.superseded)}" if decision.superseded else ""
    reason = f"{clean(decision.reason)}{replaced}"
    return f"{_MARKS[decision.event]} {clean(fact.text)}  [{interval(fact.valid_at, fact.invalid_at)}]  {reason}"


async def recall(
    query: Annotated[str, Parameter(help="The question.")],
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    mode: Annotated[Literal["keyword", "vector", "hybrid", "semantic"], Parameter(help="How to search.")] = "hybrid",
    limit: Annotated[int, Parameter(help="The most memories to show.", validator=Number(gte=1, lte=100))] = 8,
    as_of: Annotated[str | None, Parameter(help="Answer as of this date.")] = None,
    where: Annotated[
        str | None, Parameter(name="--filter", help="Conditions in JSON on what is looked at, as in the HTTP API.")
    ] = None,
    context: Annotated[
        Literal["markdown", "json"] | None, Parameter(help="Print the block for a prompt instead, in this format.")
    ] = None,
    max_tokens: Annotated[
        int, Parameter(help="The most tokens of the block.", validator=Number(gte=1, lte=100_000))
    ] = 1000,
    explain: Annotated[
        bool, Parameter(negative=(), help="Show every score, and why the others were left out.")
    ] = False,
    dry_run: Annotated[
        bool, Parameter(name="--dry-run", negative=(), help="Preview: nothing is strengthened, and no audit is kept.")
    ] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> None:
    """Ask the memory: what is in scope, true and relevant, with its source."""
    from graphmem.models.recall import RecallRequest
    from graphmem.models.scope import ReadScope

    request = RecallRequest(
        scope=ReadScope(actor_id=actor),
        query=query,
        mode=mode,
        limit=limit,
        as_of=parse_time("--as-of", as_of),
        filter=_filter(where),
        context_format=context or "markdown",
        max_tokens=max_tokens,
        explain=explain,
        dry_run=dry_run,
    )
    async with open_memory(load_settings(common)) as memory:
        result = await memory.recall(store, request)
    if as_json:
        print_json(result)
    elif context:
        for line in result.context.splitlines() or ["nothing found"]:
            stdout().print(clean(line))
    else:
        _show_recall(result, explain=explain)


def _filter(text: str | None) -> Filter | None:
    """A filter given on the command line. Errors: UsageError that names its wrong part."""
    if text is None:
        return None
    from pydantic import TypeAdapter, ValidationError

    from graphmem.models.filter import Filter

    adapter: TypeAdapter[Filter] = TypeAdapter(Filter)
    try:
        return adapter.validate_python(json.loads(text))
    except (ValueError, RecursionError) as error:
        if not isinstance(error, ValidationError):
            raise UsageError("--filter is not JSON.") from None
        wrong = error.errors(include_input=False, include_url=False)[0]
        tags = ("condition", "is_and", "is_or", "is_not")
        place = ".".join(str(step) for step in wrong["loc"] if step not in tags)
        message = wrong["msg"].removeprefix("Value error, ")
        raise UsageError(f"--filter: {place or 'the filter'} {message[:1].lower()}{message[1:]}.") from None


def _show_recall(result: RecallResult, *, explain: bool) -> None:
    console = stdout()
    for rank, item in enumerate(result.items, 1):
        console.print(f"{rank}. {clean(item.text)}")
        for line in item_lines(item, explain=explain):
            console.print(f"   {line}", style="dim")
    if not result.items:
        console.print("nothing found")
    for note in result.degraded:
        console.print(f"degraded: {clean(note)}")
    if explain:
        audit = result.audit
        reasons = ", ".join(f"{name} {count}" for name, count in sorted(audit.reasons.items())) or "none"
        console.print(f"considered {audit.considered}, accepted {audit.accepted}; left out: {reasons}")
        for left in audit.rejected or ():
            console.print(f"  {left.reason:<14} score {left.score:.2f}  {left.kind} {left.id}", style="dim")


def item_lines(item: RecallItem, *, explain: bool = False) -> list[str]:
    """Kind, validity, score, path and sources of a memory, as short lines."""
    first = f"{item.kind} · score {item.score:.2f}"
    if item.kind == "fact":
        first += f" · valid {interval(item.valid_at, item.invalid_at)}"
    if item.disputed:
        first += " · disputed"
    lines = [first]
    if explain:
        lines.append(" · ".join(f"{name} {score:.3f}" for name, score in sorted(item.scores.items())))
        lines.append(" › ".join(clean(step) for step in item.path))
    return [line for line in lines if line] + source_lines(item.sources)


async def facts(
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    everything: Annotated[bool, Parameter(name="--all", negative=(), help="Also what is no longer true.")] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> None:
    """List the facts of an actor."""
    from graphmem.models.fact import FactQuery

    query = FactQuery(actor_id=actor, validity="any" if everything else "current")
    async with open_memory(load_settings(common)) as memory:
        found = [fact async for fact in all_facts(memory, store, query)]
    if as_json:
        print_json({"items": [fact.model_dump(mode="json") for fact in found]})
        return
    console = stdout()
    for fact in found:
        console.print(_fact_line(fact))
    if not found:
        console.print(f"no facts of {clean(actor)} in {clean(store)}")


async def all_facts(memory: Memory, store: str, query: FactQuery) -> AsyncIterator[Fact]:
    """Every fact that the query names, page by page."""
    token: str | None = None
    while True:
        page = await memory.list_facts(store, query, page_size=PAGE, page_token=token)
        for fact in page.items:
            yield fact
        token = page.next_page_token
        if token is None:
            return


def _fact_line(fact: Fact) -> str:
    marks = [mark for mark, shown in (("disputed", fact.disputed), ("replaced", bool(fact.expired_at))) if shown]
    tail = f"  ({', '.join(marks)})" if marks else ""
    return f"{pad(interval(fact.valid_at, fact.invalid_at), 24)} {clean(fact.text)}{tail}  {fact.id}"


async def reembed(*, common: Common = NO_OPTIONS) -> None:
    """Embed everything again with the configured embedder; needed after the embedder was changed."""
    from graphmem.memory import Memory

    settings = load_settings(common)
    with Stages() as stages:
        async with Memory.open(settings, progress=stages) as memory:
            count = await memory.reembed(progress=stages)
    stdout().print(f"{count} records embedded again")
