"""Reranking orders what the gate let pass; it adds nothing, loses nothing, and is never asked for more than fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import ProviderError
from graphmem.models.recall import Reason
from graphmem.retrieve.context import count_tokens
from graphmem.retrieve.gate import Candidate, Passed
from graphmem.retrieve.rerank import MOST, SHARE, cut, pool_size, reranked

units = st.floats(0, 1, allow_nan=False)


class Scores:
    """A reranker with a score for each text, which stands at its beginning."""

    name = "test"

    def __init__(self, scores: Sequence[float] | ProviderError) -> None:
        self.scores = scores
        self.asked: list[tuple[str, list[str]]] = []

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append((query, list(texts)))
        if isinstance(self.scores, ProviderError):
            raise self.scores
        return self.scores[: len(texts)]

    async def close(self) -> None:
        """Nothing."""


def candidate(name: str, score: float) -> Candidate:
    return {"kind": "fact", "memory": {"id": name, "text": name}, "score": score, "scores": {"vector": score}}


def text_of(found: Candidate) -> str:
    return str(found["memory"]["text"])


def ids(found: Sequence[Candidate]) -> list[str]:
    return [c["memory"]["id"] for c in found]


def passed_with(scores: Sequence[float], limit: int, *held_back: Reason) -> Passed:
    """What the gate gives: candidates by score, those over the limit, and some left out between them."""
    good = [candidate(str(n), s) for n, s in enumerate(sorted(scores, reverse=True))]
    over: list[tuple[Candidate, Reason]] = [(c, "over_budget") for c in good[limit:]]
    for n, reason in enumerate(held_back):
        over.insert(n * 2, (candidate(f"x{n}", 0.9), reason))
    return Passed(tuple(good[:limit]), tuple(over))


@given(hybrid=st.lists(units, min_size=1, max_size=70), limit=st.integers(1, 80), data=st.data())
async def test_it_reorders_and_changes_nothing_else(hybrid: list[float], limit: int, data: Any) -> None:
    scores = data.draw(st.lists(units, min_size=len(hybrid), max_size=len(hybrid)))
    before = passed_with(hybrid, limit, "sensitive", "superseded")
    reranker = Scores(scores)
    after, lacking = await reranked(before, reranker, "q", text_of)
    assert lacking == []
    assert len(after.accepted) == len(before.accepted)
    assert [reason for _, reason in after.rejected] == [reason for _, reason in before.rejected]
    everything = ids([*before.accepted, *(c for c, _ in before.rejected)])
    assert sorted(ids([*after.accepted, *(c for c, _ in after.rejected)])) == sorted(everything)
    if limit >= len(hybrid):
        assert set(ids(after.accepted)) == set(ids(before.accepted))
    final = [c["score"] for c in after.accepted]
    assert final == sorted(final, reverse=True)
    assert all(0 <= score <= 1 for score in final)
    best = max(final)
    assert all(c["score"] <= best for c, reason in after.rejected if reason == "over_budget")
    ((_, sent),) = reranker.asked
    assert len(sent) == min(len(hybrid), pool_size(len(before.accepted)))
    assert not any(text.startswith("x") for text in sent)


async def test_the_score_is_the_blend_and_both_parts_are_shown() -> None:
    before = passed_with([0.9, 0.4], 2)
    after, _ = await reranked(before, Scores([0.1, 0.8]), "q", text_of)
    assert ids(after.accepted) == ["1", "0"]
    first = after.accepted[0]
    assert first["score"] == pytest.approx(SHARE * 0.8 + (1 - SHARE) * 0.4)
    assert first["scores"] == {"vector": 0.4, "hybrid": 0.4, "rerank": 0.8}
    assert before.accepted[0]["scores"] == {"vector": 0.9}


async def test_what_lies_beyond_the_first_ones_follows_in_its_own_order() -> None:
    before = passed_with([1 - n / 100 for n in range(60)], 60)
    after, _ = await reranked(before, Scores([0.0] * 60), "q", text_of)
    assert ids(after.accepted) == ids(before.accepted)
    assert ["rerank" in c["scores"] for c in after.accepted] == [True] * MOST + [False] * 10


async def test_one_from_beyond_the_limit_takes_the_place_of_a_worse_one() -> None:
    before = passed_with([0.5, 0.4, 0.3], 1, "low_score")
    after, _ = await reranked(before, Scores([0.0, 0.1, 1.0]), "q", text_of)
    assert ids(after.accepted) == ["2"]
    assert [(c["memory"]["id"], reason) for c, reason in after.rejected] == [
        ("x0", "low_score"),
        ("1", "over_budget"),
        ("0", "over_budget"),
    ]


@pytest.mark.parametrize(
    "scores",
    [ProviderError("no", reason="timeout"), [], [0.5], [0.5, math.nan], [0.5, 1.5], [-0.5, 0.5]],
    ids=["error", "none", "short", "nan", "over", "under"],
)
async def test_a_reranker_that_fails_leaves_everything_as_it_is(scores: Any) -> None:
    before = passed_with([0.9, 0.4], 2)
    assert await reranked(before, Scores(scores), "q", text_of) == (before, ["reranker"])


async def test_without_a_reranker_or_without_candidates() -> None:
    before = passed_with([0.9, 0.4], 2)
    assert await reranked(before, None, "q", text_of) == (before, ["no_reranker"])
    nothing, reranker = Passed((), ()), Scores([])
    assert await reranked(nothing, reranker, "q", text_of) == (nothing, [])
    assert reranker.asked == []


@given(st.text(st.sampled_from("ab あ日🙂"), max_size=3_000), st.integers(1, 400))
def test_texts_are_cut_to_what_a_model_reads(text: str, tokens: int) -> None:
    short = cut(text, tokens)
    assert text.startswith(short)
    assert count_tokens(short) <= tokens
    assert short == text or count_tokens(text[: len(short) + 4]) >= tokens


async def test_query_and_texts_are_sent_cut() -> None:
    reranker = Scores([0.5])
    long = {**candidate("0", 0.5), "memory": {"id": "0", "text": "あ" * 5_000}}
    await reranked(Passed((long,), ()), reranker, "where " * 500, text_of)
    ((query, texts),) = reranker.asked
    assert (len(query), [len(text) for text in texts]) == (600, [466])  # a kana is three quarters of a token
