"""Every query of the guide on the real engine, as Neo4j Browser sends it: it gives what the guide says and no more."""

from __future__ import annotations

from typing import Any

import neo4j
import pytest
from neo4j.graph import Node, Path, Relationship

from graphmem import Memory
from graphmem.cli.browser import guide
from graphmem.store.catalog import catalog, pasteable

from .conftest import Looked

GRAPHS = {"known", "why", "disputes", "notes", "used"}
"""Queries whose results are drawn; all others are tables."""


async def ask(memory: Memory, query: str, looked: Looked, /, **given: Any) -> list[neo4j.Record]:
    """The parameters one by one and the text without its header, as it stands in the guide."""
    result = await memory.database.driver.execute_query(
        pasteable(f"browser/{query}"),
        parameters_={"owner_key": looked.owner, **guide.DEFAULTS, **given},
        database_=memory.database.database,
        routing_=neo4j.RoutingControl.READ,
    )
    return result.records


async def table(memory: Memory, query: str, looked: Looked, /, **given: Any) -> list[dict[str, Any]]:
    return [dict(record) for record in await ask(memory, query, looked, **given)]


def parts(records: list[neo4j.Record]) -> tuple[set[Node], set[Relationship]]:
    nodes, relationships = set(), set()
    for value in (value for record in records for value in record.values()):
        if isinstance(value, Node):
            nodes.add(value)
        elif isinstance(value, Path):
            nodes.update(value.nodes)
            relationships.update(value.relationships)
    return nodes, relationships


def caption(node: Node) -> str:
    """What the style writes on a node."""
    key = {"Fact": "text", "Entity": "name", "Episode": "content", "Note": "title"}.get(next(iter(node.labels)), "kind")
    return str(node.get(key))


def edges(relationships: set[Relationship], kind: str) -> set[tuple[str, str]]:
    found = (r for r in relationships if r.type == kind)
    return {(caption(r.start_node), caption(r.end_node)) for r in found if r.start_node and r.end_node}


def test_the_guide_has_every_query() -> None:
    assert {f"browser/{name}" for name in guide.names()} == {n for n in catalog() if n.startswith("browser/")}
    assert set(guide.names()) > GRAPHS


@pytest.mark.parametrize("name", sorted(guide.names()))
async def test_the_result_is_of_this_owner_and_without_embeddings(memory: Memory, looked: Looked, name: str) -> None:
    assert catalog()[f"browser/{name}"].mode == "read"
    given = {"source": "m2"} if name == "source" else {}
    records = await ask(memory, name, looked, **given)
    assert records, "there is something to see of each"
    nodes, _ = parts(records)
    assert bool(nodes) == (name in GRAPHS)
    assert {node["owner_key"] for node in nodes} <= {looked.owner}
    if name not in GRAPHS:
        values = [value for record in records for value in record.values()]
        assert all(isinstance(v, str | int | float | bool | list | None) for v in values)
        assert not [v for v in values if isinstance(v, list) and any(isinstance(item, float) for item in v)]
        assert not any("embedding" in key for record in records for key in dict(record))
    stranger = await ask(memory, name, Looked(looked.store, looked.owner + "x"), **given)
    assert name == "owners" or not stranger


async def test_whose_memories(memory: Memory, looked: Looked) -> None:
    (row,) = [row for row in await table(memory, "owners", looked) if row["owner_key"] == looked.owner]
    assert (row["store"], row["actor"]) == (looked.store, "遥")
    assert (row["current_facts"], row["retired_facts"], row["open_disputes"]) == (4, 3, 1)
    assert (row["notes"], row["messages"]) == (2, 9)


async def test_what_is_known_and_since_when(memory: Memory, looked: Looked) -> None:
    nodes, relationships = parts(await ask(memory, "known", looked))
    drawn = {caption(node) for node in nodes if "Fact" in node.labels}
    listed = await table(memory, "since", looked)
    assert drawn == {row["fact"] for row in listed}
    assert len(listed) == 4
    assert not [text for text in drawn if "Kyoto" in text or "tennis" in text]
    assert len(edges(relationships, "SUBJECT")) == 4
    (lives,) = [row for row in listed if "Sapporo" in row["fact"]]
    assert (lives["since"], lives["said"]) == ("2026-03-01", "I moved to Sapporo.")
    assert (lives["source"], lives["sources"]) == ("m3", 1)
    (tea,) = await table(memory, "since", looked, name="茶")
    assert (tea["said"], tea["source"], tea["sources"], tea["standing"]) == ("I still like 緑茶.", "m9", 2, "stated")
    assert [row["fact"] for row in await table(memory, "since", looked, name="ＳＡＰＰＯＲＯ")] == [lives["fact"]]
    assert {row["standing"] for row in listed if "mother" in row["fact"]} == {"stated, disputed"}


async def test_why_a_fact_was_retired(memory: Memory, looked: Looked) -> None:
    rows = {row["said"]: row for row in await table(memory, "retired", looked)}
    kyoto, osaka, tennis = rows["大阪に引っ越しました。"], rows["I moved to Sapporo."], rows["I no longer play tennis."]
    assert len(rows) == 3
    assert ("Kyoto" in kyoto["fact"], "大阪" in kyoto["now"], kyoto["why"]) == (True, True, "replaced")
    assert (kyoto["held_from"], kyoto["held_until"], kyoto["said_on"]) == ("2024-04-01", "2025-02-01", "2025-02-01")
    assert ("大阪" in osaka["fact"], "Sapporo" in osaka["now"]) == (True, True)
    assert (tennis["why"], tennis["now"], tennis["held_until"]) == ("retracted", None, "2025-11-02")


