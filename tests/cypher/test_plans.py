"""Every query, planned on the real engine: it compiles, starts from an index and multiplies nothing by mistake."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.store.catalog import Query, catalog

PLANNED = [q for q in catalog().values() if q.mode != "schema"]

# Queries that are meant to read all nodes of a label, each with its reason.
WHOLE_LABEL = {
    "schema/applied": "a handful of migrations",
    "health/index_states": "reads no nodes",
}


def operators(plan: dict[str, Any]) -> list[str]:
    own = plan["operatorType"].split("@")[0]
    return [own, *(name for child in plan.get("children", []) for name in operators(child))]


@pytest.mark.parametrize("query", PLANNED, ids=lambda q: q.name)
async def test_no_label_scan(memory: Memory, query: Query) -> None:
    result = await memory.database.driver.execute_query(
        "EXPLAIN " + query.text,
        parameters_={"given": dict.fromkeys(query.parameters)},
        database_=memory.database.database,
    )
    assert result.summary.plan is not None
    found = set(operators(result.summary.plan))
    scans = {
        name
        for name in found
        if name
        in (
            "AllNodesScan",
            "NodeByLabelScan",
            "UnionNodeByLabelsScan",
            "DirectedAllRelationshipsScan",
            "UndirectedAllRelationshipsScan",
        )
    }
    if query.name in WHOLE_LABEL:
        return
    assert not scans, f"{query.name} scans: {sorted(scans)}"
