"""Messages of the framework as they are kept in the graph, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent_framework import Message as Said

from ...models.base import MAX_TEXT
from ...models.data import MAX_DATA
from ...models.episode import Role
from ...models.ids import hash_key
from ...models.session import SessionMessage, SessionMessageIn
from .messages import id_of, is_own, is_text, name_of, plain

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "system"}
_ATTRIBUTION = "_attribution"
_PUT_IN: dict[str, Any] = {"additional_properties": {_ATTRIBUTION: True}}
"""Instead of the data of a message that another provider had put in, so that it is known as such."""
_BLOB = 2_000
"""Characters of a data address or of binary text that are kept when a message is too large."""
_CUTS = (20_000, 5_000, 1_000)
"""To how many characters the texts of a message that is still too large are cut, one after the other."""


def to_keep(said: Said) -> SessionMessageIn:
    """The message with its id, to be kept; its text alone, where the rest of it cannot be JSON."""
    text = plain(said.text or "")[:MAX_TEXT]
    given = {
        "id": id_of(said) or "",
        "role": _ROLES.get(said.role, "system"),
        "name": name_of(said),
        "content": text if is_text(text) else "",
    }
    try:
        return SessionMessageIn(**given, data=_fitting(_data(said)))
    except (TypeError, ValueError, RecursionError):
        return SessionMessageIn(**given, data=None if is_own(said) else _PUT_IN)


def without_data(row: SessionMessageIn) -> SessionMessageIn:
    """The message with its text alone."""
    put_in = _ATTRIBUTION in ((row.data or {}).get("additional_properties") or {})
    return row.model_copy(update={"data": _PUT_IN if put_in else None})


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
    try:
        contents = _as_json([content.to_dict() for content in said.contents])
    except (TypeError, ValueError, RecursionError):  # such a message is kept as its text
        contents = said.text
    return hash_key(said.role, json.dumps(contents, sort_keys=True, ensure_ascii=False))


def overlap(kept: Sequence[Said], given: Sequence[Said]) -> int:
    """How many of the given messages, from the first on, stand in a row among those that are kept.

    A transcript may go on where what is kept ends, or leave it earlier, as where the user's last words were changed.
    Words of the user alone are no overlap, but for several that end what is kept: people say the same thing twice.
    """
    before, now = [content_of(m) for m in kept], [content_of(m) for m in given]
    longest = 0
    for start in range(len(before)):
        size = _alike(before, start, now)
        at_end = start + size == len(before) and size > 1
        if size > longest and (at_end or any(m.role != "user" for m in given[:size])):
            longest = size
    return longest


def _alike(before: Sequence[str], start: int, now: Sequence[str]) -> int:
    """How many of these are the same as those from the start on."""
    most = min(len(before) - start, len(now))
    return next((i for i in range(most) if before[start + i] != now[i]), most)


def complete(messages: Sequence[Said]) -> list[Said]:
    """The messages without results whose calls are not there, as when they were cut off: no model takes them."""
    called: set[str | None] = set()
    whole = []
    for message in messages:
        called |= {content.call_id for content in message.contents if content.type == "function_call"}
        results = [content.call_id for content in message.contents if content.type == "function_result"]
        if message.role != "tool" or (results and called.issuperset(results)):
            whole.append(message)
    return whole


def _data(said: Said) -> dict[str, Any]:
    """The message as JSON, without marks of the run that it came from."""
    data = _as_json(said.to_dict())
    own = {k: v for k, v in said.additional_properties.items() if not k.startswith("_") or k == _ATTRIBUTION}
    data["additional_properties"] = _as_json(own)
    clean: dict[str, Any] = _each_text(data, plain)
    return clean


def _as_json(value: Any) -> Any:
    """The value as JSON gives it back; what JSON has no number for as text. Errors: TypeError, ValueError."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str), parse_constant=str)


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
        return {change(key): _each_text(item, change) for key, item in value.items()}
    return value


def _size(data: Mapping[str, Any]) -> int:
    return len(json.dumps(data, ensure_ascii=False))
