"""Reading ahead: the next call is read and its vectors made while the graph writes the present one.

Nothing of it is saved and no language model is asked. What was made is used where the same text is asked for again, so
what is remembered, and in which order, is as without it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..config import Settings
from ..models.episode import Extraction, Message, RememberRequest
from ..models.fact import RememberResult
from ..models.scope import Scope
from ..ports import Clock, Embedder, Identity, Turn, Vectors
from ..safety.redact import Secrets
from ..store.driver import Database
from .budget import EMBEDDING, READING, JobMeter
from .extract import Readers, SaidRow, choose, turns_of
from .job import Job

log = logging.getLogger(__name__)

_KEPT = 2_000
"""Vectors that wait for whoever asks for them: some calls' worth, a few MB."""

Remember = Callable[[RememberRequest], Awaitable[RememberResult]]


@dataclass(frozen=True, slots=True)
class Coming:
    """What is read ahead: messages of one owner, as the step that will ask for them sees them."""

    store_id: str
    extraction: Extraction
    turns: tuple[Turn, ...]
    passages: tuple[str, ...]
    """What the vector of each message stands for."""


Find = Callable[[], Awaitable[Coming | None]]
"""Gives what comes next; None where there is nothing to read."""


def spoken(name: str | None, content: str) -> str:
    """What an episode's vector stands for: who said what."""
    return f"{name}: {content}" if name else content


def coming_job(job: Job) -> Coming:
    """A job that is in the queue."""
    said = [(e.role, e.name, e.content, e.occurred_at) for e in job.episodes]
    return _coming(job.store_id, job.scope, "none" if job.facts is not None else job.extraction, said)


def coming_request(store_id: str, request: RememberRequest, now: datetime) -> Coming:
    """A call, without its secrets, that is not yet saved."""
    messages = request.messages or (Message(content=request.text or ""),)
    said = [(m.role, m.name, m.content, m.occurred_at or request.occurred_at or now) for m in messages]
    extraction = "none" if request.facts is not None else request.extraction
    return _coming(store_id, request.scope, extraction, said)


def _coming(store_id: str, scope: Scope, extraction: Extraction, said: Sequence[SaidRow]) -> Coming:
    turns = tuple(turns_of(said, scope.actor_id, scope.agent_id))
    return Coming(store_id, extraction, turns, tuple(spoken(name, content) for _, name, content, _ in said))


class Ahead:
    """An `Embedder` that has the vectors of what was read ahead, each until it is asked for; `embedder` stays open."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        readers: Readers,
        settings: Settings,
        clock: Clock,
        secrets: Secrets,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._readers = readers
        self._settings = settings
        self._clock = clock
        self._secrets = secrets
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def identity(self) -> Identity:
        """That of the embedder inside: the vectors are its vectors."""
        return self._embedder.identity

    async def prepare(self) -> None:
        """Prepare the embedder inside."""
        await self._embedder.prepare()

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text. Errors: those of the embedder inside."""
        known = {text: self._known.pop(text) for text in dict.fromkeys(texts) if text in self._known}
        if not known:
            return await self._embed(texts)
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known |= zip(new, await self._embed(new), strict=True)
        return np.stack([known[text] for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        """One unit vector. Errors: those of the embedder inside."""
        return await self._embedder.embed_query(text)

    async def close(self) -> None:
        """Forget what was read ahead."""
        self._known.clear()

    async def each(
        self, store_id: str, requests: Iterable[RememberRequest], remember: Remember
    ) -> AsyncIterator[RememberResult]:
        """Remember the requests in order, each after the one before it. Errors: those of `remember`."""
        waiting = iter(requests)
        request = next(waiting, None)
        while request is not None:
            following = next(waiting, None)
            async with self.reading(partial(self._request, store_id, following) if following else None):
                result = await remember(request)
            yield result
            request = following

    @asynccontextmanager
    async def reading(self, coming: Find | None) -> AsyncIterator[None]:
        """Read what comes next while the context lasts; at its end it has been read."""
        if coming is None:
            yield
            return
        task = asyncio.create_task(self._read(coming), name="graphmem-ahead")
        try:
            yield
            await asyncio.wait([task])
        finally:
            task.cancel()

    async def _request(self, store_id: str, request: RememberRequest) -> Coming | None:
        if not request.wait:
            return None  # the worker reads it, when its turn comes
        return coming_request(store_id, (await self._secrets.clean(request)).value, self._clock.now())

    async def _read(self, find: Find) -> None:
        try:
            coming = await find()
            if coming is None:
                return
            texts = dict.fromkeys([*coming.passages, *await self._facts(coming)])
            self._known |= zip(texts, await self._embed(tuple(texts)), strict=True)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        except Exception as error:  # noqa: BLE001  what fails here fails again, and is told, where it counts
            log.debug("not read ahead: %s", type(error).__name__)

    async def _facts(self, coming: Coming) -> list[str]:
        """What the rules find, as texts; they keep the parses of the sentences. A model is never asked twice."""
        if choose(coming.extraction, self._settings, self._readers) != "offline":
            return []
        meter = JobMeter(self._database, coming.store_id, self._clock)
        with self._database.timed(READING):
            extracted = await self._readers.named("offline", meter).extract(coming.turns)
        return [candidate.text for candidate in extracted.candidates]

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        with self._database.timed(EMBEDDING):
            return await self._embedder.embed_passages(texts)
