"""Checks on texts: what was returned, what is stored, how the block is wrapped."""

from __future__ import annotations

import re
from typing import Any

from .generators import CLOSE_TAG, OPEN_TAG, CaseError
from .replies import CheckFailed, Reply, fold, fold_name, items_of, need, returned_text, sentence, whole_text
from .world import Check, World


def _wanted(check: Check) -> list[str]:
    wanted = [check["text"]] if "text" in check else list(check["any_of"])
    if not wanted or not all(wanted):
        raise CaseError("a check without a text")
    return wanted


def _held(check: Check, text: str) -> list[str]:
    if check.get("exact"):
        return [one for one in _wanted(check) if one in text]
    folded = fold(text)
    return [one for one in _wanted(check) if fold(one) in folded]


def _where_looked(check: Check, reply: Reply) -> str:
    place = check.get("in", "facts")
    if place not in ("facts", "any", "any_or_headers"):
        raise CaseError(f"unknown place {place}")
    if place == "facts":
        return returned_text(reply)
    return whole_text(reply, headers=place == "any_or_headers")


async def contains(check: Check, world: World) -> None:
    text = _where_looked(check, world.reply(check))
    if not _held(check, text):
        raise CheckFailed(f"{_wanted(check)} not in: {text[:600]}")


async def not_contains(check: Check, world: World) -> None:
    if held := _held(check, _where_looked(check, world.reply(check))):
        raise CheckFailed(f"holds {held}")


async def top_contains(check: Check, world: World) -> None:
    items = items_of(world.reply(check))
    if not items:
        raise CheckFailed("no item is returned")
    if not _held(check, sentence(items[0])):
        raise CheckFailed(f"{_wanted(check)} not in the first item: {sentence(items[0])[:300]}")


async def empty(check: Check, world: World) -> None:
    if items := items_of(world.reply(check)):
        raise CheckFailed(f"{len(items)} items are returned, the first: {sentence(items[0])[:200]}")


async def no_fact_matches(check: Check, world: World) -> None:
    actor = world.actor(check)
    names = await world.actor_names(actor)
    for fact in await world.view.facts(actor, current=True):
        if any(re.search(check["pattern"], text) for text in _readings(fact, names)):
            raise CheckFailed(f"a current fact matches: {fact['text'][:300]}")


def _readings(fact: Any, actor_names: set[str]) -> list[str]:
    """The fact's sentence; where it is about the person of the scope, also with `user` in that place."""
    text = str(need(fact, "text"))
    name = need(need(fact, "subject"), "name")
    return [text, text.replace(name, "user")] if fold_name(name) in actor_names else [text]


async def not_stored(check: Check, world: World) -> None:
    text = fold(check["text"])
    found = [w for w, what in await world.view.everything(world.actor(check), check["text"]) if text in fold(what)]
    if found:
        raise CheckFailed(f"still to be read at: {sorted(set(found))}")


async def wrapped_once(check: Check, world: World) -> None:
    block = fold(returned_text(world.reply(check))).strip()
    if (block.count(OPEN_TAG), block.count(CLOSE_TAG)) != (1, 1):
        raise CheckFailed(f"{block.count(OPEN_TAG)} opening and {block.count(CLOSE_TAG)} closing marks")
    if not (block.startswith(OPEN_TAG) and block.endswith(CLOSE_TAG)):
        raise CheckFailed("the marks are not the first and the last of the block")
