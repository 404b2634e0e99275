"""Stores that a measurement works in."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from graphmem.models.manage import StoreIn

if TYPE_CHECKING:
    from graphmem.memory import Memory


@asynccontextmanager
async def temporary_store(memory: Memory, command: str = "bench") -> AsyncIterator[str]:
    """The id of a new store; it is removed in batches at the end, also after an error or an interrupt."""
    name = f"{command}-{uuid.uuid4().hex[:16]}"
    await memory.create_store(StoreIn(id=name, description=f"Temporary store of graphmem {command}."))
    try:
        yield name
    finally:
        await memory.delete_store(name)
