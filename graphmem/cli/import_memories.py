"""`graphmem import`: the memories of another server, taken in from its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from .common import DEFAULT_ACTOR, DEFAULT_STORE, NO_OPTIONS, Actor, Common, Json, Store, load_settings, open_memory
from .failures import UsageError
from .output import clean, print_json, stderr, stdout

if TYPE_CHECKING:
    from graphmem.models.imports import ImportedFile


async def import_memories(
    file: Annotated[Path, Parameter(help="The file, such as memory.jsonl.")],
    /,
    *,
    format: Annotated[Literal["mcp-memory"], Parameter(help="What wrote it.")] = "mcp-memory",  # noqa: A002
    actor: Actor = DEFAULT_ACTOR,
    store: Store = DEFAULT_STORE,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Take in a file of the reference MCP memory server; what is known already is not remembered again."""
    from graphmem.models.scope import Scope

    scope = Scope(actor_id=actor)
    try:
        text = file.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or type(error).__name__}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text") from error
    async with open_memory(load_settings(common)) as memory:
        done = await memory.imports.graph(store, scope, file.name, text)
    if as_json:
        print_json(done)
    else:
        _show(done)
    return int(done.outcome == "failed" or any(not problem.taken for problem in done.problems))


def _show(done: ImportedFile) -> None:
    for problem in done.problems:
        stderr().print(f"line {problem.line}: {clean(problem.reason)}")
    if done.reason:
        stderr().print(done.reason)
    left = sum(not problem.taken for problem in done.problems)
    stdout().print(f"{clean(done.path)}: {done.outcome}, {done.facts} facts, {left} problems")
