"""Do facts that change, coexist, are corrected, retracted or dated come out right?

The structured facts go in, or, with `text`, only the texts and the times at which they were recorded: then the offline
extractor reads them, and every question is asked as it is written, by recall over facts.

Data: a folder with `facts.jsonl` (in the order of arrival) and `checks.jsonl`. Each check names the facts that have to
answer and those that must not. Measures over the first five answers, as the data's description defines them:
`first` (the top answer is right), `complete` (every expected one is there), `clean` (nothing forbidden is), and
`strict` (complete and clean).
"""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..errors import InvalidInput
from ..models.episode import RememberRequest
from ..models.fact import FactQuery
from ..models.manage import StoreIn
from ..models.recall import RecallRequest
from .progress import Progress

if TYPE_CHECKING:
    from ..memory import Memory

Row = dict[str, Any]
Via = Literal["facts", "recall"]
Order = Literal["arrival", "shuffled", "reversed"]
_BATCH, _FIRST = 100, 5


@dataclass
class Score:
    """Counts of one kind of check."""

    checks: int = 0
    first: int = 0
    complete: int = 0
    clean: int = 0
    strict: int = 0
    failed: list[str] = field(default_factory=list)


def load(folder: Path) -> tuple[list[Row], list[Row]]:
    """Facts and checks of a data folder. Errors: InvalidInput naming the file."""
    found = []
    for name in ("facts.jsonl", "checks.jsonl"):
        path = folder / name
        if not path.is_file():
            raise InvalidInput(f"{path} is not there; --data takes a folder with facts.jsonl and checks.jsonl.")
        found.append([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()])
    return found[0], found[1]


async def evaluate(
    memory: Memory,
    folder: Path,
    *,
    order: Order = "arrival",
    via: Via = "facts",
    text: bool = False,
    seed: int = 1,
    progress: Progress | None = None,
) -> dict[str, Score]:
    """Scores by kind of check, and `all`; `text` asks by recall. The store is made for it and deleted afterwards."""
    facts, checks = load(folder)
    ordered = list(facts)
    if order == "reversed":
        ordered.reverse()
    elif order == "shuffled":
        random.Random(seed).shuffle(ordered)  # noqa: S311  an order of arrival, not a secret
    store = f"eval-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=store, description="Temporary store of graphmem eval."))
    try:
        await _remember(memory, store, ordered, progress, text=text)
        return await _check(memory, store, checks, "recall" if text else via, progress)
    finally:
        await memory.delete_store(store)


async def _remember(memory: Memory, store: str, facts: Sequence[Row], progress: Progress | None, *, text: bool) -> None:
    spaces: dict[str, list[Row]] = defaultdict(list)
    for row in facts:
        spaces[row["space"]].append(row)
    done = 0
    for space, rows in spaces.items():
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            await memory.remember(store, _told(space, batch) if text else _request(space, batch))
            done += len(batch)
            if progress is not None:
                progress("remember", done / len(facts))


def _request(space: str, rows: Sequence[Row]) -> RememberRequest:
    return RememberRequest.model_validate(
        {
            "scope": {"actor_id": space},
            "extraction": "none",
            "messages": [{"id": r["id"], "content": r["text"], "occurred_at": r["recorded_at"]} for r in rows],
            "facts": [_given(r) for r in rows],
        }
    )


def _told(space: str, rows: Sequence[Row]) -> RememberRequest:
    return RememberRequest.model_validate(
        {
            "scope": {"actor_id": space},
            "extraction": "offline",
            "messages": [{"id": r["id"], "content": r["text"], "occurred_at": r["recorded_at"]} for r in rows],
        }
    )


def _given(row: Row) -> Row:
    fact = {
        "message_id": row["id"],
        "subject": row["subject"],
        "predicate": row["predicate"],
        "object": row["object"],
        "cardinality": row["cardinality"],
        "event": row["event"],
        "text": row["text"],
        "valid_at": row["valid_from"],
    }
    if row["valid_to"] is not None:
        fact["invalid_at"] = row["valid_to"]
    return fact


async def _check(
    memory: Memory, store: str, checks: Sequence[Row], via: Via, progress: Progress | None
) -> dict[str, Score]:
    scores: dict[str, Score] = defaultdict(Score)
    ask = _by_facts if via == "facts" else _by_recall
    for number, check in enumerate(checks):
        answers = await ask(memory, store, check)
        for kind in (check["kind"], "all"):
            _count(scores[kind], check, answers)
        if progress is not None and number % 20 == 0:
            progress("check", number / len(checks))
    return dict(scores)


async def _by_facts(memory: Memory, store: str, check: Row) -> list[set[str]]:
    """What the list of facts holds for the subject and relation at that time."""
    page = await memory.list_facts(
        store,
        FactQuery(
            actor_id=check["space"],
            subject=check["subject"],
            predicate=check["predicate"],
            as_of=_time(check["as_of"]),
        ),
        page_size=200,
    )
    return [{s.source_id for s in fact.sources if s.source_id} for fact in page.items]


async def _by_recall(memory: Memory, store: str, check: Row) -> list[set[str]]:
    """What an agent gets for the question."""
    answer = await memory.recall(
        store,
        RecallRequest.model_validate(
            {
                "scope": {"actor_id": check["space"]},
                "query": check["question"],
                "kinds": ["fact"],
                "limit": _FIRST,
                "as_of": _time(check["as_of"]),
                "dry_run": True,
            }
        ),
    )
    return [{s.source_id for s in item.sources if s.source_id} for item in answer.items]


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _count(score: Score, check: Row, answers: Sequence[set[str]]) -> None:
    expected, forbidden = set(check["expect"]), set(check["forbid"])
    # a list of facts is not ranked: all it holds counts; a recall has five places
    given: set[str] = set().union(*answers) if answers else set()
    first = bool(answers) and bool(answers[0] & expected) if expected else not given & forbidden
    # of a fact that was said again either record may answer
    complete = bool(given & expected) if check["kind"] == "restated" else expected <= given
    clean = not given & forbidden
    score.checks += 1
    score.first += first
    score.complete += complete
    score.clean += clean
    score.strict += complete and clean
    if not (complete and clean):
        score.failed.append(check["id"])


def shares(score: Score) -> dict[str, float]:
    """The measures as shares of the checks."""
    counts = Counter(first=score.first, complete=score.complete, clean=score.clean, strict=score.strict)
    return {name: counts[name] / score.checks for name in ("first", "complete", "clean", "strict")}
