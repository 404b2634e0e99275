"""Least scores from what queries found: pure figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.eval.calibrate import SLACK, Asked, choose, point_at


def with_answer(score: float, vector: float = 0.0, *others: float) -> Asked:
    """A query whose right memory has these scores; `others` are the scores of wrong ones."""
    right = (True, *(False for _ in others))
    return Asked(True, (score, *others), (vector, *(0.0 for _ in others)), right)


def without(score: float, vector: float = 0.0) -> Asked:
    return Asked(False, (score,), (vector,), (False,))


def test_a_gap_is_found() -> None:
    asked = [with_answer(0.5), with_answer(0.7), without(0.1), without(0.3)]
    chosen = choose(asked, with_vector=False)
    assert (chosen.point.kept, chosen.point.refused, chosen.auc) == (1.0, 1.0, 1.0)
    assert 0.3 < chosen.point.min_score <= 0.5
    assert chosen.point.min_vector is None
    assert (chosen.answerable, chosen.found, chosen.unanswerable) == (2, 2, 2)


def test_what_one_arm_alone_finds_is_kept_by_its_vector() -> None:
    asked = [with_answer(0.6), with_answer(0.14, 0.3), with_answer(0.14, 0.28), without(0.2, 0.05), without(0.18, 0.12)]
    by_score = choose(asked, with_vector=False).point
    both = choose(asked, with_vector=True).point
    assert (both.kept, both.refused) == (1.0, 1.0)
    assert by_score.kept + by_score.refused < 2
    assert both.min_vector is not None
    assert 0.12 < both.min_vector <= 0.28


def test_an_answer_weighs_twice() -> None:
    asked = [*[with_answer(0.2)] * 3, *[with_answer(0.6)] * 7, *[without(0.3)] * 5, *[without(0.1)] * 5]
    assert choose(asked, with_vector=False).point.kept == 1.0  # 0.3 of the answers for 0.5 of the refusals


def test_what_is_not_found_at_all_changes_nothing() -> None:
    asked = [with_answer(0.5), without(0.3), without(0.1)]
    lost = Asked(True, (0.4,), (0.0,), (False,))
    assert (
        choose(asked, with_vector=False).point.min_score
        == choose([*asked, *[lost] * 9], with_vector=False).point.min_score
    )


def test_a_share_to_keep_is_kept_at_the_least_cost() -> None:
    asked = [with_answer(score / 100) for score in range(1, 101)] + [without(score / 100) for score in range(60)]
    for keep in (0.5, 0.9, 0.99):
        point = choose(asked, with_vector=False, keep=keep).point
        assert keep <= point.kept < keep + 0.02
    assert choose(asked, with_vector=False, keep=1).point.kept == 1


def test_precision_counts_every_memory_that_passes() -> None:
    point = point_at([with_answer(0.5, 0.0, 0.6, 0.1), without(0.6)], 0.5, None)
    assert (point.kept, point.refused, point.precision) == (1.0, 0.0, pytest.approx(1 / 3))
    assert point_at([without(0.1)], 0.5, None).precision == 1.0


@pytest.mark.parametrize("asked", [[], [with_answer(0.5)], [without(0.5)], [Asked(True, (), (), ()), without(0.1)]])
def test_too_little_is_refused(asked: list[Asked]) -> None:
    with pytest.raises(ValueError, match=r"needed|found"):
        choose(asked, with_vector=False)


shares = st.integers(1, 1000).map(lambda x: x / 1000)
queries = st.lists(st.builds(with_answer, shares, shares), min_size=1, max_size=12)
others = st.lists(st.builds(without, shares, shares), min_size=1, max_size=12)


@given(right=queries, wrong=others)
def test_both_arms_are_never_worse_than_one(right: list[Asked], wrong: list[Asked]) -> None:
    asked = [*right, *wrong]
    one, two = choose(asked, with_vector=False).point, choose(asked, with_vector=True).point
    assert 2 * two.kept + two.refused >= 2 * one.kept + one.refused - 3 * SLACK - 1e-9
    assert point_at(asked, two.min_score, two.min_vector) == two
