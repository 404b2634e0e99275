"""The `graphmem` command: one module a command group, imported when that command runs.

The overview and the version need no library at all, so they are printed before cyclopts is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NoReturn

from graphmem import __version__

from .failures import UsageError, explain, finish_stdout, prepare_streams, report, usage

if TYPE_CHECKING:
    from cyclopts import App

    app: App

_COMMANDS = {
    "demo": ("demo:demo", "Remember two shipped conversations, or your own file, and ask about them."),
    "serve": ("serve:serve", "Serve the HTTP API."),
    "mcp": ("mcp:mcp", "Serve the memory to an AI host over MCP; `mcp config HOST` prints its configuration."),
    "remember": ("memory_commands:remember", "Remember a text and show every decision."),
    "ingest": ("ingest:ingest", "Remember folders and files: text, Markdown, HTML, PDF, chats."),
    "import": ("import_memories:import_memories", "Take in the memories of another server, such as mcp-memory."),
    "recall": ("memory_commands:recall", "Ask the memory: what is in scope, true and relevant."),
    "recalls": ("recalls:recalls", "List what was recalled: counts, reasons and ids, never a text."),
    "calibrate": ("calibrate:calibrate", "Measure from where on a score answers, and set it for a store."),
    "facts": ("memory_commands:facts", "List the facts of an actor."),
    "notes": ("notes:notes", "Import and export a folder of Markdown notes."),
    "reembed": ("memory_commands:reembed", "Embed everything again with the configured embedder."),
    "doctor": ("doctor:doctor", "Say what is configured, reachable and wrong."),
    "maintain": ("maintain:maintain", "Let memories fade, erase what was archived long ago."),
    "db": ("db:db", "Start, stop and look at the local Neo4j."),
    "eval": ("eval:evaluate", "Measure the memory on data with known answers."),
    "bench": ("bench:bench", "Measure recall and remember on this machine."),
}
EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130


def main(tokens: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process: 0 good, 1 failed, 2 wrong usage, 130 interrupted."""
    raise SystemExit(run(sys.argv[1:] if tokens is None else tokens))


def run(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit code; what goes wrong is one line on standard error."""
    prepare_streams()
    debug = "--debug" in tokens
    try:
        code = _dispatch(list(tokens))
        sys.stdout.flush()
        return code
    except UsageError as error:
        report(str(error), debug=debug)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return EXIT_FAILED
    except Exception as error:  # noqa: BLE001 -- the last line of defence: one line, and the trace with --debug
        report(explain(error), debug=debug)
        return EXIT_FAILED
    finally:
        finish_stdout()


def _dispatch(tokens: list[str]) -> int:
    if tokens in ([], ["--help"], ["-h"]):
        sys.stdout.write(_overview())
        return 0
    if tokens == ["--version"]:
        sys.stdout.write(f"{__version__}\n")
        return 0
    from cyclopts.exceptions import CycloptsError

    try:
        return int(_build()(tokens) or 0)
    except CycloptsError as error:
        raise UsageError(usage(error)) from error


def _overview() -> str:
    lines = "".join(f"  {name:<10}{text}\n" for name, _, text in _commands())
    return (
        "Usage: graphmem COMMAND [OPTIONS]\n\nMemory for AI agents on a Neo4j graph.\n\n"
        f"Commands:\n{lines}\n  --version  Print the version.\n\n"
        "`graphmem COMMAND --help` shows the options of a command.\n"
    )


def _commands() -> Iterator[tuple[str, str, str]]:
    """Name, import path and description of every command of this installation."""
    for name, (target, text) in _COMMANDS.items():
        if find_spec(f"{__name__}.{target.partition(':')[0]}"):
            yield name, f"{__name__}.{target}", text


def _build() -> App:
    from cyclopts import App

    root = App(
        name="graphmem",
        help="Memory for AI agents on a Neo4j graph.",
        version=__version__,
        help_formatter="plain",
        help_format="plaintext",
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for sort_key, (name, target, text) in enumerate(_commands()):
        root.command(target, name=name, help=text, sort_key=sort_key)
    return root


def __getattr__(name: str) -> Any:
    """Build `app`, the command tree, when something asks for it."""
    if name == "app":
        return _build()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
