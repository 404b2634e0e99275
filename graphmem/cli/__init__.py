"""The `graphmem` command: one module a command group, imported when that command runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NoReturn

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from graphmem import __version__

from .common import UsageError
from .failures import explain, prepare_streams, report, usage

_COMMANDS = (
    ("demo", "demo:demo", "Remember two shipped conversations, or your own file, and ask about them."),
    ("serve", "serve:serve", "Serve the HTTP API."),
    ("remember", "memory_commands:remember", "Remember a text and show every decision."),
    ("recall", "memory_commands:recall", "Ask the memory."),
    ("facts", "memory_commands:facts", "List the facts of an actor."),
    ("reembed", "memory_commands:reembed", "Embed everything again with the configured embedder."),
    ("doctor", "doctor:doctor", "Say what is configured, reachable and wrong."),
    ("db", "db:db", "Start, stop and look at the local Neo4j."),
    ("bench", "bench:bench", "Measure recall and remember on this machine."),
)
EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 1, 2, 130


def _build() -> App:
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
    for sort_key, (name, target, text) in enumerate(_COMMANDS):
        if find_spec(f"{__name__}.{target.partition(':')[0]}"):
            root.command(f"{__name__}.{target}", name=name, help=text, sort_key=sort_key)
    return root


app = _build()
"""The command tree; `main` runs it with errors made into one line."""


def main(tokens: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process: 0 good, 1 failed, 2 wrong usage, 130 interrupted."""
    raise SystemExit(run(sys.argv[1:] if tokens is None else tokens))


def run(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit code; what goes wrong is one line on standard error."""
    prepare_streams()
    debug = "--debug" in tokens
    try:
        return int(app(list(tokens)) or 0)
    except CycloptsError as error:
        report(usage(error), debug=debug)
        return EXIT_USAGE
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