@pytest.mark.parametrize("text", ["", "kyoto", "大阪"])
async def test_the_whole_chain_of_a_fact_is_drawn(memory: Memory, looked: Looked, text: str) -> None:
    nodes, relationships = parts(await ask(memory, "why", looked, text=text))
    drawn = [caption(node) for node in nodes if "Fact" in node.labels]
    facts = {word: next(text for text in drawn if word in text) for word in ("Kyoto", "大阪", "Sapporo")}
    chain = {(facts["大阪"], facts["Kyoto"]), (facts["Sapporo"], facts["大阪"])}
    assert edges(relationships, "SUPERSEDES") == chain
    said = {(facts["Kyoto"], SAID[0]), (facts["大阪"], SAID[1]), (facts["Sapporo"], SAID[2])}
    assert edges(relationships, "DERIVED_FROM") == said


SAID = ("I live in Kyoto.", "大阪に引っ越しました。", "I moved to Sapporo.")


async def test_what_ended_a_fact_is_drawn(memory: Memory, looked: Looked) -> None:
    nodes, relationships = parts(await ask(memory, "why", looked, text="tennis"))
    assert {end for _, end in edges(relationships, "DERIVED_FROM")} == {"I play tennis.", "I no longer play tennis."}
    assert len([n for n in nodes if "Fact" in n.labels]) == 1


async def test_open_disputes(memory: Memory, looked: Looked) -> None:
    nodes, relationships = parts(await ask(memory, "disputes", looked))
    assert {end for _, end in edges(relationships, "DERIVED_FROM")} == {"My mother is Yoko.", "My mother is Keiko."}
    assert len(edges(relationships, "CONTRADICTS")) == 2
    assert len([n for n in nodes if "Contradiction" in n.labels]) == 1
    sides = await table(memory, "sides", looked)
    assert {row["source"] for row in sides} == {"m6", "m7"}
    assert {(row["holds_from"], row["said_on"]) for row in sides} == {("2026-01-05", "2026-01-05")}
    page = await memory.disputes.page(looked.store, "遥", "open", 50, None)
    assert {row["dispute"] for row in sides} == {dispute.id for dispute in page.items}


async def test_the_network_of_notes(memory: Memory, looked: Looked) -> None:
    _, relationships = parts(await ask(memory, "notes", looked))
    assert edges(relationships, "LINKS") == {("Moving", "Boxes")}
    assert ("Moving", "大阪") in edges(relationships, "ABOUT")


async def test_what_fades_next(memory: Memory, looked: Looked) -> None:
    rows = await table(memory, "fading", looked)
    assert len(rows) == 4
    days = [row["days_left"] for row in rows if row["days_left"] is not None]
    assert days == sorted(days)
    tea = next(row for row in rows if "緑茶" in row["fact"])
    assert tea["recalled"] == 1
    # by the formula of the guide to decay: 0.5^(days/half-life) x (0.35 + 0.65 x importance) + 0.04 for the recall
    kept = 0.5 ** (tea["days_left"] / tea["half_life_days"]) * (0.35 + 0.65 * tea["importance"]) + 0.04
    before = 0.5 ** ((tea["days_left"] - 2) / tea["half_life_days"]) * (0.35 + 0.65 * tea["importance"]) + 0.04
    assert kept < 0.1 < before
    sooner = {row["fact"]: row["days_left"] for row in await table(memory, "fading", looked, archive_below=0.2)}
    assert all(sooner[row["fact"]] < row["days_left"] for row in rows)
    never = await table(memory, "fading", looked, archive_below=0.01)
    assert {row["days_left"] for row in never if row["recalled"]} == {None}


async def test_what_was_said_last(memory: Memory, looked: Looked) -> None:
    rows = await table(memory, "said", looked)
    assert [row["source"] for row in rows[:2]] == ["m3", "m9"]
    assert (rows[0]["said_at"], rows[0]["session"], rows[0]["status"]) == ("2026-03-01T09:00", "s-1", "processed")
    assert len(rows[0]["facts"]) == 1
    assert "Sapporo" in rows[0]["facts"][0]


async def test_what_would_go_with_a_source(memory: Memory, looked: Looked) -> None:
    (alone,) = await table(memory, "source", looked, source="m2")
    assert (alone["said"], alone["would_go"], alone["others"]) == (SAID[1], True, 0)
    (shared,) = await table(memory, "source", looked, source="m8")
    assert ("緑茶" in shared["fact"], shared["would_go"], shared["others"]) == (True, False, 1)
    session = await table(memory, "source", looked, source="s-1")
    assert len({row["said"] for row in session}) == 9
    assert {row["would_go"] for row in session} == {True}
    assert await table(memory, "source", looked) == []


async def test_what_was_recalled(memory: Memory, looked: Looked) -> None:
    (row,) = await table(memory, "recalls", looked)
    assert (row["given"], "緑茶" in row["best"][0]) == (len(row["best"]), True)
    assert row["considered"] >= row["given"] >= 1
    _, relationships = parts(await ask(memory, "used", looked))
    assert len(edges(relationships, "USED")) == row["given"]
