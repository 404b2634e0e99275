"""`graphmem bench recall`, small, on a real Neo4j; and the made-up memory that it works in."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.eval.corpus import Corpus, shares
from graphmem.eval.exact import SELECTIVITIES
from graphmem.eval.recall import RecallPlan, measure


async def test_it_measures_all_of_it_and_cleans_up(neo4j_settings: Settings, memory: Memory) -> None:
    stages: list[str] = []
    plan = RecallPlan(facts=2_000, actors=20, recalls=8, warm_up=1, rounds=1, queries=3)
    report = await measure(neo4j_settings, plan, lambda stage, fraction: stages.append(stage))
    assert [stage.facts for stage in report.stages] == [200, 632, 2_000]
    for stage in report.stages:
        assert stage.memories > 1.5 * stage.facts  # every second fact has an episode, every fiftieth a note
        slowest = max(times.p50 for times in stage.arms.values())
        assert stage.p50_ratio == stage.recall.p50 / slowest
        assert stage.recall.p95 >= stage.recall.p50 > 0
        assert stage.floor_ratio == stage.recall.p50 / stage.floor.p50
    assert 100 < report.largest_actor < 1_000
    assert report.clients.recalls == 8
    # one query and one audit for each recall; the name of the owner only where the query says "I"
    counts = {part.name: part.count for part in report.parts}
    assert counts["retrieve/recall"] == plan.recalls
    assert len(report.precision) == 2 * len(SELECTIVITIES)
    assert all(row.recall >= 0.99 for row in report.precision)
    assert {row.valid for row in report.precision if row.passed < row.selectivity} == {True}
    assert {"recall at 2,000 facts", "recall@10"} <= set(stages)
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]


async def test_an_error_on_the_way_leaves_nothing_behind(neo4j_settings: Settings, memory: Memory) -> None:
    def stop(stage: str, fraction: float | None) -> None:
        if stage.startswith("recall at"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await measure(neo4j_settings, RecallPlan(facts=100, actors=2), stop)
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]


def made(facts: int, actors: int) -> tuple[Corpus, list[dict[str, Any]], list[dict[str, Any]]]:
    corpus = Corpus("s", actors, 16)
    loads = list(corpus.loads(facts, 100))
    return corpus, [row for rows, _ in loads for row in rows["Fact"]], [row for _, ended in loads for row in ended]


def test_few_actors_have_much() -> None:
    given = shares(1_000)
    assert abs(sum(given) - 1) < 1e-9
    facts = [100_000 * share for share in given]
    assert sum(size > 1_000 for size in facts) in range(3, 20)
    assert sorted(facts)[500] < 100


def test_the_same_numbers_make_the_same_memory() -> None:
    one, other = made(300, 5), made(300, 5)
    assert [fact["text"] for fact in one[1]] == [fact["text"] for fact in other[1]]
    assert np.array_equal(one[0].vectors, other[0].vectors)
    asked = [corpus.questions(9) for corpus in (one[0], other[0])]
    assert [question.text for question in asked[0]] == [question.text for question in asked[1]]
    assert np.allclose(np.linalg.norm(one[0].vectors, axis=1), 1, atol=1e-5)


def test_one_value_at_a_time() -> None:
    corpus, facts, ended = made(2_000, 5)
    assert len(ended) > 100
    ends = {row["old"]: row["at"] for row in ended}
    slots = defaultdict(list)
    for fact in facts:
        if fact["predicate"] == "lives_in":
            slots[fact["slot_key"]].append((fact["valid_from"], ends.get(fact["id"])))
    assert max(len(stays) for stays in slots.values()) > 2
    for stays in slots.values():
        assert all(former[1] == later[0] for former, later in pairwise(stays))
        assert stays[-1][1] is None
    assert {fact.id: fact.end for fact in corpus.facts if fact.id in ends} == ends


def test_questions_are_near_their_answer() -> None:
    corpus, facts, _ = made(2_000, 5)
    texts = {fact["id"]: fact["text"] for fact in facts}
    vectors = np.stack(corpus.vectors)
    hits = Counter[bool]()
    for question in corpus.questions(40):
        own = [n for n, fact in enumerate(corpus.facts) if f"actor{fact.actor}" == question.actor]
        best = own[int(np.argmax(vectors[own] @ question.vector))]
        subject = corpus.facts[best].subject
        assert subject in texts[corpus.facts[best].id]
        hits[subject in question.text or " I " in question.text] += 1
    assert hits[True] > 36
