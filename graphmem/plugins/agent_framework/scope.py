"""Whose memory a session writes to and reads from: asked for once, and kept in the session's state."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_framework import AgentSession
from pydantic import ValidationError

from ...errors import InvalidInput
from ...models.scope import ReadScope, Scope
from ..values import addressable

ScopeResolver = Callable[[AgentSession], Mapping[str, Any] | Awaitable[Mapping[str, Any]]]
"""Gives the scope of a session: any of the keys of `WRITE` and `READ`."""

WRITE = {"user_id": "actor_id", "agent_id": "agent_id", "route_id": "route_id", "session_id": "session_id"}
"""Key of the state → field of the scope that what is said is stored under."""
READ = {f"search_{name}": kept for name, kept in WRITE.items()}
"""Key of the state → field of the scope that is searched; none of them is taken from the keys of `WRITE`."""
KEYS = (*WRITE, *READ)
PINNED = "pinned"


@dataclass(frozen=True, slots=True)
class Pinned:
    """The scopes of a session; None where nothing is stored, or nothing searched."""

    write: Scope | None
    read: ReadScope | None


@dataclass(frozen=True, slots=True)
class Scopes:
    """Finds the scope of a session: what was fixed, else what its state says, else what the resolver answers."""

    fixed: Mapping[str, Any]
    resolver: ScopeResolver | None = None

    async def of(self, session: AgentSession, state: dict[str, Any]) -> Pinned:
        """The scope that was pinned, or the one that is pinned now. Errors: InvalidInput, those of the resolver.

        A session that was pinned to one user is never read or written as another: a user that is fixed here, or named
        by the state, and differs is an error.
        """
        held = state.get(PINNED)
        if isinstance(held, Mapping):
            values = dict(held)
            now = {key: state[key] for key in KEYS if state.get(key) is not None} | dict(self.fixed)
            if any(values.get(key) != _plain(value) for key, value in now.items()):
                raise InvalidInput("The session belongs to another scope than it is used for.", field=PINNED)
            return _scopes(values)
        values = await self._found(session, state)
        scopes = _scopes(values)
        if scopes.write is not None or scopes.read is not None:
            state[PINNED] = values
        return scopes

    async def _found(self, session: AgentSession, state: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {"session_id": addressable(session.session_id)}
        if self.resolver is not None:
            answer = self.resolver(session)
            resolved = await answer if inspect.isawaitable(answer) else answer
            unknown = set(resolved) - set(KEYS)
            if unknown:
                raise InvalidInput(f"The resolver may give only {', '.join(KEYS)}.", field="resolver")
            values |= {key: value for key, value in resolved.items() if value is not None}
        values |= {key: state[key] for key in KEYS if state.get(key) is not None}
        values |= self.fixed
        return {key: _plain(value) for key, value in values.items()}


def check_fixed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The given keys without those that are None. Errors: InvalidInput."""
    given = {key: _plain(value) for key, value in values.items() if value is not None}
    _scopes(given)
    return given


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _scopes(values: Mapping[str, Any]) -> Pinned:
    try:
        write = Scope.model_validate(_part(values, WRITE)) if values.get("user_id") is not None else None
        read = ReadScope.model_validate(_part(values, READ)) if values.get("search_user_id") is not None else None
    except ValidationError as error:  # its message repeats the value
        where = ".".join(str(step) for step in error.errors()[0]["loc"])
        raise InvalidInput(f"The scope is not valid: {error.errors()[0]['msg']}.", field=where) from None
    return Pinned(write, read)


def _part(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {kept: values[name] for name, kept in names.items() if values.get(name) is not None}
