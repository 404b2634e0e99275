"""Bulk: many remember calls of one actor, checked as a whole and saved in one transaction, to be processed later."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..errors import InvalidInput, NotFound, TooLarge
from ..models.bulk import MAX_BULK_TEXT, MAX_ITEMS, BulkRequest
from ..models.fact import EpisodeRef
from ..models.ids import hash_key, owner_key
from ..models.scope import Scope
from ..safety.redact import Secrets
from ..store.driver import Database, Transaction
from .accept import Call, claim, prepare, save_parameters, scope_key

_BREATH = 50
"""Items that are prepared before others have a turn."""

Saved = dict[str, dict[str, Any]]
"""Rows of `ingest/save_episodes` by the id that they were saved with."""


async def accept_bulk(
    database: Database,
    store_id: str,
    request: BulkRequest,
    now: datetime,
    idempotency_key: str | None,
    secrets: Secrets,
) -> list[tuple[EpisodeRef, ...]]:
    """Save all episodes of a bulk call, or none; those of each item.

    Errors: NotFound (store), Conflict (key reused), TooLarge, InvalidInput (naming `items.3.…`).
    """
    _check_size(request)
    calls = [await _prepared(store_id, request, index, now, secrets) for index in range(len(request.items))]
    owner = owner_key(store_id, request.scope.actor_id)
    groups = _groups(calls)

    async def work(transaction: Transaction) -> Saved:
        if idempotency_key is not None:
            digest, first = hash_key(request.model_dump_json()), calls[0].rows[0]["id"]
            if await claim(transaction, store_id, owner, idempotency_key, digest, [first], now) is not None:
                return await _known(transaction, owner, calls)
        saved: Saved = {}
        for scope, members in groups:
            rows = [row for call in members for row in call.rows]
            jobs = {call.job_id: call.job for call in members}
            parameters = save_parameters(store_id, owner, scope, rows, now, now, jobs)
            found = await transaction.run("ingest/save_episodes", parameters)
            if not found:
                raise NotFound(f"There is no store {store_id}.", field="store")
            saved.update((row["id"], state) for row, state in zip(rows, found, strict=True))
        return saved

    saved = await database.write(work)
    return [_refs(call, index, store_id, saved) for index, call in enumerate(calls)]


def _check_size(request: BulkRequest) -> None:
    if sum(len(item.texts) for item in request.items) > MAX_ITEMS:
        raise TooLarge(f"hold more than {MAX_ITEMS} messages together; send several calls", field="items")
    if sum(len(text) for item in request.items for text in item.texts) > MAX_BULK_TEXT:
        raise TooLarge(f"hold more than {MAX_BULK_TEXT} characters together; send several calls", field="items")


async def _prepared(store_id: str, request: BulkRequest, index: int, now: datetime, secrets: Secrets) -> Call:
    if index % _BREATH == 0:
        await asyncio.sleep(0)
    item = request.items[index]
    try:
        call = await prepare(store_id, await secrets.clean(item.request(request.scope)), now)
    except InvalidInput as error:
        place = error.field or ""
        place = place if place == "scope.actor_id" else f"items.{index}.{place.removeprefix('scope.')}"
        raise InvalidInput(error.message, field=place) from error
    for row in call.rows:
        row["source_key"] = row["source_key"] or _content_key(call, row, dated=_is_dated(request, index))
    return call


def _is_dated(request: BulkRequest, index: int) -> bool:
    item = request.items[index]
    return item.occurred_at is not None or any(message.occurred_at for message in item.messages or ())


def _content_key(call: Call, row: dict[str, Any], *, dated: bool) -> str | None:
    """What makes a text without a source known when it comes again: words, speaker, and its time if it has one."""
    of = row["properties"]
    if of["source_id"] is not None:  # it holds a secret's marker
        return None
    at = of["occurred_at"].isoformat() if dated else None
    return hash_key(
        scope_key(call.owner, call.request.scope), "content", row["content_hash"], of["role"], of["name"], at
    )


def _groups(calls: Sequence[Call]) -> list[tuple[Scope, list[Call]]]:
    """The calls by scope, each in order: the messages of a session are saved together."""
    groups: dict[Scope, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.request.scope, []).append(call)
    return list(groups.items())


async def _known(transaction: Transaction, owner: str, calls: Sequence[Call]) -> Saved:
    """What is there of a call that was saved before; nothing is written."""
    rows = [row for call in calls for row in call.rows if row["source_key"]]
    keys = [row["source_key"] for row in rows]
    found = await transaction.run("ingest/source_states", {"owner_key": owner, "source_keys": keys})
    by_key = {row["source_key"]: row for row in found}
    return {
        row["id"]: by_key[row["source_key"]] | {"duplicate": True, "replaced": None}
        for row in rows
        if row["source_key"] in by_key
    }


def _refs(call: Call, index: int, store_id: str, saved: Saved) -> tuple[EpisodeRef, ...]:
    states = [saved.get(row["id"]) for row in call.rows]
    if any(state is None for state in states):  # erased since, or without an identity
        there = [state for state in states if state is not None]
        return tuple(EpisodeRef(id=state["id"], status=state["status"], duplicate=True) for state in there)
    refs = call.outcome(store_id, [state for state in states if state is not None]).episodes
    return tuple(
        ref.model_copy(
            update={"redacted": tuple(r.model_copy(update={"field": f"items.{index}.{r.field}"}) for r in ref.redacted)}
        )
        for ref in refs
    )
