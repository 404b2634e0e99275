"""Checks on statuses, numbers and fields."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .generators import CaseError
from .matching import compare, day_matches, matches, names_match
from .replies import CheckFailed, Reply, fold, items_of, memories_of, need, record_id, returned_text, value_at
from .steps import Request
from .world import Check, World


def _is(status: int, code: Any) -> bool:
    codes = code if isinstance(code, list) else [code]
    return any(str(status) == str(c) or (str(c).endswith("xx") and status // 100 == int(str(c)[0])) for c in codes)


def _statuses(reply: Reply) -> list[int]:
    statuses = [call.status for call in reply.calls] or [reply.status]
    if not all(100 <= status < 600 for status in statuses):
        raise CheckFailed(f"no status: {statuses}")
    return statuses


async def status(check: Check, world: World) -> None:
    statuses = _statuses(world.reply(check))
    if not all(_is(status, check["code"]) for status in statuses):
        raise CheckFailed(f"status {statuses}, not {check['code']}")


async def status_not(check: Check, world: World) -> None:
    statuses = _statuses(world.reply(check))
    if any(_is(status, check["code"]) for status in statuses):
        raise CheckFailed(f"status {statuses}")


async def statuses_of(check: Check, world: World) -> None:
    classes = Counter(f"{status // 100}xx" for status in _statuses(world.reply(check)))
    wanted = check.get("value", check.get("counts"))
    if not wanted or any(classes[name] != number for name, number in wanted.items()):
        raise CheckFailed(f"statuses {dict(classes)}, not {wanted}")


async def tool_error(check: Check, world: World) -> None:
    reply = world.reply(check)
    if reply.tool_error is not check["value"]:
        raise CheckFailed(f"the tool result is an error: {reply.tool_error}")


async def alive(check: Check, world: World) -> None:
    reply = await world.view.send(Request("GET", "//healthz"), "health")
    if not reply.ok:
        raise CheckFailed(f"health answers {reply.status}")


async def count(check: Check, world: World) -> None:
    if not {"value", "min", "max"} & set(check):
        raise CaseError("a count without a number")
    number = await _number(check, world)
    if "value" in check and number != check["value"]:
        raise CheckFailed(f"{number} {check['field']}, not {check['value']}")
    if not check.get("min", number) <= number <= check.get("max", number):
        raise CheckFailed(f"{number} {check['field']}")


async def _number(check: Check, world: World) -> int:
    where, actor, name = check.get("where", {}), world.actor(check), check["field"]
    if name == "items":
        reply = world.reply(check)
        rows = memories_of(reply) if where else items_of(reply)
        return sum(matches(row, where) for row in rows)
    if name == "contradictions":
        return await world.view.contradictions(actor)
    if name == "facts":
        return await _matching_facts(where, actor, world)
    if name == "entities":
        return sum(names_match(row, where) for row in await world.view.entities(actor))
    if name == "episodes":
        return sum(matches(row, where) for row in await world.view.episodes(actor))
    raise CaseError(f"nothing is counted by the name {name}")


async def _matching_facts(where: Mapping[str, Any], actor: str, world: World) -> int:
    where = await _with_actor(where, actor, world)
    current = where.pop("current", None)
    facts = await world.view.facts(actor, current=bool(current))
    if current is False:
        now = {need(fact, "id") for fact in await world.view.facts(actor, current=True)}
        facts = [fact for fact in facts if need(fact, "id") not in now]
    return sum(matches(fact, where) for fact in facts)


async def _with_actor(where: Mapping[str, Any], actor: str, world: World) -> dict[str, Any]:
    """The conditions with every name of the person of the scope beside `user`."""
    where = dict(where)
    for name in ("subject", "object"):
        wanted = where.get(name, [])
        wanted = wanted if isinstance(wanted, list) else [wanted]
        if "user" in wanted:
            where[name] = [*wanted, *sorted(await world.actor_names(actor))]
    return where


_FACT_FIELDS = {"valid_from": "valid_at", "valid_to": "invalid_at", "strength": "retention"}
_TRUST = {"candidate": "low"}
"""What is only inferred is a candidate and not recalled by default: the mark of low trust."""


async def fact(check: Check, world: World) -> None:
    actor, seen = world.actor(check), []
    where = await _with_actor(check["where"], actor, world)
    for row in await world.view.facts(actor):
        if not matches(row, where):
            continue
        value = await _fact_value(row, check["field"], actor, world)
        seen.append(value)
        if check["cmp"] == "date_eq":
            holds = day_matches(value, check["value"], world.said)
        else:
            holds = compare(value, check["cmp"], check["value"])
        if holds:
            return
    raise CheckFailed(f"no fact with {check['where']} has {check['field']} {check['cmp']} {check['value']}: {seen}")


async def _fact_value(row: Any, name: str, actor: str, world: World) -> Any:
    if name == "sources_count":
        whole = await world.view.fact(actor, need(row, "id"))
        return len({need(source, "episode_id") for source in need(whole, "sources")})
    if name == "trust":
        state = need(row, "learning_state")
        return "quarantined" if need(row, "approval") != "approved" else _TRUST.get(state, state)
    return need(row, _FACT_FIELDS.get(name, name))


async def field(check: Check, world: World) -> None:
    value = value_at(world.reply(check), check["path"])
    if not compare(value, check["cmp"], check.get("value")):
        raise CheckFailed(f"{check['path']} is {value!r}, not {check['cmp']} {check.get('value')!r}")


def _values(check: Check, world: World) -> list[Any]:
    names = check.get("steps") or [check.get("step")]
    return [_value(world.reply(check, name), check["field"]) for name in names]


def _value(reply: Reply, name: str) -> Any:
    if name == "status":
        return _statuses(reply)
    if name == "id":
        return [record_id(call) for call in reply.calls] or record_id(reply)
    if name in ("items", "ids"):
        return [need(item, "id") for item in items_of(reply)]
    return value_at(reply, name)


async def same(check: Check, world: World) -> None:
    values = _values(check, world)
    if len(values) < 2 or any(value != values[0] for value in values):
        raise CheckFailed(f"not the same {check['field']}: {values}")


async def unique(check: Check, world: World) -> None:
    values = [one for value in _values(check, world) for one in (value if isinstance(value, list) else [value])]
    if not values or len(set(values)) != len(values):
        raise CheckFailed(f"not unique: {values}")


async def not_greater(check: Check, world: World) -> None:
    values = _values(check, world)
    if len(values) != 2 or not all(isinstance(value, int | float) for value in values) or values[0] > values[1]:
        raise CheckFailed(f"not in order: {values}")


def _scores(check: Check, world: World) -> list[float]:
    items = items_of(world.reply(check))
    if not items:
        raise CheckFailed("no item has a score")
    scores = [need(item, check.get("field", "score")) for item in items]
    if not all(isinstance(score, int | float) and math.isfinite(score) for score in scores):
        raise CheckFailed(f"not finite: {scores}")
    return scores


async def finite(check: Check, world: World) -> None:
    _scores(check, world)


async def score_between(check: Check, world: World) -> None:
    scores = _scores(check, world)
    if not all(check["min"] <= score <= check["max"] for score in scores):
        raise CheckFailed(f"scores {scores}")


async def pages(check: Check, world: World) -> None:
    reply = world.reply(check)
    ids = [need(item, "id") for call in reply.calls for item in items_of(call)]
    seen = {"pages": len(reply.calls), "unique_ids": len(set(ids)), "duplicates": len(ids) - len(set(ids))}
    if wrong := {name: number for name, number in seen.items() if name in check and check[name] != number}:
        raise CheckFailed(f"{wrong} in {len(ids)} rows")
    text = fold(returned_text(reply))
    if missing := [one for one in check.get("contains", []) if fold(one) not in text]:
        raise CheckFailed(f"not on any page: {missing}")


async def max_length(check: Check, world: World) -> None:
    kind, _, name = check["field"].partition(".")
    rows = await {"entities": world.view.entities, "facts": world.view.facts}[kind](world.actor(check))
    if too_long := [len(need(row, name)) for row in rows if len(need(row, name)) > check["value"]]:
        raise CheckFailed(f"{check['field']} of {too_long} characters")


async def max_seconds(check: Check, world: World) -> None:
    if (seconds := world.reply(check).seconds) > check["value"]:
        raise CheckFailed(f"took {seconds:.1f} s")


async def max_bytes(check: Check, world: World) -> None:
    if (size := len(world.reply(check).text.encode())) > check["value"]:
        raise CheckFailed(f"{size} bytes")
