"""What the checks of a case look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .generators import CaseError
from .replies import Reply, fold_name, need
from .view import View

Check = Mapping[str, Any]


class World:
    """What the checks look at: the replies of the steps, and the store as it can be read now."""

    def __init__(self, replies: Mapping[str, Reply], last: Reply, scope: str, view: View) -> None:
        self.replies = replies
        self.last = last
        self.scope = scope
        self.view = view
        self.said: list[str] = []
        """Times at which something was said, for dates in the zone of the message."""

    def reply(self, check: Check, name: str | None = None) -> Reply:
        """The reply that the check names, else the last one."""
        name = name or check.get("step")
        if name is None:
            return self.last
        if name not in self.replies:
            raise CaseError(f"no step is called {name}")
        return self.replies[name]

    def actor(self, check: Check) -> str:
        """The scope that the check names, else that of the last step that has one."""
        return str(check.get("scope", self.scope))

    async def actor_names(self, actor_id: str) -> set[str]:
        """How the person the scope belongs to is called in facts, folded."""
        own = [entity for entity in await self.view.entities(actor_id) if need(entity, "is_actor")]
        names = {name for entity in own for name in (need(entity, "name"), *need(entity, "aliases"))}
        return {fold_name(name) for name in (*names, actor_id)}
