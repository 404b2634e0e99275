"""Prompts as text, one file a task, each beside the model of its answer.

A file has a head of `name: value` lines, then sections that begin with `## name`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_SECTION = re.compile(r"^## (\w+)\n", re.MULTILINE)


@cache
def load_prompt(name: str) -> dict[str, str]:
    """The sections of `name`.md by their names."""
    parts = _SECTION.split((files(__name__) / f"{name}.md").read_text(encoding="utf-8"))
    return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}
