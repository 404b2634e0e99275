"""What came before is found by its hash: a walk through all episodes by id would cost more with every message."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.store.catalog import catalog


def seeks(plan: dict[str, Any]) -> list[str]:
    own = [plan["args"].get("Details", "")] if "Seek" in plan["operatorType"] else []
    return own + [seek for child in plan.get("children", []) for seek in seeks(child)]


@pytest.mark.parametrize("name", ["ingest/passages_before", "ingest/known_wordings"])
async def test_what_came_before_is_sought_by_hash(memory: Memory, name: str) -> None:
    query = catalog()[name]
    result = await memory.database.driver.execute_query(
        "EXPLAIN " + query.text,
        parameters_={"given": dict.fromkeys(query.parameters)},
        database_=memory.database.database,
    )
    assert result.summary.plan is not None
    found = seeks(result.summary.plan)
    assert any("content_hash" in seek for seek in found)
    assert not [seek for seek in found if " id <" in seek]
