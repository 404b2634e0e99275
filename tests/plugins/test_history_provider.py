"""The history provider on the real framework, with scripted answers of the model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from agent_framework import (
    Agent,
    AgentSession,
    Content,
    ContextProvider,
    Message,
    SessionContext,
    SlidingWindowStrategy,
    SummarizationStrategy,
)

from graphmem import Memory
from graphmem.errors import DatabaseUnavailable
from graphmem.models.manage import ForgetRequest, ForgetTarget
from graphmem.models.scope import Scope
from graphmem.models.session import SessionMessage
from graphmem.plugins.agent_framework import GraphMemContextProvider, GraphMemHistoryProvider

from .scripted import ScriptedChatClient

Make = Callable[..., GraphMemHistoryProvider]
PATIENT = {"timeout": 250.0}


@pytest.fixture
def make(backend: Any, store_id: str) -> Make:
    """A history of the test's store, of the user Maya unless another is named."""

    def made(source_id: str = "graphmem_history", **options: Any) -> GraphMemHistoryProvider:
        given = {"user_id": "maya", **PATIENT, **options}
        return GraphMemHistoryProvider(source_id, memory=backend, store=store_id, **given)

    return made


@pytest.fixture
def long_term(backend: Any, store_id: str) -> GraphMemContextProvider:
    """Long-term memory that remembers only what it is offered."""
    return GraphMemContextProvider(
        memory=backend, store=store_id, user_id="maya", recall=False, remember_timeout=250.0, extraction="none"
    )


async def kept(memory: Memory, store: str, session: str = "s-1", user: str = "maya") -> list[SessionMessage]:
    return list((await memory.sessions.messages(store, user, session, page_size=200)).items)


def weather(city: str) -> str:
    """Tells the weather."""
    return f"晴れ in {city}"


def a_call() -> Content:
    return Content.from_function_call("call-1", "weather", arguments={"city": "大阪"})


async def test_a_conversation_goes_on_where_it_ended(memory: Memory, store_id: str, make: Make) -> None:
    client = ScriptedChatClient("Hello Maya.", "You said hi.")
    session = AgentSession(session_id="s-1")
    await Agent(client, context_providers=[make()]).run("Hi, I am Maya.", session=session)
    text = json.dumps(session.to_dict())
    again = AgentSession.from_dict(json.loads(text))
    assert "messages" not in again.state["graphmem_history"], "the messages are in the graph, not in the session"
    await Agent(client, context_providers=[make()]).run("What did I say?", session=again)
    assert client.texts() == ["Hi, I am Maya.", "Hello Maya.", "What did I say?"]
    rows = await kept(memory, store_id)
    assert [(m.role, m.content) for m in rows] == [
        ("user", "Hi, I am Maya."),
        ("assistant", "Hello Maya."),
        ("user", "What did I say?"),
        ("assistant", "You said hi."),
    ]
    assert len({m.id for m in rows}) == 4
    assert [m.position for m in rows] == [1, 2, 3, 4]
    assert (await memory.list_episodes(store_id, "maya")).items == ()


async def test_calls_of_tools_and_their_results_come_back_as_they_were(
    memory: Memory, store_id: str, make: Make
) -> None:
    client = ScriptedChatClient(a_call(), "晴れです。", "Still 晴れ.")
    agent = Agent(client, tools=[weather], context_providers=[make()])
    session = agent.create_session(session_id="s-1")
    await agent.run("大阪の天気は?", session=session)
    await agent.run("And now?", session=session)
    sent = client.calls[-1][0]
    assert [m.role for m in sent] == ["user", "assistant", "tool", "assistant", "user"]
    call, result = sent[1].contents[0], sent[2].contents[0]
    assert (call.type, call.call_id, call.name) == ("function_call", "call-1", "weather")
    assert call.parse_arguments() == {"city": "大阪"}
    assert (result.type, result.call_id) == ("function_result", "call-1")
    assert "晴れ in 大阪" in str(result.result)
    assert [m.role for m in await kept(memory, store_id)] == [
        *("user", "assistant", "tool", "assistant"),
        *("user", "assistant"),
    ]


