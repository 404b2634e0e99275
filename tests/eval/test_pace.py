"""`graphmem bench remember` on a real Neo4j: every query and step is in its table, and nothing is left behind."""

from __future__ import annotations

import os
import time

from graphmem import Memory
from graphmem.cli.bench import _shipped_requests
from graphmem.config import Settings
from graphmem.eval.ledger import Ledger, cpu_of, union
from graphmem.eval.pace import measure


async def test_it_shows_where_the_time_goes(neo4j_settings: Settings, memory: Memory) -> None:
    requests = _shipped_requests(1)
    assert len({request.scope.actor_id for request in requests}) == 2
    stages: list[str] = []
    found = await measure(neo4j_settings, requests, lambda stage, fraction: stages.append(stage))
    counts = {part.name: part.count for part in found.parts}
    # every call is saved and committed; reading ahead reads all but the first once more
    assert counts["ingest/save_episodes"] == counts["ingest/finish_episodes"] == len(requests) == found.calls
    assert counts["commit"] == 2 * len(requests)
    assert counts["reading"] == 2 * len(requests) - 1
    assert counts["embedding"] >= len(requests)
    assert found.turns == sum(len(request.messages or ()) for request in requests) == 60
    assert found.facts > 20
    assert 0 < found.first_seconds < found.seconds
    assert found.other_seconds < found.seconds
    assert found.cpu_seconds > 0
    assert "remember" in stages
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]


async def test_one_by_one_reads_each_call_once(neo4j_settings: Settings) -> None:
    requests = _shipped_requests(1)[:2]
    found = await measure(neo4j_settings, requests, one_by_one=True)
    assert {part.name: part.count for part in found.parts}["reading"] == 2


def test_time_beside_other_time_counts_once() -> None:
    assert union([(5.0, 6.0), (0.0, 2.0), (1.0, 3.0), (1.5, 1.6)]) == 4.0
    assert union([]) == 0
    ledger = Ledger()
    ledger.add("a", 0.0, 2.0)
    ledger.add("b", 1.0, 2.0)
    ledger.add("a", 3.0, 4.0)
    assert [(p.name, p.count, p.seconds, p.share, p.median_ms) for p in ledger.parts(4.0)] == [
        ("a", 2, 3.0, 0.75, 1500.0),
        ("b", 1, 1.0, 0.25, 1000.0),
    ]
    assert ledger.covered() == 3.0


def test_processor_time_of_a_process() -> None:
    before = cpu_of(os.getpid())
    assert before is not None
    assert abs(before - time.process_time()) < 1
    assert cpu_of(None) is None
    assert cpu_of(2**22 + 1) is None
