"""The model calls of one job: counted in the graph, and stopped where the store's budget for the day ends."""

from __future__ import annotations

from ..errors import ProviderError
from ..models.fact import Usage
from ..ports import Clock, Reply
from ..store.driver import Database

EXHAUSTED = "budget_exhausted"


class JobMeter:
    """Counts for the answer what this job asks, and for the store what all of them do; for one task at a time."""

    def __init__(self, database: Database, store_id: str, clock: Clock) -> None:
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

    def usage(self, extractor: str) -> Usage:
        """What the job has cost so far."""
        return Usage(
            extractor=extractor,
            llm_calls=self.calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
        )
