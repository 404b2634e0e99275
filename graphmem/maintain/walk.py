"""A pass: page after page by id, so that memory stays bounded and an interrupted pass can go on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..errors import InvalidInput
from ..models.maintenance import MaintenanceRequest, MaintenanceResult, Task, WouldChange, WouldConsolidate

PAGE = 1_000
"""Records of one page, which is one transaction."""
MOST_NAMED = 100
"""Facts that a dry run names at most."""

_COUNTS = (
    *("examined", "changed", "archived", "expired", "restored", "purged", "recalls"),
    *("summarised", "themes", "removed", "dropped", "llm_calls", "prompt_tokens", "completion_tokens"),
)
_PLACE = re.compile(r"(?P<kind>facts|episodes|recalls|sessions|themes):(?P<after>[0-9a-f-]{0,64})")

Row = dict[str, Any]
Step = Callable[[str, int], Awaitable[Row]]
"""Works on at most so many records after an id, and says what it did and which id was the last."""


@dataclass(slots=True)
class Tally:
    """What the pages came to."""

    counts: Counter[str] = field(default_factory=Counter)
    moved: list[WouldChange] = field(default_factory=list)
    planned: list[WouldConsolidate] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Count one page in."""
        self.counts.update({name: row[name] for name in _COUNTS if name in row})
        self.moved.extend(row.get("moved", ())[: MOST_NAMED - len(self.moved)])
        self.planned.extend(row.get("planned", ())[: MOST_NAMED - len(self.planned)])

    def result(
        self, task: Task, request: MaintenanceRequest, as_of: datetime, place: str | None, *, resumed: bool = False
    ) -> MaintenanceResult:
        """The answer; `place` is where a call that ended at its limit stopped."""
        return MaintenanceResult(
            task=task,
            dry_run=request.dry_run,
            as_of=as_of,
            would_change=tuple(self.moved),
            would_consolidate=tuple(self.planned),
            resumed=resumed,
            next_page_token=None if place is None else f"{task}:{place}",
            **{name: self.counts[name] for name in _COUNTS},
        )


async def walk(
    phases: Mapping[str, Step], place: str | None, limit: int | None, tally: Tally, page: int | None = None
) -> str | None:
    """Run every phase from `place` on (None: the beginning); where it stopped at the limit, None at the end."""
    most = page or PAGE
    kinds = list(phases)
    kind, _, after = (place or f"{kinds[0]}:").partition(":")
    while True:
        left = None if limit is None else limit - tally.counts["examined"]
        if left == 0:
            return f"{kind}:{after}"
        size = most if left is None else min(most, left)
        row = await phases[kind](after, size)
        tally.add(row)
        if row["examined"] == size:
            after = row["last"]
        elif kind == kinds[-1]:
            return None
        else:
            kind, after = kinds[kinds.index(kind) + 1], ""


def place_of(task: Task, request: MaintenanceRequest, phases: Mapping[str, Step]) -> str | None:
    """Where the caller wants to go on. Errors: InvalidInput for a token of another call."""
    if request.page_token is None:
        return None
    held, _, place = request.page_token.partition(":")
    match = _PLACE.fullmatch(place)
    if held != task or match is None or match["kind"] not in phases:
        raise InvalidInput("page_token was not given by this call.", field="page_token")
    return place
