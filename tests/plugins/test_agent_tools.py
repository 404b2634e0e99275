"""The memory tools inside Agent Framework, under the names that the user gives them."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from agent_framework import Agent, Content

from graphmem import Memory
from graphmem.errors import DatabaseUnavailable, InvalidInput
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.scope import Scope
from graphmem.plugins.agent_framework import GraphMemContextProvider
from graphmem.plugins.tools import TOOLS

from .scripted import ScriptedChatClient


@pytest.fixture
def provider(backend: Any, store_id: str) -> Any:
    def made(**options: Any) -> GraphMemContextProvider:
        given = {"user_id": "maya", "search_user_id": "maya", "recall": False, "recall_timeout": 250.0, **options}
        return GraphMemContextProvider(memory=backend, store=store_id, remember_timeout=250.0, **given)

    return made


def call(name: str, **arguments: Any) -> Content:
    return Content.from_function_call(f"c-{name}", name, arguments=arguments)


async def run(provider: GraphMemContextProvider, *script: Any, text: str = "Go.") -> ScriptedChatClient:
    client = ScriptedChatClient(*script)
    agent = Agent(client, context_providers=[provider])
    await agent.run(text, session=agent.create_session(session_id="s-1"))
    return client


def results(client: ScriptedChatClient) -> list[str]:
    """What the model was given by its calls of tools."""
    contents = [c for m in client.calls[-1][0] for c in m.contents if c.type == "function_result"]
    return [str(c.result) for c in contents]


async def test_a_model_saves_searches_lists_and_forgets(memory: Memory, store_id: str, provider: Any) -> None:
    script = [
        call("save_memory", text="I live in Osaka."),
        call("search_memory", query="Where does Maya live?"),
        call("list_memories"),
        call("get_user_profile"),
        call("forget_memory", query="lives in Osaka", mode="erase"),
        "Done.",
    ]
    client = await run(provider(tools=True), *script)
    saved, found, listed, profile, forgotten = results(client)
    assert saved.startswith("Saved.")
    for text in (found, listed, profile):
        assert "maya lives in Osaka" in text
        assert text.count("</memory-context>") == 1
    assert forgotten.startswith("Erased for good: 1 facts")
    assert (await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items == ()
    assert {t.name for t in client.options(0)["tools"]} == set(TOOLS)


async def test_what_a_tool_gave_is_not_remembered(memory: Memory, store_id: str, provider: Any) -> None:
    await memory.remember(store_id, RememberRequest(scope=Scope(actor_id="maya"), text="I live in Osaka."))
    client = await run(provider(tools=["search_memory"]), call("search_memory", query="Where do I live?"), "I see.")
    assert "Osaka" in results(client)[0]
    said = [e.content for e in (await memory.list_episodes(store_id, "maya")).items]
    assert said == ["I live in Osaka.", "Go.", "I see."]


async def test_tools_under_other_names_and_with_approval(provider: Any) -> None:
    names = {"search_memory": "look_back", "forget_memory": "let_go"}
    client = await run(provider(tools=names, approve_forget=True), call("look_back", query="tea"), "Done.")
    tools = {t.name: t for t in client.options(0)["tools"]}
    assert set(tools) == {"look_back", "let_go"}
    assert tools["let_go"].approval_mode == "always_require"
    assert "look_back" not in tools["look_back"].description
    assert results(client) == ["Nothing is known about this."]


async def test_two_providers_with_the_same_tools_need_names_of_their_own(provider: Any) -> None:
    first, second = provider(tools=["search_memory"]), provider(tools=["search_memory"])
    second.source_id = "second"
    agent = Agent(ScriptedChatClient(), context_providers=[first, second])
    with pytest.raises(ValueError, match="search_memory"):
        await agent.run("Go.", session=agent.create_session())
    renamed = GraphMemContextProvider(
        "second", memory=Dead(), search_user_id="team", recall=False, tools={"search_memory": "search_team"}
    )
    agent = Agent(ScriptedChatClient(), context_providers=[first, renamed])
    assert (await agent.run("Go.", session=agent.create_session())).text == "Noted."


async def test_only_tools_that_the_scopes_allow(provider: Any) -> None:
    client = await run(provider(tools=True, user_id=None))
    assert {t.name for t in client.options(0)["tools"]} == {"search_memory", "list_memories", "get_user_profile"}
    client = await run(provider(tools=True, search_user_id=None))
    assert {t.name for t in client.options(0)["tools"]} == {"save_memory", "forget_memory"}


class Dead:
    """A backend whose database is away."""

    async def recall(self, *_: Any, **__: Any) -> Any:
        raise DatabaseUnavailable("The database cannot be reached.")

    remember = recall


async def test_what_goes_wrong_is_told_to_the_model(provider: Any, caplog: pytest.LogCaptureFixture) -> None:
    dead = GraphMemContextProvider(memory=Dead(), search_user_id="maya", recall=False, tools=True)
    with caplog.at_level(logging.DEBUG, "graphmem"):
        client = await run(dead, call("search_memory", query="my secret plan"), "Done.")
    assert results(client) == ["Error: The memory cannot be reached now. Go on without it, and try again later."]
    assert "secret" not in caplog.text
    client = await run(provider(tools=True), call("search_memory", query="tea", limit=10_000), "Done.")
    assert results(client)[0].startswith("Error: limit: ")


def test_a_tool_that_is_not_there(provider: Any) -> None:
    with pytest.raises(InvalidInput, match="no tool"):
        provider(tools=["search_the_web"])
    with pytest.raises(InvalidInput, match="one name"):
        provider(tools={"search_memory": "memory", "list_memories": "memory"})
