"""Edits of a request that a client library would never send: fields taken out, bytes put in as they stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .generators import CaseError
from .steps import Request

_PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "remember": {"at": ("occurred_at",), "source_id": ("source", "id")},
    "recall": {"at": ("reference_time",), "min_score": ("gate", "min_score")},
}


def edited(request: Request, op: str, edits: Iterable[Mapping[str, Any]]) -> Request:
    """The request with the edits of a `raw` step done to it, those of fields before those of bytes."""
    single = [(name, value) for edit in edits for name, value in edit.items()]
    if unknown := {name for name, _ in single} - set(_EDITS):
        raise CaseError(f"unknown edits {sorted(unknown)}")
    # edits of fields come first: they work on the body that the edits of bytes then replace
    for name, value in sorted(single, key=lambda edit: edit[0] not in _OF_FIELDS):
        request = _EDITS[name](request, op, value)
    return request


def _place(request: Request, op: str, name: str) -> tuple[dict[str, Any], str]:
    """The (copied) object that holds the field and the field's own name there."""
    if request.body is None:
        key = {"scope": "actor_id", "limit": "page_size"}.get(name, name)
        return request.query, key
    holder: Any = request.body
    *parents, key = _PLACES.get(op, {}).get(name, (name,))
    for parent in parents:
        holder = holder.setdefault(parent, {})
    return holder, key


def _copy(request: Request) -> Request:
    return replace(request, body=json.loads(json.dumps(request.body)), query=dict(request.query))


def _remove(request: Request, op: str, name: str) -> Request:
    request = _copy(request)
    holder, key = _place(request, op, name)
    if key not in holder:
        raise CaseError(f"nothing to remove: {name}")
    del holder[key]
    return request


def _rename(request: Request, op: str, names: Mapping[str, str]) -> Request:
    request = _copy(request)
    for old, new in names.items():
        holder, key = _place(request, op, old)
        if key not in holder:
            raise CaseError(f"nothing to rename: {old}")
        holder[new] = holder.pop(key)
    return request


def _add(request: Request, op: str, fields: Mapping[str, Any]) -> Request:
    request = _copy(request)
    (request.query if request.body is None else request.body).update(fields)
    return request


def _set_raw(request: Request, op: str, fragments: Mapping[str, str]) -> Request:
    request = _copy(request)
    for number, name in enumerate(fragments):
        holder, key = _place(request, op, name)
        holder[key] = f"@raw-{number}@"
    text = json.dumps(request.body, ensure_ascii=False)
    for number, fragment in enumerate(fragments.values()):
        text = text.replace(f'"@raw-{number}@"', fragment)
    return replace(request, content=text.encode())


def _insert_before_end(request: Request, op: str, fragment: str) -> Request:
    head, brace, tail = (request.payload() or b"").rpartition(b"}")
    return replace(request, content=head + fragment.encode() + brace + tail)


def _replace_text_bytes(request: Request, op: str, value: str) -> Request:
    marked = _set_raw(request, op, {"text": '"@bytes@"'})
    return replace(marked, content=(marked.content or b"").replace(b"@bytes@", bytes.fromhex(value)))


def _unescaped(request: Request, op: str, name: str) -> Request:
    request = _copy(request)
    holder, key = _place(request, op, name)
    return replace(request, raw_query=f"{key}={holder.pop(key)}")


_OF_FIELDS = {"remove", "rename", "add", "query_string_unescaped"}
_EDITS: dict[str, Any] = {
    "remove": _remove,
    "rename": _rename,
    "add": _add,
    "set_raw": _set_raw,
    "insert_before_end": _insert_before_end,
    "replace_body": lambda request, op, text: replace(request, content=text.encode()),
    "replace_text_bytes_hex": _replace_text_bytes,
    "encode": lambda request, op, name: replace(request, content=(request.payload() or b"").decode().encode(name)),
    "content_type": lambda request, op, value: replace(request, headers={**request.headers, "Content-Type": value}),
    "query_string_unescaped": _unescaped,
}