async def test_a_transcript_that_is_sent_again_is_kept_once(memory: Memory, store_id: str, make: Make) -> None:
    provider = make(load_messages=False)
    client = ScriptedChatClient()
    agent = Agent(client, context_providers=[provider])
    session = agent.create_session(session_id="s-1")
    transcript: list[tuple[str, str]] = []
    for turn in ("Hi.", "はい", "はい"):
        transcript.append(("user", turn))
        await agent.run([Message(role, [text]) for role, text in transcript], session=session)
        transcript.append(("assistant", "Noted."))
    assert [(m.role, m.content) for m in await kept(memory, store_id)] == transcript

    for name in (None, "Agent"):
        bye = Message("user", ["Bye."], message_id="x-1")
        with_ids = [bye, Message("assistant", ["Bye!"], message_id="x-2", author_name=name)]
        await provider.save_messages("s-1", with_ids, state=session.state["graphmem_history"])
    assert [m.id for m in await kept(memory, store_id)][-2:] == ["x-1", "x-2"]
    assert len(await kept(memory, store_id)) == 8


async def test_the_same_words_said_twice_are_two_messages(memory: Memory, store_id: str, make: Make) -> None:
    agent = Agent(ScriptedChatClient(), context_providers=[make()])
    session = agent.create_session(session_id="s-1")
    for _ in range(2):
        await agent.run("Go on.", session=session)
    assert [m.content for m in await kept(memory, store_id)] == ["Go on.", "Noted."] * 2


async def test_a_run_is_given_the_newest_that_fit(memory: Memory, store_id: str, make: Make) -> None:
    provider = make()
    state: dict[str, Any] = {"pinned": {"user_id": "maya", "session_id": "s-1"}}
    said = [Message("user" if n % 2 == 0 else "assistant", [f"Line {n}."]) for n in range(205)]
    await provider.save_messages("s-1", said, state=state)
    assert state["save"] == {"status": "ok", "messages": 205, "new": 205}
    assert [m.text for m in await provider.get_messages("s-1", state=state)] == [f"Line {n}." for n in range(5, 205)]
    few = make(max_messages=3)
    assert [m.text for m in await few.get_messages("s-1", state=state)] == ["Line 202.", "Line 203.", "Line 204."]

    class Words:
        def count_tokens(self, text: str) -> int:
            return 10

    some = make(max_tokens=45, tokenizer=Words())
    assert [m.text for m in await some.get_messages("s-1", state=state)] == [f"Line {n}." for n in range(201, 205)]


async def test_a_result_whose_call_was_cut_off_is_not_given(make: Make) -> None:
    provider = make(max_messages=2)
    result = Message("tool", [Content.from_function_result("call-1", result="晴れ")])
    said = [
        Message("user", ["Weather?"]),
        Message("assistant", [a_call()]),
        result,
        Message("assistant", ["晴れです。"]),
    ]
    await provider.save_messages("s-1", said)
    assert [m.role for m in await provider.get_messages("s-1")] == ["assistant"]


async def test_what_compaction_drops_is_offered_to_long_term_memory(
    memory: Memory, store_id: str, make: Make, long_term: GraphMemContextProvider
) -> None:
    history = make(compaction_strategy=SlidingWindowStrategy(keep_last_groups=2), long_term=long_term)
    client = ScriptedChatClient()
    agent = Agent(client, context_providers=[history])
    session = agent.create_session(session_id="s-1")
    for turn in range(4):
        await agent.run(f"Fact number {turn} is mine.", session=session)
    assert client.texts() == ["Fact number 2 is mine.", "Noted.", "Fact number 3 is mine."]
    state = session.state["graphmem_history"]
    assert (state["load"]["messages"], state["load"]["dropped"]) == (2, 4)
    said = [e.content for e in (await memory.list_episodes(store_id, "maya")).items if e.role == "user"]
    assert said == ["Fact number 0 is mine.", "Fact number 1 is mine."]
    assert {e.scope.session_id for e in (await memory.list_episodes(store_id, "maya")).items} == {"s-1"}
    assert len(await kept(memory, store_id)) == 8, "compaction takes nothing out of the graph"


