"""What the demo shows: a question with its answer and evidence, and one fact that was replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .memory_commands import item_lines
from .output import clean, interval, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from graphmem.models.fact import Fact, HistoryEntry, RememberResult
    from graphmem.models.recall import RecallItem, RecallResult


def summary(results: Sequence[RememberResult]) -> str:
    """Counts of what a conversation became."""
    decisions = [decision for result in results for decision in result.facts]
    stored = len({d.fact.id for d in decisions if d.event in ("ADD", "UPDATE")})
    replaced = len({old for d in decisions for old in d.superseded})
    messages = sum(len(result.episodes) for result in results)
    failed = sum(e.status == "failed" for result in results for e in result.episodes)
    tail = f", {failed} failed" if failed else ""
    return f"{messages} messages → {stored} facts, {replaced} of them replaced later or ended{tail}"


def show_answer(console: Console, question: str, result: RecallResult, *, as_of: str | None = None) -> None:
    """The question and its first memory with kind, score, validity and source."""
    console.print(f"\nQ  {clean(question)}" + (f"   (as of {as_of})" if as_of else ""), style="bold")
    if not result.items:
        console.print("A  nothing found")
        return
    first = result.items[0]
    console.print(f"A  {clean(first.text)}", style="green")
    for line in item_lines(first):
        console.print(f"   {line}")


def holds(item: RecallItem | None, expected: Sequence[str]) -> bool:
    """Whether the memory says everything that is expected, in any case and width."""
    import unicodedata

    def folded(text: str) -> str:
        return unicodedata.normalize("NFKC", text).casefold()

    return item is not None and all(folded(part) in folded(item.text) for part in expected)


def show_replaced(console: Console, fact: Fact, history: Sequence[HistoryEntry]) -> None:
    """A fact that is no longer current, with every step of its life and the reason."""
    withdrawn = ", withdrawn" if fact.expired_at and fact.invalid_at is None else ""
    console.print(f"   {clean(fact.text)}   [{interval(fact.valid_at, fact.invalid_at)}{withdrawn}]")
    for entry in history:
        console.print(f"   {entry.event}: {shorten(entry.text)} — {clean(entry.reason)}")
