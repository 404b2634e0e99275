"""Whether the service is alive, and whether it is ready."""

from __future__ import annotations

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec

from graphmem import __version__
from graphmem.memory import Memory
from graphmem.models.manage import Alive, Health

from ..guards import OPEN
from ..problems import problems


@get(
    "/healthz",
    operation_id="getLiveness",
    summary="Is the process alive",
    tags=["health"],
    responses=problems(),
    opt={OPEN: True},
)
async def alive() -> Alive:
    """Answers while the process runs; asks no database and needs no key."""
    return Alive(version=__version__)


@get(
    "/readyz",
    operation_id="getReadiness",
    summary="Is the service ready",
    tags=["health"],
    responses={**problems(), 503: ResponseSpec(Health, generate_examples=False, description="Not ready.")},
)
async def ready(memory: NamedDependency[Memory]) -> Response[Health]:
    """Every check that recall needs, with what to do where one fails; 503 until all are good."""
    health = await memory.health()
    return Response(health, status_code=200 if health.ready else 503)
