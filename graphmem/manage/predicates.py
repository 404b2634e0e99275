"""Relations of a store: those known from the start and its own; changing one changes the history of its facts.

A relation that only facts use belongs to their owner. It is not listed: its name may be private, and goes with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import InvalidInput, NotFound, PreconditionFailed
from ..ingest.predicates import DEFAULT_HALF_LIFE, Predicate, read_predicate, seeded
from ..models.ids import new_id
from ..models.manage import Page
from ..models.truth import PredicateOut, PredicatePatch
from ..ports import Clock
from ..safety.redact import Secrets
from ..store.driver import Database, Row, Transaction
from .paging import page_of, position
from .reslot import refresh, reslot
from .stores import Stores

Definition = dict[str, Any]
_KEPT = ("axis", "cardinality", "opposite", "inverse", "kind", "half_life_days", "version")


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relation as a store sees it now."""

    sense: str
    names: tuple[str, ...]
    known: bool
    """Seeded, defined or in use; else nothing is known of it here."""
    seeded: bool
    category: str | None
    definition: Definition


class Predicates:
    """The relations of the stores of a database."""

    def __init__(self, database: Database, stores: Stores, clock: Clock, secrets: Secrets) -> None:
        self._secrets = secrets
        self._database = database
        self._stores = stores
        self._clock = clock

    async def page(self, store_id: str, page_size: int, page_token: str | None) -> Page[PredicateOut]:
        """One page of relations by name: the seeded ones and those the store has defined. Errors: NotFound."""
        await self._stores.get(store_id)
        after = position(page_token, "predicates")
        rows = await self._database.run(
            "manage/predicates", {"store_id": store_id, "after": after, "limit": page_size + 1}
        )
        own = {row["sense"]: row for row in rows}
        senses = sorted(own.keys() | {sense for sense in seeded() if sense > after})[: page_size + 1]
        items = [_shown(_relation(sense, own.get(sense))) for sense in senses]
        return page_of(items, page_size, "predicates", lambda p: p.name)

    async def get(self, store_id: str, name: str) -> PredicateOut:
        """One relation, by any of its names. Errors: NotFound (store, relation)."""
        await self._stores.get(store_id)
        sense = read_predicate(name).sense
        rows = await self._database.run("manage/predicate", {"store_id": store_id, "senses": [sense]})
        return _shown(_found(_relation(sense, rows[0] if rows else None)))

    async def update(self, store_id: str, name: str, patch: PredicatePatch, if_match: int | None) -> PredicateOut:
        """Define a relation for a store, and bring its facts in line.

        Errors: NotFound (store, relation), PreconditionFailed, InvalidInput (nothing given, its own opposite).
        """
        self._secrets.check(name, "predicate_name")
        given = (await self._secrets.clean(patch)).value.model_dump(exclude_unset=True)
        if not given:
            raise InvalidInput("The patch changes nothing.", field="body")
        written = read_predicate(name)
        given |= {key: _sense(given[key]) for key in ("opposite", "inverse") if key in given}
        changed = await self._database.write(
            lambda transaction: self._define(transaction, store_id, written, given, if_match)
        )
        await reslot(self._database, self._clock, store_id, [_place(sense, d) for sense, d in changed.items()])
        own = changed[written.sense]
        if given.keys() & {"half_life_days", "kind"}:
            half_life, kind = own["half_life_days"], own["kind"]
            await refresh(self._database, store_id, written.sense, half_life_days=half_life, kind=kind)
        return await self.get(store_id, name)

    async def _define(
        self,
        transaction: Transaction,
        store_id: str,
        written: Predicate,
        given: dict[str, Any],
        if_match: int | None,
    ) -> dict[str, Definition]:
        """Write the relation and those whose opposite it was or is; their definitions by sense."""
        now = self._clock.now()
        if not await transaction.run("manage/lock_store", {"store_id": store_id, "now": now}):
            raise NotFound(f"There is no store {store_id}.", field="store")
        relation = _found((await _relations(transaction, store_id, [written.sense]))[written.sense])
        if given.get("opposite") == written.sense:
            raise InvalidInput("a relation is not its own opposite", field="opposite")
        if if_match is not None and relation.definition["version"] != if_match:
            raise PreconditionFailed("The relation has changed since this version; read it again.", field="If-Match")
        around = await _opposites(transaction, store_id, relation, given)
        changed = _changed(relation, around, given)
        rows = [_row(relation_, changed[sense]) for sense, relation_ in around.items() if sense in changed]
        await transaction.run("manage/define_predicates", {"store_id": store_id, "definitions": rows, "now": now})
        return changed