async def test_what_is_remembered_already_is_not_remembered_again(
    memory: Memory, store_id: str, make: Make, backend: Any
) -> None:
    own = GraphMemContextProvider(
        memory=backend, store=store_id, user_id="maya", remember_timeout=250.0, extraction="none"
    )
    history = make(compaction_strategy=SlidingWindowStrategy(keep_last_groups=1), long_term=own)
    agent = Agent(ScriptedChatClient(), context_providers=[history, own])
    session = agent.create_session(session_id="s-1")
    for turn in range(3):
        await agent.run(f"Fact number {turn} is mine.", session=session)
    assert session.state["graphmem_history"]["offer"]["status"] == "ok"
    said = [e.content for e in (await memory.list_episodes(store_id, "maya")).items if e.role == "user"]
    assert said == [f"Fact number {turn} is mine." for turn in range(3)]


async def test_a_summary_takes_the_place_of_what_it_sums_up(memory: Memory, store_id: str, make: Make) -> None:
    writer = ScriptedChatClient(*["They spoke of facts."] * 9)
    history = make(compaction_strategy=SummarizationStrategy(client=writer, target_count=2, threshold=0))
    client = ScriptedChatClient()
    agent = Agent(client, context_providers=[history])
    session = agent.create_session(session_id="s-1")
    for turn in range(4):
        await agent.run(f"Fact number {turn} is mine.", session=session)
    assert "They spoke of facts." in client.texts()[0]
    assert "Fact number 0 is mine." not in client.texts()
    assert not any("They spoke" in m.content for m in await kept(memory, store_id))


class Documents(ContextProvider):
    """A provider that puts in a document."""

    async def before_run(self, *, context: SessionContext, **_: Any) -> None:  # type: ignore[override]
        context.extend_messages(self, [Message("user", ["I live in Bergen, says the document."])])


async def test_an_audit_keeps_what_was_put_in_and_nobody_reads_it_again(
    memory: Memory, store_id: str, make: Make
) -> None:
    audit = make("audit", load_messages=False, store_context_messages=True)
    client = ScriptedChatClient()
    agent = Agent(client, context_providers=[make(), Documents("documents"), audit])
    session = agent.create_session(session_id="s-1")
    await agent.run("Hi.", session=session)
    await agent.run("Hello again.", session=session)
    rows = await kept(memory, store_id)
    put_in = [m for m in rows if "Bergen" in m.content]
    assert {(m.data or {})["additional_properties"]["_attribution"]["source_id"] for m in put_in} == {"documents"}
    assert [m.content for m in rows if m not in put_in and m.role == "user"].count("Hi.") >= 1
    assert client.texts() == ["Hi.", "Noted.", "I live in Bergen, says the document.", "Hello again."]
    assert (await memory.list_episodes(store_id, "maya")).items == ()
    asked = [m.text for m in await make().get_messages("s-1")]
    assert asked == ["Hi.", "Noted.", "Hello again.", "Noted."]


class ServiceClient(ScriptedChatClient):
    """A model service that keeps the conversation itself."""

    STORES_BY_DEFAULT = True
    conversation_id = "conv-1"


async def test_a_service_that_keeps_the_conversation_is_not_given_it_twice(
    memory: Memory, store_id: str, make: Make
) -> None:
    client = ServiceClient()
    agent = Agent(client, context_providers=[make()])
    session = agent.create_session(session_id="s-1")
    await agent.run("Hi.", session=session)
    assert session.service_session_id == "conv-1"
    await agent.run("Go on.", session=session)
    assert client.texts() == ["Go on."]
    assert session.state["graphmem_history"]["load"] == {"status": "kept_by_service"}
    assert [m.content for m in await kept(memory, store_id)] == ["Hi.", "Noted.", "Go on.", "Noted."]


