"""Evidence: what of a message may be read, after what the service gave itself and what comes every time are left out.

What is left out is blanked in the text that is read, so that every position still leads to the stored content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ..models.fact import RejectedCandidate
from ..models.text import words_key
from ..ports import Turn
from ..safety.recalled import merged, recalled_spans
from ..store.driver import Database
from .accept import content_hash
from .doubt import is_own_word
from .draft import Draft
from .job import EpisodeRow, Job
from .passages import SHORT, Passage, Words, passages_of, words_of

RECALLED, BOILERPLATE = "recalled", "boilerplate"
SESSIONS = 3
"""In so many earlier sessions a passage came word for word when it is boilerplate."""

_WITH_VERSIONS = frozenset({"document", "file", "import"})
"""Sources whose newer version takes the place of the older: each has to carry what it says by itself."""
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|my|mine|we|our)\b|私|僕|ぼく|俺|おれ|わたし|うち|自分")
_SHORTEST_NAME = 2
_OF_THE_SERVICE = 2
"""So many lines in words that only the service uses make a list the service's."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Heard:
    """The messages as they may be read, and what of them was left out."""

    turns: tuple[Turn, ...]
    passages: tuple[tuple[Passage, ...], ...]
    rejected: tuple[RejectedCandidate, ...]
    texts: tuple[str | None, ...]
    """What of each message is searched and recalled; None: all of it."""

    def passage_of(self, draft: Draft, turn: int) -> str | None:
        """The key of the passage in which a statement stands."""
        at = draft.start
        return next((p.key for p in self.passages[turn] if at is not None and p.start <= at < p.end), None)


