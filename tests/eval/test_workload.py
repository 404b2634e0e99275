"""The bench's own parts: the same memories in every run, loads that are the graph they come from."""

from __future__ import annotations

from collections import Counter
from typing import Any

from graphmem.eval.snapshot import Snapshot
from graphmem.eval.workload import batches, questions


def test_batches_hold_each_fact_once_with_its_message() -> None:
    requests = batches(25, 10)
    assert [len(request.messages or ()) for request in requests] == [10, 10, 5]
    facts = [fact for request in requests for fact in request.facts or ()]
    messages = [message for request in requests for message in request.messages or ()]
    assert [fact.message_id for fact in facts] == [message.id for message in messages]
    assert len({(fact.subject, fact.predicate, fact.object) for fact in facts}) == 25
    assert any("が好きです" in message.content for message in messages)
    assert requests == batches(25, 10)


def test_questions_differ() -> None:
    assert len(set(questions(60))) == 60


def node(label: str, id_: str, **properties: Any) -> dict[str, Any]:
    return {
        "label": label,
        "properties": {"id": id_, "store_id": "old", "owner_key": "old:bench", **properties},
    }


def edge(type_: str, source: str, target: str) -> dict[str, Any]:
    return {"type": type_, "from": source, "to": target, "properties": {}}


def test_loads_belong_to_the_new_store_and_need_nothing_of_later_ones() -> None:
    episodes = [node("Episode", f"ep{n}") for n in range(4)]
    facts = [node("Fact", f"f{n}", embedding=[0.5]) for n in range(4)]
    others = [
        node("Entity", "actor"),
        node("Entity", "tea"),
        {"label": "Predicate", "properties": {"key": "old|likes"}},
    ]
    edges = [edge("DERIVED_FROM", f"f{n}", f"ep{n}") for n in range(4)] + [edge("NEXT", "ep1", "ep2")]
    edges += [edge("SUBJECT", f"f{n}", "actor") for n in range(4)] + [edge("ABOUT", "ep3", "tea")]
    shape = Snapshot("old", (*episodes, *facts, *others), tuple(edges))

    loads = shape.loads("new", 2)

    assert len(loads) == 2
    known: set[str] = set()
    for load in loads:
        known |= {row["id"] for label in ("Episode", "Entity", "Fact") for row in load[label]}
        edges_of_load = [row for type_ in ("SUBJECT", "DERIVED_FROM", "ABOUT", "NEXT") for row in load[type_]]
        assert known.issuperset(end for row in edges_of_load for end in (row["from"], row["to"]))
    assert sum((Counter({name: len(rows) for name, rows in load.items() if rows}) for load in loads), Counter()) == (
        shape.counts()
    )
    assert "old" not in repr(loads)
