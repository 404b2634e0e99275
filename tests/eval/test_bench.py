"""`graphmem bench` on a real Neo4j, small: both loads are the same graph, and nothing is left behind."""

from __future__ import annotations

import numpy as np

from graphmem import Memory
from graphmem.config import Settings
from graphmem.eval.bench import Plan, run
from graphmem.eval.given import GivenVectors
from graphmem.providers import make_embedder


async def test_it_measures_both_sides_and_cleans_up(neo4j_settings: Settings, memory: Memory) -> None:
    stages: list[str] = []
    plan = Plan(facts=20, batch=10, rounds=1, recalls=5, warm_up=1)
    report = await run(neo4j_settings, plan, lambda stage, fraction: stages.append(stage))
    assert report.facts == 20
    # an episode and a fact for each, and one entity at least: `run` has compared both graphs
    assert report.nodes > 40
    assert report.relationships >= 60
    for side in (report.recall, report.remember):
        assert side.graphmem > 0
        assert side.bare > 0
        assert side.ratio == side.graphmem / side.bare
    assert {"remember", "recall"} <= set(stages)
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]


async def test_vectors_are_made_once_and_are_those_of_the_embedder() -> None:
    inner = make_embedder(Settings(_env_file=None))  # type: ignore[call-arg]
    given = GivenVectors(inner)
    texts = ["I like tea.", "お茶が好きです。", "I like tea."]
    first = await given.embed_passages(texts)
    # the last bit of a vector depends on the texts beside it
    assert np.allclose(first, await inner.embed_passages(texts), rtol=0, atol=1e-6)
    await inner.close()
    assert (first == await given.embed_passages(texts)).all()
    assert given.identity == inner.identity
