"""Front matter of a Markdown file: the lines between `---` at its head, read and changed without losing the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Value = str | tuple[str, ...]

_KEY = re.compile(r"([^\s:#\-\[\]{}&*!|>%@`,\"'][^:\n]*?)\s*:(?:\s+(.*?))?\s*$")
_ITEM = re.compile(r"\s*-(?:\s+(.*?))?\s*$")
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^:#\n]*")
_RESERVED = frozenset({"true", "false", "yes", "no", "on", "off", "null", "~"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The head of a file, line ends included; '' when it has none."""

    head: str

    @property
    def values(self) -> dict[str, Value]:
        """Each key, in lower case, with its text or list; nested values are left out."""
        return {key: value for key, value, _, _ in self._fields()}

    def _lines(self) -> list[str]:
        return self.head.splitlines(keepends=True)

    def _fields(self) -> Iterator[tuple[str, Value, int, int]]:
        """Key, value, and the lines from the first up to the one after the last."""
        lines = self._lines()
        at = 1
        while at < len(lines) - 1:
            match = _KEY.match(lines[at].rstrip("\r\n")) if not lines[at].startswith((" ", "\t")) else None
            end = at + 1
            while end < len(lines) - 1 and _continues(lines[end]):
                end += 1
            if match is not None:
                more = [line.rstrip("\r\n") for line in lines[at + 1 : end]]
                yield match[1].strip("\"'").casefold(), _value(match[2] or "", more), at, end
            at = end

    def changed(self, values: Mapping[str, Value | None], newline: str = "\n") -> FrontMatter:
        """With these values in the place of what was there; None takes a key out, other lines stay as they are."""
        if not self.head:
            written = [line for key, value in values.items() if value is not None for line in _written(key, value)]
            if not written:
                return self
            return FrontMatter("".join(f"{line}{newline}" for line in ("---", *written, "---")))
        lines = self._lines()
        newline = "\r\n" if lines[0].endswith("\r\n") else "\n"
        left = dict(values)
        for key, _, start, end in reversed(list(self._fields())):
            if key in left:
                value = left.pop(key)
                new = _written(lines[start].split(":", 1)[0].strip(), value) if value is not None else []
                lines[start:end] = [line + newline for line in new]
        added = [line for key, value in left.items() if value is not None for line in _written(key, value)]
        lines[-1:-1] = [line + newline for line in added]
        return FrontMatter("".join(lines))


def split(text: str) -> tuple[FrontMatter, str]:
    """The head of a file's text, without byte-order mark, and the body; together they are the text."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return FrontMatter(""), text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            head = "".join(lines[: number + 1])
            return FrontMatter(head), text[len(head) :]
    return FrontMatter(""), text


def _continues(line: str) -> bool:
    """Whether the line belongs to the key above: an item, or indented."""
    return bool(line.startswith((" ", "\t")) or _ITEM.match(line.rstrip("\r\n")) or not line.strip())


def _value(first: str, more: Sequence[str]) -> Value:
    if first in ("|", ">", "|-", ">-", "|+", ">+"):
        return (" " if first[0] == ">" else "\n").join(line.strip() for line in more).strip()
    if first.startswith("[") and not re.fullmatch(r"\[\[[^\[\]]*\]\]", first):
        return tuple(_flow(" ".join([first, *(line.strip() for line in more)])))
    items = [match[1] for line in more if (match := _ITEM.match(line))]
    if items and not first:
        return tuple(text for item in items if (text := _scalar(item or "")))
    return _scalar(first)


def _flow(text: str) -> Iterator[str]:
    """Items of `[a, "b, c", '[[d]]']`; bare `[[d]]` is one item, as people write it."""
    inner = text[1 : text.rindex("]")] if "]" in text else text[1:]
    for match in re.finditer(r"\s*(\"(?:\\.|[^\"\\])*\"|'(?:''|[^'])*'|\[\[[^\]]*\]\]|[^,]+)\s*(?:,|$)", inner):
        if item := _scalar(match[1]):
            yield item


def _scalar(text: str) -> str:
    text = text.strip()
    if text.startswith('"') and (match := re.match(r'"(?:\\.|[^"\\])*"', text)):
        try:
            return str(json.loads(match[0]))
        except ValueError:
            return match[0][1:-1]
    if text.startswith("'") and (match := re.match(r"'((?:''|[^'])*)'", text)):
        return match[1].replace("''", "'")
    return re.sub(r"\s+#.*$", "", text)


def _written(key: str, value: Value) -> list[str]:
    if isinstance(value, str):
        return [f"{key}: {_quoted(value)}"]
    return [f"{key}:", *(f"  - {_quoted(item)}" for item in value)] if value else []


def _quoted(text: str) -> str:
    bare = _PLAIN.fullmatch(text) and text == text.strip() and text.casefold() not in _RESERVED
    return text if bare else json.dumps(text, ensure_ascii=False)
