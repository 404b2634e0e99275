"""Plans made ahead: a server that has just started plans each query at its first use, which can take seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from ..errors import GraphMemError
from .driver import Database

log = logging.getLogger(__name__)


class Plans:
    """Has some queries planned in the background, once, in the order given; it holds up nobody who runs one."""

    def __init__(self, database: Database, names: Sequence[str]) -> None:
        self._database = database
        self._left = list(reversed(names))
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin, in the running event loop; nothing where it was begun before."""
        if self._task is None:  # one at a time: the other core has the compiler of a server that is still warming up
            self._task = asyncio.create_task(self._work(), name="graphmem-plans")

    async def stop(self) -> None:
        """End at once; what is not planned by then is planned at its first use."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        while self._left:
            name = self._left.pop()
            try:
                await self._database.plan(name)
            except GraphMemError as error:  # whoever runs it is told
                log.debug("%s is not planned ahead: %s", name, error.code)
