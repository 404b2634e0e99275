"""What a model wrote, brought back to a list of facts."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```[\w-]*\s*(.*?)(?:```|\Z)", re.DOTALL)
_THINK = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_MOST_STARTS = 50
_DEEPEST = 4
_DECODER = json.JSONDecoder()


class BadAnswerError(Exception):
    """The answer cannot be used; `reason` is one of a fixed set of words, never text of the answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_facts(content: str | None, *, refused: bool = False, cut_off: bool = False) -> list[Any]:
    """The raw facts of an answer, from whatever it is wrapped in.

    Errors: BadAnswerError with reason `refused`, `empty_answer`, `truncated`, `not_json`, `schema_echo`,
    `no_facts` or `bare_empty_list`. Only `{"facts": []}` says that there is none.
    """
    if refused:
        raise BadAnswerError("refused")
    text = _THINK.sub("", content or "").strip()
    if not text:
        raise BadAnswerError("truncated" if cut_off else "empty_answer")
    try:
        return _facts_in(_parse(text), 0)
    except BadAnswerError:
        if cut_off:
            raise BadAnswerError("truncated") from None
        raise


def _parse(text: str) -> Any:
    """The JSON value in the text: all of it, a fenced block, or the first one that holds facts."""
    fenced = _FENCE.search(text)
    for attempt in (text, fenced.group(1) if fenced else ""):
        try:
            return json.loads(attempt)
        except (ValueError, RecursionError):
            continue
    for start in [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]:
        try:
            return _holding_facts(_DECODER.raw_decode(text, start)[0])
        except (ValueError, RecursionError, BadAnswerError):
            continue
    raise BadAnswerError("not_json")


def _holding_facts(value: Any) -> Any:
    _facts_in(value, 0)
    return value


def _facts_in(value: Any, depth: int) -> list[Any]:
    if isinstance(value, str) and depth and value.lstrip().startswith(("{", "[")):
        value = _parse(value)
    if depth < _DEEPEST and isinstance(value, dict):
        return _facts_of_object(value, depth)
    if isinstance(value, list):
        return _facts_of_list(value, depth)
    raise BadAnswerError("no_facts")


def _facts_of_object(value: dict[str, Any], depth: int) -> list[Any]:
    if isinstance(value.get("facts"), list):
        return list(value["facts"])
    if _is_fact(value):
        return [value]
    if "properties" in value or "$schema" in value:
        raise BadAnswerError("schema_echo")
    for inner in value.values():
        try:
            return _facts_in(inner, depth + 1)
        except BadAnswerError as error:
            if error.reason == "schema_echo":
                raise
    raise BadAnswerError("no_facts")


def _facts_of_list(value: list[Any], depth: int) -> list[Any]:
    if not value:
        raise BadAnswerError("bare_empty_list")
    if any(_is_fact(item) for item in value):
        return value
    if len(value) == 1 and isinstance(value[0], dict):
        return _facts_in(value[0], depth + 1)
    raise BadAnswerError("no_facts")


def _is_fact(value: Any) -> bool:
    return isinstance(value, dict) and len({"subject", "predicate", "object"} & value.keys()) >= 2
