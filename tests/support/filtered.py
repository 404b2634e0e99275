"""Memories of every kind as they are stored, for tests of filters: made at once, with all that a filter may ask for."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from graphmem import Memory
from graphmem.models.ids import owner_key, scope_token

OPEN_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

SAVE = """
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  WHEN row.kind = 'fact' THEN { CREATE (n:Fact) SET n = row.properties RETURN n }
  WHEN row.kind = 'note' THEN { CREATE (n:Note) SET n = row.properties RETURN n }
  ELSE { CREATE (n:Episode) SET n = row.properties RETURN n }
}
CALL (row, n) { UNWIND row.subject AS id MATCH (e:Entity {id: id}) CREATE (n)-[:SUBJECT]->(e) }
CALL (row, n) { UNWIND row.object AS id MATCH (e:Entity {id: id}) CREATE (n)-[:OBJECT]->(e) }
CALL (row, n) { UNWIND row.about AS id MATCH (e:Entity {id: id}) CREATE (n)-[:ABOUT]->(e) }
CALL (row, n) {
  UNWIND row.sources AS id MATCH (e:Episode {id: id})
  CREATE (n)-[:DERIVED_FROM {id: row.properties.id + id, event: 'assert'}]->(e)
}
"""
SAVE_ENTITIES = """
CYPHER 25
UNWIND $rows AS row
CREATE (e:Entity) SET e = row.properties
WITH row, e
CALL (row, e) { UNWIND row.aliases AS a CREATE (x:Alias) SET x = a CREATE (x)-[:NAMES]->(e) }
CALL (row, e) { UNWIND row.same_as AS id MATCH (root:Entity {id: id}) CREATE (e)-[:SAME_AS {active: true}]->(root) }
"""


def vector(seed: int, size: int) -> list[float]:
    """A unit vector."""
    values = np.random.default_rng(seed).normal(size=size)
    found: list[float] = (values / np.linalg.norm(values)).tolist()
    return found


def towards(aim: Sequence[float], cosine: float, seed: int) -> list[float]:
    """A unit vector with this cosine to the given one."""
    along = np.asarray(aim) / np.linalg.norm(aim)
    other = np.asarray(vector(seed, len(aim)))
    across = other - (along @ other) * along
    found: list[float] = (cosine * along + np.sqrt(1 - cosine * cosine) * across / np.linalg.norm(across)).tolist()
    return found


def row(store: str, actor: str, kind: str, **given: Any) -> dict[str, Any]:
    """One memory; `subject`, `object`, `about` and `sources` are lists of ids, the rest are properties."""
    owner = owner_key(store, actor)
    links = {name: given.pop(name, []) for name in ("subject", "object", "about", "sources")}
    at = given.get("valid_at") or given.get("occurred_at") or datetime(2024, 1, 1, tzinfo=UTC)
    text = given.pop("text", "a plain memory")
    properties = {
        "id": uuid.uuid4().hex,
        "store_id": store,
        "owner_key": owner,
        "kind": kind,
        "state": "live",
        "search": text,
        "context": "",
        "tokens": scope_token("o", owner),
        "valid_from": at,
        "valid_to": given.get("invalid_at") or OPEN_END,
        "created_at": at,
        "updated_at": at,
        **({"content": text, "role": "user", "occurred_at": at, "status": "processed"} if kind == "episode" else {}),
        **({"title": text, "body": text, "status": "active"} if kind == "note" else {}),
        **({"text": text, "status": "active", "literal": "x"} if kind == "fact" else {}),
        **given,
    }
    return {"kind": kind, "properties": {k: v for k, v in properties.items() if v is not None}, **links}


async def save(memory: Memory, rows: Sequence[dict[str, Any]]) -> None:
    """Write them; episodes before what derives from them."""
    ordered = sorted(rows, key=lambda r: r["kind"] != "episode")
    for start in range(0, len(ordered), 500):
        await memory.database.driver.execute_query(SAVE, parameters_={"rows": ordered[start : start + 500]})


async def save_entities(memory: Memory, rows: Sequence[dict[str, Any]]) -> None:
    """Write entities: `properties`, `aliases` and the ids of those that they are the same as."""
    await memory.database.driver.execute_query(SAVE_ENTITIES, parameters_={"rows": list(rows)})
