"""Memory never fails a run: what goes wrong is told in the session's state and in the log, without any text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from ...errors import GraphMemError

log = logging.getLogger("graphmem.plugins.agent_framework")


@dataclass(frozen=True, slots=True)
class Guard:
    """Runs the work of one provider."""

    source_id: str
    fail_open: bool = True
    """False: what goes wrong is raised, after it was told."""
    said: set[str] = field(default_factory=set)
    """What was said once and is not said again."""

    async def run(self, what: str, seconds: float, work: Awaitable[dict[str, Any]]) -> dict[str, Any]:
        """What became of the work: its own answer, or `timeout` or `failed` with the reason."""
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            log.warning("%s: %s took over %g s", self.source_id, what, seconds)
            if not self.fail_open:
                raise
            return {"status": "timeout", "seconds": seconds}
        except Exception as error:  # a message may hold text; a code or a type does not
            reason = error.code if isinstance(error, GraphMemError) else type(error).__name__
            log.warning("%s: %s failed: %s", self.source_id, what, reason)
            if not self.fail_open:
                raise
            return {"status": "failed", "error": reason}

    def unscoped(self, what: str, key: str) -> dict[str, Any]:
        """That nothing is done, since it is not known for whom; the log has it once."""
        if what not in self.said:
            self.said.add(what)
            log.warning("%s: no %s: the session has no `%s`", self.source_id, what, key)
        return {"status": "no_scope"}
