"""Calibrate the gate of a store: ask questions whose answers are known, look at the scores, choose the least ones.

The questions are labelled ones, or made from the store's own facts: each with its object left out ("Haruka lives in
what?"). Without an answer are the same questions, as if the fact were not there, and asked of another actor.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from graphmem.errors import InvalidInput, ProviderError
from graphmem.models.base import MAX_QUERY, Id, Model, Text, Time
from graphmem.models.episode import RememberRequest, Source
from graphmem.models.recall import Mode, Query, RecallItem, RecallRequest
from graphmem.models.scope import ReadScope, Scope
from graphmem.models.text import search_form

from .calibrate import Asked, Chosen, Point, choose, point_at
from .progress import Progress, silent

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.models.recall import Judged

MODES: tuple[Mode, ...] = ("hybrid", "vector", "keyword")
"""What is measured; `semantic` scores as `hybrid` does."""
LEAST = 10
"""So many questions of each kind are needed at least."""
MOST_FACTS = 300
_DEPTH = 20
"""Memories of one question that are looked at: what lies behind them is not given by an ordinary recall."""


class Question(Model):
    """A line of the data: what is asked of whom, and the ids of what answers it; none where nothing does."""

    model_config = ConfigDict(extra="ignore")

    query: Query
    actor: Id
    expected: Annotated[tuple[Id, ...], Field(max_length=1_000)] = Field(
        description="Ids of facts, notes or episodes, or source ids of messages."
    )


class MemoryLine(Model):
    """A line of the memories that a store is made of for a measurement."""

    model_config = ConfigDict(extra="ignore")

    actor: Id
    id: Id
    text: Text
    at: Time | None = None


T = TypeVar("T", Question, MemoryLine)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One mode: what was chosen, and what the present settings do to the same questions."""

    chosen: Chosen
    present: Point


@dataclass(frozen=True, slots=True)
class Made:
    """A question made of a fact: it is asked of its actor, and of another one."""

    query: str
    actor: str
    other: str | None
    answers: frozenset[str]
    object: str


def read_questions(path: Path) -> list[Question]:
    """The labelled questions of a JSONL file. Errors: InvalidInput with the line."""
    return list(_lines(path, Question))


def read_memories(path: Path) -> list[MemoryLine]:
    """The memories of a JSONL file. Errors: InvalidInput with the line."""
    return list(_lines(path, MemoryLine))


async def fill(memory: Memory, store: str, lines: Sequence[MemoryLine], progress: Progress) -> None:
    """Remember every line. Errors: as `remember`."""
    requests = [
        RememberRequest(
            scope=Scope(actor_id=line.actor), text=line.text, source=Source(id=line.id), occurred_at=line.at
        )
        for line in lines
    ]
    done = 0
    async for _ in memory.remember_all(store, requests):
        done += 1
        progress("remember", done / len(requests))


async def calibrate(
    memory: Memory,
    store: str,
    questions: Sequence[Question] | None = None,
    *,
    modes: Sequence[Mode] = MODES,
    keep: float | None = None,
    progress: Progress = silent,
) -> dict[Mode, Calibrated]:
    """Least scores for each mode, from labelled questions or from the store's facts; nothing is changed.

    Errors: NotFound (store), InvalidInput when there is too little to ask, ProviderError when the embedder is away.
    """
    await memory.get_store(store)
    made = [] if questions is not None else await _made(memory, store)
    found: dict[Mode, Calibrated] = {}
    for mode in modes:
        asked: list[Asked] = []
        total = len(questions) if questions is not None else len(made)
        source = (
            _labelled(memory, store, questions, mode)
            if questions is not None
            else _synthetic(memory, store, made, mode)
        )
        async for one in source:
            asked.append(one)
            progress(f"ask ({mode})", min(1.0, len(asked) / max(total, 1)))
        _check(asked, mode)
        found[mode] = Calibrated(
            choose(asked, with_vector=mode == "hybrid", keep=keep), await _present(memory, store, mode, asked)
        )
    return found


async def apply(memory: Memory, store: str, found: Mapping[Mode, Calibrated]) -> None:
    """Write the chosen least scores into the store's settings. Errors: NotFound."""
    scores: dict[Mode, float] = {mode: one.chosen.point.min_score for mode, one in found.items()}
    vectors: dict[Mode, float] = {
        mode: one.chosen.point.min_vector for mode, one in found.items() if one.chosen.point.min_vector is not None
    }
    for least in (scores, vectors):
        if "hybrid" in least:
            least["semantic"] = least["hybrid"]
    chosen = found["hybrid"].chosen
    await memory.recalls.calibrate(store, scores, vectors, chosen.answerable + chosen.unanswerable)


# --- questions -----------------------------------------------------------------------------------------------


