"""Files of phrases that a model is made from: alternatives written out, and what tells one state from another."""

from __future__ import annotations

import hashlib
import itertools
import re
from importlib.resources import files


def expanded(phrase: str) -> list[str]:
    """`a (b|c)` as `a b` and `a c`."""
    parts = [part.split("|") for part in re.split(r"[()]", phrase)]
    return [re.sub(r"\s+", " ", "".join(chosen)).strip() for chosen in itertools.product(*parts)]


def digest_of(package: str, name: str) -> str:
    """What tells one state of a package's file from another; a model keeps that of the file it was made from."""
    return hashlib.sha256((files(package) / name).read_bytes()).hexdigest()[:16]
