"""An agent of Agent Framework that uses the memory over MCP, with a bearer token and no provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("mcp", reason="the MCP server is an extra")

from agent_framework import Agent, Content, MCPStreamableHTTPTool
from agent_framework.exceptions import ToolException
from pydantic import SecretStr

from graphmem import Memory
from graphmem.models.fact import FactQuery

from .scripted import ScriptedChatClient
from .test_mcp import KEY, served

if TYPE_CHECKING:
    from graphmem.config import Settings


async def test_an_agent_saves_and_searches(neo4j_settings: Settings, memory: Memory, store_id: str) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "X-Graphmem-Actor": "maya", "X-Graphmem-Store": store_id}
    client = ScriptedChatClient(
        Content.from_function_call("c1", "save_memory", arguments={"text": "I live in Osaka."}),
        Content.from_function_call("c2", "search_memory", arguments={"query": "Where do I live?"}),
        "In Osaka.",
    )
    async with served(neo4j_settings, memory, api_key=SecretStr(KEY)) as url:
        tool = MCPStreamableHTTPTool(
            name="graphmem", url=url, load_prompts=False, static_headers=headers, request_timeout=280
        )
        async with tool, Agent(client, tools=[tool]) as agent:
            answer = await agent.run("Remember where I live.")
    assert answer.text == "In Osaka."
    results = [c for m in client.calls[-1][0] for c in m.contents if c.type == "function_result"]
    assert "maya lives in Osaka" in str(results[1].result)
    assert [f.text for f in (await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items] == [
        "maya lives in Osaka"
    ]


async def test_without_the_token_there_are_no_tools(neo4j_settings: Settings, memory: Memory) -> None:
    async with served(neo4j_settings, memory, api_key=SecretStr(KEY)) as url:
        tool = MCPStreamableHTTPTool(
            name="graphmem", url=url, load_prompts=False, static_headers={"X-Graphmem-Actor": "maya"}
        )
        with pytest.raises(ToolException, match="MCP session"):
            async with tool:
                pass