def cloze(text: str, object_: str) -> str | None:
    """The text with its object asked for; None when the object is not in it."""
    at = text.casefold().rfind(object_.casefold())
    if at < 0 or not object_.strip():
        return None
    blank = "何" if any(ord(c) > 0x2E7F for c in text) else "what"
    return f"{text[:at]}{blank}{text[at + len(object_) :]}".rstrip(".。") + "?"


async def _made(memory: Memory, store: str) -> list[Made]:
    rows = await memory.database.run("eval/calibration_facts", {"store_id": store, "limit": MOST_FACTS})
    actors = sorted({row["actor_id"] for row in rows})
    made = []
    for row in rows:
        query = cloze(row["text"], row["object"]) if row["object"] else None
        if query is not None and len(query) <= MAX_QUERY:
            after = actors[(actors.index(row["actor_id"]) + 1) % len(actors)]
            other = after if after != row["actor_id"] else None
            made.append(Made(query, row["actor_id"], other, frozenset(row["answers"]), row["object"]))
    if len(made) < LEAST:
        raise InvalidInput(
            f"only {len(made)} questions can be made of this store's facts, {LEAST} are needed; give labelled ones",
            field="data",
        )
    return made


def _check(asked: Sequence[Asked], mode: Mode) -> None:
    answerable = sum(one.answerable for one in asked)
    for count, kind in ((answerable, "with"), (len(asked) - answerable, "without")):
        if count < LEAST:
            raise InvalidInput(f"{LEAST} questions {kind} an answer are needed, there are {count}", field="data")
    if not any(right for one in asked for right in one.right):
        raise InvalidInput(
            f"in mode {mode} no expected memory is found; are the ids those of this store?", field="data"
        )


# --- what they find ------------------------------------------------------------------------------------------


async def _labelled(memory: Memory, store: str, questions: Sequence[Question], mode: Mode) -> AsyncIterator[Asked]:
    for question in questions:
        found = await _search(memory, store, question.actor, question.query, mode)
        expected = frozenset(question.expected)
        yield _asked(found, [_names(item, expected) for item, _ in found], answerable=bool(expected))


async def _synthetic(memory: Memory, store: str, made: Sequence[Made], mode: Mode) -> AsyncIterator[Asked]:
    for question in made:
        found = await _search(memory, store, question.actor, question.query, mode)
        right = [_names(item, question.answers) for item, _ in found]
        yield _asked(found, right, answerable=True)
        without = [one for one, is_right in zip(found, right, strict=True) if not is_right]
        yield _asked(without, [False] * len(without), answerable=False)
        if question.other is not None:
            foreign = await _search(memory, store, question.other, question.query, mode)
            if not any(search_form(question.object).casefold() in search_form(i.text).casefold() for i, _ in foreign):
                yield _asked(foreign, [False] * len(foreign), answerable=False)


async def _search(memory: Memory, store: str, actor: str, query: str, mode: Mode) -> list[tuple[RecallItem, Judged]]:
    """What an ordinary recall could give, whatever its score."""
    request = RecallRequest(scope=ReadScope(actor_id=actor), query=query, mode=mode, limit=_DEPTH, dry_run=True)
    result = await memory.recalls.matches(store, request)
    if "embedder" in result.degraded:
        raise ProviderError("The embedder is away, so that no score can be measured.", reason="unavailable")
    pairs = zip(result.items, result.audit.passed or (), strict=True)
    return [(item, judged) for item, judged in pairs if not (judged.stopped or judged.replaced)]


def _names(item: RecallItem, ids: frozenset[str]) -> bool:
    return item.id in ids or any(s.source_id in ids or s.episode_id in ids for s in item.sources)


def _asked(found: Sequence[tuple[RecallItem, Judged]], right: Sequence[bool], *, answerable: bool) -> Asked:
    return Asked(
        answerable,
        tuple(judged.score for _, judged in found),
        tuple(-1.0 if judged.rival else judged.scores["vector"] for _, judged in found),
        tuple(right),
    )


async def _present(memory: Memory, store: str, mode: Mode, asked: Sequence[Asked]) -> Point:
    """What the store's settings, or the product's, do to the same questions."""
    request = RecallRequest(scope=ReadScope(actor_id="nobody"), query="?", mode=mode, dry_run=True)
    gate = (await memory.recall(store, request)).audit.gate
    assert gate is not None  # noqa: S101 -- a dry run has it
    return point_at(asked, gate.min_score, gate.min_vector)


def _lines(path: Path, kind: type[T]) -> list[T]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as UTF-8 text ({type(error).__name__})", field="data") from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(kind.model_validate(json.loads(line)))
            except ValidationError as error:
                place = ".".join(str(part) for part in error.errors()[0]["loc"])
                raise InvalidInput(f"{path}, line {number}: {place} is missing or wrong", field="data") from error
            except ValueError as error:
                raise InvalidInput(f"{path}, line {number} is not JSON", field="data") from error
    return found