@pytest.mark.parametrize("stream", [False, True])
async def test_history_that_is_kept_after_each_model_call(
    memory: Memory, store_id: str, make: Make, backend: Any, stream: bool
) -> None:
    own = GraphMemContextProvider(
        memory=backend, store=store_id, user_id="maya", search_user_id="maya", recall_timeout=250.0, extraction="none"
    )
    await Agent(ScriptedChatClient(), context_providers=[own]).run(
        "I like green tea.", session=AgentSession(session_id="s-0")
    )
    client = ScriptedChatClient(a_call(), "Green tea and 晴れ.")
    agent = Agent(
        client, tools=[weather], context_providers=[make(), own], require_per_service_call_history_persistence=True
    )
    session = agent.create_session(session_id="s-1")
    if stream:
        await agent.run("Do I like green tea?", session=session, stream=True).get_final_response()
    else:
        await agent.run("Do I like green tea?", session=session)
    for call in (0, 1):
        assert sum("<memory-context>" in text for text in client.texts(call)) == 1, "before each model call, once"
    assert [m.role for m in client.calls[1][0] if "<memory-context>" not in m.text] == ["user", "assistant", "tool"]
    rows = await kept(memory, store_id)
    assert [m.role for m in rows] == ["user", "assistant", "tool", "assistant"]
    assert not any("<memory-context>" in m.content for m in rows)


class Dead:
    """A backend whose database is away."""

    @property
    def sessions(self) -> Any:
        raise DatabaseUnavailable("The database cannot be reached.")


