"""Text as it may stand inside the context block: on one line, unable to close the block or to look like a part of it.

Nothing is deleted, so that what was split or nested cannot grow together; what could be taken for a mark is shown with
other characters.
"""

from __future__ import annotations

import html
import re
import unicodedata

from .orders import is_order

_MAX_LABEL, _MAX_SOURCE = 40, 200
_AND = re.compile(r"&(?:(?:amp|#0*38|#x0*26);?)+", re.IGNORECASE)
_ENTITY = re.compile(r"&(?=[A-Za-z#])")
_ESCAPE = re.compile(r"\\+(?:u\{?0*|x|U0*)(3[ce])\}?|%(?:25)*(3[ce])", re.IGNORECASE)
_NAME = re.compile(r"(m\W?e\W?m\W?o\W?r\W?y)[\W_]*(c\W?o\W?n\W?t\W?e\W?x\W?t)", re.IGNORECASE)
_BRACKETS = str.maketrans(
    {"<": "‹", ">": "›", "〈": "‹", "〉": "›", "⟨": "‹", "⟩": "›", "❮": "‹", "❯": "›", "˂": "‹", "˃": "›"}
)
_ACCENTS = re.compile("[\u0300-\u036f]+")
_MAY_BE_A_MARK = re.compile(r"[^\x00-\x7f]|[<>&\\%]")
_LIKE_A_MARK = re.compile(r"[<>〈〉⟨⟩❮❯˂˃]")
_ROLE_TAG = re.compile(
    r"[<＜﹤](?=[\s/<|!?＜／]{0,4}(?:\||sys|system|assistant|user|human|developer|instruction|tool|function|im_"
    r"|begin|end|eot|s>))",
    re.IGNORECASE,
)
_INST = re.compile(r"\[(/?)(INST|SYSTEM|SYS)\]", re.IGNORECASE)
_LINE = re.compile(r"(\d{1,3}[.．]\s?)[\[［]")
_SOURCE = re.compile(r"[(（]\s*(source\s*[:：])", re.IGNORECASE)
_TO_LABEL = str.maketrans(dict.fromkeys("[]［］()（）;；<>", " "))
_TO_SOURCE = str.maketrans({"(": "（", ")": "）", "<": "‹", ">": "›", "[": "［", "]": "］"})


def shown(text: str, *, quoted: bool = False) -> str:
    """A memory's text; `quoted` between quotation marks that it cannot close."""
    line = _without_mark(_one_line(text))
    line = _ROLE_TAG.sub("‹", line)
    line = _INST.sub(r"(\1\2)", line)
    line = _LINE.sub(r"\1(", line)
    line = _SOURCE.sub(r"(quoted \1", line)
    return f"“{line.replace('“', chr(34)).replace('”', chr(34))}”" if quoted else line


def lines_shown(text: str) -> list[str]:
    """The lines of a longer text, as `shown` each; one line, where several together could be taken for a mark."""
    lines = [shown(line) for line in text.splitlines()]
    whole = "\n".join(lines)
    return lines if _without_mark(whole) == whole else [shown(text)]


def label(text: str, instead: str) -> str:
    """A word between the square brackets of a line; `instead` for one that orders its reader about."""
    line = " ".join(_without_mark(_one_line(text)).translate(_TO_LABEL).split())
    return instead if not line or is_order(line) else line[:_MAX_LABEL]


def source(text: str, instead: str) -> str:
    """The name of a source; `instead` for one that orders its reader about."""
    line = _without_mark(_one_line(text)).translate(_TO_SOURCE)
    return instead if is_order(line) else line[:_MAX_SOURCE]


def _one_line(text: str) -> str:
    if text.isprintable():  # then none of it is a control character
        return " ".join(text.split())
    return " ".join("".join(c if unicodedata.category(c) != "Cc" else " " for c in text).split())


def _without_mark(line: str) -> str:
    """The line as it is, or, where it holds the block's mark in any writing, folded and with other brackets."""
    if _MAY_BE_A_MARK.search(line) is None:  # no bracket, and nothing that could be read as one
        return line
    bare = _folded(line)
    if _NAME.search(bare) is None or _LIKE_A_MARK.search(bare) is None:
        return line
    return _ENTITY.sub("& ", _NAME.sub(r"\1 \2", bare.translate(_BRACKETS)))


def _folded(line: str) -> str:
    """The line with entities and escapes read, full-width forms as ASCII, and without what does not show."""
    bare = _ESCAPE.sub(lambda m: "<" if (m[1] or m[2]).lower() == "3c" else ">", html.unescape(_AND.sub("&", line)))
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", bare))
    return unicodedata.normalize("NFC", "".join(c for c in bare if unicodedata.category(c) not in ("Cf", "Me", "Cc")))
