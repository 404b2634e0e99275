"""Choosing the next jobs does not read the whole queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphmem import Memory
from graphmem.store.catalog import query


def operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and details of every operator of a plan."""
    yield plan["operatorType"].partition("@")[0], str(plan["args"].get("Details", ""))
    for child in plan.get("children", ()):
        yield from operators(child)


async def test_jobs_are_chosen_in_the_order_of_the_index(memory: Memory) -> None:
    text = "EXPLAIN " + query("ingest/claim_jobs").text
    found = await memory.database.driver.execute_query(text, parameters_={"given": {}})
    assert found.summary.plan is not None
    plan = list(operators(found.summary.plan))
    sorts = [name for name, details in plan if name in ("Top", "PartialTop") and "lease_until" in details]
    assert sorts == ["PartialTop"]  # `Top` would read and sort all that is pending
