"""Remember: accept → extract → judge → resolve → contradict → commit.

The episode is the job: it is saved first, and stays `pending` until one transaction has written all that came of it.
Resolving and contradicting happen inside that transaction, in Cypher (`ingest/resolve_entities`,
`ingest/assert_statements`, `ingest/settle_slots`), under the owner's lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ..config import Settings
from ..errors import ConfigurationError, Conflict, GraphMemError, InvalidInput, NotFound, ProviderError
from ..models.bulk import BulkRequest
from ..models.episode import EpisodeStatus, Extraction, RememberRequest
from ..models.fact import EpisodeRef, RememberResult, Usage
from ..models.ids import actor_identity, owner_key
from ..ports import Clock, Vectors
from ..safety.redact import Secrets
from ..store.driver import Database
from .accept import Accepted, accept
from .ahead import Ahead, Coming, coming_job, spoken
from .answers import keep, outline, restored
from .budget import Held, JobMeter
from .bulk import accept_bulk
from .commit import Committed, Overtaken, commit
from .evidence import Before, as_heard
from .extract import Drafted, Readers, choose, extract
from .job import Job, load_job
from .judge import match_known
from .place import place
from .reading import Reading, as_read

log = logging.getLogger(__name__)

Answer = Callable[[Drafted, Committed], RememberResult]
"""Makes the answer of a call from what became of its job."""

JOBS = 4
"""Jobs that a worker takes up at once."""
MAX_ATTEMPTS = 5
"""After so many tries a pending episode is `failed` and waits for `:retry`."""
_WINDOW = 200
"""Pending episodes among which a worker chooses, so that a long queue costs it little."""
_PASSING = frozenset({"unreachable", "timeout", "server_error", "rate_limited"})
"""Reasons that pass by themselves: work that nobody waits for is tried again later."""
_PATIENCE = 2.0
"""Seconds in which jobs can be given back at the end; without it their lease runs out."""


@dataclass(frozen=True, slots=True)
class Ingest:
    """The remember flow and what it needs."""

    database: Database
    embedder: Ahead
    readers: Readers
    settings: Settings
    clock: Clock
    secrets: Secrets

    @property
    def lease(self) -> timedelta:
        """How long a process may work on episodes before another one takes them up."""
        return timedelta(seconds=self.settings.job_lease)

    async def remember(
        self, store_id: str, request: RememberRequest, idempotency_key: str | None = None
    ) -> tuple[RememberResult, Job | None]:
        """Save and, with `wait`, process. The job is given back when it is still to be processed.

        Errors: InvalidInput when a model is asked for and there is none.
        """
        accepted = await self.save(store_id, request, idempotency_key)
        if accepted.answer is not None:
            owner, there = owner_key(store_id, request.scope.actor_id), frozenset(e.id for e in accepted.episodes)
            return await restored(self.database, owner, accepted.answer, there), None
        later = None if request.wait else accepted.job
        keyed = idempotency_key is not None
        if later is None:
            return await self.finish(accepted, keyed=keyed), None
        result = RememberResult(episodes=accepted.episodes, usage=Usage(extractor="pending"))
        if keyed:
            await keep(self.database, later, result)
        return result, later

    async def save(
        self,
        store_id: str,
        request: RememberRequest,
        idempotency_key: str | None = None,
        reading: Reading | None = None,
    ) -> Accepted:
        """Save what came in, before any model is called. Errors: as `remember`."""
        if request.facts is None:
            self.check_extraction(request.extraction)
        now = self.clock.now()
        return await accept(self.database, store_id, request, now, self.lease, idempotency_key, self.secrets, reading)

    async def finish(self, accepted: Accepted, *, keyed: bool = False) -> RememberResult:
        """Process what was saved; nothing where all of it was known. With `keyed` the answer is kept for a repeat."""
        if accepted.job is None:
            return RememberResult(episodes=accepted.episodes, usage=Usage(extractor="none"))
        return await self._processed(accepted.job, accepted.episodes, keyed=keyed)

    async def source_state(self, owner: str, source_key: str) -> EpisodeRef | None:
        """The episode that is the newest version of a source (`accept.source_key`)."""
        rows = await self.database.run("ingest/source_states", {"owner_key": owner, "source_keys": [source_key]})
        if not rows:
            return None
        return EpisodeRef(**{key: rows[0][key] for key in ("id", "source_id", "status", "error")}, duplicate=True)

    async def save_many(
        self, store_id: str, request: BulkRequest, idempotency_key: str | None = None
    ) -> list[tuple[EpisodeRef, ...]]:
        """Save the episodes of many calls, to be processed later; those of each. Errors: as `bulk.accept_bulk`."""
        for index, item in enumerate(request.items):
            if item.facts is None:
                self.check_extraction(item.extraction, f"items.{index}.extraction")
        return await accept_bulk(self.database, store_id, request, self.clock.now(), idempotency_key, self.secrets)

    async def states(self, store_id: str, actor_id: str, episode_ids: Sequence[str]) -> dict[str, EpisodeStatus]:
        """The status of each of these episodes that is there."""
        where = {"owner_key": owner_key(store_id, actor_id), "episode_ids": list(episode_ids)}
        return {row["id"]: row["status"] for row in await self.database.run("ingest/episode_states", where)}

    def check_extraction(self, extraction: Extraction, field: str = "extraction") -> None:
        """Nothing, where there is such an extractor. Errors: InvalidInput."""
        if not self.readers.has_model and choose(extraction, self.settings, self.readers) == "llm":
            raise InvalidInput(
                "No language model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL, or leave extraction out.",
                field=field,
            )

    def _meter(self, job: Job) -> JobMeter:
        return JobMeter(self.database, job.store_id, self.clock, Held(job.id, job.owner_key, self.lease))

    async def _processed(self, job: Job, refs: tuple[EpisodeRef, ...], *, keyed: bool = False) -> RememberResult:
        meter = self._meter(job)

        def answer(drafted: Drafted, committed: Committed) -> RememberResult:
            return RememberResult(
                episodes=_with_status(refs, "processed", None),
                facts=committed.decisions,
                entities=committed.entities,
                rejected=drafted.rejected,
                warnings=drafted.warnings,
                usage=drafted.usage,
            )

        try:
            return answer(*await self.process(job, meter, answer=answer if keyed else None))
        except (ProviderError, ConfigurationError) as error:
            result = RememberResult(
                episodes=_with_status(refs, "failed", _reason(error)),
                warnings=(_reason(error),),
                usage=meter.usage("failed"),
            )
            if keyed:
                await keep(self.database, job, result)
            return result

    async def process(
        self, job: Job, meter: JobMeter, *, again: bool = False, answer: Answer | None = None
    ) -> tuple[Drafted, Committed]:
        """Everything after acceptance. Errors: ProviderError, NotFound; the episodes then say `failed`.

        With `again` they stay `pending` where the reason passes by itself, and are tried later. What `answer` makes of
        it is kept in the same transaction, so that no repeat finds the one without the other.

        What another process has done or erased meanwhile is left as it is.
        """
        while True:
            try:
                return await self._process(job, meter, again, answer)
            except Overtaken:
                left = await self.load(job.id)
                if left is None:
                    return Drafted((), (), meter.usage("none")), Committed((), ())
                job = left

    async def _process(
        self, job: Job, meter: JobMeter, again: bool, answer: Answer | None
    ) -> tuple[Drafted, Committed]:
        try:
            actor_name = await self._actor_name(job)
            before = Before(self.database, job, self.clock.now())
            drafted = await extract(job, self.settings, actor_name, self.readers, meter, before)
            drafted = await self._placed(job, drafted, actor_name)
            drafted = as_read(drafted, job)
            job = as_heard(job, drafted.heard)
            texts = [d.text for d in drafted.drafts] + [spoken(e.name, e.heard or e.content) for e in job.episodes]
            vectors = await self.embedder.embed_passages(texts)
            split = len(drafted.drafts)
            if job.facts is None and split:
                drafted = await self._judged(job, drafted, vectors[:split], actor_name, meter)
            kept = None if answer is None else _outlined(answer, drafted)
            committed = await commit(
                self.database, job, drafted.drafts, vectors[:split], vectors[split:], self.clock.now(), kept
            )
        except (NotFound, ProviderError, ConfigurationError) as error:
            await self._fail(job, error, again=again)
            raise
        return drafted, committed

    async def _placed(self, job: Job, drafted: Drafted, actor_name: str) -> Drafted:
        """The drafts, with what is known telling what sentences without a rule state."""
        if job.facts is not None:
            return drafted
        names = frozenset(("user", actor_name, job.scope.actor_id))
        drafts = await place(self.database, job, drafted.drafts, drafted.open, names)
        return replace(drafted, drafts=drafts, open=())

    async def _judged(self, job: Job, drafted: Drafted, vectors: Vectors, actor_name: str, meter: JobMeter) -> Drafted:
        """The drafts beside what is known; a model is asked only where one has read the text."""
        judge = self.readers.judge(meter if drafted.usage.extractor == "llm" else None)
        matched = await match_known(self.database, job, drafted.drafts, vectors, actor_name, judge, self.clock.now())
        return replace(
            drafted,
            drafts=matched.drafts,
            usage=meter.usage(drafted.usage.extractor),
            warnings=(*drafted.warnings, *matched.warnings),
        )

    async def retry(self, store_id: str, actor_id: str, episode_id: str) -> RememberResult:
        """Process the job of a pending or failed episode now. Errors: ProviderError, Conflict when it is processed."""
        owner = owner_key(store_id, actor_id)
        rows = await self.database.run(
            "ingest/requeue",
            {
                "owner_key": owner,
                "episode_id": episode_id,
                "lease_until": self.clock.now() + self.lease,
            },
        )
        job = await self.load(rows[0]["job_id"]) if rows else None
        if job is None:
            raise Conflict("The episode is processed; there is nothing to try again.", field="episode_id")
        refs = tuple(EpisodeRef(id=e.id, source_id=e.source_id, status="pending") for e in job.episodes)
        return await self._processed(job, refs)

    async def pending(self) -> int:
        """How many episodes wait to be processed, in all stores."""
        return int((await self.database.run("ingest/pending", {}))[0]["pending"])

    async def load(self, job_id: str) -> Job | None:
        """A job as the graph keeps it; None when nothing of it is left to do."""
        rows = await self.database.run("ingest/job", {"job_id": job_id})
        return load_job([row["episode"] for row in rows]) if rows else None

    async def work_once(self, limit: int = JOBS) -> int:
        """Claim and process pending jobs whose lease has run out; how many were taken up."""
        queues = await self._claimed(limit)
        left = list(queues)
        try:
            while left:
                following = left[1] if len(left) > 1 else None
                async with self.embedder.reading(partial(self._coming, following) if following else None):
                    done = await self._process_quietly(left[0])
                job_id = left.pop(0)
                if not done and (waiting := [j for j in left if queues[j] and queues[j] == queues[job_id]]):
                    left = [j for j in left if j not in waiting]
                    await self._give_back(waiting)  # what comes after it in its session has to wait for it
        finally:
            if left:  # stopped: others need not wait until the lease has run out
                await self._give_back(left)
        return len(queues)

    async def _claimed(self, limit: int) -> dict[str, str | None]:
        """Jobs that are this worker's for as long as the lease, in order, each with the queue in which it stands."""
        rows = await self.database.run("ingest/claim_jobs", claim_parameters(self.clock.now(), self.lease, limit))
        return {row["job_id"]: row["queue"] for row in rows}

    async def _coming(self, job_id: str) -> Coming | None:
        job = await self.load(job_id)
        return coming_job(job) if job else None

    async def _give_back(self, job_ids: list[str]) -> None:
        with contextlib.suppress(GraphMemError, TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self.database.run("ingest/give_back_jobs", {"job_ids": job_ids, "now": self.clock.now()})

    async def _process_quietly(self, job_id: str) -> bool:
        """Whether nothing of the job is left to do; one that fails stays as it is until its lease has run out."""
        try:
            job = await self.load(job_id)
            if job is not None:
                await self.process(job, self._meter(job), again=True)
            return True
        except GraphMemError as error:
            log.warning("job %s failed: %s", job_id, error.code)
        except Exception as error:
            log.warning("job %s failed: %s", job_id, type(error).__name__)
            log.debug("job %s", job_id, exc_info=True)
        return False

    async def _actor_name(self, job: Job) -> str:
        """How the owner is called in texts: the name met before, else the first speaker's, else the actor id."""
        rows = await self.database.run(
            "retrieve/owner_name", {"owner_key": job.owner_key, "actor_identity": actor_identity(job.owner_key)}
        )
        if rows and rows[0]["name"] != job.scope.actor_id:
            return str(rows[0]["name"])
        return next((e.name for e in job.episodes if e.role == "user" and e.name), job.scope.actor_id)

    async def _fail(self, job: Job, error: GraphMemError, *, again: bool) -> None:
        """Keep the episodes as `failed`, for a retry that somebody asks for; or as `pending`, for one that comes."""
        reason = _reason(error)
        parameters: dict[str, Any] = {
            "owner_key": job.owner_key,
            "episode_ids": [e.id for e in job.episodes],
            "error": reason,
            "pause": self.settings.job_retry if again and reason in _PASSING else None,
            "max_attempts": MAX_ATTEMPTS,
            "now": self.clock.now(),
        }
        await self.database.run("ingest/fail_episodes", parameters)


def claim_parameters(now: datetime, lease: timedelta, limit: int = JOBS) -> dict[str, Any]:
    """Parameters of `ingest/claim_jobs`."""
    limits = {"limit": limit, "window": _WINDOW, "max_attempts": MAX_ATTEMPTS}
    return {"now": now, "lease_until": now + lease, **limits}


def _outlined(answer: Answer, drafted: Drafted) -> Callable[[Committed], str]:
    return lambda committed: outline(answer(drafted, committed))


def _reason(error: GraphMemError) -> str:
    """A stable word for what went wrong; never text."""
    return str(getattr(error, "reason", None) or error.code.lower())


def _with_status(refs: tuple[EpisodeRef, ...], status: str, error: str | None) -> tuple[EpisodeRef, ...]:
    return tuple(
        ref if ref.duplicate and ref.status != "pending" else ref.model_copy(update={"status": status, "error": error})
        for ref in refs
    )
