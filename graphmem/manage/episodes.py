"""Episodes: list, read, delete with everything they caused."""

from __future__ import annotations

from ..errors import NotFound
from ..models.episode import Episode
from ..models.ids import owner_key
from ..models.manage import Page, Receipt
from ..store.driver import Database
from ..store.records import episode_from
from .forget import Forget
from .messages import select_messages
from .paging import page_of, position


class Episodes:
    """The episodes of a database."""

    def __init__(self, database: Database, forget: Forget) -> None:
        self._database = database
        self._forget = forget

    async def page(
        self,
        store_id: str,
        actor_id: str,
        *,
        session_id: str | None,
        source_id: str | None,
        status: str | None,
        page_size: int,
        page_token: str | None,
    ) -> Page[Episode]:
        """One page of an owner's episodes, in the order they came in."""
        rows = await self._database.run(
            "manage/episodes",
            {
                "owner_key": owner_key(store_id, actor_id),
                "after": position(page_token, "episodes"),
                "limit": page_size + 1,
                "session_id": session_id,
                "source_id": source_id,
                "status": status,
            },
        )
        return page_of([episode_from(r["episode"]) for r in rows], page_size, "episodes", lambda e: e.id)

    async def get(self, store_id: str, actor_id: str, episode_id: str) -> Episode:
        """One episode. Errors: NotFound."""
        rows = await self._database.run(
            "manage/episode", {"owner_key": owner_key(store_id, actor_id), "episode_id": episode_id}
        )
        if not rows:
            raise NotFound("There is no such episode of this actor.", field="episode_id")
        return episode_from(rows[0]["episode"])

    async def delete(self, store_id: str, actor_id: str, episode_id: str) -> Receipt:
        """Erase an episode; facts that it alone supports go, those that it had ended come back. Errors: NotFound."""
        await self.get(store_id, actor_id, episode_id)
        owner = owner_key(store_id, actor_id)
        messages = await select_messages(self._database, owner, [episode_id])
        return await self._forget.erase(store_id, owner, [episode_id], [], (), messages)
