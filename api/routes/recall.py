"""Recall: the memories that answer a question."""

from __future__ import annotations

from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from graphmem.memory import Memory
from graphmem.models.recall import RecallRequest, RecallResult

from ..problems import problems


@post(
    "/v1/stores/{store:str}/recall",
    operation_id="recall",
    summary="Recall memories",
    status_code=200,
    tags=["recall"],
    responses=problems(404, 413, 415, 502),
)
async def recall(store: FromPath[str], data: JSONBody[RecallRequest], memory: NamedDependency[Memory]) -> RecallResult:
    """The few memories that are in scope, true at the asked time and fit for use, with their reasons."""
    return await memory.recall(store, data)
