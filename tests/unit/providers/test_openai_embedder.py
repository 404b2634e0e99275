"""Embeddings over HTTP, against a real server that misbehaves on demand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from graphmem.config import Settings
from graphmem.errors import ConfigurationError, ProviderError
from graphmem.providers import make_embedder
from graphmem.providers.openai_embedder import OpenAIEmbedder
from tests.support.openai_server import OpenAIServer

SettingsFor = Callable[..., Settings]


async def test_width_is_found_by_one_probe(server: OpenAIServer, settings_for: SettingsFor) -> None:
    embedder = make_embedder(settings_for(embedder="openai", embedding_model="m"))
    with pytest.raises(ProviderError):
        _ = embedder.identity
    await embedder.prepare()
    await embedder.prepare()
    assert embedder.identity.dimension == 64
    assert embedder.identity.name == "openai:m"
    assert server.calls["embedder"] == 1
    await embedder.close()


async def test_vectors_are_unit_in_order_and_batched(server: OpenAIServer, settings_for: SettingsFor) -> None:
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=32))
    texts = [f"text number {i}" if i % 2 else f"文の番号は{i}" for i in range(300)]
    vectors = await embedder.embed_passages(texts)
    assert vectors.shape == (300, 32)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert [len(body["input"]) for body in server.requests] == [128, 128, 44]
    assert {body["encoding_format"] for body in server.requests} == {"float"}
    assert np.allclose(vectors[7], await embedder.embed_query(texts[7]), atol=1e-5)
    assert (await embedder.embed_passages([])).shape == (0, 32)
    await embedder.close()


async def test_dimensions_parameter_is_left_out_when_unknown(server: OpenAIServer, settings_for: SettingsFor) -> None:
    server.dimensions_parameter = False
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=64))
    assert (await embedder.embed_passages(["a text"])).shape == (1, 64)
    await embedder.embed_passages(["another"])
    assert server.calls["embedder"] == 3
    await embedder.close()


async def test_wrong_width_names_both(server: OpenAIServer, settings_for: SettingsFor) -> None:
    embedder = OpenAIEmbedder(settings_for())
    await embedder.prepare()
    server.inject("embedder", "dimension", 8, times="always")
    with pytest.raises(ProviderError, match="dimension 8 where 64") as caught:
        await embedder.embed_query("どこ")
    assert caught.value.reason == "wrong_dimension"
    await embedder.close()


@pytest.mark.parametrize("mode", ["zero_vector", "nan_vector"])
async def test_useless_vectors_are_refused(server: OpenAIServer, settings_for: SettingsFor, mode: str) -> None:
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=64))
    server.inject("embedder", mode)
    assert (await embedder.embed_passages(["once is forgiven"])).shape == (1, 64)
    server.inject("embedder", mode, times="always")
    with pytest.raises(ProviderError) as caught:
        await embedder.embed_passages(["a", "b"])
    assert caught.value.reason == "bad_vector"
    server.inject("embedder", "none")
    assert (await embedder.embed_passages(["a", "b"])).shape == (2, 64)
    await embedder.close()


async def test_429_is_retried(server: OpenAIServer, settings_for: SettingsFor) -> None:
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=64))
    server.inject("embedder", "http_429", times=2)
    assert (await embedder.embed_passages(["甥のバイオリン"])).shape == (1, 64)
    assert server.calls["embedder"] == 3
    await embedder.close()


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("http_402", "quota_exceeded"),
        ("http_429", "rate_limited"),
        ("http_401", "not_authenticated"),
        ("http_404", "unknown_model"),
        ("http_500", "server_error"),
        ("http_400", "bad_request"),
        ("refuse_connection", "unreachable"),
    ],
)
async def test_failures_have_a_stable_reason(
    server: OpenAIServer, settings_for: SettingsFor, mode: str, reason: str
) -> None:
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=64))
    server.inject("embedder", mode, times="always")
    with pytest.raises(ProviderError) as caught:
        await embedder.embed_query("secret words")
    assert caught.value.reason == reason
    assert "secret" not in str(caught.value)
    assert server.calls["embedder"] <= 2
    await embedder.close()


async def test_long_texts_are_sent_in_pieces(server: OpenAIServer, settings_for: SettingsFor) -> None:
    embedder = OpenAIEmbedder(settings_for(embedding_dimension=64))
    assert (await embedder.embed_passages(["長い文です。" * 2_000, "short"])).shape == (2, 64)
    assert max(len(text) for body in server.requests for text in body["input"]) <= 1_500
    await embedder.close()


def test_an_endpoint_is_needed() -> None:
    with pytest.raises(ConfigurationError):
        make_embedder(Settings(embedder="openai"))
