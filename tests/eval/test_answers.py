"""`graphmem eval answers` on the real database and a scripted endpoint: what is right, what it costs, what fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.cli.eval_answers import answers
from graphmem.config import Settings
from graphmem.errors import ConfigurationError, InvalidInput, ProviderError
from graphmem.eval.answers import Models, Plan, Report, evaluate
from graphmem.eval.dataset import Dataset, Document, Query
from graphmem.eval.overlap import token_f1
from graphmem.prompts.answer import read_answer
from graphmem.prompts.grade import read_grade
from graphmem.providers.llm_chat import ChatModel
from tests.support.openai_server import OpenAIServer

DOCUMENTS = (
    Document("d1", "The cello concert in Bern was sold out.", "ida", "Ida", "s1"),
    Document("d2", "My bicycle has a flat tyre again.", "ida", "Ida", "s1"),
    Document("d3", "昨日、浜辺で珍しい貝殻を拾いました。", "ida", "Ida", "s2"),
)
CONCERT, BICYCLE, BEACH = "Where was the cello concert?", "What is wrong with the bicycle?", "浜辺で何を拾いましたか。"
QUERIES = (
    Query(CONCERT, frozenset({"d1"}), "ida", "en", "Bern"),
    Query(BICYCLE, frozenset({"d2"}), "ida", "en", "a broken chain"),
    Query(BEACH, frozenset({"d3"}), "ida", "ja", "珍しい貝殻"),
    Query("How old is Ida's cello?", frozenset(), "ida", "unsaid", unanswerable=True),
)
TINY = Dataset("tiny", DOCUMENTS, QUERIES)
SCRIPT = {CONCERT: "Bern", BICYCLE: "a flat tyre", BEACH: "貝殻"}


@pytest.fixture(scope="module")
def running() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def model(running: OpenAIServer) -> OpenAIServer:
    """The scripted endpoint, with the answers of an ideal model."""
    running.reset()
    running.answers = dict(SCRIPT)
    return running


@pytest.fixture
async def models(model: OpenAIServer, neo4j_settings: Settings) -> AsyncIterator[Models]:
    chat = ChatModel(neo4j_settings.model_copy(update={"openai_base_url": model.url, "llm_timeout": 3.0}))
    yield Models(chat, chat, "test", "test")
    await chat.close()


async def test_right_wrong_and_not_known(memory: Memory, models: Models, model: OpenAIServer) -> None:
    before = {store.id for store in (await memory.list_stores(200)).items}
    report = await evaluate(memory, models, TINY)
    assert {store.id for store in (await memory.list_stores(200)).items} == before
    assert [(a.given, a.is_right) for a in report.answers] == [
        ("Bern", True),
        ("a flat tyre", False),
        ("貝殻", True),
        ("", True),
    ]
    assert [round(a.f1, 3) for a in report.answers] == [1.0, 0.0, 0.571, 1.0]
    assert (report.overall.questions, report.overall.right.value, report.overall.failed) == (4, 0.75, 0)
    assert {name: score.right.value for name, score in report.categories.items()} == {"en": 0.5, "ja": 1, "unsaid": 1}
    assert report.overall.right.low < 0.75 < report.overall.right.high
    # what is not known is not graded
    assert (report.answer_calls, report.judge_calls) == (model.calls["answer"], model.calls["grade"]) == (4, 3)
    assert report.prompt_tokens > 0
    assert report.completion_tokens > 0
    assert report.context_tokens > 0


async def test_the_prompt_has_the_language_of_the_question_and_the_memories_as_data(
    memory: Memory, models: Models, model: OpenAIServer
) -> None:
    await evaluate(memory, models, Dataset("ja", DOCUMENTS, QUERIES[2:3]))
    asked, graded = [request["messages"] for request in model.requests]
    assert "質問に答えます" in asked[0]["content"]
    sent = json.loads(asked[1]["content"])
    assert sent["question"] == BEACH
    assert sent["memories"].startswith("<memory-context>")
    assert json.loads(graded[1]["content"]) == {"question": BEACH, "right": "珍しい貝殻", "given": "貝殻"}


async def test_what_is_known_though_nothing_says_it_is_wrong(
    memory: Memory, models: Models, model: OpenAIServer
) -> None:
    model.answers[QUERIES[3].text] = "cello"
    report = await evaluate(memory, models, Dataset("unsaid", DOCUMENTS, QUERIES[3:]))
    (given,) = report.answers
    assert (given.given, given.is_right, given.f1, given.right) == ("cello", False, 0.0, None)
    assert model.calls["grade"] == 0


async def test_an_empty_memory_is_not_asked_about(memory: Memory, models: Models, model: OpenAIServer) -> None:
    far = Query("quantum chromodynamics lecture", frozenset(), "ida", answer="Tuesday")
    report = await evaluate(memory, models, Dataset("far", DOCUMENTS[:1], (far,)), Plan(mode="keyword"))
    assert (report.answers[0].is_right, report.answers[0].failed, model.calls["llm"]) == (False, False, 0)


@pytest.mark.parametrize("mode", ["code_fence", "think_prefix", "extra_keys"])
async def test_answers_in_wrappers_are_read(memory: Memory, models: Models, model: OpenAIServer, mode: str) -> None:
    model.inject("llm", mode, times="always")
    report = await evaluate(memory, models, Dataset("one", DOCUMENTS, QUERIES[:1]))
    assert (report.overall.right.value, report.answer_calls, report.judge_calls) == (1.0, 1, 1)


async def test_what_cannot_be_used_is_asked_once_more(memory: Memory, models: Models, model: OpenAIServer) -> None:
    model.inject("llm", "empty_string", times=1)
    report = await evaluate(memory, models, Dataset("one", DOCUMENTS, QUERIES[:1]))
    assert (report.overall.right.value, report.answer_calls) == (1.0, 2)
    assert "could not be used" in model.requests[1]["messages"][0]["content"]


@pytest.mark.parametrize("mode", ["refusal", "truncated", "http_400"])
async def test_a_question_without_a_usable_answer_is_wrong_and_counted(
    memory: Memory, models: Models, model: OpenAIServer, mode: str
) -> None:
    model.inject("llm", mode, times="always")
    report = await evaluate(memory, models, Dataset("one", DOCUMENTS, QUERIES[:1]))
    assert (report.overall.right.value, report.overall.failed, report.answers[0].given) == (0.0, 1, "")


async def test_a_key_that_is_refused_ends_it_and_the_store_goes(
    memory: Memory, models: Models, model: OpenAIServer
) -> None:
    before = {store.id for store in (await memory.list_stores(200)).items}
    model.inject("llm", "http_401", times="always")
    with pytest.raises(ProviderError, match="OPENAI_API_KEY"):
        await evaluate(memory, models, TINY)
    assert {store.id for store in (await memory.list_stores(200)).items} == before


# --- the command ------------------------------------------------------------------------------------------


def data_file(folder: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {"type": "document", "id": d.id, "text": d.text, "actor": d.actor, "name": d.name} for d in DOCUMENTS
    ]
    for query in QUERIES:
        row = {"type": "query", "query": query.text, "actor": query.actor, "category": query.category}
        rows.append(row | ({"unanswerable": True} if query.unanswerable else {"answer": query.answer}))
    path = folder / "tiny.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def environment(neo4j_settings: Settings, model: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What points the command at the server of the tests and at the scripted endpoint."""
    monkeypatch.setenv("NEO4J_URI", str(neo4j_settings.neo4j_uri))
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_settings.neo4j_username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_settings.neo4j_password.get_secret_value())
    monkeypatch.setenv("NEO4J_DATABASE", neo4j_settings.neo4j_database)
    monkeypatch.setenv("GRAPHMEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)


@pytest.mark.usefixtures("environment")
async def test_the_command_prints_and_writes(
    tmp_path: Path, model: OpenAIServer, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert await answers(data=data_file(tmp_path), judge_model="strict", misses=True, out=out) == 0
    shown = capsys.readouterr().out
    assert f"en: {BICYCLE} | a broken chain | a flat tyre" in shown
    assert "gpt-5-mini answered with 4 calls, strict graded with 3" in shown
    assert {request["model"] for request in model.requests} == {"gpt-5-mini", "strict"}
    report = Report.model_validate_json((out / "report.json").read_text(encoding="utf-8"))
    assert (report.overall.right.value, report.model, report.judge) == (0.75, "gpt-5-mini", "strict")
    assert "| all | 4 | 0.750 [" in (out / "report.md").read_text(encoding="utf-8")
    assert (out / "report.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("environment")
async def test_a_limit_draws_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await answers(data=data_file(tmp_path), limit=2, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["questions"] == 2


async def test_without_a_model_it_says_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY, or OPENAI_BASE_URL"):
        await answers(data=data_file(tmp_path))


async def test_data_without_answers_is_an_error(memory: Memory, models: Models) -> None:
    with pytest.raises(InvalidInput, match="no queries with an answer"):
        await evaluate(memory, models, Dataset("none", DOCUMENTS, (Query("x", frozenset({"d1"}), "ida"),)))


# --- what is read, and words in common --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "answer", "known"),
    [
        ({"answer": " a  b ", "known": True}, "a b", True),
        ({"answer": ["a", "b"], "known": "yes"}, "a, b", True),
        ({"answer": 7}, "7", True),
        ({"answer": "guess", "known": "false"}, "", False),
        ({"answer": "", "known": True}, "", False),
        ({"answer": None}, "", False),
    ],
)
def test_answers_are_read_leniently(value: dict[str, Any], answer: str, known: bool) -> None:
    found = read_answer(value)
    assert found is not None
    assert (found.answer, found.known) == (answer, known)


def test_what_is_no_answer_and_no_grade() -> None:
    assert read_answer([]) is read_answer({"known": True}) is read_answer({"answer": {}}) is None
    assert read_grade("right") is read_grade({}) is read_grade({"verdict": "maybe"}) is None


@pytest.mark.parametrize(
    ("word", "verdict"), [("Right", "right"), (True, "right"), (["wrong"], "wrong"), ("no", "wrong")]
)
def test_grades_are_read_leniently(word: Any, verdict: str) -> None:
    found = read_grade({"verdict": word})
    assert found is not None
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("given", "right", "f1"),
    [
        ("7 May 2023", "May 7, 2023", 1.0),
        ("The beach", "a beach!", 1.0),
        ("two red cats", "red cats", 0.8),  # 2 of 3 given, 2 of 2 wanted
        ("red red", "red", 2 / 3),  # one of two given counts
        ("大阪市", "大阪", 0.8),
        ("ＡＢＣ", "abc", 1.0),
        ("", "red", 0.0),
        ("", "the", 1.0),
    ],
)
def test_token_f1_by_hand(given: str, right: str, f1: float) -> None:
    assert token_f1(given, right) == pytest.approx(f1)
