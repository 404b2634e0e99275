"""The formula of retention: one text in every query, right values, bounds and order, on the real engine."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from tests.support.tree import query_files

FORMULA = re.compile(r"^ *// retention \(design, rule 8\).*?LET retention = [^\n]*\n", re.DOTALL | re.MULTILINE)
USERS = sorted(name for name, path in query_files().items() if "age_days" in path.read_text(encoding="utf-8"))
VERDICT = re.compile(r"^ *// what becomes of it.*?LET rescored = [^\n]*\n", re.DOTALL | re.MULTILINE)
KEEPING = re.compile(r"^ *// A timeline goes as a whole.*?decay_exempt, \[\]\)\)\)\)\n", re.DOTALL | re.MULTILINE)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SLOW = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def block(name: str, pattern: re.Pattern[str]) -> str:
    """The block of a query, with its node called `f` and its indentation taken away."""
    found = pattern.findall(query_files()[name].read_text(encoding="utf-8"))
    assert len(found) == 1, name
    indent = len(found[0]) - len(found[0].lstrip(" "))
    lines = [line[indent:] for line in found[0].splitlines()]
    # Neo4j Browser has no parameter for the present time
    return re.sub(r"\bn\.", "f.", "\n".join(lines)).replace("datetime()", "datetime($now)")


@pytest.mark.parametrize("name", USERS)
def test_the_formula_is_the_same_text_everywhere(name: str) -> None:
    assert block(name, FORMULA) == block("manage/fact", FORMULA)


def test_every_reader_of_retention_is_compared() -> None:
    assert {"manage/fact", "manage/facts", "manage/entity_graph", "retrieve/recall", "maintain/decay"} <= set(USERS)


@pytest.mark.parametrize(
    ("left", "right", "pattern"),
    [
        ("maintain/decay", "maintain/decay_preview", VERDICT),
        ("maintain/purge_facts", "maintain/purge_facts_preview", KEEPING),
    ],
)
def test_a_dry_run_judges_as_the_pass_does(left: str, right: str, pattern: re.Pattern[str]) -> None:
    assert block(left, pattern) == block(right, pattern)


async def retention(memory: Memory, rows: list[dict[str, Any]], store: dict[str, Any] | None = None) -> list[float]:
    """The queries' own expression over rows instead of facts."""
    query = (
        "CYPHER 25\nUNWIND range(0, size($rows) - 1) AS i\nLET f = $rows[i], store = $store\n"
        + block("manage/fact", FORMULA)
        + "\nRETURN retention ORDER BY i"
    )
    result = await memory.database.driver.execute_query(
        query, {"rows": rows, "store": store or {}, "now": NOW}, database_=memory.database.database
    )
    return [record["retention"] for record in result.records]


def aged(days: float, **fact: Any) -> dict[str, Any]:
    return {
        "updated_at": NOW - timedelta(days=days),
        "importance": 0.5,
        "access_count": 0,
        "half_life_days": 30.0,
    } | fact


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (aged(0), 0.675),
        (aged(0, importance=1.0), 1.0),
        (aged(0, importance=0.0), 0.35),
        (aged(30), 0.3375),
        (aged(30, importance=1.0), 0.5),
        (aged(60, importance=1.0, access_count=5), 0.45),
        (aged(30, access_count=9), 0.6875),  # rehearsal is full at 0.35
        (aged(-400, importance=1.0), 1.0),  # a time ahead of the clock is no age
        (aged(3000, pinned=True), 0.675),
        (aged(3000, category="legal_stopline"), 0.675),
        (aged(3000, tags=["x", "long_term_policy"]), 0.675),
        ({"updated_at": NOW - timedelta(days=365)}, 0.3375),  # nothing but an age: importance 0.5, half-life 365
        ({}, 0.675),
    ],
)
async def test_known_values(memory: Memory, fact: dict[str, Any], expected: float) -> None:
    assert (await retention(memory, [fact]))[0] == pytest.approx(expected, abs=1e-9)


async def test_the_most_exact_rule_of_the_store_gives_the_half_life(memory: Memory) -> None:
    rules = {
        "half_life_of": ["predicate:lives_in", "category:予定", "layer:episodic"],
        "half_life_days": [10.0, 20.0, 40.0],
        "decay_exempt": ["保存"],
    }
    plain = aged(40, importance=1.0, half_life_days=80.0, layer="semantic", sense="likes", category="general")
    facts = [
        plain | {"sense": "lives_in", "category": "予定", "layer": "episodic"},
        plain | {"category": "予定", "layer": "episodic"},
        plain | {"layer": "episodic"},
        plain,
        plain | {"tags": ["保存"]},
    ]
    found = await retention(memory, facts, rules)
    assert found == pytest.approx([0.0625, 0.25, 0.5, 0.5**0.5, 1.0], abs=1e-9)


anything = st.fixed_dictionaries(
    {
        "updated_at": st.one_of(
            st.none(), st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda t: t.replace(tzinfo=UTC))
        ),
        "importance": st.one_of(st.none(), st.floats(-10, 10), st.just(math.nan), st.just(math.inf)),
        "access_count": st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
        "half_life_days": st.one_of(st.none(), st.floats(allow_nan=True), st.integers(-5, 5)),
        "pinned": st.one_of(st.none(), st.booleans()),
        "category": st.one_of(st.none(), st.sampled_from(["profile", "legal_stopline", "方針"])),
        "tags": st.one_of(st.none(), st.lists(st.sampled_from(["a", "long_term_policy"]), max_size=2)),
    }
)


@SLOW
@given(facts=st.lists(anything, min_size=1, max_size=200))
async def test_it_stays_within_0_and_1_whatever_a_fact_holds(memory: Memory, facts: list[dict[str, Any]]) -> None:
    for value in await retention(memory, facts):
        assert 0.0 <= value <= 1.0


sound = st.fixed_dictionaries(
    {
        "days": st.floats(-1000, 10_000),
        "importance": st.floats(0, 1),
        "access_count": st.integers(0, 100),
        "half_life_days": st.floats(0.5, 5000),
    }
)
more = st.fixed_dictionaries(
    {
        "days": st.floats(0, 1000),
        "importance": st.floats(0, 1),
        "access_count": st.integers(0, 20),
        "half_life_days": st.floats(0, 1000),
    }
)


@SLOW
@given(pairs=st.lists(st.tuples(sound, more), min_size=1, max_size=50))
async def test_it_falls_with_age_and_rises_with_all_else(memory: Memory, pairs: list[tuple[Any, Any]]) -> None:
    rows = []
    for base, step in pairs:
        rows.append(aged(**base))
        rows.append(aged(**base | {"days": base["days"] + step["days"]}))
        rows += [aged(**base | {k: base[k] + step[k]}) for k in ("importance", "access_count", "half_life_days")]
    found = await retention(memory, rows)
    for start in range(0, len(found), 5):
        base_value, older, *raised = found[start : start + 5]
        assert older <= base_value + 1e-12
        assert all(value >= base_value - 1e-12 for value in raised)
