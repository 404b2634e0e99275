"""`graphmem eval retrieval` on the real database: figures, what the gate cuts, files, and nothing left behind."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.cli.eval_retrieval import retrieval
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.eval import report_files
from graphmem.eval import retrieval as module
from graphmem.eval.dataset import Dataset, Document, Query
from graphmem.eval.figures import Report
from graphmem.eval.formats import read
from graphmem.eval.retrieval import Plan, evaluate
from graphmem.models.episode import RememberRequest
from graphmem.models.recall import RecallRequest, RecallResult
from graphmem.ports import Embedder
from graphmem.providers.local_embedder import LocalEmbedder

EXAMPLE = Path(__file__).parents[1] / "data" / "retrieval" / "example.jsonl"
AT = datetime(2026, 3, 4, 9, tzinfo=UTC)
DOCUMENTS = (
    Document("d1", "The cello concert in Bern was sold out.", "ida", "Ida", "s1", AT),
    Document("d2", "My bicycle has a flat tyre again.", "ida", "Ida", "s1", AT),
    Document("d3", "昨日、浜辺で珍しい貝殻を拾いました。", "ida", "Ida", "s2", AT),
    Document("d4", "The cello is at the repair shop.", "ben", "Ben", "s1", AT),
)
QUERIES = (
    Query("Which concert was sold out?", frozenset({"d1"}), "ida", "en"),
    Query("What is wrong with the bicycle?", frozenset({"d2"}), "ida", "en"),
    Query("浜辺で何を拾いましたか。", frozenset({"d3"}), "ida", "ja"),
)
TINY = Dataset("tiny", DOCUMENTS, QUERIES)


@pytest.fixture(scope="module")
async def embedder() -> AsyncIterator[Embedder]:
    made = LocalEmbedder()
    yield made
    await made.close()


async def stores(memory: Memory) -> set[str]:
    return {store.id for store in (await memory.list_stores(200)).items}


async def test_each_system_is_measured_on_the_same_queries(memory: Memory, embedder: Embedder) -> None:
    before = await stores(memory)
    report = await evaluate(memory, embedder, TINY, Plan(timed=1))
    assert await stores(memory) == before
    names = ["graphmem hybrid", "graphmem keyword", "graphmem vector", "bm25", "dense", "rrf", "neighbours"]
    assert [system.name for system in report.systems] == names
    for system in report.systems:
        assert system.overall["recall@10"].value == 1.0, system.name
        assert set(system.categories) == {"en", "ja"}
        assert system.tokens > 0
    assert (report.queries, report.documents, report.actors, report.facts) == (3, 4, 2, 0)
    assert report.categories == {"en": 2, "ja": 1}
    assert {(d.system, d.baseline) for d in report.differences} == {(names[0], other) for other in names[1:]}
    ours = report.systems[0]
    assert ours.gate is not None
    assert (ours.gate.right, ours.gate.cut) == (3, 0)
    assert ours.latency is not None
    assert ours.latency.recalls == 1
    assert report.systems[3].gate is report.systems[3].latency is None


async def test_an_actor_finds_nothing_of_another(memory: Memory, embedder: Embedder) -> None:
    foreign = Dataset("tiny", DOCUMENTS, (Query("Where is the cello?", frozenset({"d4"}), "ben"),))
    report = await evaluate(memory, embedder, foreign, Plan(timed=0, gate=False))
    assert all(system.overall["recall@1"].value == 1.0 for system in report.systems)
    assert all(system.gate is system.latency is None for system in report.systems)


async def test_what_the_default_gate_cuts_is_counted_apart(memory: Memory, embedder: Embedder) -> None:
    far = Dataset("far", DOCUMENTS[:2], (Query("quantum chromodynamics lecture", frozenset({"d2"}), "ida"),))
    report = await evaluate(memory, embedder, far, Plan(modes=("vector",), baselines=(), timed=0))
    (system,) = report.systems
    assert system.overall["recall@10"].value == 1.0
    assert system.gate is not None
    assert (system.gate.right, system.gate.cut, system.gate.emptied) == (1, 1, 1)


async def test_a_fact_counts_for_the_messages_it_derives_from(memory: Memory, embedder: Embedder) -> None:
    said = (
        Document("m1", "I live in Osaka.", "ida", "Ida", "s1", AT),
        Document("m2", "My favourite colour is green.", "ida", "Ida", "s1", AT),
    )
    data = Dataset("facts", said, (Query("Where does Ida live?", frozenset({"m1"}), "ida"),))
    plan = Plan(modes=("hybrid",), kinds=("fact",), baselines=(), timed=0, extract=True)
    report = await evaluate(memory, embedder, data, plan)
    assert report.facts >= 1
    assert report.systems[0].overall["recall@1"].value == 1.0
    without = await evaluate(memory, embedder, data, Plan(modes=("hybrid",), kinds=("fact",), baselines=(), timed=0))
    assert (without.facts, without.systems[0].overall["recall@10"].value) == (0, 0.0)


async def test_the_store_goes_also_when_a_recall_fails(
    memory: Memory, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: Memory, store_id: str, request: RecallRequest) -> RecallResult:
        raise InvalidInput("no")

    before = await stores(memory)
    monkeypatch.setattr(Memory, "recall", fail)
    with pytest.raises(InvalidInput):
        await evaluate(memory, embedder, TINY, Plan(timed=0))
    assert await stores(memory) == before


async def test_a_run_can_be_repeated(memory: Memory, embedder: Embedder) -> None:
    data = read(EXAMPLE).to_find()
    plan = Plan(timed=0, gate=False, seed=3)
    one, two = [await evaluate(memory, embedder, data, plan) for _ in range(2)]
    times = {"load_seconds", "seconds"}
    assert one.model_dump(exclude=times) == two.model_dump(exclude=times)
    assert one.skipped == 1  # the query that nothing answers


async def test_documents_keep_source_session_time_and_speaker(
    memory: Memory, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[RememberRequest] = []
    original: Callable[..., object] = Memory.remember_all

    def noting(self: Memory, store_id: str, requests: list[RememberRequest]) -> object:
        sent.extend(requests)
        return original(self, store_id, requests)

    monkeypatch.setattr(Memory, "remember_all", noting)
    await evaluate(memory, embedder, TINY, Plan(modes=("keyword",), baselines=(), timed=0, gate=False))
    assert [(r.scope.actor_id, r.scope.session_id, r.extraction) for r in sent] == [
        ("ida", "s1", "none"),
        ("ida", "s2", "none"),
        ("ben", "s1", "none"),
    ]
    (first, _) = sent[0].messages or ()
    assert (first.id, first.name, first.occurred_at) == ("d1", "Ida", AT)


# --- the command and its files ----------------------------------------------------------------------------


@pytest.fixture
def environment(neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What points the command at the server of the tests."""
    monkeypatch.setenv("NEO4J_URI", str(neo4j_settings.neo4j_uri))
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_settings.neo4j_username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_settings.neo4j_password.get_secret_value())
    monkeypatch.setenv("NEO4J_DATABASE", neo4j_settings.neo4j_database)
    monkeypatch.setenv("GRAPHMEM_DATA_DIR", str(tmp_path))


