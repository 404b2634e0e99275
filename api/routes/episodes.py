"""Episodes: remember, and what came in."""

from __future__ import annotations

from urllib.parse import quote

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.bulk import BulkRequest, BulkResult, EpisodeCounts
from graphmem.models.episode import Episode, RememberRequest
from graphmem.models.fact import RememberResult
from graphmem.models.manage import Page, Receipt

from ..dependencies import HEADERS, IDEMPOTENCY_KEY
from ..guards import QUERY
from ..problems import problems
from ..schemas import ActorQuery, EpisodeCountsQuery, EpisodeListQuery

_PENDING = ResponseSpec(
    RememberResult,
    generate_examples=False,
    description="Saved and not yet processed; Location is the first episode.",
)
_KNOWN = ResponseSpec(RememberResult, generate_examples=False, description="Every message was known; nothing is new.")

_ALL_KNOWN = ResponseSpec(BulkResult, generate_examples=False, description="Every text was known; nothing is new.")
_ALL_DONE = ResponseSpec(BulkResult, generate_examples=False, description="All are processed.")


class Episodes(Controller):
    """`/v1/stores/{store}/episodes`."""

    path = "/v1/stores/{store:str}/episodes"
    tags = ("episodes",)

    @post(
        operation_id="remember",
        summary="Remember text or messages",
        responses={**problems(404, 409, 413, 415, 502), 200: _KNOWN, 202: _PENDING},
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
        response_description="Processed; every decision is in the answer.",
    )
    async def remember(
        self,
        store: FromPath[str],
        data: JSONBody[RememberRequest],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[RememberResult]:
        """Saves the episodes, finds facts in them and answers with each decision that was taken."""
        result = await memory.remember(store, data, idempotency_key=idempotency_key)
        return _answer(result, store, data.scope.actor_id, wait=data.wait)

    @get(
        operation_id="listEpisodes",
        summary="List episodes",
        responses=problems(404),
        opt={QUERY: EpisodeListQuery},
    )
    async def list(
        self,
        store: FromPath[str],
        params: NamedDependency[EpisodeListQuery],
        memory: NamedDependency[Memory],
    ) -> Page[Episode]:
        """The episodes of an actor, page by page."""
        return await memory.list_episodes(
            store,
            params.actor_id,
            session_id=params.session_id,
            source_id=params.source_id,
            status=params.status,
            page_size=params.page_size,
            page_token=params.page_token,
        )

    @post(
        "/:bulk",
        operation_id="rememberMany",
        summary="Remember many texts at once",
        status_code=202,
        responses={**problems(404, 409, 413, 415), 200: _ALL_KNOWN, 201: _ALL_DONE},
        opt={HEADERS: (IDEMPOTENCY_KEY,)},
        response_description="All are saved; they are processed later, each session in its order.",
    )
    async def bulk(
        self,
        store: FromPath[str],
        data: JSONBody[BulkRequest],
        idempotency_key: NamedDependency[str | None],
        memory: NamedDependency[Memory],
    ) -> Response[BulkResult]:
        """Checks and saves all texts, or none, and answers before facts are looked for in them."""
        result = await memory.bulk.remember(store, data, idempotency_key=idempotency_key)
        if all(item.duplicate for item in result.items):
            return Response(result, status_code=200)
        return Response(result, status_code=202 if result.counts["pending"] else 201)

    @get(
        "/:counts",
        operation_id="countEpisodes",
        summary="Count episodes by status",
        responses=problems(404),
        opt={QUERY: EpisodeCountsQuery},
    )
    async def counts(
        self,
        store: FromPath[str],
        params: NamedDependency[EpisodeCountsQuery],
        memory: NamedDependency[Memory],
    ) -> EpisodeCounts:
        """How many of an actor's episodes are pending, processed and failed."""
        return await memory.bulk.counts(store, params.actor_id, session_id=params.session_id)

    @get(
        "/{id:str}",
        operation_id="getEpisode",
        summary="Read an episode",
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def read(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Episode:
        """One episode as it came in."""
        return await memory.get_episode(store, params.actor_id, id)

    @delete(
        "/{id:str}",
        operation_id="deleteEpisode",
        summary="Erase an episode",
        status_code=200,
        responses=problems(404),
        opt={QUERY: ActorQuery},
    )
    async def erase(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Receipt:
        """Erases the episode, the facts that it alone supports, and undoes what it replaced."""
        return await memory.delete_episode(store, params.actor_id, id)

    @post(
        "/{id:str}/:retry",
        operation_id="retryEpisode",
        summary="Process an episode again",
        status_code=200,
        responses={**problems(404, 409, 502), 202: _PENDING},
        opt={QUERY: ActorQuery},
    )
    async def retry(
        self,
        store: FromPath[str],
        id: FromPath[str],  # noqa: A002 - the name in the address
        params: NamedDependency[ActorQuery],
        memory: NamedDependency[Memory],
    ) -> Response[RememberResult]:
        """Processes an episode that failed or is still pending."""
        result = await memory.retry_episode(store, params.actor_id, id)
        pending = any(episode.status == "pending" for episode in result.episodes)
        return Response(result, status_code=202 if pending else 200)


def _answer(result: RememberResult, store: str, actor_id: str, *, wait: bool) -> Response[RememberResult]:
    """200 when all was known, 202 while it is pending (also for a repeat that comes meanwhile), else 201."""
    if result.episodes and all(episode.duplicate for episode in result.episodes):
        return Response(result, status_code=200)
    pending = not wait or any(episode.status == "pending" for episode in result.episodes)
    if not pending or not result.episodes:
        return Response(result, status_code=201)
    first = f"/v1/stores/{store}/episodes/{result.episodes[0].id}?actor_id={quote(actor_id, safe='')}"
    return Response(result, status_code=202, headers={"Location": first})
