"""How many of the true nearest the filtered vector arm finds: recall@10 against exact search over the same filter."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphmem.models.base import Model
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope

from .corpus import Corpus, Floats
from .given import recorded
from .progress import Progress

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.store.driver import Row

SELECTIVITIES = (0.5, 0.01, 0.001)
GOAL = 0.99
TOP = 10
_SAME = 1e-6
"""Cosines that differ by less are the same, as the index counts in another order."""


class Precision(Model):
    """Recall@10 at one selectivity."""

    selectivity: float
    """Share of all facts that the scope lets through, as near to what was asked as actors are whole."""
    owners: int
    valid: bool
    """Whether a moment was asked for, at which only a part of them held."""
    passed: float
    """Share of all facts that scope and validity let through."""
    recall: float
    """Mean share of the exact first ten that the arm gave."""
    lowest: float
    queries: int
    reached: bool


async def measure_precision(memory: Memory, corpus: Corpus, queries: int, progress: Progress) -> tuple[Precision, ...]:
    """Run the query file of recall in vector mode and compare with exact search outside the database."""
    found = []
    vectors = np.stack(corpus.vectors)
    owners = np.array([fact.actor for fact in corpus.facts])
    asked = corpus.near(queries)
    at = corpus.facts[len(corpus.facts) // 2].start
    numbers = {fact.id: number for number, fact in enumerate(corpus.facts)}
    holds = np.array([fact.start <= at < fact.end for fact in corpus.facts])
    sent = {valid: await _sent(memory, corpus, at if valid else None) for valid in (False, True)}
    for index, selectivity in enumerate(SELECTIVITIES):
        chosen = _actors(corpus, selectivity)
        inside = np.isin(owners, chosen)
        for valid in (False, True):
            progress("recall@10", (2 * index + valid) / (2 * len(SELECTIVITIES)))
            mask = inside & holds if valid else inside
            if mask.sum() < TOP:
                continue
            # more owners than a request may name: a scope of any size is wanted here
            given = sent[valid] | {"owner_keys": [corpus.owner(actor) for actor in chosen]}
            shares = [await _share(memory, given, v, _cosines(vectors, mask, v), numbers) for v in asked]
            found.append(
                Precision(
                    selectivity=float(inside.mean()), owners=len(chosen), valid=valid, passed=float(mask.mean()),
                    recall=mean(shares), lowest=min(shares), queries=queries, reached=mean(shares) >= GOAL,
                )
            )  # fmt: skip
    return tuple(found)


def _actors(corpus: Corpus, selectivity: float) -> list[int]:
    """Actors that have this share of the facts together: as few as it takes, each no larger than what is left."""
    wanted = selectivity * len(corpus.facts)
    chosen: list[int] = []
    for actor, size in Counter(fact.actor for fact in corpus.facts).most_common():
        if size <= wanted:
            chosen.append(actor)
            wanted -= size
    return chosen or [min(Counter(fact.actor for fact in corpus.facts).items(), key=lambda item: item[1])[0]]


def _cosines(vectors: Floats, mask: NDArray[np.bool_], vector: Floats) -> NDArray[np.float32]:
    """Of each fact with the query as recall counts it: 0 when negative, and below that where the filter stops it."""
    return np.where(mask, np.maximum(vectors @ vector, 0), -1).astype(np.float32)


async def _sent(memory: Memory, corpus: Corpus, at: datetime | None) -> Row:
    """What a recall in vector mode sends; with a moment, only what held then is asked for."""
    request = RecallRequest(
        scope=ReadScope(actor_id="actor0"), query="nearest", mode="vector", kinds=("fact",), limit=TOP, as_of=at,
        validity="any" if at is None else "current",
    )  # fmt: skip
    with recorded(memory.database, "retrieve/recall") as sent:
        await memory.recall(corpus.store_id, request)
    return sent[0]


async def _share(
    memory: Memory, given: Row, vector: Floats, cosines: NDArray[np.float32], numbers: dict[str, int]
) -> float:
    """How many of the ten that recall's query gives are as near as the exact ten; equally near is equally good."""
    rows = await memory.database.run("retrieve/recall", given | {"vector": vector.tolist()})
    found = [cosines[numbers[c["memory"]["id"]]] for c in rows[0]["candidates"][:TOP]]
    tenth = np.partition(cosines, -TOP)[-TOP]
    return sum(bool(cosine >= tenth - _SAME) for cosine in found) / TOP
