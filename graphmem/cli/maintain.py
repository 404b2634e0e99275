"""`graphmem maintain`: let memories fade, summarise sessions, erase what was archived long ago."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from .common import DEFAULT_STORE, NO_OPTIONS, Common, Json, Store, load_settings, open_memory, parse_time
from .output import print_json, stdout

if TYPE_CHECKING:
    from graphmem.models.maintenance import MaintenanceResult, Task

maintain = App(name="maintain", help="Let memories fade, summarise sessions, erase what was archived long ago.")

_COUNTS = {
    "decay": ("changed", "archived", "expired", "restored"),
    "consolidate": ("summarised", "themes", "removed", "dropped", "llm_calls"),
    "purge": ("purged", "recalls"),
}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Pass:
    """Options of every pass."""

    dry_run: Annotated[
        bool, Parameter(name="--dry-run", negative=(), help="Say what would change; nothing is written.")
    ] = False
    limit: Annotated[
        int | None,
        Parameter(help="The most records to look at; default: all.", validator=Number(gte=1, lte=10_000_000)),
    ] = None
    as_of: Annotated[
        str | None, Parameter(name="--as-of", help="Work as if it were this date or time; default: now.")
    ] = None
    store: Store = DEFAULT_STORE
    as_json: Json = False


_WHOLE = Pass()


@maintain.command
async def decay(*, options: Pass = _WHOLE, common: Common = NO_OPTIONS) -> None:
    """Refresh retention, archive what has faded or expired, bring back what no longer has."""
    await _run("decay", options, common)


@maintain.command
async def consolidate(*, options: Pass = _WHOLE, common: Common = NO_OPTIONS) -> None:
    """Summarise sessions and gather related episodes into themes, where their sources have changed."""
    await _run("consolidate", options, common)


@maintain.command
async def purge(*, options: Pass = _WHOLE, common: Common = NO_OPTIONS) -> None:
    """Erase what has been archived or deleted for longer than the store keeps it; there is no way back."""
    await _run("purge", options, common)


async def _run(task: Task, options: Pass, common: Common) -> None:
    from graphmem.models.maintenance import MaintenanceRequest

    as_of = parse_time("--as-of", options.as_of)
    request = MaintenanceRequest(dry_run=options.dry_run, limit=options.limit, as_of=as_of)
    async with open_memory(load_settings(common)) as memory:
        run = {"decay": memory.decay, "consolidate": memory.consolidate, "purge": memory.purge}[task]
        _show(await run(options.store, request), as_json=options.as_json)


def _show(done: MaintenanceResult, *, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    console = stdout()
    for one in done.would_change:
        console.print(f"{one['id']}  {one['from']:.2f} → {one['to']:.2f}  {one['status']} ({one['reason']})")
    for plan in done.would_consolidate:
        console.print(f"{plan['kind']} {plan['id']}  {plan['episodes']} episodes ({plan['reason']})")
    told = ", ".join(f"{name} {getattr(done, name)}" for name in _COUNTS[done.task])
    console.print(f"{'would be: ' if done.dry_run else ''}examined {done.examined}, {told}")
    if done.next_page_token is not None:
        console.print("ended at the limit; there may be more")