@pytest.mark.usefixtures("environment")
async def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "out"
    code = await retrieval(data=EXAMPLE, mode=("hybrid", "hybrid"), timed=2, limit=6, out=out)
    assert code == 0
    shown = capsys.readouterr()
    assert "graphmem hybrid" in shown.out
    assert "full context" in shown.out
    assert "graphmem hybrid over bm25: recall@10" in shown.out
    assert "6 queries" in shown.out
    assert "written:" in shown.err
    report = Report.model_validate_json((out / "report.json").read_text(encoding="utf-8"))
    assert [s.name for s in report.systems] == ["graphmem hybrid", "bm25", "dense", "rrf", "neighbours"]
    page = (out / "report.md").read_text(encoding="utf-8")
    hybrid = report.systems[0].overall["recall@10"]
    assert f"{hybrid.value:.3f} [{hybrid.low:.3f}, {hybrid.high:.3f}]" in page
    assert "## recall@10 by category" in page
    assert (out / "report.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("environment")
async def test_json_and_no_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    assert await retrieval(data=EXAMPLE, mode=("keyword",), baseline=(), timed=0, gate=False, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert [s["name"] for s in report["systems"]] == ["graphmem keyword"]
    assert report["differences"] == []


async def test_a_bad_file_is_told_before_the_database_is_opened(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text('{"type": "document", "id": "a"}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"set\.jsonl, line 1: text"):
        await retrieval(data=tmp_path)


async def test_report_files_without_matplotlib_and_in_a_folder_that_is_none(
    memory: Memory, embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = Dataset("a|b", TINY.documents, tuple(Query(q.text, q.expected, q.actor, "日本|語") for q in QUERIES))
    report = await evaluate(memory, embedder, names, Plan(modes=("keyword",), timed=0, gate=False))
    written, left_out = report_files.write(report, tmp_path)
    assert (len(written), left_out) == (3, False)
    monkeypatch.setattr(report_files, "draw", lambda *given: False)
    written, left_out = report_files.write(report, tmp_path / "two")
    assert ([path.name for path in written], left_out) == (["report.md", "report.json"], True)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInput, match="cannot be written to"):
        report_files.write(report, tmp_path / "file")


def test_the_first_mode_is_compared_and_the_defaults_are_those_of_the_command() -> None:
    assert (module.MODES[0], module.BASELINES) == ("hybrid", ("bm25", "dense", "rrf", "neighbours"))
