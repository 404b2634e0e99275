"""Plain text takes a short way past the look for marks; it must lead to the same text as the long one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphmem.safety import harmless

PIECES = [
    "memory",
    "context",
    "-",
    " ",
    "<",
    ">",
    "/",
    "&lt;",
    "&gt",
    "\\x3c",
    "%3e",
    "a",
    "ｍemory",
    "＜",
    "\u200b",
    "é",
    "\n",
    "\x07",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30))
def test_the_short_way_gives_what_the_long_one_gives(text: str) -> None:
    line = harmless._one_line(text)
    long = " ".join("".join(" " if harmless.unicodedata.category(c) == "Cc" else c for c in text).split())
    assert line == long
    bare = harmless._folded(line)
    marked = harmless._NAME.search(bare) is not None and harmless._LIKE_A_MARK.search(bare) is not None
    if not marked:
        assert harmless._without_mark(line) == line
    else:
        assert harmless._MAY_BE_A_MARK.search(line) is not None
