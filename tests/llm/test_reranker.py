"""Mode `semantic` on the real Neo4j, with a scripted reranker behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.models.episode import RememberRequest
from graphmem.models.manage import StorePatch
from graphmem.models.recall import RecallRequest, RecallResult
from graphmem.providers.graphiti_package import load_graphiti
from graphmem.providers.graphiti_reranker import GraphitiReranker
from tests.support.openai_server import OpenAIServer

DRINKS = ["tea", "coffee", "cocoa", "lemonade", "mint tea", "green tea"]
QUERY = "What does Haruka like to drink?"


@pytest.fixture(scope="session")
async def reranking(neo4j_settings: Settings, running_model: OpenAIServer) -> AsyncIterator[Memory]:
    changes = {"reranker": "endpoint", "reranker_base_url": running_model.url, "reranker_timeout": 2.0}
    async with Memory.open(neo4j_settings.model_copy(update=changes), work=False) as opened:
        yield opened


@pytest.fixture
async def drinks(reranking: Memory, model: OpenAIServer, store_id: str) -> str:
    """A store in which Haruka likes six drinks, one of them for her health."""
    facts = [{"subject": "user", "predicate": "likes", "object": f"drinking {drink}"} for drink in DRINKS]
    body = {"scope": {"actor_id": "haruka"}, "text": "Drinks.", "facts": facts, "extraction": "none"}
    told = await reranking.remember(store_id, RememberRequest.model_validate(body))
    assert len(told.facts) == len(DRINKS)
    return store_id


async def recall(memory: Memory, store: str, query: str = QUERY, **more: Any) -> RecallResult:
    body = {"scope": {"actor_id": "haruka"}, "query": query, "kinds": ["fact"], "mode": "semantic", **more}
    return await memory.recall(store, RecallRequest.model_validate(body))


def objects(result: RecallResult) -> list[str]:
    return [item.text.rpartition("drinking ")[2] for item in result.items]


async def test_the_reranker_orders_and_the_parts_of_the_score_are_shown(
    reranking: Memory, model: OpenAIServer, drinks: str
) -> None:
    model.relevance = {"cocoa": 0.9, "drinking lemonade": 0.7, "": 0.1}
    hybrid = await recall(reranking, drinks, mode="hybrid", limit=20)
    assert model.calls["reranker"] == 0
    result = await recall(reranking, drinks, limit=20, explain=True)
    assert objects(result)[:2] == ["cocoa", "lemonade"]
    assert sorted(objects(result)) == sorted(objects(hybrid)) == sorted(DRINKS)
    assert result.degraded == ()
    known = {item.id: item.score for item in hybrid.items}
    for item in result.items:
        assert item.scores["hybrid"] == pytest.approx(known[item.id], abs=0.02)  # it was recalled since
        assert item.score == pytest.approx(0.7 * item.scores["rerank"] + 0.3 * item.scores["hybrid"], abs=2e-4)
    assert result.audit.passed is not None
    assert [judged.id for judged in result.audit.passed] == [item.id for item in result.items]
    assert result.context.index("cocoa") < result.context.index("lemonade") < result.context.index("coffee")


async def test_one_from_beyond_the_limit_is_found(reranking: Memory, model: OpenAIServer, drinks: str) -> None:
    last = objects(await recall(reranking, drinks, mode="hybrid", limit=6))[-1]
    model.relevance = {f"drinking {last}": 1.0, "": 0.0}
    result = await recall(reranking, drinks, limit=1)
    assert objects(result) == [last]
    assert result.audit.reasons == {"over_budget": 5}
    assert [len(request["documents"]) for request in model.requests] == [6]


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
async def test_other_modes_never_ask(reranking: Memory, model: OpenAIServer, drinks: str, mode: str) -> None:
    result = await recall(reranking, drinks, mode=mode)
    assert result.items
    assert not result.degraded
    assert model.calls["reranker"] == 0


@pytest.mark.parametrize("mode", ["http_500", "http_401", "refuse_connection", "missing", "nan", "delay"])
async def test_a_reranker_that_fails_gives_the_hybrid_answer(
    reranking: Memory, model: OpenAIServer, drinks: str, caplog: pytest.LogCaptureFixture, mode: str
) -> None:
    hybrid = await recall(reranking, drinks, mode="hybrid", dry_run=True)
    model.inject("reranker", mode, 2.5, times="always")
    result = await recall(reranking, drinks)
    assert result.degraded == ("reranker",)
    assert [(item.id, item.score) for item in result.items] == [(item.id, item.score) for item in hybrid.items]
    assert not any("rerank" in item.scores for item in result.items)
    assert "drinking" not in caplog.text


async def test_without_a_reranker_the_answer_says_so(memory: Memory, drinks: str) -> None:
    hybrid = await recall(memory, drinks, mode="hybrid", dry_run=True)
    result = await recall(memory, drinks)
    assert result.degraded == ("no_reranker",)
    assert objects(result) == objects(hybrid)


async def test_what_the_gate_holds_back_is_not_sent(reranking: Memory, model: OpenAIServer, store_id: str) -> None:
    said = [("haruka", "takes insulin for diabetes"), ("haruka", "collects tea tins"), ("rin", "sells tea")]
    for actor, words in said:
        predicate, _, object_ = words.partition(" ")
        given = [{"subject": "user", "predicate": predicate, "object": object_}]
        body = {"scope": {"actor_id": actor}, "text": f"I said: {words}", "facts": given, "extraction": "none"}
        await reranking.remember(store_id, RememberRequest.model_validate(body))
    gate = {"gate": {"hide_sensitivity": ["health"]}}
    await reranking.update_store(store_id, StorePatch.model_validate({"settings": gate}))
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    asked = f"diabetes insulin tea tins {secret}"
    result = await recall(reranking, store_id, asked, kinds=["fact", "episode"], gate={"min_score": 0})
    assert result.audit.reasons == {"sensitive": 2}
    (request,) = model.requests
    assert len(request["documents"]) == len(result.items) == 2
    assert all("collects tea tins" in text for text in request["documents"])
    assert secret not in request["query"]


async def test_the_gate_looks_at_the_hybrid_score(reranking: Memory, model: OpenAIServer, drinks: str) -> None:
    model.relevance = {"": 0.0}
    result = await recall(reranking, drinks, gate={"min_score": 0.2})
    assert result.items
    assert all(item.score < 0.2 + 0.3 and item.scores["hybrid"] >= 0.2 for item in result.items)
    model.relevance = {"": 1.0}
    above = max(item.scores["hybrid"] for item in result.items) + 0.005
    assert above < 0.7 + 0.3 * (above - 0.005), "what the reranker likes best would pass by its final score"
    assert not (await recall(reranking, drinks, gate={"min_score": above})).items


async def test_a_question_in_the_first_person_is_asked_about_its_owner(
    reranking: Memory, model: OpenAIServer, drinks: str
) -> None:
    await recall(reranking, drinks, "What do I like to drink?")
    assert [request["query"] for request in model.requests] == ["What does haruka like to drink?"]


async def test_a_language_model_grades_within_the_budget(
    model_settings: Settings, model: OpenAIServer, drinks: str
) -> None:
    model.relevance = {"cocoa": 0.9, "": 0.1}
    settings = model_settings.model_copy(update={"reranker": "llm"})
    budget = {"settings": {"budget": {"calls_per_day": 1}}}
    async with Memory.open(settings, work=False) as memory:
        await memory.update_store(drinks, StorePatch.model_validate(budget))
        first = await recall(memory, drinks)
        used = await memory.store_usage(drinks)
        second = await recall(memory, drinks)
    assert objects(first)[0] == "cocoa"
    assert first.degraded == ()
    assert (used.llm_calls, model.calls["grades"]) == (1, 1)
    assert used.prompt_tokens > 0
    assert second.degraded == ("reranker",)


async def test_a_cross_encoder_of_graphiti_orders(neo4j_settings: Settings, model: OpenAIServer, drinks: str) -> None:
    load_graphiti()
    from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
    from graphiti_core.llm_client.config import LLMConfig

    model.relevance = {"cocoa": 0.9, "": 0.1}
    client = OpenAIRerankerClient(LLMConfig(api_key="test", base_url=model.url, model="m"))
    async with Memory.open(neo4j_settings, reranker=GraphitiReranker(client), work=False) as memory:
        result = await recall(memory, drinks)
    assert objects(result)[0] == "cocoa"
    assert result.degraded == ()
    await client.client.close()
