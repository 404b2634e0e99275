"""Measures of a ranking against values worked out by hand, and intervals that say how sure a mean is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphmem.eval.measures import Bootstrap, columns, measure


def ranked(*ids: str) -> list[frozenset[str]]:
    return [frozenset(name.split("+")) if name else frozenset() for name in ids]


@pytest.mark.parametrize(
    ("ranking", "expected", "values"),
    [
        # the second and the seventh answer are right, the third expected one is not found
        (
            ranked("x1", "a", "x2", "x3", "x4", "x5", "b"),
            {"a", "b", "c"},
            {
                "recall@1": 0, "recall@5": 1 / 3, "recall@10": 2 / 3,
                "hit@1": 0, "hit@5": 1, "hit@10": 1,
                "mrr@10": 1 / 2,
                "ndcg@10": (1 / math.log2(3) + 1 / math.log2(8)) / (1 + 1 / math.log2(3) + 1 / math.log2(4)),
            },
        ),
        (ranked("a"), {"a"}, {"recall@1": 1, "hit@1": 1, "mrr@10": 1, "ndcg@10": 1}),
        ([], {"a"}, {"recall@10": 0, "hit@10": 0, "mrr@10": 0, "ndcg@10": 0}),
        # one answer stands for two sources: both are found, the gain counts once
        (ranked("", "a+b"), {"a", "b"}, {"recall@5": 1, "mrr@10": 1 / 2, "ndcg@10": 1 / (math.log2(3) + 1)}),
        # a source that comes again is found at its first rank
        (ranked("a", "a", "b"), {"a", "b"}, {"ndcg@10": (1 + 1 / 2) / (1 + 1 / math.log2(3))}),
    ],
)  # fmt: skip
def test_by_hand(ranking: list[frozenset[str]], expected: set[str], values: dict[str, float]) -> None:
    found = measure(ranking, expected)
    assert {name: found[name] for name in values} == pytest.approx(values)


def test_what_comes_after_ten_counts_only_for_the_deeper_recall() -> None:
    found = measure(ranked(*(f"x{n}" for n in range(11)), "a"), {"a"}, depth=20)
    assert (found["recall@10"], found["mrr@10"], found["ndcg@10"], found["recall@20"]) == (0, 0, 0, 1)
    assert "recall@20" not in measure(ranked("a"), {"a"})


def test_more_expected_than_ten_can_still_be_perfect() -> None:
    ids = [f"a{n}" for n in range(12)]
    assert measure(ranked(*ids), set(ids))["ndcg@10"] == 1


def test_the_interval_is_that_of_resampled_means() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.5, 0.25])
    drawn = np.random.default_rng(7).integers(0, len(values), size=(500, len(values)))
    means = values[drawn].mean(axis=1)
    figure = Bootstrap(len(values), seed=7, resamples=500).figure(values)
    assert figure.value == pytest.approx(0.575)
    assert (figure.low, figure.high) == pytest.approx(tuple(np.percentile(means, [2.5, 97.5])))
    assert figure.low < figure.value < figure.high


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    values = np.random.default_rng(0).random(40)
    assert Bootstrap(40, 1).figure(values) == Bootstrap(40, 1).figure(values)
    assert Bootstrap(40, 1).figure(values) != Bootstrap(40, 2).figure(values)


def test_pairs_of_equal_queries_leave_a_narrower_difference_than_their_means() -> None:
    one = np.random.default_rng(3).random(100)
    other = one - 0.05
    bench = Bootstrap(100, 1)
    difference = bench.figure(one - other)
    assert difference.low == pytest.approx(0.05)
    assert difference.high == pytest.approx(0.05)
    assert bench.figure(one).low < bench.figure(other).high


def test_columns_are_one_array_a_measure() -> None:
    found = columns([{"a": 1.0, "b": 0.0}, {"a": 0.5, "b": 1.0}])
    assert {name: list(column) for name, column in found.items()} == {"a": [1.0, 0.5], "b": [0.0, 1.0]}
