"""`graphmem recalls`: what was given to whoever asked, and why the rest was not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

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
from .output import clean, print_json, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.models.recall import RecallRecord


async def recalls(
    recall_id: Annotated[str | None, Parameter(name="ID", help="One recall, with all that is kept of it.")] = None,
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    since: Annotated[str | None, Parameter(help="Asked on this date or time, or later.")] = None,
    until: Annotated[str | None, Parameter(help="Asked before this date or time.")] = None,
    limit: Annotated[int, Parameter(help="The most recalls to list.", validator=Number(gte=1, lte=200))] = 20,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> None:
    """List the recalls of an actor, the last first: counts, reasons and ids, never a text."""
    begin, end = parse_time("--since", since), parse_time("--until", until)
    async with open_memory(load_settings(common)) as memory:
        found: tuple[RecallRecord, ...]
        if recall_id is None:
            found = (await memory.recalls.page(store, actor, since=begin, until=end, page_size=limit)).items
        else:
            found = (await memory.recalls.get(store, actor, recall_id),)
    if as_json:
        print_json(found[0] if recall_id else {"items": [one.model_dump(mode="json") for one in found]})
        return
    console = stdout()
    for one in found:
        console.print(_line(one))
        if recall_id:
            _show_details(console, one)
    if not found:
        console.print(f"no recalls of {clean(actor)} in {clean(store)}")


def _line(one: RecallRecord) -> str:
    reasons = ", ".join(f"{name} {count}" for name, count in sorted(one.reasons.items()))
    left_out = f"; left out: {reasons}" if reasons else ""
    return f"{one.at:%Y-%m-%d %H:%M:%S} {one.mode:<8} gave {one.accepted} of {one.considered}{left_out}  {one.id}"


def _show_details(console: Console, one: RecallRecord) -> None:
    for used in one.used:
        score = "" if used.score is None else f"  score {used.score:.2f}"
        console.print(f"  {used.rank}. {used.kind} {used.id}{score}")
    if one.gate is not None:
        rules = one.gate.model_dump(exclude_none=True, exclude_defaults=True)
        console.print("  gate: " + clean(", ".join(f"{name} {value}" for name, value in rules.items())), style="dim")
    scope = {name: getattr(one, name) for name in ("agent_id", "session_id", "route_id")}
    if any(scope.values()):
        console.print("  " + clean(", ".join(f"{k} {v}" for k, v in scope.items() if v)), style="dim")
