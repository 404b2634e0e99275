"""Makes `graphmem/client/sync` from `graphmem/client/aio`: `uv run python -m tests.support.sync_client`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from .tree import ROOT

AIO, SYNC = ROOT / "graphmem/client/aio", ROOT / "graphmem/client/sync"
BY_HAND = {"__init__.py", "waiting.py"}
"""What the two sides do not share."""

_WORDS = {
    r"\basync (?=def|with|for)": "",
    r"\bawait ": "",
    r"\bAwaitable\[(\w+\[\w+\])\]": r"\1",
    r"\bAwaitable, ": "",
    r"\bAsync(?=[A-Z])": "",
    r"\b__a(enter|exit)__": r"__\1__",
    r"\b(aclose|aiter_bytes)\b": lambda match: match[1][1:],
    r"for item in (page\.items):\n +yield item": r"yield from \1",
    r"; it is of one event loop\.": "; threads may share it.",
}


def made(source: str, name: str) -> str:
    """The sync side of a module, before it is formatted."""
    for pattern, replacement in _WORDS.items():
        source = re.sub(pattern, replacement, source)
    return f"# Made from ../aio/{name} by tests/support/sync_client.py: change that one.\n{source}"


def formatted(source: str) -> str:
    """As ruff has it: imports in order, lines of their length."""
    for step in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *step, "--stdin-filename", str(SYNC / "made.py"), "-"]
        source = subprocess.run(command, input=source, text=True, capture_output=True, check=True, cwd=ROOT).stdout
    return source


def modules() -> dict[Path, str]:
    """Every file of the sync side that is made, with its text."""
    return {
        SYNC / path.name: formatted(made(path.read_text(encoding="utf-8"), path.name))
        for path in sorted(AIO.glob("*.py"))
        if path.name not in BY_HAND
    }


if __name__ == "__main__":
    for file, text in modules().items():
        file.write_text(text, encoding="utf-8")
