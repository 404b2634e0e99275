"""The checks of a case; a check fails on what is missing and never passes for want of a value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from . import text_checks as text
from . import value_checks as value
from .generators import CaseError, expand
from .replies import CheckFailed
from .world import Check, World


async def verify(check: Check, world: World) -> None:
    """Nothing, or CheckFailed that says what is wrong; CaseError for a check that is not known."""
    kind = check["check"]
    if kind not in _CHECKS:
        raise CaseError(f"unknown check {kind}")
    run, fields = _CHECKS[kind]
    if unknown := set(check) - {"check", "step", "scope"} - fields:
        raise CaseError(f"unknown fields of {kind}: {sorted(unknown)}")
    await run(expand(dict(check)), world)


async def _any(check: Check, world: World) -> None:
    reasons = []
    for way in check["of"]:
        try:
            for part in way:
                await verify(part, world)
        except CheckFailed as failure:
            reasons.append(str(failure))
        else:
            return
    raise CheckFailed("none of the ways holds: " + " | ".join(reasons))


_TEXT = {"text", "any_of", "in", "exact"}
_CHECKS: dict[str, tuple[Callable[[Check, World], Awaitable[None]], set[str]]] = {
    "any": (_any, {"of"}),
    "contains": (text.contains, _TEXT),
    "not_contains": (text.not_contains, _TEXT),
    "top_contains": (text.top_contains, _TEXT),
    "empty": (text.empty, set()),
    "status": (value.status, {"code"}),
    "status_not": (value.status_not, {"code"}),
    "statuses": (value.statuses_of, {"value", "counts"}),
    "tool_error": (value.tool_error, {"value"}),
    "count": (value.count, {"field", "value", "min", "max", "where"}),
    "fact": (value.fact, {"where", "field", "cmp", "value"}),
    "no_fact_matches": (text.no_fact_matches, {"pattern"}),
    "not_stored": (text.not_stored, {"text"}),
    "same": (value.same, {"steps", "field"}),
    "unique": (value.unique, {"steps", "field"}),
    "not_greater": (value.not_greater, {"steps", "field"}),
    "finite": (value.finite, {"field"}),
    "score_between": (value.score_between, {"min", "max"}),
    "pages": (value.pages, {"pages", "unique_ids", "duplicates", "contains"}),
    "field": (value.field, {"path", "cmp", "value"}),
    "max_length": (value.max_length, {"field", "value"}),
    "max_seconds": (value.max_seconds, {"value"}),
    "max_bytes": (value.max_bytes, {"value"}),
    "wrapped_once": (text.wrapped_once, set()),
    "alive": (value.alive, set()),
}
