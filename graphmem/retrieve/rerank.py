"""Reranking: what passed the gate in the order of a model that reads query and memory together.

The model orders, it does not judge: what may be given is decided before, by the gate and its scores, and of what the
gate holds back no text reaches the model.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from ..errors import ProviderError
from ..ports import Reranker
from .gate import Candidate, Passed
from .tokens import count_tokens

log = logging.getLogger(__name__)

TIMES, LEAST, MOST = 3, 10, 50
"""How many are reranked: three times as many as are given, ten or more, fifty at most; then only 24 for 8 answers."""
SHARE = 0.7
"""Share of the reranker in the score. The rest is the hybrid score, which knows what no text says: the time asked
about, importance and freshness by the ranking; and it orders what the reranker scores alike."""
QUERY_TOKENS, TEXT_TOKENS = 150, 350
"""What is sent of the query and of each text, in estimated tokens: together what a cross-encoder reads, 512."""


async def reranked(
    passed: Passed, reranker: Reranker | None, query: str, text_of: Callable[[Candidate], str]
) -> tuple[Passed, list[str]]:
    """The same candidates, the best by the reranker accepted, as many as before; and what the answer must say of it.

    Without a reranker, or where it fails, the candidates stay as they are, with `no_reranker` or `reranker`.
    """
    if reranker is None:
        return passed, ["no_reranker"]
    good = [*passed.accepted, *(c for c, reason in passed.rejected if reason == "over_budget")]
    pool = good[: pool_size(len(passed.accepted))]
    try:
        scores = await _scores(reranker, query, [text_of(c) for c in pool])
    except ProviderError as error:
        log.warning("recall without %s: %s", reranker.name, error.reason)
        return passed, ["reranker"]
    ordered = [_blended(c, score) for c, score in zip(pool, scores, strict=True)]
    ordered.sort(key=lambda c: -float(c["score"]))  # stable: equals stay in the order of the hybrid score
    ordered += [_blended(c, None) for c in good[len(pool) :]]
    return _divided(ordered, passed), []


def pool_size(given: int) -> int:
    """How many candidates are reranked where so many are given."""
    return min(max(TIMES * given, LEAST), MOST)


def cut(text: str, tokens: int) -> str:
    """The beginning of a text, of so many estimated tokens."""
    text = text[: 4 * tokens]
    while (over := count_tokens(text) - tokens) > 0:
        text = text[:-over]
    return text


async def _scores(reranker: Reranker, query: str, texts: Sequence[str]) -> Sequence[float]:
    if not texts:
        return ()
    scores = await reranker.rerank(cut(query, QUERY_TOKENS), [cut(text, TEXT_TOKENS) for text in texts])
    if len(scores) != len(texts) or not all(0 <= score <= 1 for score in scores):
        raise ProviderError(f"The reranker gave no usable scores for {len(texts)} texts.", reason="bad_answer")
    return scores


def _blended(candidate: Candidate, score: float | None) -> Candidate:
    """The candidate with its final score; one that was not reranked stands below all that were."""
    hybrid = float(candidate["score"])
    own = {"hybrid": hybrid} if score is None else {"hybrid": hybrid, "rerank": float(score)}
    final = SHARE * (score or 0.0) + (1 - SHARE) * hybrid
    return {**candidate, "score": final, "scores": {**candidate["scores"], **own}}


def _divided(ordered: Sequence[Candidate], passed: Passed) -> Passed:
    """As many accepted as before; the others in the places of those that were over the budget."""
    given = len(passed.accepted)
    rest = iter(ordered[given:])
    rejected = tuple((next(rest) if reason == "over_budget" else c, reason) for c, reason in passed.rejected)
    return Passed(tuple(ordered[:given]), rejected)
