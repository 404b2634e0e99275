"""The graph as it is, past the library: what a crash left, and whether it is whole."""

from __future__ import annotations

import os
import signal
from collections import Counter
from types import TracebackType
from typing import Any, Self

from neo4j import AsyncGraphDatabase

from graphmem.config import Settings
from graphmem.store.local import LocalServer, ServerInfo

STATES = """
MATCH (e:Episode {store_id: $store})
RETURN e.id AS id, e.status AS status, e.embedding IS NOT NULL AS embedded, e.content AS content, e.error AS error,
       COUNT { (e)-[:ABOUT]->() } AS about,
       COLLECT { MATCH (f:Fact)-[d:DERIVED_FROM]->(e) WHERE d.continued IS NULL RETURN f.predicate } AS facts
"""
LOOSE = {
    "entities without a fact or an episode": """
        MATCH (e:Entity {store_id: $store}) WHERE NOT e.is_actor AND NOT EXISTS { (e)<-[:SUBJECT|OBJECT|ABOUT]-() }
        RETURN e.name AS it""",
    "facts without a source, a subject, an object or a vector": """
        MATCH (f:Fact {store_id: $store})
        WHERE NOT EXISTS { (f)-[:DERIVED_FROM]->(:Episode) } OR COUNT { (f)-[:SUBJECT]->() } <> 1 OR f.embedding IS NULL
           OR (f.literal IS NULL AND COUNT { (f)-[:OBJECT]->() } <> 1)
        RETURN f.text AS it""",
    "facts that were written and not settled": """
        MATCH (f:Fact {store_id: $store}) WHERE f.version = 0 OR f.valid_from IS NULL OR f.state IS NULL
        RETURN f.text AS it""",
    "homes of one person at one time": """
        MATCH (f:Fact {store_id: $store, predicate: 'lives_in', state: 'live'})
        WITH f.axis_key AS person, count(CASE WHEN f.invalid_at IS NULL THEN 1 END) AS homes WHERE homes <> 1
        RETURN person AS it""",
}


class Graph:
    """A connection of its own to the managed server, and the power to kill it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.server = LocalServer(settings)
        self.info: ServerInfo

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._driver.close()

    async def start(self) -> None:
        """Start or join the server."""
        self.info = await self.server.ensure_started()
        self._driver = AsyncGraphDatabase.driver(self.info.bolt_uri, auth=(self.info.username, self.info.password))

    async def kill(self) -> None:
        """End the server's process at once, as a power cut does."""
        os.kill(self.info.pid, signal.SIGKILL)
        await self._driver.close()

    async def rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of any query."""
        return [record.data() for record in (await self._driver.execute_query(query, parameters)).records]

    async def episodes(self, store: str) -> set[str]:
        """Ids of all episodes."""
        return {row["id"] for row in await self.rows(STATES, store=store)}

    async def statuses(self, store: str) -> Counter[str]:
        """How many episodes are in each state."""
        return Counter(row["status"] for row in await self.rows(STATES, store=store))

    async def check(self, store: str, said: dict[str, list[str]]) -> Counter[str]:
        """Fail where something is half-written; how many episodes are in each state.

        `said` gives the predicates of the facts that came with each text.
        """
        episodes = await self.rows(STATES, store=store)
        for episode in episodes:
            if episode["status"] == "processed":
                assert sorted(episode["facts"]) == sorted(said[episode["content"]]), episode
                assert episode["embedded"], episode
            else:
                assert (episode["facts"], episode["about"], episode["embedded"]) == ([], 0, False), episode
        for fault, query in LOOSE.items():
            assert await self.rows(query, store=store) == [], fault
        return Counter(episode["status"] for episode in episodes)
