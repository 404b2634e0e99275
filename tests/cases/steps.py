"""Abstract steps to REST calls: what each operation of a case sends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlencode

from .generators import CaseError
from .judgement import judged

Step = Mapping[str, Any]
Hints = Literal["scripted", "given"]
"""Where the triples of a step go: `scripted` to the model server, `given` into the request itself."""

_COMMON = {"op", "as", "via", "scope"}
_REMEMBER = {
    "text",
    "at",
    "source_id",
    "role",
    "conversation",
    "idempotency_key",
    "importance",
    "valid_to",
    "facts",
}
FIELDS: dict[str, set[str]] = {
    "remember": _REMEMBER,
    "remember_batch": {"items", "idempotency_key"},
    "recall": {"query", "as_of", "at", "limit", "min_score", "validity"},
    "context": {"query", "session"},
    "list": {"what", "limit", "include_invalid"},
    "list_all": {"what", "page_size", "between_pages"},
    "get": {"ref", "source_id"},
    "get_entity": {"name"},
    "history": {"query"},
    "update": {"ref", "set", "if_match"},
    "relate": {"from_id", "to_id", "type"},
    "forget": {"by", "mode"},
    "maintain": {"task"},
    "import_notes": {"notes"},
    "agent_turns": {"session", "times", "user", "assistant"},
    "wait": {"until", "max_seconds"},
    "health": set(),
    "restart": {"set"},
    "inject": {"target", "mode", "value", "times"},
    "parallel": {"steps"},
    "raw": {"base", "edit"},
}
"""Fields that each operation may have; one that is not here would be dropped unseen."""


TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "remember": ("save_memory", {"text": "text", "at": "occurred_at"}),
    "recall": ("search_memory", {"query": "query", "limit": "limit", "as_of": "as_of"}),
    "forget": ("forget_memory", {"by": "", "mode": "mode"}),
}
"""Operation to the tool of the MCP surface, and fields to its arguments."""


class NotAvailable(Exception):
    """The case needs something that this version does not have."""


@dataclass(frozen=True)
class Request:
    """One HTTP request, its path below `/v1/stores/{store}` unless it starts with `//`."""

    method: str
    path: str
    body: dict[str, Any] | None = None
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None
    """The bytes to send where they were edited; else the body as JSON."""
    raw_query: str = ""

    def url(self, store_id: str) -> str:
        """The path and query as they go over the wire."""
        path = self.path[1:] if self.path.startswith("//") else f"/v1/stores/{store_id}{self.path}"
        query = "&".join(part for part in (urlencode(self.query), self.raw_query) if part)
        return f"{path}?{query}" if query else path

    def payload(self) -> bytes | None:
        """The bytes of the body."""
        if self.content is not None or self.body is None:
            return self.content
        return json.dumps(self.body, ensure_ascii=False).encode()

    def brief(self) -> str:
        """The request on one line, for the report of a failed case."""
        payload = (self.payload() or b"").decode("utf-8", "replace")
        return f"{self.method} {self.url('…')} {payload[:400]}"


def check_fields(step: Step) -> None:
    """CaseError where the step holds an operation or a field that the runner would not carry out."""
    if step["op"] not in FIELDS:
        raise CaseError(f"unknown operation {step['op']}")
    if unknown := set(step) - _COMMON - FIELDS[step["op"]]:
        raise CaseError(f"unknown fields of {step['op']}: {sorted(unknown)}")


def available(step: Step) -> None:
    """NotAvailable where the step goes through a surface that this version does not have."""
    check_fields(step)
    if (via := step.get("via", "rest")) not in ("rest", "mcp"):
        raise NotAvailable(f"no {via} surface in this version")
    if via == "mcp" and step["op"] not in (*TOOLS, "raw"):
        raise NotAvailable(f"no tool for {step['op']}")
    if step["op"] == "agent_turns":
        raise NotAvailable("no agent plug-in in this version")


def tool(step: Step) -> Request:
    """The call of a tool that does what the step says; a field that the tool has no argument for is an error."""
    name, arguments = TOOLS[step["op"]]
    if unknown := set(step) - _COMMON - set(arguments):
        raise NotAvailable(f"{name} does not take {sorted(unknown)}")
    body: dict[str, Any] = {}
    for field_name, argument in arguments.items():
        if field_name == "by":
            body |= _selected(step["by"])
        else:
            _put(body, argument, step.get(field_name))
    return Request("CALL", name, body)


def _selected(by: Mapping[str, Any]) -> dict[str, Any]:
    if set(by) == {"id"}:
        return {"ids": [by["id"]]}
    if set(by) == {"entity"}:
        return {"about": by["entity"]}
    raise NotAvailable(f"forget_memory does not select by {sorted(by)}")


def remember(step: Step, hints: Hints) -> Request:
    """One text; a role or a conversation makes it a message of a session."""
    body: dict[str, Any] = {"scope": _scope(step)}
    if step.get("role", "user") == "user":
        body["text"] = step["text"]
        _put(body, "occurred_at", step.get("at"))
    else:
        body["messages"] = [_message(step)]
    if "source_id" in step:
        body["source"] = {"id": step["source_id"]}
    _add_hints(body, [step], hints)
    headers = {"Idempotency-Key": step["idempotency_key"]} if "idempotency_key" in step else {}
    return Request("POST", "/episodes", body, headers=headers)


def remember_batch(step: Step, hints: Hints) -> Request:
    """Many messages in one call."""
    items = step["items"]
    for item in items:
        check_fields({"op": "remember", **item})
    messages = [_message(item) for item in items]
    if len({item.get("source_id") for item in items}) > 1:
        for message, item in zip(messages, items, strict=True):
            _put(message, "id", item.get("source_id"))
    body: dict[str, Any] = {"scope": _scope(step), "messages": messages}
    if sources := {item["source_id"] for item in items if "source_id" in item}:
        body |= {"source": {"id": sources.pop()}} if len(sources) == 1 else {}
    _add_hints(body, items, hints)
    headers = {"Idempotency-Key": step["idempotency_key"]} if "idempotency_key" in step else {}
    return Request("POST", "/episodes", body, headers=headers)


def import_notes(step: Step) -> Request:
    """Files of notes, their text read without a model."""
    files = [{"path": note["path"], "content": note["text"]} for note in step["notes"]]
    return Request("POST", "/import", {"scope": _scope(step), "files": files, "extraction": "offline"})


def recall(step: Step) -> Request:
    """A search; `context` is the same call, read for its block."""
    body: dict[str, Any] = {"scope": _scope(step), "query": step["query"]}
    for name, source in (
        ("as_of", "as_of"),
        ("reference_time", "at"),
        ("limit", "limit"),
        ("validity", "validity"),
    ):
        _put(body, name, step.get(source))
    if "min_score" in step:
        body["gate"] = {"min_score": step["min_score"]}
    return Request("POST", "/recall", body)


def listing(step: Step, page_token: str | None = None) -> Request:
    """One page of facts, entities or episodes."""
    query = {"actor_id": step["scope"]}
    size = step.get("limit", step.get("page_size"))
    if size is not None:
        query["page_size"] = str(size)
    if step.get("include_invalid"):
        query["validity"] = "any"
    _put(query, "page_token", page_token)
    return Request("GET", f"/{step['what']}", query=query)


def relate(step: Step) -> Request:
    """A caller-given fact between two ids; nothing is extracted."""
    fact = {"subject": {"id": step["from_id"]}, "predicate": step["type"], "object": {"id": step["to_id"]}}
    text = f"{step['from_id']} {step['type']} {step['to_id']}"
    return Request("POST", "/episodes", {"scope": _scope(step), "text": text, "extraction": "none", "facts": [fact]})


def forget(step: Step, target: Mapping[str, Any]) -> Request:
    """Forget what the target selects; `forget` hides, `erase` leaves no trace."""
    mode = "erase" if step.get("mode") == "erase" else "archive"
    return Request("POST", "/forget", {"scope": _scope(step), "target": dict(target), "mode": mode})


def one_record(method: str, kind: str, record_id: str, actor_id: str, part: str = "") -> Request:
    """A call on one record by its id."""
    return Request(method, f"/{kind}/{quote(record_id, safe='')}{part}", query={"actor_id": actor_id})


def maintain(step: Step) -> Request:
    """One upkeep pass."""
    return Request("POST", f"/maintenance:{step['task']}", {})


def _scope(step: Step) -> dict[str, str]:
    scope = {"actor_id": step["scope"]}
    _put(scope, "session_id", step.get("conversation", step.get("session")))
    return scope


def _message(item: Step) -> dict[str, Any]:
    message = {"role": item.get("role", "user"), "content": item["text"]}
    _put(message, "occurred_at", item.get("at"))
    return message


def _put(target: dict[str, Any], name: str, value: Any) -> None:
    if value is not None:
        target[name] = value


def _add_hints(body: dict[str, Any], items: Iterable[Step], hints: Hints) -> None:
    items = tuple(items)
    if not any("facts" in item for item in items):
        body["extraction"] = "offline"
    elif hints == "scripted":
        body["extraction"] = "llm"
    else:
        body |= {
            "extraction": "none",
            "facts": [_given(fact, item) for item in items for fact in judged(item["facts"], item["text"])],
        }


def _given(hint: Mapping[str, Any], item: Step) -> dict[str, Any]:
    fact = {"subject": hint["s"], "predicate": hint["p"], "object": hint["o"]}
    _put(fact, "valid_at", hint.get("valid_from"))
    _put(fact, "invalid_at", hint.get("valid_to", item.get("valid_to")))
    _put(fact, "importance", item.get("importance"))
    for name in ("correction", "cardinality", "polarity", "text"):
        _put(fact, name, hint.get(name))
    return fact
