"""Does remembering slow down as a store grows? One fact is checked and committed in a small and a large store."""

from __future__ import annotations

import time
import uuid
from statistics import median
from typing import TYPE_CHECKING

from ..models.base import Model
from ..models.episode import RememberRequest
from ..models.ids import owner_key
from ..models.manage import StoreIn
from .progress import Progress

if TYPE_CHECKING:
    from ..memory import Memory

GOAL = 3.0
"""A fact at the large size may take this many times what it takes at the small one."""
_BATCH, _MEASURED, _ACTORS = 2_000, 30, 100


class Growth(Model):
    """Median milliseconds of one remember with a rival to settle, at both sizes."""

    small: int
    large: int
    small_ms: float
    large_ms: float
    ratio: float
    reached: bool


async def measure(memory: Memory, small: int = 1_000, large: int = 100_000, progress: Progress | None = None) -> Growth:
    """Fill two stores made for it and remember moves in both by turns; they are deleted afterwards.

    By turns, so that whatever else the machine does slows both alike.
    """
    stores = {size: f"bench-{uuid.uuid4().hex[:16]}" for size in (small, large)}
    for store in stores.values():
        await memory.create_store(StoreIn(id=store, description="Temporary store of graphmem bench."))
    try:
        for size, store in stores.items():
            await _fill(memory, store, size, progress)
        times = await _moves(memory, list(stores.values()))
    finally:
        for store in stores.values():
            await memory.delete_store(store)
    ratio = times[1] / times[0]
    return Growth(small=small, large=large, small_ms=times[0], large_ms=times[1], ratio=ratio, reached=ratio <= GOAL)


async def _fill(memory: Memory, store: str, size: int, progress: Progress | None) -> None:
    """Facts of many actors and relations, without vectors: what the check looks through."""
    filled = 0
    while filled < size:
        count = min(_BATCH, size - filled)
        rows = [
            {"n": n, "owner_key": owner_key(store, f"actor{n % _ACTORS}"), "actor": f"actor{n % _ACTORS}"}
            for n in range(filled, filled + count)
        ]
        await memory.database.run("eval/fill_facts", {"store_id": store, "rows": rows})
        filled += count
        if progress is not None:
            progress(f"filling to {size}", filled / size)


async def _moves(memory: Memory, stores: list[str]) -> list[float]:
    """Median milliseconds of remembering one move in each store, each with a rival of the same slot."""
    taken: list[list[float]] = [[] for _ in stores]
    for number in range(_MEASURED + 5):
        request = RememberRequest.model_validate(
            {
                "scope": {"actor_id": "actor1"},
                "text": f"Now I live in town {number}.",
                "extraction": "none",
                "facts": [{"subject": "user", "predicate": "lives_in", "object": f"town {number}"}],
            }
        )
        for index, store in enumerate(stores):
            start = time.perf_counter()
            await memory.remember(store, request)
            taken[index].append((time.perf_counter() - start) * 1000)
    return [median(times[5:]) for times in taken]
