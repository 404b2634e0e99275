"""Maintenance: decay, consolidation and purge, one pass at a time a store."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.maintenance import MaintenanceRequest, MaintenanceResult

from ..problems import problems


@post(
    "/v1/stores/{store:str}/maintenance/:decay",
    operation_id="decay",
    summary="Let memories fade",
    status_code=200,
    tags=["maintenance"],
    responses=problems(404, 409, 413, 415),
)
async def decay(
    store: FromPath[str], data: JSONBody[MaintenanceRequest], memory: NamedDependency[Memory]
) -> MaintenanceResult:
    """Refreshes retention and archives what has faded or expired; 409 while another pass runs."""
    return await memory.decay(store, data)


@post(
    "/v1/stores/{store:str}/maintenance/:purge",
    operation_id="purge",
    summary="Erase what was archived long ago",
    status_code=200,
    tags=["maintenance"],
    responses=problems(404, 409, 413, 415),
)
async def purge(
    store: FromPath[str], data: JSONBody[MaintenanceRequest], memory: NamedDependency[Memory]
) -> MaintenanceResult:
    """Erases what has been archived or deleted for longer than the store keeps it. There is no way back."""
    return await memory.purge(store, data)


@post(
    "/v1/stores/{store:str}/maintenance/:consolidate",
    operation_id="consolidate",
    summary="Summarise sessions, gather themes",
    status_code=200,
    tags=["maintenance"],
    responses=problems(404, 409, 413, 415),
)
async def consolidate(
    store: FromPath[str], data: JSONBody[MaintenanceRequest], memory: NamedDependency[Memory]
) -> MaintenanceResult:
    """Makes summaries of sessions and themes across them where sources have changed; 409 while another pass runs."""
    return await memory.consolidate(store, data)
