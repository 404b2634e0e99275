"""Replies of the service, and the texts in them that a check looks at."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MEMORY_KINDS = ("fact", "note")
"""Kinds of recall items that are memories; an item of kind `episode` is the source passage itself."""

_SPACE = re.compile(r"\s+")


class CheckFailed(AssertionError):
    """The service did not do what a sound one does."""


@dataclass
class Reply:
    """What came back for one step."""

    op: str
    status: int
    body: Any = None
    """The parsed JSON; None where there was none."""
    text: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    request: str = ""
    tool_error: bool | None = None
    """Whether a tool's result is an error; None for what is no tool."""
    calls: list[Reply] = field(default_factory=list)
    """The single calls of a step that makes several."""

    @property
    def ok(self) -> bool:
        """Whether the service says that it worked."""
        return 200 <= self.status < 300

    def brief(self) -> str:
        """Request and reply in short, for the report of a failed case."""
        lines = [f"{self.op}: {self.request}\n    -> {self.status} {self.text[:900]}"] if not self.calls else []
        return "\n".join([*lines, *(call.brief() for call in self.calls)])


def fold(text: str) -> str:
    """Text as it is compared: NFKC, case folded, white space joined (not cut off: `no ` is not `now`)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", folded))


def fold_name(text: str) -> str:
    """A name as it is compared: folded, without white space around it."""
    return fold(text).strip()


def need(mapping: Any, name: str) -> Any:
    """The value of a field; CheckFailed where the reply does not have it."""
    if not isinstance(mapping, Mapping) or name not in mapping:
        raise CheckFailed(f"the reply has no field {name}")
    return mapping[name]


def items_of(reply: Reply) -> list[Any]:
    """The returned items; CheckFailed for an error or a reply without them."""
    if not reply.ok:
        raise CheckFailed(f"{reply.op} answered {reply.status}, so nothing was returned")
    items = need(reply.body, "items")
    if not isinstance(items, list):
        raise CheckFailed("items is not a list")
    return items


def memories_of(reply: Reply) -> list[Any]:
    """The items without source passages."""
    items = items_of(reply)
    if reply.op != "recall":
        return items
    return [item for item in items if need(item, "kind") in MEMORY_KINDS]


def returned_text(reply: Reply) -> str:
    """What counts as returned: the facts' sentences with their dates, the block, or the listed names."""
    if reply.calls and reply.op in ("parallel", "list_all"):
        return "\n".join(returned_text(call) for call in reply.calls)
    if reply.op == "context":
        items_of(reply)
        return str(need(reply.body, "context"))
    if reply.op in ("recall", "list", "history"):
        return "\n".join(sentence(item) for item in memories_of(reply))
    if not reply.ok:
        raise CheckFailed(f"{reply.op} answered {reply.status}, so nothing was returned")
    return "\n".join(leaves(reply.body))


def sentence(item: Any) -> str:
    """One item as text; the dates of its validity stand below, since they are part of what is returned."""
    for name in ("text", "name", "content"):
        if isinstance(item, Mapping) and isinstance(item.get(name), str):
            dates = [str(item[key])[:10] for key in ("valid_at", "invalid_at") if item.get(key)]
            return "\n".join([item[name], *dates])
    raise CheckFailed("an item has no text")


def whole_text(reply: Reply, *, headers: bool = False) -> str:
    """Everything in the reply, escapes undone."""
    parts = list(leaves(reply.body)) if reply.body is not None else []
    parts.append(reply.text)
    parts += [whole_text(call, headers=headers) for call in reply.calls]
    if headers:
        parts += [f"{name}: {value}" for name, value in reply.headers.items()]
    return "\n".join(parts)


def leaves(value: Any) -> Iterator[str]:
    """Every key and every value of a JSON document as text."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


_STATUS_WORDS = {"processed": "done"}


def value_at(reply: Reply, path: str) -> Any:
    """The value at a path, with this service's own names; CheckFailed where there is none."""
    if path == "degraded":
        return bool(need(reply.body, "degraded"))
    value = reply.body
    for part in {"next_cursor": "next_page_token"}.get(path, path).split("."):
        value = _element(value, part)
    last = path.rpartition(".")[2]
    return _STATUS_WORDS.get(value, value) if last == "status" and isinstance(value, str) else value


def _element(value: Any, part: str) -> Any:
    if not isinstance(value, list):
        return need(value, part)
    if not part.isdigit() or int(part) >= len(value):
        raise CheckFailed(f"the reply has no element {part}")
    return value[int(part)]


def record_id(reply: Reply) -> str:
    """The id of the record that the step wrote or read."""
    body = reply.body
    if not reply.ok:
        raise CheckFailed(f"{reply.op} answered {reply.status}, so there is no record")
    if isinstance(body, Mapping) and isinstance(body.get("id"), str):
        return str(body["id"])
    return str(need(_element(need(body, "episodes"), "0"), "id"))
