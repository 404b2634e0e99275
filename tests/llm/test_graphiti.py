"""Clients of the real graphiti-core package behind our ports, against the scripted endpoint."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import ConfigurationError, ProviderError
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.ports import Turn
from graphmem.providers.graphiti_embedder import GraphitiEmbedder
from graphmem.providers.graphiti_llm import GraphitiChat
from graphmem.providers.graphiti_package import load_graphiti
from graphmem.providers.graphiti_reranker import GraphitiReranker
from graphmem.providers.llm_extractor import LLMExtractor
from tests.support.openai_server import OpenAIServer
from tests.unit.providers.conftest import NOON

TEXT = "Fenella skates on Fridays."
FACT = {"s": "Fenella", "p": "skates_on", "o": "Fridays"}


@pytest.fixture
async def client_of(model: OpenAIServer) -> AsyncIterator[Callable[..., Any]]:
    """A client of graphiti-core for endpoints of the OpenAI protocol."""
    load_graphiti()
    from graphiti_core.llm_client.config import LLMConfig
    from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient

    made: list[Any] = []

    def make(**more: Any) -> Any:
        made.append(OpenAIGenericClient(LLMConfig(api_key="test", base_url=model.url, model="m"), **more))
        return made[-1]

    yield make
    for client in made:
        await client.client.close()


@pytest.fixture
async def embedder(model: OpenAIServer) -> AsyncIterator[GraphitiEmbedder]:
    load_graphiti()
    from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig

    model.base64_allowed = True
    client = OpenAIEmbedder(OpenAIEmbedderConfig(api_key="test", base_url=model.url))
    yield GraphitiEmbedder(client, timeout=10)
    await client.client.close()
    model.base64_allowed = False


def said(text: str = TEXT) -> list[Turn]:
    return [Turn(0, "user", "Haruka", text, NOON)]


@pytest.mark.parametrize("mode", ["json_schema", "json_object"])
async def test_a_client_extracts(model: OpenAIServer, client_of: Callable[..., Any], mode: str) -> None:
    model.script_facts({TEXT: [FACT]})
    chat = GraphitiChat(client_of(structured_output_mode=mode), timeout=20)
    found = await LLMExtractor(chat).extract(said())
    assert [(c.subject.name, c.predicate, c.object.name) for c in found.candidates] == [
        ("Fenella", "skates_on", "Fridays")
    ]
    (asked,) = model.requests
    assert asked["response_format"]["type"] == mode
    if mode == "json_schema":
        named = asked["response_format"]["json_schema"]
        assert named["name"] == "facts"
        assert "subject_is_speaker" in str(named["schema"])


async def test_a_client_that_counts_tells_what_a_call_costs(client_of: Callable[..., Any], model: OpenAIServer) -> None:
    client = client_of()
    chat = GraphitiChat(client, timeout=20)
    asked = client._generate_response

    async def and_counts(*arguments: Any, **more: Any) -> Any:
        answer = await asked(*arguments, **more)
        client.token_tracker.record("graphmem.facts", 120, 30)
        return answer

    client._generate_response = and_counts
    found = await LLMExtractor(chat).extract(said())
    assert (found.prompt_tokens, found.completion_tokens) == (120, 30)
    assert client.token_tracker.get_total_usage().total_tokens == 150


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("http_500", "server_error"),
        ("http_402", "quota_exceeded"),
        ("refuse_connection", "unreachable"),
        ("schema_echo", "schema_echo"),
    ],
)
async def test_failures_have_a_reason_and_no_text(
    model: OpenAIServer, client_of: Callable[..., Any], caplog: pytest.LogCaptureFixture, mode: str, reason: str
) -> None:
    model.inject("llm", mode, times="always")
    with pytest.raises(ProviderError) as caught:
        await LLMExtractor(GraphitiChat(client_of(), timeout=30)).extract(said())
    assert caught.value.reason == reason
    assert "Fenella" not in str(caught.value) + caplog.text


@pytest.mark.parametrize("mode", ["empty_string", "truncated", "http_429"])
async def test_the_time_limit_holds_while_a_client_repeats(
    model: OpenAIServer, client_of: Callable[..., Any], caplog: pytest.LogCaptureFixture, mode: str
) -> None:
    model.inject("llm", mode, times="always")  # the package waits five seconds and more before it asks again
    with pytest.raises(ProviderError) as caught:
        await LLMExtractor(GraphitiChat(client_of(), timeout=1.5)).extract(said())
    assert caught.value.reason == "timeout"
    assert "Fenella" not in caplog.text


async def test_a_refusal_is_asked_again_and_then_told(client_of: Callable[..., Any]) -> None:
    from graphiti_core.llm_client.errors import RefusalError

    client = client_of()

    async def refuses(*arguments: Any, **more: Any) -> Any:
        raise RefusalError("no")

    client._generate_response = refuses
    with pytest.raises(ProviderError) as caught:
        await LLMExtractor(GraphitiChat(client)).extract(said())
    assert caught.value.reason == "refused"


async def test_an_embedder_client_embeds(embedder: GraphitiEmbedder, model: OpenAIServer) -> None:
    await embedder.prepare()
    assert embedder.identity.name == "graphiti:text-embedding-3-small"
    assert embedder.identity.dimension == model.dimension
    passages = await embedder.embed_passages([TEXT, "x" * 9_000])
    assert passages.shape == (2, model.dimension)
    query = await embedder.embed_query(TEXT)
    assert float(passages[0] @ query) == pytest.approx(1.0, abs=1e-5)
    calls = model.calls["embedder"]
    await embedder.embed_query(TEXT)
    assert model.calls["embedder"] == calls
    assert (await embedder.embed_passages([])).shape == (0, model.dimension)


@pytest.mark.parametrize(
    ("mode", "value", "reason"),
    [
        ("dimension", 8, "wrong_dimension"),
        ("zero_vector", None, "bad_vector"),
        ("nan_vector", None, "bad_vector"),
        ("http_402", None, "quota_exceeded"),
    ],
)
async def test_bad_vectors_are_refused(
    embedder: GraphitiEmbedder, model: OpenAIServer, mode: str, value: Any, reason: str
) -> None:
    await embedder.prepare()
    model.inject("embedder", mode, value, times="always")
    with pytest.raises(ProviderError) as caught:
        await embedder.embed_query(TEXT)
    assert caught.value.reason == reason


@pytest.fixture
async def cross_encoder(model: OpenAIServer) -> AsyncIterator[Any]:
    load_graphiti()
    from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
    from graphiti_core.llm_client.config import LLMConfig

    client = OpenAIRerankerClient(LLMConfig(api_key="test", base_url=model.url, model="m"))
    yield client
    await client.client.close()


async def test_a_cross_encoder_scores_by_position(model: OpenAIServer, cross_encoder: Any) -> None:
    model.relevance = {"tea": 0.25, "skates": 0.9, "gate": 0.6}
    reranker = GraphitiReranker(cross_encoder, timeout=10)
    texts = ["Fenella likes tea", TEXT, "Fenella likes tea", "The gate was fixed."]
    assert list(await reranker.rerank("When does she skate?", texts)) == pytest.approx([0.25, 0.9, 0.25, 0.6])
    assert model.calls["llm"] == 3
    assert reranker.name == "graphiti:m"
    assert list(await reranker.rerank("When?", [])) == []


@pytest.mark.parametrize(("mode", "reason"), [("http_402", "quota_exceeded"), ("refuse_connection", "unreachable")])
async def test_a_cross_encoder_that_fails_has_a_reason_and_no_text(
    model: OpenAIServer, cross_encoder: Any, caplog: pytest.LogCaptureFixture, mode: str, reason: str
) -> None:
    model.inject("llm", mode, times="always")
    with pytest.raises(ProviderError) as caught:
        await GraphitiReranker(cross_encoder, timeout=20).rerank("When?", [TEXT])
    assert caught.value.reason == reason
    assert "Fenella" not in str(caught.value) + caplog.text


async def test_a_cross_encoder_that_loses_a_text_or_takes_too_long(model: OpenAIServer, cross_encoder: Any) -> None:
    rank = cross_encoder.rank

    async def all_but_one(query: str, passages: list[str]) -> Any:
        return (await rank(query, passages))[1:]

    cross_encoder.rank = all_but_one
    with pytest.raises(ProviderError) as caught:
        await GraphitiReranker(cross_encoder).rerank("When?", [TEXT, "Other."])
    assert caught.value.reason == "bad_answer"
    cross_encoder.rank = rank
    model.inject("llm", "delay", 1.0, times="always")
    with pytest.raises(ProviderError) as caught:
        await GraphitiReranker(cross_encoder, timeout=0.2).rerank("When?", [TEXT])
    assert caught.value.reason == "timeout"


async def test_a_memory_reads_with_a_client(
    neo4j_settings: Settings, store_id: str, model: OpenAIServer, client_of: Callable[..., Any]
) -> None:
    model.script_facts({TEXT: [FACT]})
    async with Memory.open(neo4j_settings, chat=GraphitiChat(client_of())) as memory:
        body = {"scope": {"actor_id": "haruka"}, "text": TEXT}
        told = await memory.remember(store_id, RememberRequest.model_validate(body))
        assert (told.usage.extractor, told.usage.llm_calls) == ("llm", 1)
        page = await memory.list_facts(store_id, FactQuery(actor_id="haruka"))
    assert [fact.predicate for fact in page.items] == ["skates_on"]


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphiti_core", None)
    with pytest.raises(ConfigurationError, match=r"graphmem\[graphiti\]"):
        GraphitiChat(None)  # type: ignore[arg-type]


def test_the_package_sends_nothing_and_reads_no_env_file(tmp_path: Any) -> None:
    (tmp_path / ".env").write_text("EMBEDDING_DIM=7\n")
    code = (
        "from graphmem.providers.graphiti_package import load_graphiti; load_graphiti()\n"
        "from graphiti_core.telemetry.telemetry import is_telemetry_enabled\n"
        "import os; print(is_telemetry_enabled(), os.environ.get('EMBEDDING_DIM'))\n"
        "print('PYTHON_DOTENV_DISABLED' in os.environ)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "None", "False"]
