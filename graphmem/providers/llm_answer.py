"""What a model wrote, brought back to a list of items."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Shape:
    """What is looked for: an object with a list under `key`, whose items have two or more of the `parts`."""

    key: str
    parts: frozenset[str]


FACTS = Shape("facts", frozenset({"subject", "predicate", "object"}))
VERDICTS = Shape("verdicts", frozenset({"pair", "relation"}))
GRADES = Shape("grades", frozenset({"memory", "grade"}))


def read_items(shape: Shape, content: str | None, *, refused: bool = False, cut_off: bool = False) -> list[Any]:
    """The raw items of an answer, from whatever it is wrapped in.

    Errors: BadAnswerError with reason `refused`, `empty_answer`, `truncated`, `not_json`, `schema_echo`,
    `no_facts` (or `no_verdicts`, `no_grades`) or `bare_empty_list`. Only an empty list under the key says that there
    is none.
    """
    if refused:
        raise BadAnswerError("refused")
    text = without_thinking(content)
    if not text:
        raise BadAnswerError("truncated" if cut_off else "empty_answer")
    try:
        return _Reader(shape).items(text)
    except BadAnswerError:
        if cut_off:
            raise BadAnswerError("truncated") from None
        raise


def without_thinking(content: str | None) -> str:
    """The answer after what the model thought aloud."""
    return _THINK.sub("", content or "").strip()


@dataclass(frozen=True, slots=True)
class _Reader:
    shape: Shape

    def items(self, text: str) -> list[Any]:
        return self._in(self._parse(text), 0)

    def _parse(self, text: str) -> Any:
        """The JSON value in the text: all of it, a fenced block, or the first one that holds items."""
        fenced = _FENCE.search(text)
        for attempt in (text, fenced.group(1) if fenced else ""):
            try:
                return json.loads(attempt)
            except (ValueError, RecursionError):
                continue
        for start in [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]:
            try:
                return self._holding(_DECODER.raw_decode(text, start)[0])
            except (ValueError, RecursionError, BadAnswerError):
                continue
        raise BadAnswerError("not_json")

    def _holding(self, value: Any) -> Any:
        self._in(value, 0)
        return value

    def _in(self, value: Any, depth: int) -> list[Any]:
        if isinstance(value, str) and depth and value.lstrip().startswith(("{", "[")):
            value = self._parse(value)
        if depth < _DEEPEST and isinstance(value, dict):
            return self._of_object(value, depth)
        if isinstance(value, list):
            return self._of_list(value, depth)
        raise self._nothing()

    def _of_object(self, value: dict[str, Any], depth: int) -> list[Any]:
        if isinstance(value.get(self.shape.key), list):
            return list(value[self.shape.key])
        if self._is_item(value):
            return [value]
        if "properties" in value or "$schema" in value:
            raise BadAnswerError("schema_echo")
        for inner in value.values():
            try:
                return self._in(inner, depth + 1)
            except BadAnswerError as error:
                if error.reason == "schema_echo":
                    raise
        raise self._nothing()

    def _of_list(self, value: list[Any], depth: int) -> list[Any]:
        if not value:
            raise BadAnswerError("bare_empty_list")
        if any(self._is_item(item) for item in value):
            return value
        if len(value) == 1 and isinstance(value[0], dict):
            return self._in(value[0], depth + 1)
        raise self._nothing()

    def _is_item(self, value: Any) -> bool:
        return isinstance(value, dict) and len(self.shape.parts & value.keys()) >= 2

    def _nothing(self) -> BadAnswerError:
        return BadAnswerError(f"no_{self.shape.key}")
