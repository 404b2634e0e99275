"""`graphmem notes`: a folder of Markdown notes in and out."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from .common import DEFAULT_ACTOR, DEFAULT_STORE, NO_OPTIONS, Actor, Common, Json, Store, load_settings, open_memory
from .output import clean, print_json, stderr, stdout

if TYPE_CHECKING:
    from graphmem.models.note import FileDone

notes = App(name="notes", help="Import and export a folder of Markdown notes.")
Folder = Annotated[Path, Parameter(help="The folder.")]
Session = Annotated[str | None, Parameter(help="The session that the notes belong to.")]


@notes.command(name="import")
async def import_(
    folder: Folder,
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    session: Session = None,
    link: Annotated[bool, Parameter(negative="--no-link", help="Propose links beside those in the notes.")] = True,
    notes_only: Annotated[
        bool, Parameter(negative=(), help="Write the notes, and look for no facts in their text.")
    ] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Take in every Markdown file of a folder, and the facts in it; an unchanged file changes nothing."""
    from graphmem.models.scope import Scope

    async with open_memory(load_settings(common)) as memory:
        scope = Scope(actor_id=actor, session_id=session)
        done = memory.imports.folder(store, scope, folder, auto_link=link, notes_only=notes_only)
        return await _report(done, as_json=as_json)


@notes.command(name="export")
async def export(
    folder: Folder,
    /,
    *,
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    session: Session = None,
    force: Annotated[bool, Parameter(negative=(), help="Write over files of other content.")] = False,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Write the notes that hold now as Markdown files; unchanged ones as they were taken in, byte for byte."""
    async with open_memory(load_settings(common)) as memory:
        done = memory.notes.export_folder(store, actor, folder, session_id=session, force=force)
        return await _report(done, as_json=as_json)


async def _report(done: AsyncIterator[FileDone], *, as_json: bool) -> int:
    """Say what became of the files; 1 when one of them failed."""
    counts: Counter[str] = Counter(made=0, changed=0, same=0, failed=0)
    failures: list[dict[str, str]] = []
    async for file in done:
        counts[file.outcome] += 1
        if file.outcome == "failed":
            failures.append({"path": file.path, "reason": file.reason or ""})
            stderr().print(f"{clean(file.path)}: {clean(file.reason or 'failed')}")
    if as_json:
        print_json({"counts": dict(counts), "failed": failures})
    else:
        stdout().print(", ".join(f"{number} {name}" for name, number in counts.items()))
    return int(bool(failures))