def _sense(name: str | None) -> str | None:
    return None if name is None else read_predicate(name).sense


def _found(relation: _Relation) -> _Relation:
    if not relation.known:
        raise NotFound("This store knows no such relation.", field="predicate_name")
    return relation


async def _relations(transaction: Transaction, store_id: str, senses: list[str]) -> dict[str, _Relation]:
    rows = await transaction.run("manage/predicate", {"store_id": store_id, "senses": senses})
    own = {row["sense"]: row for row in rows}
    free = [sense for sense in senses if sense not in own and sense not in seeded()]
    used = await transaction.run("manage/relations_in_use", {"store_id": store_id, "senses": free})
    own |= {row["sense"]: {**row, "names": []} for row in used}
    return {sense: _relation(sense, own.get(sense)) for sense in senses}


async def _opposites(
    transaction: Transaction, store_id: str, relation: _Relation, given: dict[str, Any]
) -> dict[str, _Relation]:
    """The relation with its opposites of before and after, and the opposite that the new one had."""
    found = {relation.sense: relation}
    wanted = {relation.definition["opposite"], given.get("opposite")} - {None}
    found |= await _relations(transaction, store_id, sorted(wanted))
    third = {r.definition["opposite"] for r in found.values()} - found.keys() - {None}
    return found | await _relations(transaction, store_id, sorted(third))


def _changed(relation: _Relation, around: dict[str, _Relation], given: dict[str, Any]) -> dict[str, Definition]:
    """New definitions by sense, each a version later. An opposite is mutual and has one partner."""
    own = relation.definition | given
    changed = {relation.sense: own}
    if "opposite" in given:
        partner = given["opposite"]
        for sense, other in around.items():
            if sense == partner:
                changed[sense] = other.definition | {"opposite": relation.sense}
            elif sense != relation.sense and other.definition["opposite"] in (relation.sense, partner):
                changed[sense] = other.definition | {"opposite": None}
    for sense, definition in changed.items():
        opposite = definition["opposite"]
        definition["axis"] = min(sense, opposite) if opposite else sense
        definition["version"] += 1
    return changed


def _row(relation: _Relation, definition: Definition) -> dict[str, Any]:
    written = read_predicate(relation.sense)
    return {
        "id": new_id(),
        "sense": relation.sense,
        "key": written.key,
        "name": relation.sense,
        "properties": {key: definition[key] for key in _KEPT},
    }


def _place(sense: str, definition: Definition) -> dict[str, Any]:
    return {"sense": sense, "axis": definition["axis"], "single": definition["cardinality"] == "one"}


def _relation(sense: str, row: Row | None) -> _Relation:
    """What is known from the start, with what the store says over it."""
    entry = seeded().get(sense, {})
    own: Row = row["definition"] if row else {}
    read = read_predicate(sense)
    opposite = own.get("opposite") if own.get("version") else entry.get("opposite")
    definition = {
        "axis": own.get("axis") or read.axis,
        "cardinality": own.get("cardinality") or read.cardinality or read.guess or "many",
        "opposite": opposite,
        "inverse": own.get("inverse"),
        "kind": own.get("kind") or read.kind,
        "half_life_days": float(own.get("half_life_days") or read.half_life_days or DEFAULT_HALF_LIFE["semantic"]),
        "version": own.get("version") or 1,
    }
    names = dict.fromkeys([*entry.get("same", []), *(row["names"] if row else [])])
    names.pop(sense, None)
    known = bool(entry or row)
    return _Relation(sense, tuple(names), known, bool(entry), entry.get("category"), definition)


def _shown(relation: _Relation) -> PredicateOut:
    shown = {key: value for key, value in relation.definition.items() if key != "axis"}
    return PredicateOut(
        name=relation.sense,
        names=relation.names,
        category=relation.category,
        seeded=relation.seeded,
        **shown,
    )
