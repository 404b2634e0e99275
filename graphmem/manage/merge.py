"""Merging entities and taking them apart, by hand."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from ..errors import Conflict, InvalidInput, NotFound
from ..ingest.commit import settle, take_lock
from ..ingest.resolve import naming
from ..ingest.same_as import close_same_as, open_same_as, park_facts, rehome
from ..models.entity import EntityMerge, EntitySplit
from ..models.ids import hash_key, new_id, owner_key, scope_token
from ..models.names import read_name
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row, Transaction

_NOT_THERE = "There is no such entity of this actor."


class Merges:
    """Merges and splits in one database; every call is one transaction under the owner's lock."""

    def __init__(self, database: Database, clock: Clock, secrets: Secrets) -> None:
        self._database = database
        self._clock = clock
        self._secrets = secrets

    async def merge(self, store_id: str, request: EntityMerge) -> str:
        """Merge the sources into the target; the id of the entity that all of them are now.

        A source that is merged into the target already is left as it is. Errors: NotFound, InvalidInput (the target
        or the actor's own entity as a source), Conflict (a source that is merged into another entity).
        """
        request = (await self._secrets.clean(request)).value
        owner, now = owner_key(store_id, request.scope.actor_id), self._clock.now()
        sources = tuple(dict.fromkeys(request.source_ids))

        async def work(transaction: Transaction) -> str:
            await take_lock(transaction, store_id, owner, now)
            states = await _states(transaction, owner, [*sources, request.target_id])
            root = _state(states, request.target_id, "target_id")["root_id"]
            slots: Counter[str] = Counter()
            for index, source in enumerate(sources):
                state = _state(states, source, f"source_ids.{index}")
                if _may_merge(state, request.target_id, root, f"source_ids.{index}"):
                    slots += await open_same_as(transaction, owner, source, root, now, by="call", reason=request.reason)
            await _settled(transaction, owner, slots, now, new_id())
            return str(root)

        return await self._database.write(work)

    async def split(self, store_id: str, entity_id: str, request: EntitySplit) -> tuple[str, ...]:
        """Take merged entities out, or move facts to a new entity; the ids of what stands for itself now.

        Repeating a split changes nothing. Errors: NotFound, Conflict (nothing to split).
        """
        request = (await self._secrets.clean(request)).value
        owner, now = owner_key(store_id, request.scope.actor_id), self._clock.now()

        async def work(transaction: Transaction) -> tuple[str, ...]:
            await take_lock(transaction, store_id, owner, now)
            states = await _states(transaction, owner, [entity_id])
            state = _state(states, entity_id, "entity_id")
            if request.fact_ids is not None:
                return (await self._split_facts(transaction, store_id, owner, state, request),)
            return await self._take_out(transaction, owner, state, request)

        return await self._database.write(work)

    async def _take_out(
        self, transaction: Transaction, owner: str, state: Row, request: EntitySplit
    ) -> tuple[str, ...]:
        now, commit_id = self._clock.now(), new_id()
        chosen = await _chosen(transaction, owner, state, request)
        slots: Counter[str] = Counter()
        for source in chosen:
            slots += await close_same_as(
                transaction, owner, source, now, by="call", reason=request.reason, commit_id=commit_id
            )
        await _settled(transaction, owner, slots, now, commit_id)
        return chosen

    async def _split_facts(
        self, transaction: Transaction, store_id: str, owner: str, state: Row, request: EntitySplit
    ) -> str:
        now, commit_id = self._clock.now(), new_id()
        fact_ids = list(dict.fromkeys(request.fact_ids or ()))
        if state["root_id"] != state["id"]:
            raise Conflict("The entity is merged into another; split facts off that one.", field="entity_id")
        rows = await transaction.run(
            "manage/facts_of_entity", {"owner_key": owner, "entity_id": state["id"], "fact_ids": fact_ids}
        )
        held = {row["id"]: row["split_to"] for row in rows}
        for index, fact_id in enumerate(fact_ids):
            if fact_id not in held:
                raise NotFound("The entity has no such fact.", field=f"fact_ids.{index}")
        earlier = set(held.values())
        if len(earlier) == 1 and None not in earlier:
            return str(earlier.pop())
        entity = _new_entity(request, state["name"], owner)
        await transaction.run(
            "manage/split_facts",
            {
                "store_id": store_id,
                "owner_key": owner,
                "entity_id": state["id"],
                "fact_ids": fact_ids,
                "entity": entity,
                "now": now,
            },
        )
        slots = await rehome(transaction, owner, [state["id"]], now, commit_id)
        await _settled(transaction, owner, slots, now, commit_id)
        return str(entity["id"])


async def _settled(transaction: Transaction, owner: str, slots: Counter[str], now: datetime, commit_id: str) -> None:
    settled = await settle(transaction, owner, slots, now, commit_id)
    await park_facts(transaction, owner, settled, now, commit_id)


async def _states(transaction: Transaction, owner: str, entity_ids: list[str]) -> dict[str, Row]:
    rows = await transaction.run("manage/entity_states", {"owner_key": owner, "entity_ids": entity_ids})
    return {row["id"]: row for row in rows}


def _state(states: dict[str, Row], entity_id: str, field: str) -> Row:
    if entity_id not in states:
        raise NotFound(_NOT_THERE, field=field)
    return states[entity_id]


def _may_merge(source: Row, target_id: str, root: str, field: str) -> bool:
    """Whether there is something to do. Errors: InvalidInput, Conflict."""
    if source["id"] == target_id:
        raise InvalidInput("An entity cannot be merged with itself.", field=field)
    if source["is_actor"]:
        raise InvalidInput("The actor's own entity can only be the target.", field=field)
    if source["id"] == root:
        raise Conflict("The target is merged into this entity; split it off first.", field=field)
    if source["root_id"] != source["id"] and source["root_id"] != root:
        raise Conflict("The entity is merged into another one; split it off first.", field=field)
    return bool(source["root_id"] != root)


async def _chosen(transaction: Transaction, owner: str, state: Row, request: EntitySplit) -> tuple[str, ...]:
    """The merged entities to take out. Errors: NotFound, Conflict."""
    if request.entity_ids is not None:
        return await _named(transaction, owner, state, request.entity_ids)
    if state["root_id"] != state["id"]:
        return (state["id"],)
    if not state["merged_from"] and not state["was_merged"]:
        raise Conflict("Nothing is merged here; name the facts to split off in fact_ids.", field="entity_id")
    return tuple(state["merged_from"])


async def _named(transaction: Transaction, owner: str, state: Row, entity_ids: tuple[str, ...]) -> tuple[str, ...]:
    states = await _states(transaction, owner, list(entity_ids))
    chosen = []
    for index, entity_id in enumerate(dict.fromkeys(entity_ids)):
        other = _state(states, entity_id, f"entity_ids.{index}")
        if entity_id in state["merged_from"]:
            chosen.append(entity_id)
        elif not other["was_merged"]:
            raise Conflict("This entity is not merged into that one.", field=f"entity_ids.{index}")
    return tuple(chosen)


def _new_entity(request: EntitySplit, name: str, owner: str) -> dict[str, Any]:
    written = read_name(request.name or read_name(name).base, request.context)
    entity_id = new_id()
    return {
        **naming(written, owner),
        "id": entity_id,
        "identity_key": hash_key(owner, "entity", written.key, "split", entity_id),
        "tokens": scope_token("o", owner),
    }
