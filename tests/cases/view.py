"""Everything that can be read of one actor, through the public calls alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .replies import CheckFailed, Reply, items_of, need, whole_text
from .steps import Request, one_record

Send = Callable[[Request, str], Awaitable[Reply]]
MODES = ("keyword", "vector", "hybrid", "semantic")
_STATUSES = ("active", "archived", "deleted")
_MOST_PAGES = 200


class View:
    """Reads an actor's memories; every call has to work, else the check that asks fails."""

    def __init__(self, send: Send) -> None:
        self.send = send

    async def _all(self, path: str, query: dict[str, str]) -> list[Any]:
        rows: list[Any] = []
        token: str | None = None
        for _ in range(_MOST_PAGES):
            page = {**query, "page_size": "200", **({"page_token": token} if token else {})}
            reply = await self.send(Request("GET", path, query=page), "list")
            rows += items_of(reply)
            token = need(reply.body, "next_page_token")
            if not token:
                return rows
        raise CheckFailed(f"the list {path} does not end")

    async def facts(self, actor_id: str, *, current: bool = False) -> list[Any]:
        """Facts of the actor: those valid now, or all."""
        return await self._all("/facts", {"actor_id": actor_id, "validity": "current" if current else "any"})

    async def entities(self, actor_id: str) -> list[Any]:
        """Entities of the actor."""
        return await self._all("/entities", {"actor_id": actor_id})

    async def episodes(self, actor_id: str) -> list[Any]:
        """Episodes of the actor."""
        return await self._all("/episodes", {"actor_id": actor_id})

    async def contradictions(self, actor_id: str) -> int:
        """How many contradictions are open; without a list of them, how many facts are marked as disputed."""
        reply = await self.send(Request("GET", "/contradictions", query={"actor_id": actor_id}), "list")
        if reply.status not in (404, 405):
            return sum(need(row, "state") == "open" for row in items_of(reply))
        return sum(bool(need(fact, "disputed")) for fact in await self.facts(actor_id))

    async def fact(self, actor_id: str, fact_id: str) -> Any:
        """One fact with its sources."""
        return await self._body(one_record("GET", "facts", fact_id, actor_id))

    async def _body(self, request: Request) -> Any:
        reply = await self.send(request, "get")
        if not reply.ok:
            raise CheckFailed(f"{request.brief()} answered {reply.status}")
        return reply.body

    async def everything(self, actor_id: str, text: str) -> list[tuple[str, str]]:
        """(where, what) of every readable path, with searches for the text in every mode."""
        found = await self._records(actor_id)
        for mode in MODES:
            body = {
                "scope": {"actor_id": actor_id},
                "query": text,
                "mode": mode,
                "validity": "any",
                "limit": 100,
            }
            body |= {"max_tokens": 100_000, "explain": True}
            found.append((f"recall {mode}", await self._text(Request("POST", "/recall", body))))
        for path in (
            "/recalls",
            "/export",
            "/notes",
            "/open-items",
            "/profile",
            "/contradictions",
            "/sessions",
        ):
            found += await self._optional(Request("GET", path, query={"actor_id": actor_id}))
        return found

    async def _records(self, actor_id: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for status in _STATUSES:
            query = {"actor_id": actor_id, "validity": "any", "status": status}
            for row in await self._all("/facts", query):
                for part in ("", "/history"):
                    request = one_record("GET", "facts", need(row, "id"), actor_id, part)
                    found.append((f"fact {status}{part}", await self._text(request)))
        for kind, part in (("entities", ""), ("entities", "/graph"), ("episodes", "")):
            for row in await self._all(f"/{kind}", {"actor_id": actor_id}):
                request = one_record("GET", kind, need(row, "id"), actor_id, part)
                found.append((f"{kind}{part}", await self._text(request)))
        return found

    async def _text(self, request: Request) -> str:
        reply = await self.send(request, "read")
        if not reply.ok:
            raise CheckFailed(f"{request.brief()} answered {reply.status}")
        return whole_text(reply)

    async def _optional(self, request: Request) -> list[tuple[str, str]]:
        reply = await self.send(request, "read")
        if reply.status in (404, 405):  # this version has no such path
            return []
        return [(request.path, whole_text(reply))]
