"""Sessions and tools of the OpenAI Agents SDK: its own runner, with a scripted server for the model."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from agents.memory import Session, SessionSettings
from openai import AsyncOpenAI

from graphmem import Memory
from graphmem.errors import DatabaseUnavailable, InvalidInput
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.scope import Scope, SessionScope
from graphmem.models.session import SessionMessage, SessionMessageIn, SessionMessagesIn
from graphmem.plugins.openai_agents import GraphMemSession, memory_tools
from graphmem.plugins.tools import TOOLS
from tests.support.openai_server import OpenAIServer
from tests.support.tree import ROOT

Make = Callable[..., GraphMemSession]
SEALED = base64.b64encode(bytes(range(256)) * 4).decode()


@pytest.fixture(autouse=True)
def _untraced() -> None:
    set_tracing_disabled(True)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


@pytest.fixture
async def model_client(server: OpenAIServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=server.url, api_key="test", max_retries=0) as client:
        yield client


@pytest.fixture
def make(backend: Any, store_id: str) -> Make:
    """A session of the test's store, Maya's unless another is named."""

    def made(session_id: str = "s-1", actor: str = "maya", **options: Any) -> GraphMemSession:
        return GraphMemSession(session_id, backend, actor=actor, store=store_id, **options)

    return made


def response(*output: dict[str, Any]) -> dict[str, Any]:
    """An answer of the Responses API."""
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "test",
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage | details,
    }


def said(text: str, number: int = 1) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": content}


def chat(content: str | None, **calls: dict[str, Any]) -> dict[str, Any]:
    """An answer of chat completions, with calls of tools."""
    made = [
        {
            "id": f"call_{uuid.uuid4().hex}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for name, arguments in calls.items()
    ]
    message = {"role": "assistant", "content": content, "refusal": None} | ({"tool_calls": made} if made else {})
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop", "logprobs": None}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "test", "choices": [choice], "usage": usage}


@function_tool
def weather(city: str) -> str:
    """Tells the weather."""
    return f"{city}は晴れ"


async def kept(memory: Memory, store_id: str, session: str = "s-1", actor: str = "maya") -> list[SessionMessage]:
    return list((await memory.sessions.messages(store_id, actor, session, page_size=200)).items)


async def test_a_conversation_goes_on_as_it_was(
    memory: Memory, store_id: str, make: Make, server: OpenAIServer, model_client: AsyncOpenAI
) -> None:
    reasoning = {
        "id": "rs_1",
        "type": "reasoning",
        "status": "completed",
        "encrypted_content": SEALED,
        "summary": [{"type": "summary_text", "text": "考え中"}],
    }
    call = {
        "id": "fc_1",
        "type": "function_call",
        "call_id": "call_1",
        "name": "weather",
        "status": "completed",
        "arguments": '{"city": "大阪"}',
    }
    server.script = [response(reasoning, call), response(said("晴れです。")), response(said("Again 晴れ.", 2))]
    agent = Agent(name="a", model=OpenAIResponsesModel("test", model_client), tools=[weather])
    session: Session = make()
    assert isinstance(session, Session)
    assert (await Runner.run(agent, "大阪の天気は?", session=session)).final_output == "晴れです。"
    assert (await Runner.run(agent, "And now?", session=make())).final_output == "Again 晴れ."
    sent = server.requests[-1]["input"]
    assert sent[0] == {"role": "user", "content": "大阪の天気は?"}
    assert sent[1] == reasoning
    assert sent[2] == call
    assert sent[3] == {"type": "function_call_output", "call_id": "call_1", "output": "大阪は晴れ"}
    assert sent[4]["content"] == said("晴れです。")["content"]
    assert sent[5] == {"role": "user", "content": "And now?"}
    assert len(sent) == 6
    rows = await kept(memory, store_id)
    assert [(m.role, m.content) for m in rows] == [
        ("user", "大阪の天気は?"),
        ("assistant", ""),
        ("assistant", ""),
        ("tool", "大阪は晴れ"),
        ("assistant", "晴れです。"),
        ("user", "And now?"),
        ("assistant", "Again 晴れ."),
    ]
    assert (await memory.list_episodes(store_id, "maya")).items == ()
    assert (await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items == ()


ITEMS: list[Any] = [
    {"role": "developer", "content": "Be kind.", "type": "message"},
    {"role": "user", "content": [{"type": "input_text", "text": "See:"}, {"type": "input_image", "image_url": "x:y"}]},
    {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": SEALED, "content": None},
    {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot", "file_id": "f"}},
    {"type": "function_call_output", "call_id": "d", "output": [{"type": "input_text", "text": "結果"}]},
    {"role": "user", "content": ""},
    {"role": "user", "content": "x" * 60_000},
    {"role": "user", "content": "Yes."},
    {"role": "user", "content": "Yes."},
]


async def test_items_come_back_exactly_and_in_order(memory: Memory, store_id: str, make: Make) -> None:
    session = make()
    assert await session.get_items() == []
    await session.add_items(ITEMS[:4])
    await session.add_items([])
    await session.add_items(ITEMS[4:])
    assert await make().get_items() == ITEMS
    rows = await kept(memory, store_id)
    assert [m.role for m in rows] == ["system", "user", "assistant", "tool", "tool", *["user"] * 4]
    assert [m.content for m in rows][:5] == ["Be kind.", "See:", "", "", "結果"]


async def test_it_does_what_the_sdk_s_own_session_does(make: Make) -> None:
    own, reference = make(), SQLiteSession("s-1")
    many: list[Any] = [{"role": "user", "content": f"Line {n}."} for n in range(501)]
    for session in (own, reference):
        await session.add_items(ITEMS[:3])
        await session.add_items(many)
    for limit in (None, 0, 1, 200, 450, 10_000):
        assert await own.get_items(limit) == await reference.get_items(limit), limit
    own.session_settings = reference.session_settings = SessionSettings(limit=2)
    assert await own.get_items() == await reference.get_items()
    assert await own.get_items(limit=3) == await reference.get_items(limit=3)
    own.session_settings = reference.session_settings = None
    for _ in range(3):
        assert await own.pop_item() == await reference.pop_item()
    assert await own.get_items() == await reference.get_items()
    for session in (own, reference):
        await session.add_items([many[0]])
    assert await own.get_items(5) == await reference.get_items(5)
    for session in (own, reference):
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items(many[:2])
        assert await session.get_items() == many[:2]
    reference.close()


async def test_of_those_who_pop_at_once_each_gets_another_item(make: Make) -> None:
    items: list[Any] = [{"role": "user", "content": f"Line {n}."} for n in range(4)]
    await make().add_items(items)
    popped = await asyncio.gather(*(make().pop_item() for _ in range(5)))
    assert sorted(item["content"] for item in popped if item) == [f"Line {n}." for n in range(4)]  # type: ignore[typeddict-item]
    assert popped.count(None) == 1


async def test_clearing_leaves_what_was_remembered(memory: Memory, store_id: str, make: Make) -> None:
    scope = Scope(actor_id="maya", session_id="s-1")
    await memory.remember(store_id, RememberRequest(scope=scope, text="I live in Osaka."))
    await make().add_items(ITEMS[:2])
    await make().clear_session()
    assert len((await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items) == 1


async def test_sessions_and_users_do_not_mix(make: Make) -> None:
    for place in (("s/1", "maya"), ("s", "maya"), ("s/1", "ben"), ("..", "ben")):
        await make(*place).add_items([{"role": "user", "content": str(place)}])
    for place in (("s/1", "maya"), ("s", "maya"), ("s/1", "ben"), ("..", "ben")):
        assert await make(*place).get_items() == [{"role": "user", "content": str(place)}]
    await make("s/1", "maya").clear_session()
    assert await make("s/1", "ben").get_items() == [{"role": "user", "content": "('s/1', 'ben')"}]
    for wrong in ({"session_id": ""}, {"actor": " "}, {"session_id": "x" * 300}, {"agent_id": ""}):
        with pytest.raises(InvalidInput):
            make(**wrong)


async def test_what_others_have_kept_in_the_session_is_read_as_text(memory: Memory, store_id: str, make: Make) -> None:
    others = [
        SessionMessageIn(id="m-1", role="user", content="Hi."),
        SessionMessageIn(id="m-2", role="assistant", data={"contents": []}),
        SessionMessageIn(id="m-3", role="tool", content="42"),
    ]
    request = SessionMessagesIn(scope=SessionScope(actor_id="maya"), messages=tuple(others))
    await memory.sessions.save_messages(store_id, "s-1", request)
    assert await make().get_items() == [{"role": "user", "content": "Hi."}]
    assert await make().pop_item() == {"role": "user", "content": "Hi."}
    assert await make().pop_item() is None


@pytest.mark.parametrize("item", [{"role": "user", "content": object()}, {"role": "user", "content": "x" * 200_001}])
async def test_what_cannot_be_kept_is_refused_as_a_whole(make: Make, item: Any) -> None:
    with pytest.raises(InvalidInput):
        await make().add_items([{"role": "user", "content": "Hi."}, item])
    assert await make().get_items() == []


async def test_secrets_are_taken_out_and_told_without_their_text(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    with caplog.at_level(logging.WARNING, logger="graphmem"):
        await make().add_items([{"role": "user", "content": f"My key is {key}."}])
    assert key not in str(await make().get_items())
    assert "Secrets were taken out" in caplog.text
    assert key not in caplog.text
    assert "My key" not in caplog.text


async def test_a_model_saves_searches_and_forgets(
    memory: Memory, backend: Any, store_id: str, make: Make, server: OpenAIServer, model_client: AsyncOpenAI
) -> None:
    server.script = [
        chat(None, save_memory={"text": "I live in Osaka."}),
        chat(None, search_memory={"query": "Where does Maya live?"}),
        chat(None, list_memories={}),
        chat(None, search_memory={"actor_id": "ben", "query": "x"}),
        chat(None, forget_memory={"query": "lives in Osaka", "mode": "erase"}),
        chat("Done."),
    ]
    tools = memory_tools(backend, actor="maya", store=store_id, session_id="s-1", agent_id="travel")
    assert {tool.name for tool in tools} == set(TOOLS)
    agent = Agent(name="a", model=OpenAIChatCompletionsModel("test", model_client), tools=list(tools))
    session = make()
    assert (await Runner.run(agent, "Go.", session=session)).final_output == "Done."
    results = [item["output"] for item in await session.get_items() if item.get("type") == "function_call_output"]  # type: ignore[typeddict-item]
    saved, found, listed, wrong, forgotten = map(str, results)
    assert saved.startswith("Saved.")
    for text in (found, listed):
        assert "maya lives in Osaka" in text
        assert text.count("</memory-context>") == 1
    assert wrong.startswith("Error: actor_id: is not an argument")
    assert forgotten.startswith("Erased for good: 1 facts")
    assert (await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items == ()
    assert (await memory.list_episodes(store_id, "maya")).items == ()
    offered = {tool["function"]["name"]: tool["function"] for tool in server.requests[0]["tools"]}
    assert offered["search_memory"]["parameters"]["required"] == ["query"]


async def test_what_a_tool_gave_is_kept_and_not_remembered(
    memory: Memory, backend: Any, store_id: str, make: Make, server: OpenAIServer, model_client: AsyncOpenAI
) -> None:
    await memory.remember(store_id, RememberRequest(scope=Scope(actor_id="maya"), text="I live in Osaka."))
    server.script = [chat(None, look_back={"query": "Where do I live?"}), chat("In Osaka.")]
    tools = memory_tools(backend, actor="maya", store=store_id, tools={"search_memory": "look_back"})
    agent = Agent(name="a", model=OpenAIChatCompletionsModel("test", model_client), tools=list(tools))
    await Runner.run(agent, "Where do I live?", session=make())
    assert any("Osaka" in m.content for m in await kept(memory, store_id) if m.role == "tool")
    assert [e.content for e in (await memory.list_episodes(store_id, "maya")).items] == ["I live in Osaka."]


async def test_forgetting_waits_for_approval(
    memory: Memory, backend: Any, store_id: str, make: Make, server: OpenAIServer, model_client: AsyncOpenAI
) -> None:
    await memory.remember(store_id, RememberRequest(scope=Scope(actor_id="maya"), text="I live in Osaka."))
    server.script = [chat(None, forget_memory={"query": "lives in Osaka", "mode": "erase"}), chat("Gone.")]
    tools = memory_tools(backend, actor="maya", store=store_id, approve_forget=True)
    agent = Agent(name="a", model=OpenAIChatCompletionsModel("test", model_client), tools=list(tools))
    stopped = await Runner.run(agent, "Forget it.", session=make())
    assert [asked.name for asked in stopped.interruptions] == ["forget_memory"]
    assert len((await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items) == 1
    state = stopped.to_state()
    state.approve(stopped.interruptions[0])
    assert (await Runner.run(agent, state, session=make())).final_output == "Gone."
    assert (await memory.list_facts(store_id, FactQuery(actor_id="maya"))).items == ()


class Away:
    """A memory whose database cannot be reached."""

    def __getattr__(self, name: str) -> Any:
        raise DatabaseUnavailable("The database cannot be reached.")


async def test_a_memory_that_is_away() -> None:
    away: Any = Away()
    session = GraphMemSession("s-1", away, actor="maya")
    for call in (session.get_items(), session.add_items(ITEMS[:1]), session.pop_item(), session.clear_session()):
        with pytest.raises(DatabaseUnavailable):
            await call
    (search,) = memory_tools(away, actor="maya", tools=["search_memory"])
    nobody: Any = None
    answer = await search.on_invoke_tool(nobody, '{"query": "tea"}')
    assert answer == "Error: The memory cannot be reached now. Go on without it, and try again later."
    for odd in ("[1]", "{", '"x"'):
        assert (await search.on_invoke_tool(nobody, odd)).startswith("Error: The arguments")
    for wrong in ({"tools": ["none"]}, {"tools": {"search_memory": "a", "save_memory": "a"}}, {"agent_id": " "}):
        with pytest.raises(InvalidInput):
            memory_tools(away, actor="maya", **wrong)  # type: ignore[arg-type]


def test_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['agents'] = None\nimport graphmem.plugins.openai_agents"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "pip install 'graphmem[openai-agents]'" in done.stderr
