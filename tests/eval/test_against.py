"""`graphmem bench recall --against`: the data with its answers, and the comparison on a real Neo4j."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.eval.against import measure
from graphmem.eval.paraphrases import ASKED, made
from graphmem.eval.words import relations


def test_each_question_has_one_answer_in_other_words() -> None:
    data = made(2_000, 10)
    assert len(data.documents) == 2_000
    assert len(data.by_actor) == 10
    texts = {document.id: document for document in data.documents}
    assert 60 < len(data.queries) < 140
    for query in data.queries:
        (answer,) = (texts[id_] for id_ in query.expected)
        assert answer.actor == query.actor
        subjects = [d for d in data.by_actor[query.actor] if d.text.split("は")[0] == answer.text.split("は")[0]]
        assert len([d for d in subjects if d.id == answer.id]) == 1
    # nobody is told the same of twice, so no other sentence answers as well
    heads = [(d.actor, " ".join(d.text.replace("は", " ").split()[:2]), n // 10 % len(relations()))
             for n, d in enumerate(data.documents)]  # fmt: skip
    assert len(set(heads)) == len(heads)
    assert {query.category for query in data.queries} == {"en", "ja"}
    assert {relation.name for relation in relations()} == set(ASKED)
    assert made(2_000, 10) == data


async def test_it_says_what_is_not_installed(
    neo4j_settings: Settings, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mem0", None)
    found = await measure(neo4j_settings, made(240, 2), ["mem0", "mem0"])
    assert list(found.left_out) == ["mem0"]
    assert "graphmem[bench]" in found.left_out["mem0"]
    assert [side.name for side in found.sides] == ["graphmem"]
    assert found.sides[0].recall > 0.8
    assert found.sides[0].p95 >= found.sides[0].p50 > 0
    assert not found.reached, "nothing was compared"
    stores = await memory.list_stores(page_size=200)
    assert not [store.id for store in stores.items if store.id.startswith("bench-")]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mem0") is None, reason="mem0 is not installed (the extra `bench`)")
@pytest.mark.filterwarnings("default")  # those of the packages that are measured
async def test_side_by_side(neo4j_settings: Settings) -> None:
    found = await measure(neo4j_settings, made(120, 2), ["mem0", "graphiti"])
    assert not found.left_out
    assert [side.name.split()[0] for side in found.sides] == ["graphmem", "mem0", "graphiti-core"]
    # each finds what it was given, or the comparison would mean nothing
    assert all(side.recall > 0.8 for side in found.sides)
