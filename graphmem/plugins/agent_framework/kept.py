"""Messages of the framework as they are kept in the graph, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent_framework import Message as Said

from ...models.base import MAX_NAME, MAX_TEXT
from ...models.episode import Role
from ...models.ids import hash_key
from ...models.session import MAX_DATA, SessionMessage, SessionMessageIn
from .messages import plain

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "system"}
_ATTRIBUTION = "_attribution"
_BLOB = 2_000
"""Characters of a data address or of binary text that are kept when a message is too large."""
_CUTS = (20_000, 5_000, 1_000)
"""To how many characters the texts of a message that is still too large are cut, one after the other."""


def to_keep(said: Said) -> SessionMessageIn:
    """The message with its id, to be kept. Errors: ValueError when its id cannot be one."""
    text = plain(said.text or "")[:MAX_TEXT]
    name = plain(said.author_name or "").strip()[:MAX_NAME]
    return SessionMessageIn(
        id=said.message_id or "",
        role=_ROLES.get(said.role, "system"),
        name=name or None,
        content=text if text.strip() else "",
        data=_fitting(_data(said)),
    )


def from_kept(kept: SessionMessage) -> Said:
    """The message as it was said; one that was kept by another than this provider has its text only."""
    data = kept.data
    if data is None or "contents" not in data:
        return Said(kept.role, [kept.content], author_name=kept.name, message_id=kept.id)
    said = Said.from_dict(dict(data))
    said.message_id = kept.id
    return said


def is_context(kept: SessionMessage) -> bool:
    """Whether another provider had put it in: it is kept to be looked at, and is no part of the conversation."""
    properties = (kept.data or {}).get("additional_properties")
    return isinstance(properties, Mapping) and _ATTRIBUTION in properties


def content_of(said: Said) -> str:
    """What a message is known by where it has no id."""
    contents = [content.to_dict() for content in said.contents]
    return hash_key(said.role, json.dumps(contents, sort_keys=True, ensure_ascii=False, default=str))


def overlap(kept: Sequence[Said], given: Sequence[Said]) -> int:
    """How many of the given messages, from the first on, are the last of those that are kept.

    A single message of the user is no overlap: people say the same thing twice.
    """
    before, now = [content_of(m) for m in kept], [content_of(m) for m in given]
    for size in range(min(len(before), len(now)), 0, -1):
        if before[-size:] == now[:size]:
            return 0 if size == 1 and given[0].role == "user" else size
    return 0


def complete(messages: Sequence[Said]) -> list[Said]:
    """The messages without results at the beginning whose calls were cut off: no model takes them."""
    start = next((i for i, m in enumerate(messages) if m.role != "tool"), len(messages))
    return list(messages[start:])


def _data(said: Said) -> dict[str, Any]:
    """The message as JSON, without marks of the run that it came from."""
    data = json.loads(json.dumps(said.to_dict(), ensure_ascii=False, default=str))
    own = {k: v for k, v in said.additional_properties.items() if not k.startswith("_") or k == _ATTRIBUTION}
    data["additional_properties"] = json.loads(json.dumps(own, ensure_ascii=False, default=str))
    clean: dict[str, Any] = _each_text(data, plain)
    return clean


def _fitting(data: dict[str, Any]) -> dict[str, Any]:
    """The message within the limit: binary parts are left out first, then long texts are cut."""
    if _size(data) <= MAX_DATA:
        return data
    data["contents"] = list(_without_blobs(data["contents"]))
    for most in _CUTS:
        if _size(data) <= MAX_DATA:
            return data
        data = _each_text(data, lambda text, most=most: text if len(text) <= most else text[:most] + " […]")
    return data if _size(data) <= MAX_DATA else data | {"contents": [{"type": "text", "text": "[too large to keep]"}]}


def _without_blobs(contents: Sequence[Any]) -> Iterator[Any]:
    for content in contents:
        uri = content.get("uri") if isinstance(content, Mapping) else None
        if isinstance(uri, str) and uri.startswith("data:") and len(uri) > _BLOB:
            kind = content.get("media_type") or "data"
            yield {"type": "text", "text": f"[{kind} of {len(uri)} characters, not kept]"}
        else:
            yield content


def _each_text(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_text(item, change) for key, item in value.items()}
    return value


def _size(data: Mapping[str, Any]) -> int:
    return len(json.dumps(data, ensure_ascii=False))
