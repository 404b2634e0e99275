"""A store for LangGraph: items are entries of one actor each, replaced with their history and searched by recall.

Needs the extra `graphmem[langgraph]`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Self

try:
    from langgraph.store import base
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "LangGraph is not installed: pip install 'graphmem[langgraph]'.", name=_error.name
    ) from _error

from ..errors import ConfigurationError
from .backend import Backend
from .connect import Connected, connection
from .langgraph_calls import Calls
from .langgraph_items import path_of

if TYPE_CHECKING:
    from pydantic import SecretStr

Namespace = tuple[str, ...]
ActorOf = Callable[[Namespace], str | None]
"""Whose items a namespace holds; None, or a LookupError, for a namespace that is nobody's."""
Do = Callable[[Calls], Awaitable[Any]]


class GraphMemStore(Connected, base.BaseStore):
    """Items by namespace and key in the graph; what is nobody's is refused, and no call reaches another actor.

    `put` of a key that is there makes a new version, `delete` erases with the versions. A search with a query is a
    recall within the namespace: hybrid, behind the gate.
    """

    supports_ttl = False

    def __init__(
        self,
        *,
        actor: str | ActorOf,
        memory: Backend | None = None,
        client: Backend | None = None,
        base_url: str | None = None,
        api_key: str | SecretStr | None = None,
        store: str = "default",
        fields: Sequence[str] = ("$",),
    ) -> None:
        """Make the store; nothing is opened before it is used.

        `actor` is whose items all are, or a function of the namespace. `memory` or `client` is borrowed; with
        `base_url`, or with none of the three, one is opened at the first use and closed at the end of `async with`.
        `fields` are the paths that are searched where `put` names none; `$` is the whole value. Errors:
        ConfigurationError.
        """
        self._connection = connection(memory, client, base_url, api_key)
        self._borrowed = memory is not None or client is not None
        self._actor, self._store, self._fields = actor, store, tuple(fields)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened = contextlib.ExitStack()

    async def __aenter__(self) -> Self:
        """Open the memory now. Errors: those of opening it."""
        self._loop = asyncio.get_running_loop()
        return await super().__aenter__()

    def __enter__(self) -> Self:
        """For programs without an event loop: one of the store's own, in a thread. Errors: those of opening it."""
        from anyio.from_thread import start_blocking_portal

        if self._borrowed:
            raise ConfigurationError("A memory or client that is given belongs to its event loop: use `async with`.")
        with contextlib.ExitStack() as opened:
            portal = opened.enter_context(start_blocking_portal())
            opened.enter_context(portal.wrap_async_context_manager(self))
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def batch(self, ops: Iterable[base.Op]) -> list[base.Result]:
        """As `abatch`, for threads without an event loop. Errors: asyncio.InvalidStateError where one is running."""
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop()
            raise asyncio.InvalidStateError(
                "A synchronous call would block the running event loop: await `aget`, `aput`, `asearch`, `adelete` or "
                "`alist_namespaces`."
            )
        if self._loop is None or not self._loop.is_running():
            raise ConfigurationError("The store is not open: use it inside `async with store`, or `with store`.")
        return asyncio.run_coroutine_threadsafe(self.abatch(ops), self._loop).result()

    async def abatch(self, ops: Iterable[base.Op]) -> list[base.Result]:
        """What each call gives: first all reads, which see none of the writes; then the last write of each key.

        All are checked before any is done. Errors: InvalidNamespaceError, NotImplementedError (ttl, `index=False`),
        those of `graphmem.errors`.
        """
        self._loop = asyncio.get_running_loop()
        asked = list(ops)
        reads = [self._read(op) for op in asked]
        writes = {(op.namespace, op.key): self._write(op) for op in asked if isinstance(op, base.PutOp)}
        calls = Calls(await self._connection.get(), self._store)
        results = list(await asyncio.gather(*(read(calls) for read in reads)))
        for write in writes.values():
            await write(calls)
        return results

    def _read(self, op: base.Op) -> Do:
        base.validate_op_namespace(op)
        if isinstance(op, base.GetOp):
            return partial(Calls.get, actor=self._owner(op.namespace), path=path_of(*op.namespace, op.key))
        if isinstance(op, base.SearchOp):
            return partial(Calls.search, actor=self._owner(op.namespace_prefix), op=op)
        if isinstance(op, base.ListNamespacesOp):
            prefixes = [c.path for c in op.match_conditions or () if c.match_type == "prefix"]
            start = max((tuple(takewhile("*".__ne__, path)) for path in prefixes), key=len, default=())
            return partial(Calls.namespaces, actor=self._actor_of(start), start=start, op=op)
        return Calls.nothing

    def _write(self, op: base.PutOp) -> Do:
        actor, path = self._owner(op.namespace), path_of(*op.namespace, op.key)
        if op.value is None:
            return partial(Calls.delete, actor=actor, path=path)
        return partial(Calls.put, entry=Calls.entry(actor, path, op, self._fields))

    def _owner(self, namespace: Namespace) -> str:
        """Whose items a namespace holds. Errors: InvalidNamespaceError, also for an empty one: it is not everything."""
        if not namespace:
            raise base.InvalidNamespaceError('The namespace must not be empty: name what is meant, as ("memories",).')
        return self._actor_of(namespace)

    def _actor_of(self, namespace: Namespace) -> str:
        actor: Any = self._actor
        if callable(actor):
            try:
                actor = actor(namespace)
            except LookupError:
                actor = None
        if not isinstance(actor, str) or not actor:
            raise base.InvalidNamespaceError(f"The namespace {namespace} is nobody's: `actor` gives no one for it.")
        return actor
