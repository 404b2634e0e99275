"""What summaries and themes are made from: usable messages with the facts that they taught, and the mark of a set."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..errors import ProviderError
from ..models.ids import hash_key
from ..ports import Learned, Said, Summariser, Summary
from ..safety.recalled import recalled_spans
from ..store.driver import Database

log = logging.getLogger(__name__)

Summarisers = Callable[[str], "Maker"]
"""For a store: what makes its summaries in one pass."""


class Maker:
    """Makes summaries by the model; when that fails, without it for the rest of the pass."""

    def __init__(self, model: Summariser | None, offline: Summariser) -> None:
        self._model = model
        self.offline = offline

    def is_due(self, mark: str | None, episodes: Sequence[dict[str, Any]]) -> bool:
        """Whether a summary of these sources is not yet there, or is one that the model was to make."""
        if not episodes:
            return mark is not None
        good = ("llm",) if self._model is not None else ("llm", "offline")
        return mark not in [mark_of(name, episodes) for name in good]

    async def make(self, said: Sequence[Said], learned: Sequence[Learned]) -> tuple[Summary, str]:
        """The summary, and who made it."""
        if self._model is not None:
            try:
                return await self._model.summarise(said, learned), self._model.name
            except ProviderError as error:
                log.warning("summaries are made without the model: %s", error.reason or error.code)
                self._model = None
        return await self.offline.summarise(said, learned), self.offline.name


def mark_of(name: str, episodes: Sequence[dict[str, Any]]) -> str:
    """Equal for equal sources in equal state, summarised in the same way."""
    rows = sorted([episode["id"], *episode["version"]] for episode in episodes)
    return hash_key(name, json.dumps(rows))


@dataclass(frozen=True, slots=True)
class Sources:
    """Messages and facts, in order."""

    said: tuple[Said, ...]
    learned: tuple[Learned, ...]
    newest: datetime | None


async def read_sources(
    database: Database, owner: str, episode_ids: Sequence[str], now: datetime, *, current_only: bool
) -> Sources:
    """The words of these episodes and what they taught; with `current_only` without what has ended by now."""
    rows = await database.run(
        "maintain/sources",
        {"owner_key": owner, "episode_ids": list(episode_ids), "current_only": current_only, "now": now},
    )
    said = tuple(
        Said(row["id"], row["role"], row["name"], row["content"], row["occurred_at"], _barred(row)) for row in rows
    )
    learned = {
        fact["id"]: Learned(fact["text"], row["id"], fact["importance"], _span(fact))
        for row in rows
        for fact in row["facts"]
    }
    return Sources(said, tuple(learned.values()), rows[-1]["occurred_at"] if rows else None)


def _barred(row: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    """What does not hold, and what the service gave itself."""
    whole = (0, len(row["content"]))
    return tuple(sorted([*(_span(span) or whole for span in row["barred"]), *recalled_spans(row["content"])]))


def _span(held: dict[str, Any]) -> tuple[int, int] | None:
    start, end = held["start"], held["end"]
    return (start, end) if start is not None and end is not None and end > start else None
