"""The context block: what a model is shown, within a token budget and closed against its own contents.

The most useful item comes first. One that does not fit whole is passed over, and the next that fits is taken: a long
document does not shut out the short facts behind it. Sides of one dispute stand beside each other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from ..models.recall import ContextFormat, RecallItem
from ..safety.harmless import label, shown, source
from ..safety.recalled import CLOSE, HEAD, OPEN
from .tokens import count_tokens

_MOST_CHARACTERS = 8
"""Of one token, with the blank behind it: a text that is longer than the whole budget need not be looked at."""


@dataclass(frozen=True, slots=True)
class Block:
    """A rendered context."""

    text: str
    """Empty when nothing is in it."""
    tokens: int
    items: tuple[str, ...]
    """Ids of what is in it, in its order."""


class _Form(Protocol):
    """How a block is written: what stands before the lines and behind them, and a line."""

    before: str
    after: str

    def body(self, item: RecallItem, rivals: Sequence[int]) -> str: ...

    def line(self, number: int, body: str, *, last: bool) -> str: ...


def render(items: Sequence[RecallItem], max_tokens: int, form: ContextFormat = "markdown") -> Block:
    """The block of the items that fit, the most useful first; nothing that fits gives an empty text."""
    writer: _Form = _Json() if form == "json" else _Markdown()
    rivals = _rivals(items)
    budget = max_tokens - count_tokens(f"{OPEN}\n{writer.before}\n{writer.after}{CLOSE}")
    chosen: dict[str, tuple[RecallItem, str]] = {}
    for item in _side_by_side(items, rivals):
        if len(" ".join(item.text.split())) > _MOST_CHARACTERS * budget:
            continue
        body = writer.body(item, [1] * len(rivals[item.id]))
        cost = count_tokens(writer.line(1, body, last=False) + "\n")
        if cost <= budget:
            budget -= cost
            chosen[item.id] = (item, body)
    if not chosen:
        return Block("", 0, ())
    numbers = {name: number for number, name in enumerate(chosen, 1)}
    lines = []
    for name, (item, body) in chosen.items():
        others = [numbers[r] for r in rivals[name] if r in numbers]
        final = writer.body(item, others) if rivals[name] else body
        lines.append(writer.line(numbers[name], final, last=numbers[name] == len(chosen)))
    text = "\n".join([OPEN, writer.before, *lines, writer.after + CLOSE])
    return Block(text, count_tokens(text), tuple(chosen))


def _rivals(items: Sequence[RecallItem]) -> dict[str, list[str]]:
    """For each item the others that are a side of a dispute with it, in the order of the items."""
    return {
        item.id: [
            other.id
            for other in items
            if other.id != item.id and not set(item.contradictions).isdisjoint(other.contradictions)
        ]
        for item in items
    }


def _side_by_side(items: Sequence[RecallItem], rivals: dict[str, list[str]]) -> list[RecallItem]:
    """The items in their order, each followed by those that it is in dispute with."""
    known = {item.id: item for item in items}
    placed = dict.fromkeys(name for item in items for name in (item.id, *rivals[item.id]))
    return [known[name] for name in placed]


class _Markdown:
    """A heading, and a numbered line for each item."""

    before = "\n".join(HEAD)
    after = ""

    def line(self, number: int, body: str, *, last: bool) -> str:
        """`1. ` and the body."""
        return f"{number}. {body}"

    def body(self, item: RecallItem, rivals: Sequence[int]) -> str:
        """`[category; importance=…; retention=…; since …] text (source: …)`."""
        labels = [_category(item)]
        if item.importance is not None:
            labels.append(f"importance={item.importance:.2f}")
        if item.retention is not None and item.kind != "episode":
            labels.append(f"retention={item.retention:.2f}")
        if item.disputed:
            labels.append("disputed with " + ", ".join(map(str, rivals)) if rivals else "disputed")
        if item.quoted:
            labels.append("quoted, not an instruction")
        if validity := _validity(item):
            labels.append(validity)
        text = f"[{'; '.join(labels)}] {shown(item.text, quoted=item.quoted)}"
        return f"{text} (source: {name})" if (name := _source(item)) else text


class _Json:
    """One JSON object between the marks, an item a line; no text in it holds an angle bracket."""

    before = json.dumps({"heading": HEAD[0].lstrip("# "), "use": HEAD[1]})[:-1] + ', "memories": ['
    after = "]}\n"

    def line(self, number: int, body: str, *, last: bool) -> str:
        """The body with its number as `n` before the rest."""
        return f'{{"n": {number}, {body[1:]}' + ("" if last else ",")

    def body(self, item: RecallItem, rivals: Sequence[int]) -> str:
        """`{"memory": "…", "category": "…", …}`; what is not known is left out."""
        episode = item.kind == "episode"
        values: dict[str, Any] = {
            "memory": shown(item.text),
            "kind": item.kind,
            "category": _category(item) if item.category else None,
            "importance": None if item.importance is None else round(item.importance, 2),
            "retention": None if item.retention is None or episode else round(item.retention, 2),
            "said": _day(item.valid_at) if episode else None,
            "valid_from": None if episode else _day(item.valid_at),
            "valid_until": None if episode else _day(item.invalid_at),
            "disputed": item.disputed or None,
            "disputed_with": list(rivals) or None,
            "quoted": "not an instruction" if item.quoted else None,
            "source": _source(item) or None,
        }
        line = json.dumps({name: value for name, value in values.items() if value is not None}, ensure_ascii=False)
        return line.replace("<", "\\u003c").replace(">", "\\u003e")


def _category(item: RecallItem) -> str:
    return label(item.category or item.kind, item.kind)


def _source(item: RecallItem) -> str:
    if not item.sources:
        return ""
    first = item.sources[0]
    return source(first.source_id or first.episode_id, first.episode_id)


def _validity(item: RecallItem) -> str:
    if item.kind == "episode":
        return f"said {_day(item.valid_at)}" if item.valid_at else ""
    if item.valid_at is None:
        return ""
    return f"{_day(item.valid_at)}..{_day(item.invalid_at)}" if item.invalid_at else f"since {_day(item.valid_at)}"


def _day(time: datetime | None) -> str | None:
    return time.date().isoformat() if time else None
