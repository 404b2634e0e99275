"""What the calls of a LangGraph store do in a memory, once it is known whose items are meant."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.store.base import Item, ListNamespacesOp, PutOp, SearchItem, SearchOp
from langgraph.store.memory import InMemoryStore

from ..errors import InvalidInput, NotFound
from ..models.base import MAX_PAGE, MAX_QUERY
from ..models.note import Entry, EntryPut, EntrySearch, NoteQuery
from ..models.scope import ReadScope, Scope
from .backend import Backend
from .langgraph_items import fits, parts_of, path_of, searched_text, tag_of, tags_of, title_of
from .values import checked, kinds_of, value_of

log = logging.getLogger(__name__)

MOST_RANKED = 100
"""Items that a query ranks."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls, in one store of a memory; each is told whose items it is about."""

    backend: Backend
    store: str

    @staticmethod
    def entry(actor: str, path: str, op: PutOp, fields: Sequence[str]) -> EntryPut:
        """What a put writes. Errors: InvalidInput, NotImplementedError for what no entry has."""
        if op.ttl is not None:
            raise NotImplementedError("GraphMemStore has no `ttl`: items stay until they are deleted.")
        if op.index is False or op.index == []:
            raise NotImplementedError("GraphMemStore finds every item by search: leave `index` out, or name fields.")
        value = value_of(op.value or {})
        text = searched_text(value, op.index or fields) or op.key
        given = {"content": text, "title": title_of(text), "tags": tags_of(op.namespace), "data": value}
        return checked(EntryPut, scope=checked(Scope, actor_id=actor), path=path, **given)

    async def put(self, entry: EntryPut) -> None:
        """Make the item, or a new version of it."""
        saved, _ = await self.backend.entries.put(self.store, entry)
        if saved.redacted:
            log.warning("Secrets were taken out of an item before it was stored (%s).", kinds_of(saved.redacted))

    async def delete(self, actor: str, path: str) -> None:
        """Erase the item, and what it had replaced, which holds again when it is gone."""
        while entry := await self._at(actor, path):
            with contextlib.suppress(NotFound):  # another one was quicker
                await self.backend.entries.delete(self.store, actor, entry.id)

    async def get(self, actor: str, path: str) -> Item | None:
        """The item at a path."""
        entry = await self._at(actor, path)
        return None if entry is None else Item(**_item(entry))

    async def search(self, actor: str, op: SearchOp) -> list[SearchItem]:
        """The items in or under a namespace: those that answer a query, best first, or all, the oldest first."""
        if op.offset < 0 or op.limit < 0:
            raise InvalidInput("must not be negative.", field="offset" if op.offset < 0 else "limit")
        if op.limit == 0:
            return []
        end, found = op.offset + op.limit, list[SearchItem]()
        query = (op.query or "").strip()[-MAX_QUERY:].strip()
        most = MAX_PAGE if op.filter else min(end, MAX_PAGE)
        prefix = f"{path_of(*op.namespace_prefix)}/"
        items = (
            self._answers(actor, query, prefix, tag_of(op.namespace_prefix), min(most, MOST_RANKED))
            if query
            else self._under(actor, prefix, most)
        )
        async for entry, score in items:
            if len(found) < end and fits(entry.data, op.filter or {}):
                found.append(SearchItem(**_item(entry), score=score))
            if len(found) == end:
                break
        return found[op.offset :]

    async def namespaces(self, actor: str, start: Sequence[str], op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """The namespaces that match, as the framework's own store finds them."""
        items = self._under(actor, f"{path_of(*start)}/", MAX_PAGE)
        reference = InMemoryStore()
        reference.batch([PutOp(parts_of(entry.path)[:-1], "", {}) async for entry, _ in items])
        found: Any = reference.batch([op])[0]
        return list(found)

    async def nothing(self) -> None:
        """What a write has to read."""

    async def _at(self, actor: str, path: str) -> Entry | None:
        query = checked(NoteQuery, actor_id=actor, path=path)
        page = await self.backend.entries.page(self.store, query, MAX_PAGE)
        return next(filter(_is_item, page.items), None)

    async def _answers(
        self, actor: str, query: str, prefix: str, tag: str, most: int
    ) -> AsyncIterator[tuple[Entry, float | None]]:
        scope = checked(ReadScope, actor_id=actor)
        asked = checked(EntrySearch, scope=scope, query=query, limit=most, prefix=prefix, tag=tag)
        for hit in (await self.backend.entries.search(self.store, asked)).items:
            if _is_item(hit.entry):
                yield hit.entry, hit.score

    async def _under(self, actor: str, prefix: str, size: int) -> AsyncIterator[tuple[Entry, float | None]]:
        query = checked(NoteQuery, actor_id=actor, prefix=prefix)
        token: str | None = None
        while True:
            page = await self.backend.entries.page(self.store, query, size, token)
            for entry in filter(_is_item, page.items):
                yield entry, None
            token = page.next_page_token
            if token is None:
                return


def _is_item(entry: Entry) -> bool:
    """Whether it was put by a store, not written to the same path by another hand or in a session."""
    return entry.data is not None and entry.scope.session_id is None


def _item(entry: Entry) -> dict[str, Any]:
    *namespace, key = parts_of(entry.path)
    times = {"created_at": entry.created_at, "updated_at": entry.updated_at}
    return {"value": entry.data, "key": key, "namespace": tuple(namespace)} | times
