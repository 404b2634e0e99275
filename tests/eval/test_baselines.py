"""BM25, vectors and their fusion against values worked out by hand, and BM25 on the shared sets."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from graphmem.eval import baselines
from graphmem.eval.baselines import BM25, Baselines, best, fused, stems_words, terms, with_neighbours
from graphmem.eval.dataset import Dataset, Document
from graphmem.eval.formats import read
from graphmem.eval.measures import columns, measure
from graphmem.ports import Embedder, Identity, Vectors


def test_terms_are_stems_of_words_and_pairs_of_japanese_characters() -> None:
    assert stems_words()
    assert terms("Where did Emil's CATS go, running?") == ["emil", "s", "cat", "go", "run"]
    assert terms("東京タワーへ行った") == ["東京", "京タ", "タワ", "ワー", "ーへ", "へ行", "行っ", "った"]
    assert terms("Pythonで猫") == ["python", "で猫"]
    assert terms("猫 2026") == ["猫", "2026"]
    assert terms("the of and") == []


def test_without_the_stemmer_words_are_searched_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "_stemmer", lambda: None)
    assert not stems_words()
    assert terms("Cats running") == ["cats", "running"]


def test_bm25_by_hand() -> None:
    scores = BM25(["red fish", "red red red boat", "green tea tree house"]).scores("red tea")
    mean = (2 + 4 + 4) / 3
    idf_red, idf_tea = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)

    def part(idf: float, times: int, length: int) -> float:
        return idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean))

    assert scores == pytest.approx([part(idf_red, 1, 2), part(idf_red, 3, 4), part(idf_tea, 1, 4)])
    assert best(scores, 2) == [2, 1]


def test_what_has_no_term_of_the_query_is_not_found() -> None:
    assert best(BM25(["red fish", "blue boat"]).scores("boats"), 10, over=0.0) == [1]
    assert best(BM25(["red fish"]).scores("of the"), 10, over=0.0) == []


def test_equal_scores_keep_the_order_of_the_documents() -> None:
    assert best(np.array([0.5, 0.7, 0.5, 0.7]), 3) == [1, 3, 0]


def test_fusion_adds_one_over_sixty_plus_rank() -> None:
    # 3: 1/61 + 1/62; 1: 1/62 + 1/63; 2: 1/61; 9: 1/63
    assert fused([[3, 1, 9], [2, 3, 1]], 10) == [3, 1, 2, 9]
    assert fused([[5, 6], []], 1) == [5]


def test_neighbours_stay_within_their_session() -> None:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    said = [("s", "one"), ("s", "two"), ("t", "three"), (None, "four"), (None, "five")]
    texts = with_neighbours([Document(t, t, "a", "Ida", s, at) for s, t in said])
    assert texts[0] == "04 March 2026\nIda: one\nIda: one\nIda: two"
    assert texts[1] == "04 March 2026\nIda: two\nIda: two\nIda: one"
    assert texts[2] == "04 March 2026\nIda: three\nIda: three"
    assert texts[4] == "04 March 2026\nIda: five\nIda: five"


class ByLength:
    """An embedder whose vectors are worked out by hand: the share of the letter a and the rest."""

    identity = Identity("by-length", 2, "0")

    async def prepare(self) -> None: ...

    async def close(self) -> None: ...

    async def embed_passages(self, texts: list[str]) -> Vectors:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    async def embed_query(self, text: str) -> Vectors:
        return np.array(self._vector(text), dtype=np.float32)

    def _vector(self, text: str) -> tuple[float, float]:
        share = text.count("a") / len(text)
        return share, math.sqrt(1 - share * share)


async def test_each_baseline_on_a_tiny_set() -> None:
    embedder: Embedder = ByLength()
    documents = [Document(t, t, "x") for t in ("aaaa bbbb", "bbbb bbbb", "aaaa aaaa")]
    index = await Baselines.over(embedder, documents, ("bm25", "dense", "rrf"))
    found = await index.search("bbbb", ("bm25", "dense", "rrf"), 10)
    assert found == {"bm25": [1, 0], "dense": [1, 0, 2], "rrf": [1, 0, 2]}
    assert await index.search("zzzz", ("bm25",), 10) == {"bm25": []}


def figures(data: Dataset, depth: int = 10) -> dict[str, float]:
    sides = {actor: BM25([d.spoken for d in documents]) for actor, documents in data.by_actor.items()}
    rows = []
    for query in data.queries:
        documents = data.by_actor[query.actor]
        top = best(sides[query.actor].scores(query.text), depth, over=0.0)
        rows.append(measure([frozenset([documents[i].id]) for i in top], query.expected))
    return {name: float(column.mean()) for name, column in columns(rows).items()}


def test_bm25_reaches_its_published_figures_on_the_shared_sets(shared_dir: Path) -> None:
    locomo = figures(read(shared_dir / "data" / "locomo").to_find())
    assert locomo["recall@5"] == pytest.approx(0.561, abs=0.006)
    assert locomo["recall@10"] == pytest.approx(0.644, abs=0.006)
    jsquad = read(shared_dir / "data" / "jglue" / "jsquad-valid.json").to_find()
    assert figures(jsquad)["recall@10"] == pytest.approx(0.975, abs=0.0005)
    first = figures(replace(jsquad, queries=jsquad.queries[:1000]))
    assert (first["recall@5"], first["recall@10"]) == pytest.approx((0.944, 0.961), abs=0.0005)
