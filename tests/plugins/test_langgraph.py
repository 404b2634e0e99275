"""The LangGraph store: on the framework's own graphs, over the library and over the service."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from graphmem import Memory
from graphmem.errors import ConfigurationError, DatabaseUnavailable, InvalidInput
from graphmem.models.note import EntryPut, NoteIn, NoteQuery, place_of
from graphmem.models.scope import Scope
from graphmem.plugins.langgraph import GraphMemStore
from graphmem.plugins.langgraph_items import parts_of, path_of
from graphmem.plugins.values import checked
from tests.support.tree import ROOT

Make = Callable[..., GraphMemStore]
NOTES = ("maya", "notes")
TEA = {"text": "Maya drinks green tea in the morning."}


@pytest.fixture
def make(backend: Any, store_id: str) -> Make:
    """A store over the test's memory, all of it Maya's unless told otherwise."""

    def made(actor: Any = "maya", **options: Any) -> GraphMemStore:
        return GraphMemStore(memory=backend, store=store_id, actor=actor, **options)

    return made


async def entries(memory: Memory, store_id: str, actor: str = "maya") -> list[Any]:
    return list((await memory.entries.page(store_id, NoteQuery(actor_id=actor), 200)).items)


class Chat(TypedDict):
    said: str
    answer: str


@pytest.mark.parametrize("inline", [True, False], ids=["async", "sync"])
async def test_a_graph_whose_nodes_read_and_write_it(make: Make, inline: bool) -> None:
    async def keep(state: Chat, runtime: Runtime[Any]) -> dict[str, str]:
        assert runtime.store is not None
        await runtime.store.aput(NOTES, "last", {"text": state["said"]})
        return {}

    def keep_in_thread(state: Chat, runtime: Runtime[Any]) -> dict[str, str]:
        assert runtime.store is not None
        runtime.store.put(NOTES, "last", {"text": state["said"]})
        return {}

    async def answer(state: Chat, *, store: BaseStore) -> dict[str, str]:
        found = await store.asearch(NOTES, query="What does Maya drink?")
        return {"answer": found[0].value["text"]}

    async with make() as store:
        graph = StateGraph(Chat)
        graph.add_node("keep", keep if inline else keep_in_thread)
        graph.add_node("answer", answer)
        graph.add_edge(START, "keep")
        graph.add_edge("keep", "answer")
        graph.add_edge("answer", END)
        compiled = graph.compile(store=store)
        for said in (TEA["text"], "Maya drinks black coffee in the morning."):
            assert (await compiled.ainvoke({"said": said, "answer": ""}))["answer"] == said


VALUES: list[dict[str, Any]] = [
    {},
    {"text": "京都で抹茶を飲む。"},
    {"a": {"b": [1, 2.5, None, True, "", {"c": []}]}, "n": 2**70, "f": 1e-300, "é": "\n\t\\\"' \\u0000"},
    {"text": "a " * 40_000},
]


@pytest.mark.parametrize("value", VALUES, ids=["empty", "japanese", "nested", "long"])
async def test_a_value_comes_back_as_it_was_put(make: Make, value: dict[str, Any]) -> None:
    store = make()
    await store.aput(NOTES, "k", value)
    item = await store.aget(NOTES, "k")
    assert item is not None
    assert (item.value, item.key, item.namespace) == (value, "k", NOTES)
    assert list(item.value) == list(value)
    (found,) = await store.asearch(NOTES)
    assert found.value == value


@pytest.mark.parametrize(
    "value",
    [{"at": object()}, {1: "a"}, {"a": {1: 2}}, {"a": (1, 2)}, {"a": float("nan")}, {"a": "\ud800"},
     {"a": "\u0000"}, {"a": "x" * 200_001}],
    ids=["object", "key", "inner-key", "tuple", "nan", "surrogate", "nul", "large"],
)  # fmt: skip
async def test_what_would_come_back_otherwise_is_refused(memory: Memory, store_id: str, make: Make, value: Any) -> None:
    with pytest.raises(InvalidInput) as told:
        await make().aput(NOTES, "k", value)
    assert told.value.field in ("value", "data")
    assert await entries(memory, store_id) == []


async def test_put_replaces_with_a_history_and_delete_erases_it(memory: Memory, store_id: str, make: Make) -> None:
    store = make()
    await store.aput(NOTES, "drink", {"text": "Green tea."})
    first = await store.aget(NOTES, "drink")
    await store.aput(NOTES, "drink", {"text": "Black coffee.", "since": 2026})
    await store.aput(NOTES, "drink", {"text": "Black coffee.", "since": 2027})
    item = await store.aget(NOTES, "drink")
    assert first is not None
    assert item is not None
    assert item.value == {"text": "Black coffee.", "since": 2027}
    assert item.created_at == first.created_at
    assert item.updated_at > first.updated_at
    (entry,) = await entries(memory, store_id)
    history = await memory.notes.history(store_id, "maya", entry.id)
    assert [step.body for step in history if step.event != "created"][:1] != []
    assert any("Green tea" in step.body for step in history), "what was replaced can be read"
    await store.adelete(NOTES, "drink")
    assert await store.aget(NOTES, "drink") is None
    assert await store.asearch(NOTES) == []
    await store.adelete(NOTES, "drink")
    assert (await memory.notes.page(store_id, NoteQuery(actor_id="maya", validity="any"))).items == ()


async def test_deleting_brings_nothing_back_that_was_replaced(memory: Memory, store_id: str, make: Make) -> None:
    store = make()
    await store.aput(NOTES, "k", TEA)
    (entry,) = await entries(memory, store_id)
    scope = Scope(actor_id="maya")
    await memory.notes.create(store_id, NoteIn(scope=scope, body="By another hand.", path=entry.path))
    assert await store.aget(NOTES, "k") is None, "what no store has put is no item"
    await store.aput(NOTES, "k", {"text": "Again."})
    await store.adelete(NOTES, "k")
    assert await store.aget(NOTES, "k") is None
    assert await entries(memory, store_id) == []


ODD = [
    "a/b",
    "..",
    ".",
    " a ",
    "50%",
    "%2F",
    "a\\b",
    "か\u3099",
    "が",
    "Å",
    "\u0000",
    "日本 語",
    "🍵",
    "=\u0338",
    "." * 3,
]


def test_any_text_is_a_part_of_its_own() -> None:
    paths = [path_of("n", one, "k") for one in ODD]
    assert [parts_of(checked(NoteQuery, actor_id="maya", path=path).path or "") for path in paths] == [
        ("n", one, "k") for one in ODD
    ]
    assert len({place_of(path) for path in paths}) == len(ODD)
    assert path_of("利用者", "maya@example.org", "朝の お茶") == "/langgraph/利用者/maya@example.org/朝の お茶"


async def test_odd_labels_and_keys(make: Make) -> None:
    store = make()
    places = [(("n", "a/b"), ".."), (("n", "a"), "b/.."), (("n", "が"), "か\u3099"), (("n", "が"), "が")]
    await store.abatch([PutOp(namespace, key, {"at": n}) for n, (namespace, key) in enumerate(places)])
    found: list[Any] = await store.abatch([GetOp(namespace, key) for namespace, key in places])
    assert [(i.namespace, i.key, i.value["at"]) for i in found] == [(*place, n) for n, place in enumerate(places)]
    assert {item.key for item in await store.asearch(("n", "が"))} == {"か\u3099", "が"}


async def test_keys_that_no_path_can_hold_are_refused(make: Make) -> None:
    for key in ("", "x" * 2_000, "\ud800", "AKIA" + "IOSFODNN7EXAMPLE"):
        with pytest.raises(InvalidInput):
            await make().aput(NOTES, key, TEA)


async def test_a_query_finds_what_answers_it_in_its_namespace(make: Make) -> None:
    store, other = make(), make("ben")
    await store.aput(NOTES, "tea", TEA)
    await store.aput((*NOTES, "2026"), "train", {"text": "Maya takes the night train to Kyoto."})
    await store.aput(("maya", "notes2"), "tea", {"text": "Maya drinks green tea, says another namespace."})
    await other.aput(NOTES, "tea", {"text": "Ben drinks green tea."})
    found = await store.asearch(NOTES, query="What does Maya drink? green tea")
    assert found[0].key == "tea"
    assert found[0].score is not None
    assert 0 < found[0].score <= 1
    assert {item.namespace[:2] for item in found} == {NOTES}
    (train,) = await store.asearch(NOTES, query="night train to Kyoto", limit=1)
    assert (train.namespace, train.key) == ((*NOTES, "2026"), "train")
    assert await store.asearch(("ben",), query="green tea") == []
    assert [i.value["text"] for i in await other.asearch(NOTES, query="green tea")] == ["Ben drinks green tea."]
    assert await store.asearch(NOTES, query="green tea", filter={"text": "none"}) == []
    assert [i.key for i in await store.asearch(NOTES, query=" ")] == ["tea", "train"]
    assert (await store.asearch(NOTES, query="x" * 5_000 + " green tea"))[0].key == "tea"


async def test_only_the_named_fields_are_searched(memory: Memory, store_id: str, make: Make) -> None:
    value = {"memory": "Likes tea.", "meta": {"id": 7}, "parts": [{"say": "One."}, {"say": "Two."}]}
    await make(fields=["memory"]).aput(NOTES, "a", value)
    await make().aput(NOTES, "b", value, index=["parts[*].say"])
    await make().aput(NOTES, "c", value)
    await make(fields=["none"]).aput(NOTES, "d", value)
    assert [(e.content, e.title) for e in await entries(memory, store_id)] == [
        ("Likes tea.", "Likes tea."),
        ("One.\nTwo.", "One."),
        ("memory: Likes tea.\nid: 7\nparts: One.\nparts: Two.", "memory: Likes tea."),
        ("d", "d"),
    ]


async def test_search_and_lists_are_those_of_the_framework_s_own_store(make: Make) -> None:
    own, reference = make(), InMemoryStore()
    puts = [
        PutOp((*where, sort), f"k{n}", {"n": n, "sort": sort, "deep": {"even": n % 2 == 0, "tags": ["a", sort]}})
        for n, (where, sort) in enumerate(
            [(("u", "1"), "x"), (("u", "1"), "y"), (("u", "2"), "x"), (("v",), "z"), (("u", "1"), "x")]
        )
    ]
    batches: list[list[Any]] = [
        puts,
        [PutOp(("u", "1", "x"), "k0", None), GetOp(("u", "1", "x"), "k0"), GetOp(("v", "z"), "k0")],
        [PutOp(("v", "z"), "k3", {"n": 1}), PutOp(("v", "z"), "k3", {"n": 2}), GetOp(("v", "z"), "k3")],
    ]
    for ops in batches:
        assert plain(await own.abatch(ops)) == plain(reference.batch(ops))
    filters: list[dict[str, Any] | None] = [
        None, {"sort": "x"}, {"n": {"$gte": 2}}, {"n": {"$gt": 1, "$lt": 4}}, {"n": {"$ne": 2}},
        {"deep": {"even": True}}, {"deep": {"tags": ["a", "x"]}}, {"none": 1}, {"n": {"$eq": 4}, "sort": "x"},
    ]  # fmt: skip
    for wanted in filters:
        for prefix in (("u",), ("u", "1"), ("u", "1", "x"), ("none",)):
            op = SearchOp(prefix, wanted, limit=10)
            assert unordered(await own.abatch([op])) == unordered(reference.batch([op])), (prefix, wanted)
    pages = [await own.asearch(("u",), limit=2, offset=at) for at in (0, 2, 4)]
    assert [item.key for page in pages for item in page] == ["k1", "k2", "k4"]
    assert [i.key for i in await own.asearch(("u",), filter={"sort": "x"}, limit=1, offset=1)] == ["k4"]
    assert await own.asearch(("u",), limit=0) == []
    for matches in (
        [], [("prefix", ("u",))], [("suffix", ("x",))], [("prefix", ("*", "1"))], [("prefix", ("u", "*", "x"))],
        [("prefix", ("u",)), ("suffix", ("x",))],
    ):  # fmt: skip
        conditions = tuple(MatchCondition(kind, path) for kind, path in matches)  # type: ignore[arg-type]
        for depth, limit, offset in ((None, 100, 0), (1, 100, 0), (2, 1, 1)):
            listed = ListNamespacesOp(conditions, depth, limit, offset)
            assert await own.abatch([listed]) == reference.batch([listed]), (matches, depth)
    with pytest.raises(InvalidInput):
        await own.asearch(("u",), filter={"n": {"$near": 1}})
    with pytest.raises(InvalidInput):
        await own.asearch(("u",), limit=-1)


def plain(results: list[Any]) -> list[Any]:
    return [None if r is None else (r.namespace, r.key, r.value) for r in results]


def unordered(results: list[Any]) -> list[Any]:
    return sorted(plain(results[0]), key=lambda row: (row[0], row[1]))


async def test_without_a_namespace_nothing_is_meant(memory: Memory, store_id: str, make: Make) -> None:
    store = make()
    await store.aput(NOTES, "k", TEA)
    for op in (GetOp((), "k"), SearchOp(()), SearchOp((), query="tea"), PutOp((), "k", TEA), PutOp((), "k", None)):
        with pytest.raises(InvalidNamespaceError):
            await store.abatch([PutOp(NOTES, "other", TEA), op])
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([GetOp(("a.b",), "k")])
    assert len(await entries(memory, store_id)) == 1, "nothing of a batch is done that has a fault in it"


async def test_a_namespace_that_is_nobody_s_is_refused(memory: Memory, store_id: str, make: Make) -> None:
    users = {"maya": "maya", "ben": "ben"}
    store = make(lambda namespace: users[namespace[1]] if namespace[0] == "users" else None)
    await store.aput(("users", "maya"), "k", TEA)
    await store.aput(("users", "ben"), "k", {"text": "Ben drinks cocoa."})
    assert [len(await entries(memory, store_id, actor)) for actor in users] == [1, 1]
    for namespace in (("users",), ("users", "eve"), ("others", "maya"), ("users", "*")):
        with pytest.raises(InvalidNamespaceError):
            await store.aget(namespace, "k")
        with pytest.raises(InvalidNamespaceError):
            await store.asearch(namespace, query="tea")
        with pytest.raises(InvalidNamespaceError):
            await store.alist_namespaces(prefix=namespace)
    for odd in (None, "", 7, ["maya"]):
        with pytest.raises(InvalidNamespaceError):
            await make(lambda _, odd=odd: odd).aput(NOTES, "k", TEA)
    with pytest.raises(InvalidNamespaceError):
        await store.alist_namespaces()
    assert await store.alist_namespaces(prefix=("users", "ben")) == [("users", "ben")]
    assert [i.value for i in await store.asearch(("users", "maya"))] == [TEA]
    with pytest.raises(InvalidInput):
        await make(" ").aget(NOTES, "k")


async def test_what_it_cannot_do_is_said(memory: Memory, store_id: str, make: Make) -> None:
    store = make()
    with pytest.raises(NotImplementedError, match="TTL"):
        await store.aput(NOTES, "k", TEA, ttl=5)
    with pytest.raises(NotImplementedError, match="ttl"):
        await store.abatch([PutOp(NOTES, "other", TEA), PutOp(NOTES, "k", TEA, ttl=5)])
    for index in (False, []):
        with pytest.raises(NotImplementedError, match="index"):
            await store.aput(NOTES, "k", TEA, index=index)  # type: ignore[arg-type]
    assert await entries(memory, store_id) == []


async def test_secrets_are_taken_out_and_told_without_their_text(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    store = make()
    with caplog.at_level(logging.WARNING, logger="graphmem"):
        await store.aput(NOTES, "k", {"text": f"The key is {key}.", "n": 1})
    item = await store.aget(NOTES, "k")
    assert item is not None
    assert item.value["n"] == 1
    assert key not in str(item.value)
    assert "Secrets were taken out" in caplog.text
    assert key not in caplog.text
    assert "The key" not in caplog.text


async def test_entries_in_sessions_and_of_others_are_no_items(memory: Memory, store_id: str, make: Make) -> None:
    store = make()
    await store.aput(NOTES, "k", TEA)
    (entry,) = await entries(memory, store_id)
    elsewhere = Scope(actor_id="maya", session_id="s-1")
    put = EntryPut(scope=elsewhere, path=entry.path, content="In a session.", data={"text": "Not this."})
    await memory.entries.put(store_id, put)
    assert [i.value for i in await store.asearch(NOTES)] == [TEA]
    item = await store.aget(NOTES, "k")
    assert item is not None
    assert item.value == TEA
    await store.adelete(NOTES, "k")
    assert [e.content for e in await entries(memory, store_id)] == ["In a session."]


async def test_synchronous_calls(make: Make, address: str, store_id: str) -> None:
    store = make()
    with pytest.raises(ConfigurationError, match="not open"):
        await asyncio.to_thread(store.get, NOTES, "k")
    with pytest.raises(asyncio.InvalidStateError, match="aput"):
        store.put(NOTES, "k", TEA)
    with pytest.raises(ConfigurationError, match="async with"):
        store.__enter__()
    async with store:
        await asyncio.to_thread(store.put, NOTES, "k", TEA)
        item = await asyncio.to_thread(store.get, NOTES, "k")
        assert item is not None
        assert item.value == TEA

    def program() -> list[Any]:
        with GraphMemStore(base_url=address, store=store_id, actor="maya") as own:
            own.put(NOTES, "second", {"text": "Two."})
            return [item.value for item in own.search(NOTES)]

    assert await asyncio.to_thread(program) == [TEA, {"text": "Two."}]


class Away:
    """A memory whose database cannot be reached."""

    @property
    def entries(self) -> Any:
        raise DatabaseUnavailable("The database cannot be reached.")


async def test_a_memory_that_is_away_is_told() -> None:
    store = GraphMemStore(memory=Away(), actor="maya")  # type: ignore[arg-type]
    for call in (store.aget(NOTES, "k"), store.aput(NOTES, "k", TEA), store.asearch(NOTES, query="tea")):
        with pytest.raises(DatabaseUnavailable):
            await call


def test_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['langgraph'] = None\nimport graphmem.plugins.langgraph"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "pip install 'graphmem[langgraph]'" in done.stderr
