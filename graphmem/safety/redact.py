"""Take the secrets out of what a caller sends, before anything of it is stored, hashed, embedded or sent to a model."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from ..errors import InvalidInput
from ..models.episode import FactIn
from ..models.redaction import Redacted
from ..models.scope import ReadScope, Scope, SessionScope
from .named import names_secret
from .secrets import find_secrets, holds_marker, marker, redact

M = TypeVar("M", bound=BaseModel)
Mode = Literal["redact", "refuse"]

_IDENTITIES = frozenset({"path"})
"""Fields that say which record is meant: with a marker in them, two records would become one."""
_REFERENCES = frozenset(
    {"supersedes", "keep", "target", "target_id", "source_ids", "entity_ids", "fact_ids", "episode_ids"}
)
"""Fields that hold ids which this service gave, or names that are only looked up."""
QUICK = 20_000
"""Characters that are looked at at once; what is longer is looked at in a thread, so that others need not wait."""


@dataclass(frozen=True, slots=True)
class Clean(Generic[M]):
    """What may be stored, and what was taken out of it."""

    value: M
    redacted: tuple[Redacted, ...] = ()


@dataclass(frozen=True, slots=True)
class Secrets:
    """The filter that every stored text passes; `counts` is how many secrets of each kind this process has met."""

    mode: Mode = "redact"
    counts: Counter[str] = field(default_factory=Counter)

    async def clean(self, model: M) -> Clean[M]:
        """The same request without its secrets.

        Errors: InvalidInput, naming the field: with the mode `refuse`, and always for an identity (scope, path).
        """
        size = sum(len(text) for text in _texts(model))
        return self._clean(model) if size <= QUICK else await asyncio.to_thread(self._clean, model)

    def text(self, text: str, place: str) -> tuple[str, tuple[Redacted, ...]]:
        """One text without its secrets. Errors: InvalidInput with the mode `refuse`."""
        found: list[Redacted] = []
        return self._redacted(text, place, found), tuple(found)

    def query(self, text: str) -> tuple[str, tuple[Redacted, ...]]:
        """A query without its secrets. It is not stored, so it is never refused."""
        clean, counts = redact(text)
        self.counts.update(counts)
        return clean, tuple(Redacted(kind=kind, count=count, field="query") for kind, count in counts.items())

    def value_of(self, relation: str, value: str, place: str) -> str:
        """The object of a relation; a marker where the relation says that it is a secret. Errors: as `text`."""
        if not names_secret(relation) or holds_marker(value):
            return value
        self._note("password", place, 1, [])
        return marker("password")

    def check(self, text: str, place: str) -> None:
        """Nothing, unless the id or name is a secret. Errors: InvalidInput."""
        found = find_secrets(text)
        if found:
            kind = found[0][2]
            self.counts[kind] += 1
            raise InvalidInput(f"holds a secret ({kind}) where an id is expected; take another id", field=place)

    def _clean(self, model: M) -> Clean[M]:
        found: list[Redacted] = []
        value: M = self._walk(model, "", found)
        return Clean(value, tuple(found))

    def _walk(self, value: Any, place: str, found: list[Redacted]) -> Any:
        if isinstance(value, str):
            return self._redacted(value, place, found)
        if isinstance(value, BaseModel):
            return self._walk_model(value, place, found)
        if isinstance(value, tuple | list):
            changed = [self._walk(item, _join(place, index), found) for index, item in enumerate(value)]
            return value if all(a is b for a, b in zip(changed, value, strict=True)) else type(value)(changed)
        if isinstance(value, dict):
            for key in value:
                self.check(str(key), place)  # a key is a name, and is not itself said where it is refused
            return {key: self._walk(item, _join(place, key), found) for key, item in value.items()}
        return value

    def _walk_model(self, model: BaseModel, place: str, found: list[Redacted]) -> BaseModel:
        if isinstance(model, Scope | ReadScope | SessionScope):
            for where, text in _places(model, place):
                self.check(text, where)
            return model
        changes: dict[str, Any] = {}
        for name in model.model_fields_set:
            old = getattr(model, name)
            where = _join(place, name)
            if name in _IDENTITIES and isinstance(old, str):
                self.check(old, where)
            elif name not in _REFERENCES and (new := self._walk(old, where, found)) is not old:
                changes[name] = new
        if isinstance(model, FactIn):
            changes |= self._value_of_secret(model, place, found)
        return model.model_copy(update=changes) if changes else model

    def _value_of_secret(self, fact: FactIn, place: str, found: list[Redacted]) -> dict[str, Any]:
        """(user, password, "swordfish"): the relation says that the object is a secret, whatever it looks like."""
        if not isinstance(fact.object, str) or not names_secret(fact.predicate) or holds_marker(fact.object):
            return {}
        self._note("password", _join(place, "object"), 1, found)
        mark = marker("password")
        text = {"text": fact.text.replace(fact.object, mark)} if fact.text else {}
        return {"object": mark, **text}

    def _redacted(self, text: str, place: str, found: list[Redacted]) -> str:
        clean, counts = redact(text)
        for kind, count in counts.items():
            self._note(kind, place, count, found)
        return clean

    def _note(self, kind: str, place: str, count: int, found: list[Redacted]) -> None:
        self.counts[kind] += count
        if self.mode == "refuse":
            raise InvalidInput(f"holds a secret ({kind}); take it out, or set GRAPHMEM_SECRETS=redact", field=place)
        found.append(Redacted(kind=kind, count=count, field=place))


def _join(place: str, step: object) -> str:
    return f"{place}.{step}" if place else str(step)


def _texts(value: Any) -> Iterator[str]:
    return (text for _, text in _places(value, ""))


def _places(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every text in a model with its path."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, BaseModel):
        for name in value.model_fields_set:
            yield from _places(getattr(value, name), _join(place, name))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _places(item, _join(place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, _join(place, key))


def by_message(
    redacted: tuple[Redacted, ...], messages: int, covers: Callable[[int, int], bool]
) -> list[tuple[Redacted, ...]]:
    """What was taken out, for each message: its own fields, those of facts that it covers, and of the call's source.

    `covers(fact, message)` says whether a given fact derives from a message.
    """
    return [tuple(r for r in redacted if _concerns(r.field.split("."), index, covers)) for index in range(messages)]


def _concerns(path: list[str], message: int, covers: Callable[[int, int], bool]) -> bool:
    if path[0] == "messages":
        return path[1] == str(message)
    return covers(int(path[1]), message) if path[0] == "facts" else True
