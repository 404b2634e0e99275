"""What a plug-in adds to recall: the same question through it and through `Memory`, by turns, in one run."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError
from graphmem.models.base import Model
from graphmem.models.recall import RecallRequest
from graphmem.models.scope import ReadScope

from .bench import Comparison
from .progress import Progress, silent
from .stores import temporary_store
from .workload import ACTOR, batches, questions

if TYPE_CHECKING:
    from graphmem.memory import Memory

GOAL = 1.3
"""Recall through a plug-in may take this many times the time of the same recall through `Memory`."""
WARM_UP = 10

Ask = Callable[[str], Awaitable[str]]
"""Asks a question through the plug-in and gives the text that a model would be shown."""


class PluginReport(Model):
    """Result of one run."""

    facts: int
    recalls: int
    recall: Comparison


async def measure(
    memory: Memory, plugin: Callable[[str, str], Ask], facts: int, recalls: int, progress: Progress = silent
) -> PluginReport:
    """Measure in a store made for it; `plugin(store, actor)` gives what asks there.

    Errors: ConfigurationError when the plug-in shows something else than `Memory`: the comparison would mean nothing.
    """
    ours: list[float] = []
    plain: list[float] = []
    async with temporary_store(memory) as store:
        for request in batches(facts, 250):
            await memory.remember(store, request)
        ask = plugin(store, ACTOR)

        async def directly(question: str) -> str:
            request = RecallRequest(scope=ReadScope(actor_id=ACTOR), query=question)
            return (await memory.recall(store, request)).context

        for number, question in enumerate(questions(recalls + WARM_UP)):
            progress("recall", number / (recalls + WARM_UP))
            ways = [(ask, ours), (directly, plain)]
            shown = []
            for way, times in ways if number % 2 else ways[::-1]:
                begin = time.perf_counter()
                shown.append(await way(question))
                if number >= WARM_UP:
                    times.append((time.perf_counter() - begin) * 1000)
            if _memories(shown[0]) != _memories(shown[1]):
                raise ConfigurationError("The plug-in does not show what Memory recalls.")
    return PluginReport(facts=facts, recalls=recalls, recall=_compared(median(ours), median(plain)))


def _memories(shown: str) -> int:
    """How many memories a block has; retention and counts in it change from one recall to the next."""
    return sum(line[:1].isdigit() for line in shown.splitlines())


def _compared(ours: float, plain: float) -> Comparison:
    ratio = ours / plain
    return Comparison(unit="ms", graphmem=ours, bare=plain, ratio=ratio, goal=f"<= {GOAL}", reached=ratio <= GOAL)
