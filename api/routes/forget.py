"""Forget: archive or erase what a selector names."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.manage import ForgetRequest, Receipt

from ..problems import problems


@post(
    "/v1/stores/{store:str}/forget",
    operation_id="forget",
    summary="Forget memories",
    status_code=200,
    tags=["forget"],
    responses=problems(404, 409, 413, 415, 502),
)
async def forget(store: FromPath[str], data: JSONBody[ForgetRequest], memory: NamedDependency[Memory]) -> Receipt:
    """Hides (`archive`) or removes (`erase`) what the target names, and answers with a receipt."""
    return await memory.forget(store, data)