@dataclass(frozen=True, slots=True)
class Before:
    """What an owner's graph knew before a job."""

    database: Database
    job: Job
    now: datetime

    async def heard(self, turns: Sequence[Turn], actor_name: str) -> Heard:
        """The turns without recalled text and boilerplate; see docs/decisions/0007-what-is-evidence.md."""
        recalled = [list(recalled_spans(turn.content)) for turn in turns]
        for index, spans in enumerate(await self._quoted(turns, recalled, actor_name)):
            recalled[index] = list(merged([*recalled[index], *spans]))
        read = [_blanked(turn, recalled[i]) for i, turn in enumerate(turns)]
        passages = tuple(passages_of(turn.content, self.job.owner_key) for turn in read)
        repeated = await self._repeated(turns, read, passages)
        heard = [_blanked(turn, repeated[i]) for i, turn in enumerate(read)]
        return Heard(
            tuple(heard),
            passages,
            tuple(
                RejectedCandidate(text=turn.content[start:end].strip()[:200], reason=reason)
                for i, turn in enumerate(turns)
                for reason, spans in ((RECALLED, recalled[i]), (BOILERPLATE, repeated[i]))
                for start, end in spans
            ),
            tuple(_left(turn, read[i], heard[i], self.job.episodes[i]) for i, turn in enumerate(turns)),
        )

    async def news(self, drafts: Sequence[Draft]) -> tuple[list[Draft], list[RejectedCandidate]]:
        """The drafts without what the assistant says again of itself: its own word strengthens nothing."""
        own = [d for d in drafts if any(e.role == "assistant" for e in d.episodes)]
        keys = [words_key(self.job.owner_key, draft.text) for draft in own]
        known = await self._wordings([{"index": i, "key": key, "content_hash": None} for i, key in enumerate(keys)])
        again = [draft for i, draft in enumerate(own) if known.get(i, {}).get("known")]
        rejected = [RejectedCandidate(text=draft.text[:200], reason=RECALLED) for draft in again]
        return [draft for draft in drafts if draft not in again], rejected

    async def _quoted(
        self, turns: Sequence[Turn], recalled: Sequence[Sequence[Span]], actor_name: str
    ) -> list[list[Span]]:
        """For each turn what is a quotation of the service by its content; documents have words of their own."""
        names = {n.casefold() for n in (actor_name, self.job.scope.actor_id) if len(n) >= _SHORTEST_NAME}
        asked: list[tuple[int, Words]] = []
        for turn, episode, spans in zip(turns, self.job.episodes, recalled, strict=True):
            if episode.role != "user" or is_own_word(episode.role, episode.source_type):
                called = names | ({turn.speaker.casefold()} if len(turn.speaker) >= _SHORTEST_NAME else set())
                given = words_of(_blanked(turn, spans).content)
                asked += [(turn.index, w) for w in given if w.text and (w.list_number or _names(w.text, called))]
        rows = [
            {"index": i, "key": words_key(self.job.owner_key, w.text), "content_hash": content_hash(w.text)}
            for i, (_, w) in enumerate(asked)
        ]
        known = await self._wordings(rows)
        sure: Counter[tuple[int, int | None]] = Counter(
            (at, w.list_number) for i, (at, w) in enumerate(asked) if w.list_number and _sure(known, i)
        )
        found: list[list[Span]] = [[] for _ in turns]
        for i, (at, words) in enumerate(asked):
            lines = sure[at, words.list_number]
            alike = known[i]["known"] or known[i]["said"] or words.text.casefold().startswith(tuple(names))
            elsewhere = known[i]["known"] and turns[at].role != "user"
            if _sure(known, i) or elsewhere or lines >= _OF_THE_SERVICE or (lines and alike):
                found[at].append((words.start, words.end))
        return found

    async def _wordings(self, rows: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
        if not rows:
            return {}
        before = min(episode.id for episode in self.job.episodes)
        parameters = {"owner_key": self.job.owner_key, "rows": rows, "before": before}
        return {row["index"]: row for row in await self.database.run("ingest/known_wordings", parameters)}

    async def _repeated(
        self, turns: Sequence[Turn], read: Sequence[Turn], passages: Sequence[tuple[Passage, ...]]
    ) -> list[list[Span]]:
        """For each turn the passages that came in several earlier sessions, but for statements that count again."""
        asked = [
            (i, passage)
            for i, found in enumerate(passages)
            if self.job.episodes[i].source_type.casefold() not in _WITH_VERSIONS
            for passage in found
        ]
        rows = [
            self._passage_row(number, self.job.episodes[i], passage, untouched=turns[i].content == read[i].content)
            for number, (i, passage) in enumerate(asked)
        ]
        spans: list[list[Span]] = [[] for _ in turns]
        if not rows:
            return spans
        parameters = {"owner_key": self.job.owner_key, "rows": rows, "most": SESSIONS, "now": self.now}
        for row in await self.database.run("ingest/passages_before", parameters):
            i, passage = asked[row["index"]]
            if row["holds"] or not _is_statement(self.job.episodes[i], passage, read[i].content):
                spans[i].append((passage.start, passage.end))
        return spans

    def _passage_row(self, number: int, episode: EpisodeRow, passage: Passage, *, untouched: bool) -> dict[str, Any]:
        day = episode.occurred_at.astimezone(UTC).date().isoformat()
        return {
            "index": number,
            "key": passage.key,
            "content_hash": content_hash(episode.content) if passage.whole and untouched else None,
            "role": episode.role,
            "episode_id": episode.id,
            "session": self.job.scope.session_id or day,
            "times": SESSIONS,
        }


def _is_statement(episode: EpisodeRow, passage: Passage, content: str) -> bool:
    """Whether a passage is a short statement that a person makes, which counts again once it no longer held."""
    text = content[passage.start : passage.end].strip()
    short = len(text) <= SHORT and is_own_word(episode.role, episode.source_type)
    return short and (passage.whole or ("\n" not in text and bool(_FIRST_PERSON.search(text))))


def _sure(known: dict[int, dict[str, Any]], index: int) -> bool:
    return bool(known[index]["rendered"])


def _names(text: str, names: set[str]) -> bool:
    folded = text.casefold()
    return any(name in folded for name in names)


def _blanked(turn: Turn, spans: Sequence[Span]) -> Turn:
    """The turn with blanks in place of the spans, line by line, so that nothing else moves."""
    if not spans:
        return turn
    parts, position = [], 0
    for start, end in merged(list(spans)):
        parts += [turn.content[position:start], re.sub(r"[^\n]", " ", turn.content[start:end])]
        position = end
    return replace(turn, content="".join([*parts, turn.content[position:]]))


def _left(turn: Turn, read: Turn, heard: Turn, episode: EpisodeRow) -> str | None:
    """What of an episode is recalled: not what was left out, but a short statement that is said once more."""
    said_again = heard.content != read.content and not heard.content.strip() and len(read.content.strip()) <= SHORT
    left = read if said_again and is_own_word(episode.role, episode.source_type) else heard
    if left.content == turn.content:
        return None
    return "\n".join(" ".join(line.split()) for line in left.content.splitlines() if line.strip())


def as_heard(job: Job, texts: Sequence[str | None]) -> Job:
    """The job with what of each of its episodes is searched and recalled."""
    if not any(text is not None for text in texts):
        return job
    pairs = zip(job.episodes, texts, strict=True)
    return replace(job, episodes=tuple(replace(episode, heard=text) for episode, text in pairs))
