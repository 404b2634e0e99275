"""Errors as one line that says what to do next."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.errors import GraphMemError

if TYPE_CHECKING:
    from cyclopts.exceptions import CycloptsError

_SPACE = re.compile(r"\s+")
_NOT_TEXT = "is not text in the encoding of this terminal; set a UTF-8 locale, or PYTHONUTF8=1"


class UsageError(Exception):
    """An argument whose value makes no sense; the message says what would."""


def prepare_streams() -> None:
    """Let no character stop the output: what the terminal's encoding lacks is shown as `?`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def report(line: str, *, debug: bool) -> None:
    """Write `line` to standard error; with `debug`, the trace of the error being handled before it."""
    if debug:
        traceback.print_exc()
    sys.stderr.write(f"graphmem: {_SPACE.sub(' ', line).strip()}\n")


def finish_stdout() -> None:
    """Drop what cannot be printed, so that the interpreter does not complain of it at exit."""
    if _stdout_fault() is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stdout_fault() -> OSError | None:
    """Why what was printed cannot be written; None when it was."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None


def _is_printing(error: OSError) -> bool:
    """Whether it arose where something was printed: without a buffer, it can be asked for no second time."""
    places = traceback.extract_tb(error.__traceback__)
    if error.filename is not None or not places:
        return False
    return (places[-1].line or "").startswith("sys.stdout.") or "rich" in Path(places[-1].filename).parts


def usage(error: CycloptsError) -> str:
    """A usage error and where the right usage is shown."""
    names = " ".join(("graphmem", *(error.command_chain or ())))
    return f"{error} Try: {names} --help"


def explain(error: BaseException) -> str:
    """One line for any error; values are left out, since they may hold what was remembered."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, GraphMemError):
        return error.message
    if isinstance(error, ImportError) and isinstance(error.__cause__, ModuleNotFoundError):
        error = error.__cause__
    if isinstance(error, ModuleNotFoundError):
        return f"the Python package {error.name} is missing: install graphmem again"
    if isinstance(error, OSError) and (fault := error if _is_printing(error) else _stdout_fault()):
        return f"the output cannot be written: {os.strerror(fault.errno or errno.EIO)}"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "the disk is full: free some space, or choose another folder with --data-dir"
    if isinstance(error, NotADirectoryError):
        return f"{error.filename} is not in a folder: choose another folder with --data-dir"
    if isinstance(error, PermissionError):
        return f"no permission for {error.filename}: change it, or choose another folder with --data-dir"
    return _validation(error) or f"unexpected {type(error).__name__}: run it again with --debug to see where"


def _validation(error: BaseException) -> str | None:
    """The first problem that pydantic found; settings are called by the name of their variable."""
    if "pydantic" not in sys.modules:
        return None
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return None
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    # beside names and positions, pydantic tells which of its own validators it was in
    name = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part.isidentifier())
    if error.title == "Settings" and not name.isupper():
        name = f"GRAPHMEM_{name.upper()}"
    message = _NOT_TEXT if first["type"] == "string_unicode" else first["msg"].removeprefix("Value error, ")
    return f"{name}: {message}" if name else message
