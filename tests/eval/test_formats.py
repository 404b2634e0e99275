"""Data sets as files: what is read from each format, and a bad line is named with its number and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.eval.formats import Format, read, turn_ids

DOCUMENT = {"type": "document", "id": "d1", "text": "I moved to Osaka."}
QUERY = {"type": "query", "query": "Where do I live?", "expected": ["d1"]}
EXAMPLE = Path(__file__).parents[1] / "data" / "retrieval" / "example.jsonl"


def lines(folder: Path, *rows: Any) -> Path:
    path = folder / "set.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), encoding="utf-8")
    return path


def test_lines_of_documents_and_queries(tmp_path: Path) -> None:
    full = {**DOCUMENT, "id": "d2", "name": "Ida", "session": "s", "occurred_at": "2026-02-03T09:00:00+09:00"}
    data = read(lines(tmp_path, DOCUMENT, "", full, {**QUERY, "category": "home", "answer": "Osaka"}))
    first, second = data.documents
    assert (first.spoken, first.actor, first.session) == ("I moved to Osaka.", "eval", None)
    assert (second.spoken, second.session) == ("Ida: I moved to Osaka.", "s")
    assert str(second.occurred_at) == "2026-02-03 09:00:00+09:00"
    (query,) = data.queries
    assert (query.actor, query.category, query.answer, query.expected) == ("eval", "home", "Osaka", {"d1"})


def test_a_query_without_actor_is_asked_of_the_only_one(tmp_path: Path) -> None:
    own = {**DOCUMENT, "actor": "ida"}
    assert read(lines(tmp_path, own, QUERY)).queries[0].actor == "ida"
    with pytest.raises(InvalidInput, match=r"line 3: actor: no document has none"):
        read(lines(tmp_path, own, {**own, "actor": "ben"}, QUERY))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", r"set\.jsonl, line 3: not JSON"),
        ("[1]", r"line 3: type: must be document or query"),
        ({"type": "fact"}, r"line 3: type: must be document or query"),
        ({"id": "d9", "text": "x"}, r"line 3: type: must be document or query"),
        ({**DOCUMENT, "id": "d9", "text": " "}, r"line 3: text: must not be blank"),
        ({"type": "document", "id": "d9"}, r"line 3: text: Field required"),
        ({**DOCUMENT, "id": "d9", "colour": 1}, r"line 3: colour: there is no such field"),
        ({**DOCUMENT, "id": "d9", "occurred_at": "today"}, r"line 3: occurred_at: must be an RFC 3339 time"),
        (DOCUMENT, r"line 3: id: another document of this actor has it"),
        ({**QUERY, "expected": ["d1", "d7"]}, r"line 3: expected\.1: its actor has no such document"),
        ({**QUERY, "expected": "d1"}, r"line 3: expected: Input should be a valid tuple"),
        ({**QUERY, "actor": "ben"}, r"line 3: actor: no document has it"),
        ({**QUERY, "expected": []}, r"line 3: one of expected, answer and unanswerable is required"),
        ({**QUERY, "answer": "Osaka", "unanswerable": True}, r"line 3: answer and unanswerable exclude each other"),
    ],
)
def test_a_bad_line_is_named_with_its_number_and_field(tmp_path: Path, row: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        read(lines(tmp_path, DOCUMENT, QUERY, row))
    assert "Osaka" not in caught.value.message


CONVERSATION = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ida",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ida", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red kite"},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Where was that?"},
        ],
        "session_2_date_time": "9:00 am on 9 June, 2023",
        "session_2": [{"speaker": "Ida", "dia_id": "D2:1", "text": "At the sea."}],
    },
    "qa": [
        {"question": "What did Ida show?", "answer": "a kite", "evidence": ["D1:1"], "category": 4},
        {"question": "Where?", "answer": 7, "evidence": ["D1:01; D:2:1", "D9:9"], "category": 1},
        {"question": "Who flew?", "adversarial_answer": "Ben", "evidence": ["D1:2"], "category": 5},
        {"question": "Nothing?", "answer": "x", "evidence": [], "category": 3},
    ],
}


def test_a_locomo_conversation(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(CONVERSATION), encoding="utf-8")
    data = read(tmp_path)
    assert data.documents[0].spoken == "Ida: Look! [shares an image: a red kite]"
    assert [(d.id, d.session) for d in data.documents] == [
        ("D1:1", "session_1"),
        ("D1:2", "session_1"),
        ("D2:1", "session_2"),
    ]
    assert str(data.documents[2].occurred_at) == "2023-06-09 09:00:00+00:00"
    assert [(q.category, set(q.expected), q.answer, q.unanswerable) for q in data.queries] == [
        ("single-hop", {"D1:1"}, "a kite", False),
        ("multi-hop", {"D1:1", "D2:1"}, "7", False),
        ("adversarial", {"D1:2"}, None, True),
    ]
    assert (data.skipped, list(data.by_actor)) == (1, ["conv-1"])


def test_turn_ids_as_the_conversations_write_them() -> None:
    written = ["D8:6; D9:17", "D30:05", "D:11:26", "D1:1,D1:2", "none"]
    assert list(turn_ids(written)) == ["D8:6", "D9:17", "D30:5", "D11:26", "D1:1", "D1:2"]


def test_passages_with_questions(tmp_path: Path) -> None:
    paragraphs = [
        {
            "context": "梅雨 [SEP] 梅雨は雨の多い季節。",
            "qas": [{"question": "梅雨とは?", "answers": [{"text": "季節"}]}],
        },
        {"context": "No title in it.", "qas": [{"question": "Which?", "answers": [], "is_impossible": True}]},
    ]
    (tmp_path / "q.json").write_text(json.dumps({"data": [{"title": "梅雨", "paragraphs": paragraphs}]}))
    data = read(tmp_path / "q.json")
    assert [(d.id, d.text) for d in data.documents] == [
        ("p1-1", "梅雨: 梅雨は雨の多い季節。"),
        ("p1-2", "梅雨: No title in it."),
    ]
    first, second = data.queries
    assert (first.expected, first.answer, first.actor) == ({"p1-1"}, "季節", "q")
    assert (second.expected, second.unanswerable) == ({"p1-2"}, True)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        ("{", "auto", r"f\.json, line 1: not JSON"),
        ("[]", "auto", r"f\.json is no LoCoMo conversation and no passages"),
        ('{"qa": []}', "auto", r"f\.json"),
        ('{"conversation": {}}', "locomo", r"f\.json"),
        ('{"data": [{"paragraphs": [{"context": "x"}]}]}', "auto", r"f\.json, paragraph 1: not as in SQuAD"),
        ('{"data": []}', "jsquad", r"f has no documents"),
    ],
)
def test_files_that_are_nothing_of_it(tmp_path: Path, content: str, kind: Format, message: str) -> None:
    (tmp_path / "f.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path / "f.json", kind)


def test_folders_and_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="there is no file or folder"):
        read(tmp_path / "none")
    with pytest.raises(InvalidInput, match="holds no"):
        read(tmp_path)
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match=r"a\.jsonl is not UTF-8 text"):
        read(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    with pytest.raises(InvalidInput, match="the actor eval is in two files"):
        read(tmp_path)


def test_a_sample_is_the_same_for_each_seed_and_has_the_documents_of_its_actors() -> None:
    data = read(EXAMPLE)
    one, again, other = data.sample(3, 1), data.sample(3, 1), data.sample(3, 2)
    assert one.queries == again.queries != other.queries
    assert len(one.queries) == 3
    assert {d.actor for d in one.documents} == {q.actor for q in one.queries}
    assert data.sample(None, 1) is data.sample(10_000, 1) is data


def test_what_is_measured_of_a_set_by_retrieval_and_by_answers(tmp_path: Path) -> None:
    unsaid = {"type": "query", "query": "Who is Zoe?", "unanswerable": True}
    data = read(lines(tmp_path, DOCUMENT, QUERY, unsaid))
    assert [q.text for q in data.to_find().queries] == ["Where do I live?"]
    assert [q.text for q in data.to_answer().queries] == ["Who is Zoe?"]
    assert (data.to_find().skipped, data.to_answer().skipped) == (1, 1)
    with pytest.raises(InvalidInput, match="no queries with an answer"):
        read(lines(tmp_path, DOCUMENT, QUERY)).to_answer()
    with pytest.raises(InvalidInput, match="no queries with expected documents"):
        read(lines(tmp_path, DOCUMENT, unsaid)).to_find()


def test_the_shared_sets_are_read_whole(shared_dir: Path) -> None:
    locomo = read(shared_dir / "data" / "locomo").to_find()
    assert (len(locomo.documents), len(locomo.queries), locomo.skipped, len(locomo.by_actor)) == (2760, 997, 2, 5)
    assert set(locomo.categories) == {"multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}
    jsquad = read(shared_dir / "data" / "jglue" / "jsquad-valid.json").to_find()
    assert (len(jsquad.documents), len(jsquad.queries), jsquad.skipped) == (1145, 4442, 0)
