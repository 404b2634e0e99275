"""The model calls of one job: counted in the graph, and stopped where the store's budget for the day ends."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ..errors import ProviderError
from ..models.fact import Usage
from ..ports import Clock, Reply
from ..store.driver import Database

EXHAUSTED = "budget_exhausted"
READING, EMBEDDING = "reading", "embedding"
"""Steps that an observer of the database is told of."""


@dataclass(frozen=True, slots=True)
class Held:
    """A job under lease, which is extended before each call so that slow calls do not lose it."""

    job_id: str
    owner_key: str
    lease: timedelta

    def until(self, now: datetime) -> dict[str, Any]:
        """The lease from now on."""
        return {"job_id": self.job_id, "owner_key": self.owner_key, "lease_until": now + self.lease}


class JobMeter:
    """Counts for the answer what this job asks, and for the store what all of them do; for one task at a time."""

    def __init__(self, database: Database, store_id: str, clock: Clock, held: Held | None = None) -> None:
        self._held = held
        self._database = database
        self._store = store_id
        self._clock = clock
        self._day = ""
        self.calls = self.prompt_tokens = self.completion_tokens = 0

    async def begin(self) -> None:
        """Count one call. Errors: ProviderError with reason `budget_exhausted`."""
        now = self._clock.now()
        self._day = now.date().isoformat()
        rows = await self._database.run(
            "ingest/begin_model_call", {"store_id": self._store, "day": self._day, "now": now}
        )
        if rows and not rows[0]["granted"]:
            raise ProviderError("The store's budget of model calls is used up for today.", reason=EXHAUSTED)
        self.calls += 1
        if self._held is not None:
            await self._database.run("ingest/extend_lease", self._held.until(now))

    async def end(self, reply: Reply) -> None:
        """Count what the answer cost."""
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens
        await self._database.run(
            "ingest/end_model_call",
            {
                "store_id": self._store,
                "day": self._day,
                "prompt_tokens": reply.prompt_tokens,
                "completion_tokens": reply.completion_tokens,
                "now": self._clock.now(),
            },
        )

    def timed(self, what: str) -> AbstractContextManager[None]:
        """A context that tells an observer of the database, if there is one, how long a step of the job took."""
        return self._database.timed(what)

    def usage(self, extractor: str) -> Usage:
        """What the job has cost so far."""
        return Usage(
            extractor=extractor,
            llm_calls=self.calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
        )
