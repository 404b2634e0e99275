"""`GraphMemHistoryProvider`: the messages of a session, kept in the graph and put before the next run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from agent_framework import (
    AgentSession,
    CompactionStrategy,
    HistoryProvider,
    Message,
    SessionContext,
    SupportsAgentRun,
    TokenizerProtocol,
    apply_compaction,
)

from ...errors import InvalidInput
from ...models.base import MAX_MESSAGES, MAX_PAGE
from ...models.scope import Scope, SessionScope
from ...models.session import SessionMessageIn, SessionMessagesIn
from ..backend import Backend
from ..connect import Connected, connection
from ..values import addressable
from .context import GraphMemContextProvider
from .guard import Guard
from .kept import complete, from_kept, is_context, overlap, to_keep, without_data
from .messages import give_ids
from .scope import ScopeResolver, Scopes, check_fixed

if TYPE_CHECKING:
    from pydantic import SecretStr

OFFERED = "offered"
"""Key of the state: the place of the last message that compaction dropped and long-term memory was offered."""


@dataclass(slots=True)
class Loaded:
    """What a run is given of a conversation."""

    messages: list[Message] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    """Place in the session, by message id."""
    dropped: list[Message] = field(default_factory=list)
    """By the compaction strategy, oldest first."""


class GraphMemHistoryProvider(Connected, HistoryProvider):
    """Conversations in the graph: each message once, in order, with its id, under the user and the session.

    Nothing is learned from what is kept here, and no recall finds it; `GraphMemContextProvider` is for that. With
    `load_messages=False` it only writes, for an audit. One instance serves any number of sessions at once.
    """

    DEFAULT_SOURCE_ID: ClassVar[str] = "graphmem_history"

    def __init__(
        self,
        source_id: str = DEFAULT_SOURCE_ID,
        *,
        memory: Backend | None = None,
        client: Backend | None = None,
        base_url: str | None = None,
        api_key: str | SecretStr | None = None,
        store: str = "default",
        user_id: str | None = None,
        agent_id: str | None = None,
        route_id: str | None = None,
        resolver: ScopeResolver | None = None,
        load_messages: bool = True,
        store_inputs: bool = True,
        store_context_messages: bool = False,
        store_context_from: set[str] | None = None,
        store_outputs: bool = True,
        max_messages: int = 200,
        max_tokens: int | None = None,
        tokenizer: TokenizerProtocol | None = None,
        compaction_strategy: CompactionStrategy | None = None,
        long_term: GraphMemContextProvider | None = None,
        timeout: float = 10.0,
        fail_open: bool = True,
    ) -> None:
        """Make the provider; nothing is opened before it is used.

        The memory and the scope are given as for `GraphMemContextProvider`. A run is given the newest `max_messages`,
        and of these as many as fit into `max_tokens` (counted by `tokenizer`, else estimated); then
        `compaction_strategy` is applied, and what it drops is offered to `long_term`. Each call of the memory may take
        `timeout` seconds; with `fail_open` a fault is told in `session.state[source_id]` and the run goes on without
        history. Errors: InvalidInput, ConfigurationError.
        """
        super().__init__(
            source_id,
            load_messages=load_messages,
            store_inputs=store_inputs,
            store_context_messages=store_context_messages,
            store_context_from=store_context_from,
            store_outputs=store_outputs,
        )
        self._connection = connection(memory, client, base_url, api_key)
        self.store = store
        fixed = {"user_id": user_id, "agent_id": agent_id, "route_id": route_id}
        self._scopes = Scopes(check_fixed(fixed), resolver)
        self._most, self._budget = max_messages, max_tokens
        self._tokenizer, self._strategy = tokenizer, compaction_strategy
        self._long_term, self._timeout = long_term, timeout
        self._guard = Guard(source_id, fail_open)

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Put in what was said before, unless the model's service keeps the conversation itself."""
        await self._pin(session, state)
        if context.service_session_id is not None:
            state["load"] = {"status": "kept_by_service"}
            return
        await super().before_run(agent=agent, session=session, context=context, state=state)

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Keep what was said in this run."""
        await self._pin(session, state)
        given = context.input_messages
        repeated = await self._repeated(context.session_id, given, state) if self.store_inputs else 0
        give_ids([*given[repeated:], *(context.response.messages if context.response else ())])
        context.input_messages = given[repeated:]  # for as long as the base class looks at what is to be kept
        try:
            await super().after_run(agent=agent, session=session, context=context, state=state)
        finally:
            context.input_messages = given

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """What a run is given of a session's conversation, oldest first."""
        own: dict[str, Any] = state if state is not None else {}
        loaded = Loaded()
        own["load"] = await self._guard.run("load", self._timeout, self._load(session_id, own, loaded))
        if loaded.dropped and self._long_term is not None:
            await self._offer(self._long_term, loaded, own)
        return loaded.messages

    async def save_messages(
        self, session_id: str | None, messages: Sequence[Message], *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        """Keep messages behind those of the session; a transcript that is sent again adds only what is new."""
        own: dict[str, Any] = state if state is not None else {}
        if not all(m.message_id for m in messages):
            messages = messages[await self._repeated(session_id, messages, own) :]
            give_ids(messages)
        own["save"] = await self._guard.run("save", self._timeout, self._save(session_id, messages, own))

    async def _pin(self, session: AgentSession, state: dict[str, Any]) -> None:
        """Settle whose conversation it is; and what long-term memory would be offered it as."""

        async def work() -> dict[str, Any]:
            scopes = await self._scopes.of(session, state)
            if self._long_term is not None:
                state["offer_to"] = await self._long_term.storage_scope(session)
            return {"status": "ok" if scopes.write else "no_scope"}

        state["scope"] = await self._guard.run("scope", self._timeout, work())

    def _scope(self, session_id: str | None, state: dict[str, Any]) -> Scope | None:
        """Whose conversation: as pinned, else as fixed, for who calls without a session's state."""
        values = {**self._scopes.fixed, **(state.get("pinned") or {})}
        if state.get("scope", {}).get("status") == "failed" or values.get("user_id") is None:
            return None
        session = values.get("session_id") or (addressable(session_id) if session_id else None)
        if session is None:
            return None
        return Scope(
            actor_id=values["user_id"],
            agent_id=values.get("agent_id"),
            route_id=values.get("route_id"),
            session_id=session,
        )

    async def _load(self, session_id: str | None, state: dict[str, Any], loaded: Loaded) -> dict[str, Any]:
        scope = self._scope(session_id, state)
        if scope is None or scope.session_id is None:
            return self._guard.unscoped("load", "user_id")
        found, places = await self._newest(scope, self._most, self._budget)
        messages = complete(found)
        candidates = list(messages)
        kept = await apply_compaction(messages, strategy=self._strategy, tokenizer=self._tokenizer)
        shown = {id(m) for m in kept}
        loaded.messages, loaded.places = list(kept), places
        loaded.dropped = [m for m in candidates if id(m) not in shown]
        return {"status": "ok", "messages": len(kept), "dropped": len(loaded.dropped)}

    async def _newest(self, scope: Scope, most: int, budget: int | None = None) -> tuple[list[Message], dict[str, int]]:
        """The newest messages of the conversation, oldest first, and their places."""
        backend: Backend = await self._connection.get()
        found: list[Message] = []
        places: dict[str, int] = {}
        left, token = budget, None
        while len(found) < most:
            page = await backend.sessions.messages(
                self.store,
                scope.actor_id,
                scope.session_id or "",
                order="newest",
                page_size=min(MAX_PAGE, most - len(found)),
                page_token=token,
            )
            for kept in page.items:
                if is_context(kept):
                    continue
                message = from_kept(kept)
                if left is not None:
                    left -= self._tokens(message)
                    if left < 0:
                        return found[::-1], places
                found.append(message)
                places[kept.id] = kept.position
            token = page.next_page_token
            if token is None:
                break
        return found[::-1], places

    def _tokens(self, message: Message) -> int:
        text = message.to_json()
        return self._tokenizer.count_tokens(text) if self._tokenizer else len(text) // 4 + 1

    async def _repeated(self, session_id: str | None, messages: Sequence[Message], state: dict[str, Any]) -> int:
        """How many messages, from the first on, repeat the end of what is kept: a transcript that is sent again."""
        found = 0

        async def work() -> dict[str, Any]:
            nonlocal found
            scope = self._scope(session_id, state)
            kept = (await self._newest(scope, max(len(messages), MAX_PAGE)))[0] if scope is not None else []
            found = overlap(kept, messages)
            return {"status": "ok"}

        if len(messages) > 1:  # a single message is new: people say the same thing twice
            await self._guard.run("look for repeats", self._timeout, work())
        return found

    async def _save(self, session_id: str | None, messages: Sequence[Message], state: dict[str, Any]) -> dict[str, Any]:
        scope = self._scope(session_id, state)
        if scope is None or scope.session_id is None:
            return self._guard.unscoped("save", "user_id")
        owner = SessionScope(actor_id=scope.actor_id, agent_id=scope.agent_id, route_id=scope.route_id)
        rows = [to_keep(m) for m in messages]
        backend: Backend = await self._connection.get()
        new = 0
        for start in range(0, len(rows), MAX_MESSAGES):
            new += await self._put(backend, scope.session_id, owner, rows[start : start + MAX_MESSAGES])
        return {"status": "ok", "messages": len(rows), "new": new}

    async def _put(self, backend: Backend, session_id: str, owner: SessionScope, rows: list[SessionMessageIn]) -> int:
        """Keep messages, how many are new; one that is refused is kept as its text, and does not take others along."""
        try:
            request = SessionMessagesIn(scope=owner, messages=tuple(rows))
            saved = await backend.sessions.save_messages(self.store, session_id, request)
            return sum(not item.duplicate for item in saved.items)
        except InvalidInput:
            if len(rows) > 1:
                return await self._put_each(backend, session_id, owner, rows)
            plain = without_data(rows[0])
            if plain == rows[0]:
                raise
            return await self._put(backend, session_id, owner, [plain])

    async def _put_each(
        self, backend: Backend, session_id: str, owner: SessionScope, rows: list[SessionMessageIn]
    ) -> int:
        new, refused = 0, list[InvalidInput]()
        for row in rows:
            try:
                new += await self._put(backend, session_id, owner, [row])
            except InvalidInput as error:
                refused.append(error)
        if refused:
            raise refused[0]
        return new

    async def _offer(self, long_term: GraphMemContextProvider, loaded: Loaded, state: dict[str, Any]) -> None:
        """Offer what compaction dropped for the first time; what is remembered already is known by its id."""
        last = state.get(OFFERED, 0)
        new = [m for m in loaded.dropped if loaded.places.get(m.message_id or "", 0) > last]
        if not new or state.get("offer_to") is None:
            return
        state["offer"] = await long_term.offer(Scope.model_validate(state["offer_to"]), new)
        if state["offer"]["status"] in ("ok", "empty"):
            state[OFFERED] = max(loaded.places[m.message_id or ""] for m in new)
