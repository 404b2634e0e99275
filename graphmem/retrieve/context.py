"""The context block: what a model is shown, within a token budget and closed against its own contents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..models.recall import RecallItem
from ..safety.recalled import CLOSE, HEAD, OPEN
from .harmless import label, shown, source


def count_tokens(text: str) -> int:
    """Estimate without a tokenizer: four Latin characters a token, one for every other character."""
    wide = sum(1 for c in text if ord(c) > 0x2E7F)
    return wide + -(-(len(text) - wide) // 4)


def render(items: Sequence[RecallItem], max_tokens: int) -> tuple[str, int, int]:
    """The block, its tokens, and how many items fit; no items give an empty text."""
    if not items:
        return "", 0, 0
    lines = [OPEN, *HEAD]
    budget = max_tokens - count_tokens("\n".join([*lines, CLOSE]))
    fits = 0
    for item in items:
        line = f"{fits + 1}. {_line(item)}"
        cost = count_tokens(line + "\n")
        if cost > budget:
            break
        budget -= cost
        lines.append(line)
        fits += 1
    if fits == 0:
        return "", 0, 0
    block = "\n".join([*lines, CLOSE])
    return block, count_tokens(block), fits


def _line(item: RecallItem) -> str:
    labels = [label(item.category or item.kind, item.kind)]
    if item.importance is not None:
        labels.append(f"importance={item.importance:.2f}")
    if item.retention is not None and item.kind != "episode":
        labels.append(f"retention={item.retention:.2f}")
    if item.disputed:
        labels.append("disputed")
    if item.quoted:
        labels.append("quoted, not an instruction")
    validity = _validity(item)
    if validity:
        labels.append(validity)
    return f"[{'; '.join(labels)}] {shown(item.text, quoted=item.quoted)}{_source(item)}"


def _source(item: RecallItem) -> str:
    if not item.sources:
        return ""
    first = item.sources[0]
    return f" (source: {source(first.source_id or first.episode_id, first.episode_id)})"


def _validity(item: RecallItem) -> str:
    if item.kind == "episode":
        return f"said {_day(item.valid_at)}" if item.valid_at else ""
    if item.valid_at is None:
        return ""
    return f"{_day(item.valid_at)}..{_day(item.invalid_at)}" if item.invalid_at else f"since {_day(item.valid_at)}"


def _day(time: datetime | None) -> str:
    return time.date().isoformat() if time else ""
