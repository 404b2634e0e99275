"""The rules of one recall: the store's over the defaults, narrowed by the call's. The order of reasons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.models.recall import Calibration, Gate, GateRules, Mode
from graphmem.ports import Identity
from graphmem.retrieve.calibrated import Minimum, minimum_of
from graphmem.retrieve.gate import Candidate, pass_gate, reason_of, rules_of
from graphmem.safety.marks import labelled, tagged

NOW = datetime(2026, 2, 3, tzinfo=UTC)
TAGS = ("long_term_policy", "legal_stopline", "家訓", "x")
KINDS = ("health", "email", "*")
MODES: tuple[Mode, ...] = ("keyword", "vector", "hybrid", "semantic")
LOCAL = Identity("usem3-centred", 512, "0")
OTHER = Identity("text-embedding-3-small", 1536, "0")

units = st.sampled_from([0.0, 0.05, 0.15, 0.24, 0.3, 0.5, 1.0])
minimums = st.builds(Minimum, units, st.none() | units, st.just(True))
gates = st.builds(
    Gate,
    min_score=st.none() | units,
    min_vector=st.none() | units,
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
    passing = {"score": 1.0, "scores": {"vector": 1.0}, "retention": 1.0, "stale": False}
    return {"kind": "fact", **passing, "memory": memory, **changes}


candidates = st.builds(
    lambda score, vector, rival, retention, days, tags, approval, sensitivity, disputed, stale: candidate(
        score=score,
        scores={"vector": vector},
        rival=rival,
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
    st.booleans(),
    units,
    st.sampled_from([0, 10, 100, 1000]),
    st.lists(st.sampled_from((*TAGS, "旧方針")), max_size=2),
    st.sampled_from(["approved", "draft", "rejected"]),
    st.sampled_from([None, "health", "health,email", "private"]),
    st.booleans(),
    st.booleans(),
)


@given(least=minimums, store=st.none() | gates, call=st.none() | gates, found=st.lists(candidates))
def test_a_call_only_narrows(least: Minimum, store: Gate | None, call: Gate | None, found: list[Candidate]) -> None:
    alone = rules_of(least, store, None)
    with_call = rules_of(least, store, call, narrow_only=True)
    for one in found:  # what one call leaves out makes room for others, so the budget is looked at by itself
        if reason_of(one, with_call, NOW) is None:
            assert reason_of(one, alone, NOW) is None
    assert with_call.max_hits <= alone.max_hits
    assert len(pass_gate(found, with_call, NOW, 100).accepted) <= alone.max_hits


@given(least=minimums, store=gates, call=gates, found=st.lists(candidates))
def test_what_the_store_sets_is_only_narrowed(least: Minimum, store: Gate, call: Gate, found: list[Candidate]) -> None:
    """A call that may choose chooses among what the store leaves open."""
    alone = rules_of(least, store, None)
    chosen = rules_of(least, store, call)
    said = set(store.model_dump(exclude_none=True))
    together = [{"min_score", "min_vector"}] if said & {"min_score", "min_vector"} else []
    for names in [*together, *({name} for name in said - {"min_score", "min_vector"})]:
        looser = GateRules(**{**chosen.model_dump(), **{name: getattr(alone, name) for name in names}})
        for one in found:
            if reason_of(one, chosen, NOW) is None:
                assert reason_of(one, looser, NOW) is None


@given(least=minimums, call=gates)
def test_a_call_chooses_where_the_store_says_nothing(least: Minimum, call: Gate) -> None:
    rules = rules_of(least, None, call)
    for name, value in call.model_dump(exclude_none=True).items():
        held = getattr(rules, name)
        assert (set(held) == set(value)) if isinstance(value, tuple) else (held == value)


@given(least=minimums)
def test_no_gate_is_the_defaults(least: Minimum) -> None:
    assert rules_of(least, None, None) == rules_of(least, Gate(), Gate(), narrow_only=True)


DENSE = Minimum(0.2, 0.3, calibrated=True)


@pytest.mark.parametrize(
    ("score", "vector", "rival", "passes"),
    [(0.2, 0.0, False, True), (0.1, 0.3, False, True), (0.1, 0.29, False, False), (0.1, 0.9, True, False)],
)
def test_a_vector_that_is_near_enough_by_itself(score: float, vector: float, rival: bool, passes: bool) -> None:
    one = candidate(score=score, scores={"vector": vector}, rival=rival)
    assert reason_of(one, rules_of(DENSE, None, None), NOW) == (None if passes else "low_score")


def test_a_higher_least_score_holds_for_vectors_too() -> None:
    near = candidate(score=0.1, scores={"vector": 0.5})
    for store, call in ((Gate(min_score=0.4), None), (None, Gate(min_score=0.4))):
        assert reason_of(near, rules_of(DENSE, store, call), NOW) == "low_score"
    assert reason_of(near, rules_of(DENSE, Gate(min_score=0.4, min_vector=0.5), None), NOW) is None
    assert reason_of(near, rules_of(DENSE, Gate(min_score=0.4), Gate(min_vector=0.1)), NOW) == "low_score"
    lower = rules_of(DENSE, None, Gate(min_score=0.05), narrow_only=True)
    assert (lower.min_score, lower.min_vector) == (0.2, 0.3)  # nothing is lost by asking for more than one may have


@pytest.mark.parametrize("mode", MODES)
def test_each_embedder_has_its_own_minimum(mode: Mode) -> None:
    assert minimum_of(None, LOCAL, mode).calibrated
    other = minimum_of(None, OTHER, mode)
    assert other.calibrated == (mode == "keyword")  # words mean the same for every embedder
    assert other.vector is None
    own = Calibration(embedder=str(OTHER), min_score={mode: 0.42}, min_vector={mode: 0.5})
    assert minimum_of(own, OTHER, mode) == Minimum(0.42, 0.5, calibrated=True)
    assert minimum_of(own, LOCAL, mode) == minimum_of(None, LOCAL, mode)  # measured with other vectors
    assert minimum_of(None, None, mode) == minimum_of(None, LOCAL, "keyword")  # without vectors the words decide
    by_hand = Calibration(min_score={mode: 0.42})
    assert minimum_of(by_hand, OTHER, mode) == Minimum(0.42, None, calibrated=True)


OLD = NOW - timedelta(days=100)
WRONG: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("scope_mismatch", {"left_out": {"outside": True, "ended": False, "replaced": False}}, {}),
    ("low_score", {"score": 0.1, "scores": {"vector": 0.1}}, {}),
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