class Slow:
    """A backend that never answers."""

    @property
    def sessions(self) -> Any:
        return self

    async def messages(self, *_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()

    save_messages = messages


@pytest.mark.parametrize("away", [Dead(), Slow()], ids=["dead", "slow"])
async def test_a_backend_that_is_away_fails_the_run_only_by_choice(away: Any) -> None:
    def agent_of(**options: Any) -> Agent[Any]:
        provider = GraphMemHistoryProvider(memory=away, user_id="maya", timeout=0.01, **options)
        return Agent(ScriptedChatClient(), context_providers=[provider])

    session = AgentSession(session_id="s-1")
    assert (await agent_of().run("Hi.", session=session)).text == "Noted."
    state = session.state["graphmem_history"]
    assert state["load"] == state["save"]
    assert state["load"]["status"] in ("failed", "timeout")
    with pytest.raises((DatabaseUnavailable, TimeoutError)):
        await agent_of(fail_open=False).run("Hi.", session=AgentSession(session_id="s-2"))


async def test_without_a_user_nothing_is_kept(memory: Memory, store_id: str, make: Make) -> None:
    agent = Agent(ScriptedChatClient(), context_providers=[make(user_id=None)])
    session = agent.create_session(session_id="s-1")
    await agent.run("Hi.", session=session)
    assert session.state["graphmem_history"]["save"] == {"status": "no_scope"}
    assert (await memory.sessions.page(store_id, "maya")).items == ()


async def test_sessions_and_users_do_not_mix(memory: Memory, store_id: str, make: Make) -> None:
    client = ScriptedChatClient()
    agent = Agent(client, context_providers=[make(user_id=None)])
    sessions = [agent.create_session(session_id=f"s/{n % 10}") for n in range(50)]
    for n, session in enumerate(sessions):
        session.state["graphmem_history"] = {"user_id": f"user-{n}"}
    for turn in ("first", "second"):
        await asyncio.gather(*(agent.run(f"{turn} of {n}.", session=s) for n, s in enumerate(sessions)))
    for n in range(50):
        rows = await kept(memory, store_id, f"s%2F{n % 10}", f"user-{n}")
        assert [m.content for m in rows] == [f"first of {n}.", "Noted.", f"second of {n}.", "Noted."]
    for messages, _ in client.calls[50:]:
        assert len({m.text.split(" of ")[1] for m in messages if m.role == "user"}) == 1


async def test_erasing_a_session_erases_its_history(memory: Memory, store_id: str, make: Make) -> None:
    agent = Agent(ScriptedChatClient(), context_providers=[make()])
    session = agent.create_session(session_id="s-1")
    await agent.run("Hi.", session=session)
    target = ForgetTarget(session_id="s-1")
    await memory.forget(store_id, ForgetRequest(scope=Scope(actor_id="maya"), target=target, mode="erase"))
    assert await make().get_messages("s-1") == []


async def test_large_and_odd_messages_are_kept_as_far_as_they_fit(memory: Memory, store_id: str, make: Make) -> None:
    picture = Content.from_uri("data:image/png;base64," + "iVBORw0K" * 40_000, media_type="image/png")
    marks = {"_group": {"id": "g"}, "mood": "fine"}
    said: Sequence[Message] = [
        Message("user", ["See this: \x00\ud800", picture], additional_properties=marks),
        Message("assistant", ["long " * 60_000]),
        Message("developer", ["Be kind."], author_name="Ops"),
    ]
    provider = make()
    await provider.save_messages("s-1", said)
    loaded = await provider.get_messages("s-1")
    assert [m.role for m in loaded] == ["user", "assistant", "developer"]
    assert loaded[0].contents[0].text == "See this:  ?"
    assert loaded[0].contents[1].text == "[image/png of 320022 characters, not kept]"
    assert loaded[0].additional_properties == {"mood": "fine"}
    assert loaded[1].text.startswith("long long ")
    assert loaded[1].text.endswith("[…]")
    assert loaded[2].author_name == "Ops"
    assert [m.role for m in await kept(memory, store_id)] == ["user", "assistant", "system"]


async def test_one_odd_message_takes_no_other_along(memory: Memory, store_id: str, make: Make) -> None:
    around: dict[str, Any] = {}
    around["again"] = around
    odd = [
        Message("user", ["id"], message_id="x" * 300),
        Message("user", ["id"], message_id=" \ud800\n"),
        Message("user", ["name"], author_name="\u200b"),
        Message("user", ["\u200b"]),
        Message("tool", [Content.from_function_result("call-1", result={"x": float("nan")})]),
        *(
            Message("user", ["property"], additional_properties=given)
            for given in ({"x": float("inf")}, {"\ud800": 1}, {"x": 10**5000}, around, {"AKIAZZFAKEFAKEFAKE12": 1})
        ),
    ]
    provider, state = make(), dict[str, Any]()
    await provider.save_messages("s-1", [Message("user", ["first"]), *odd, Message("user", ["last"])], state=state)
    assert state["save"] == {"status": "ok", "messages": 12, "new": 12}
    assert [m.content for m in await kept(memory, store_id)][-1] == "last"
    await provider.save_messages("s-1", odd, state=state)
    assert state["save"]["new"] == 0
    assert len(await provider.get_messages("s-1")) == 11, "without the result of a call that is not there"


async def test_a_transcript_with_other_last_words_is_not_kept_twice(memory: Memory, store_id: str, make: Make) -> None:
    client = ScriptedChatClient("One.", "Two.", "Three.")
    agent = Agent(client, context_providers=[make()])
    session = agent.create_session(session_id="s-1")
    await agent.run("はい", session=session)
    await agent.run("Second.", session=session)
    changed = [("user", "はい"), ("assistant", "One."), ("user", "Second, changed.")]
    await agent.run([Message(role, [text]) for role, text in changed], session=session)
    said = ["はい", "One.", "Second.", "Two.", "Second, changed.", "Three."]
    assert [m.content for m in await kept(memory, store_id)] == said
    await agent.run([Message("user", ["はい"]), Message("user", ["And more."])], session=session)
    assert [m.content for m in await kept(memory, store_id)][6:8] == ["はい", "And more."], "said again"
