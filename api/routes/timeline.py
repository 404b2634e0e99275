"""Views over time: one relation of an entity, and what holds about the actor."""

from __future__ import annotations

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath

from graphmem.memory import Memory
from graphmem.models.truth import Profile, Timeline

from ..guards import QUERY
from ..problems import problems
from ..schemas import ProfileQuery, TimelineQuery


@get(
    "/v1/stores/{store:str}/entities/{id:str}/timeline",
    operation_id="getEntityTimeline",
    summary="History of one relation",
    tags=["entities"],
    responses=problems(404),
    opt={QUERY: TimelineQuery},
)
async def timeline(
    store: FromPath[str],
    id: FromPath[str],  # noqa: A002 - the name in the address
    params: NamedDependency[TimelineQuery],
    memory: NamedDependency[Memory],
) -> Timeline:
    """All stays of a relation of an entity in order: where has she lived, why did each end, what came next."""
    return await memory.timelines.of_entity(store, params.actor_id, id, params.predicate)


@get(
    "/v1/stores/{store:str}/profile",
    operation_id="getProfile",
    summary="What holds about the actor",
    tags=["facts"],
    responses=problems(404),
    opt={QUERY: ProfileQuery},
)
async def profile(
    store: FromPath[str], params: NamedDependency[ProfileQuery], memory: NamedDependency[Memory]
) -> Profile:
    """The facts about the actor that hold now, or held at a time, by category."""
    return await memory.timelines.profile(store, params.actor_id, params.as_of)
