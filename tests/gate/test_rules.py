"""The rules of one recall: the store's over the defaults, narrowed by the call's. The order of reasons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.recall import Gate, GateRules
from graphmem.retrieve.gate import Candidate, pass_gate, reason_of, rules_of
from graphmem.retrieve.marks import labelled, tagged

NOW = datetime(2026, 2, 3, tzinfo=UTC)
TAGS = ("long_term_policy", "legal_stopline", "家訓", "x")
KINDS = ("health", "email", "*")
MODES = ("keyword", "vector", "hybrid", "semantic")

units = st.sampled_from([0.0, 0.05, 0.15, 0.24, 0.3, 0.5, 1.0])
gates = st.builds(
    Gate,
    min_score=st.none() | units,
    max_age_days=st.none() | st.sampled_from([1.0, 30.0, 400.0]),
    allow_draft=st.none() | st.booleans(),
    max_hits=st.none() | st.integers(1, 4),
    min_retention=st.none() | units,
    exempt_tags=st.none() | st.lists(st.sampled_from(TAGS), max_size=3).map(tuple),
    hide_sensitivity=st.none() | st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    hide_disputed=st.none() | st.booleans(),
)


def candidate(**changes: Any) -> Candidate:
    """A fact that passes every check."""
    memory = {
        "id": "f",
        "text": "Ana likes tea",
        "tags": [],
        "category": None,
        "approval": "approved",
        "state": "live",
        "sensitivity": None,
        "disputed": False,
        "updated_at": NOW,
        **changes.pop("memory", {}),
    }
    return {"kind": "fact", "score": 1.0, "retention": 1.0, "stale": False, "memory": memory, **changes}


candidates = st.builds(
    lambda score, retention, days, tags, approval, sensitivity, disputed, stale: candidate(
        score=score,
        retention=retention,
        stale=stale,
        memory={
            "updated_at": NOW - timedelta(days=days),
            "tags": tags,
            "approval": approval,
            "state": "draft" if approval == "draft" else "live",
            "sensitivity": sensitivity,
            "disputed": disputed,
        },
    ),
    units,
    units,
    st.sampled_from([0, 10, 100, 1000]),
    st.lists(st.sampled_from((*TAGS, "旧方針")), max_size=2),
    st.sampled_from(["approved", "draft", "rejected"]),
    st.sampled_from([None, "health", "health,email", "private"]),
    st.booleans(),
    st.booleans(),
)


@given(store=st.none() | gates, call=st.none() | gates, mode=st.sampled_from(MODES), found=st.lists(candidates))
def test_a_call_only_narrows(store: Gate | None, call: Gate | None, mode: str, found: list[Candidate]) -> None:
    alone = rules_of(store, None, mode)
    with_call = rules_of(store, call, mode, narrow_only=True)
    for one in found:  # what one call leaves out makes room for others, so the budget is looked at by itself
        if reason_of(one, with_call, NOW) is None:
            assert reason_of(one, alone, NOW) is None
    assert with_call.max_hits <= alone.max_hits
    assert len(pass_gate(found, with_call, NOW, 100).accepted) <= alone.max_hits


@given(store=gates, call=gates, mode=st.sampled_from(MODES), found=st.lists(candidates))
def test_what_the_store_sets_is_only_narrowed(store: Gate, call: Gate, mode: str, found: list[Candidate]) -> None:
    """A call that may choose chooses among what the store leaves open."""
    said = store.model_dump(exclude_none=True)
    alone = rules_of(store, None, mode)
    chosen = rules_of(store, call, mode)
    for name in said:
        free = {**chosen.model_dump(), name: getattr(alone, name)}
        looser = GateRules(**free)
        for one in found:
            if reason_of(one, chosen, NOW) is None:
                assert reason_of(one, looser, NOW) is None


@given(call=gates, mode=st.sampled_from(MODES))
def test_a_call_chooses_where_the_store_says_nothing(call: Gate, mode: str) -> None:
    rules = rules_of(None, call, mode)
    for name, value in call.model_dump(exclude_none=True).items():
        held = getattr(rules, name)
        assert (set(held) == set(value)) if isinstance(value, tuple) else (held == value)


@pytest.mark.parametrize("mode", MODES)
def test_no_gate_is_the_defaults(mode: str) -> None:
    assert rules_of(None, None, mode) == rules_of(Gate(), Gate(), mode, narrow_only=True)


OLD = NOW - timedelta(days=100)
WRONG: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("scope_mismatch", {"left_out": {"outside": True, "ended": False, "replaced": False}}, {}),
    ("low_score", {"score": 0.1}, {}),
    ("stale", {}, {"updated_at": OLD}),
    ("not_approved", {}, {"approval": "draft"}),
    ("superseded", {}, {"tags": ["使用禁止"]}),
    ("not_valid_at", {"left_out": {"outside": False, "ended": True, "replaced": False}}, {}),
    ("low_retention", {"retention": 0.01}, {}),
    ("sensitive", {}, {"sensitivity": "health"}),
    ("disputed", {}, {"disputed": True}),
]
STRICT = GateRules(min_score=0.2, max_age_days=30, hide_sensitivity=("health",), hide_disputed=True)


@pytest.mark.parametrize("first", range(len(WRONG)), ids=[reason for reason, _, _ in WRONG])
def test_the_first_reason_in_order_is_named(first: int) -> None:
    """Everything from this reason on is wrong with the candidate."""
    changes: dict[str, Any] = {}
    memory: dict[str, Any] = {}
    for _, outer, inner in WRONG[first:]:
        memory |= inner
        for name, value in outer.items():
            both = (
                {k: bool(v or changes.get(name, {}).get(k)) for k, v in value.items()} if name == "left_out" else value
            )
            changes[name] = both
    assert reason_of(candidate(**changes, memory=memory), STRICT, NOW) == WRONG[first][0]


def test_what_is_right_passes_until_the_budget_is_spent() -> None:
    found = [candidate(memory={"id": str(number)}) for number in range(4)]
    passed = pass_gate(found, STRICT.model_copy(update={"max_hits": 3}), NOW, 2)
    assert [c["memory"]["id"] for c in passed.accepted] == ["0", "1"]
    assert [(c["memory"]["id"], why) for c, why in passed.rejected] == [("2", "over_budget"), ("3", "over_budget")]


@pytest.mark.parametrize("tag", ["旧方針", "使用禁止", "Deprecated", "DO_NOT_USE", "superseded"])
def test_a_tag_takes_out_of_use(tag: str) -> None:
    assert tagged([tag])
    assert not tagged([tag + "2", "方針"])


@pytest.mark.parametrize(
    "text",
    [
        "【使用禁止】旧システムの手順",
        "旧方針：毎週月曜に投稿する",
        "週次の投稿について\n[旧方針] 月曜に投稿する",
        "投稿は月曜。使用禁止。",
        "DEPRECATED: call the old endpoint",
        "# [Deprecated] How to deploy",
        "How to deploy\nSUPERSEDED",
    ],
)
def test_a_label_of_its_own_takes_out_of_use(text: str) -> None:
    assert labelled(text)


@pytest.mark.parametrize(
    "text",
    [
        "旧方針から新方針に変わった理由",
        "看板に「使用禁止」と書いてあった",
        "この部屋は使用禁止です",
        "The old API was deprecated in 2024.",
        "We superseded the plan with a better one",
        "Do not use the lift in a fire",
    ],
)
def test_talk_about_such_things_does_not(text: str) -> None:
    assert not labelled(text)
