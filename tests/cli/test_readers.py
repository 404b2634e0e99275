"""Files to messages: kinds, dates, ids and errors that name the place."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput, TooLarge
from graphmem.ingest import readers
from graphmem.ingest.readers import read_file

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LOCOMO = Path(__file__).parents[3] / "shared" / "data" / "locomo" / "conv-26.json"


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_text_makes_a_message_of_each_paragraph(tmp_path: Path) -> None:
    document = read_file(write(tmp_path, "notes.txt", "One line.\nStill one.\n\n\n  \nTwo.\n\n---\n"), now=NOW)
    assert [m.content for m in document.messages] == ["One line.\nStill one.", "Two."]
    assert [m.id for m in document.messages] == ["notes.txt#1", "notes.txt#2"]
    times = [m.occurred_at for m in document.messages]
    assert times == sorted(times)
    assert times[-1] < NOW


@pytest.mark.parametrize("sentence", ["The cat sat on the mat. ", "猫がマットの上に座っていた。"])
def test_long_paragraphs_are_cut_after_a_sentence(tmp_path: Path, sentence: str) -> None:
    messages = read_file(write(tmp_path, "long.txt", sentence * 500), now=NOW).messages
    assert len(messages) > 3
    assert all(len(m.content) <= 2_000 and m.content[-1] in ".。" for m in messages)
    assert sum(m.content.count("cat") + m.content.count("猫") for m in messages) == 500


def test_japanese_markdown_with_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    text = (
        "---\r\ntitle: 日記\r\ndate: 2025-06-01\r\n---\r\n前書きです。\r\n\r\n# 引っ越し\r\n"
        "京都に引っ越した。\r\n## 2025年7月3日\r\n転職した。\r\n```\r\n# 見出しではない\r\n```\r\n# 空\r\n"
    )
    document = read_file(write(tmp_path, "日記.md", b"\xef\xbb\xbf" + text.encode()), now=NOW)
    first, move, job = document.messages
    assert document.kind == "markdown"
    assert first.content == "前書きです。"
    assert move.content == "引っ越し\n\n京都に引っ越した。"
    assert "# 見出しではない" in job.content
    assert first.occurred_at == datetime(2025, 6, 1, tzinfo=UTC)
    assert move.occurred_at > first.occurred_at
    assert move.occurred_at.date() == first.occurred_at.date()
    assert job.occurred_at == datetime(2025, 7, 3, tzinfo=UTC)


def test_underlined_headings_and_a_rule_are_told_apart(tmp_path: Path) -> None:
    text = "Trip\n====\nWe went north.\n\n---\n\nStill the trip.\n\nHome\n----\nWe came back.\n"
    contents = [m.content for m in read_file(write(tmp_path, "a.md", text), now=NOW).messages]
    assert contents == ["Trip\n\nWe went north.\n\nStill the trip.", "Home\n\nWe came back."]


def test_chat_lines_keep_ids_names_sessions_and_dates(tmp_path: Path) -> None:
    rows = [
        {
            "role": "user",
            "content": "こんにちは",
            "name": "遥",
            "id": "m1",
            "occurred_at": "2025-01-02T09:00:00+09:00",
        },
        {"role": "assistant", "content": "Hello", "session_id": "b"},
        {"role": "user", "content": "Again"},
    ]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    document = read_file(write(tmp_path, "chat.jsonl", lines + "\n\n"), now=NOW)
    assert [(s.id, [m.id for m in s.messages]) for s in document.sessions] == [
        (None, ["m1", "line-3"]),
        ("b", ["line-2"]),
    ]
    assert document.messages[0].occurred_at == datetime(2025, 1, 2, tzinfo=UTC)
    assert document.speakers == ("遥",)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"role": "user", "content": ', "not JSON"),
        ('["user", "hi"]', "must be an object"),
        ('{"role": "robot", "content": "hi"}', "role: "),
        ('{"role": "user"}', "content: "),
        ('{"role": "user", "content": "hi", "ocurred_at": "2025"}', "unknown field 'ocurred_at'"),
        ('{"role": "user", "content": "hi", "occurred_at": "someday"}', "occurred_at: "),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = write(tmp_path, "chat.jsonl", '{"role": "user", "content": "fine"}\n\n' + line + "\n")
    with pytest.raises(InvalidInput) as caught:
        read_file(path)
    assert caught.value.message.startswith("chat.jsonl, line 3: ")
    assert problem in caught.value.message
    assert "\n" not in caught.value.message


def test_files_that_cannot_be_read_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = {
        tmp_path / "absent.txt": "there is no file",
        tmp_path: "is a folder",
        write(tmp_path, "sjis.txt", "一行目\n".encode() + "二行目".encode("cp932")): "line 2: not UTF-8",
        write(tmp_path, "scan.pdf", b"%PDF-1.7\n1 0 obj"): "the PDF is broken",
        write(tmp_path, "letter.rtf", b"{\\rtf1 text}"): "not plain text",
        write(tmp_path, "image.png", b"\x00\x01PNG"): "not a text file",
        write(tmp_path, "blank.md", "\n \n# \n"): "holds no text",
        write(tmp_path, "odd.json", '{"a": 1}'): "neither",
        write(tmp_path, "cut.json", '{"a":\n'): "not JSON",
    }
    for path, problem in cases.items():
        with pytest.raises(InvalidInput, match=problem):
            read_file(path)
    monkeypatch.setattr(readers, "MAX_FILE_BYTES", 3)
    with pytest.raises(TooLarge):
        read_file(write(tmp_path, "big.txt", "four"))


def test_json_lists_of_messages_are_chats(tmp_path: Path) -> None:
    rows = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    for name, data in {"a.json": rows, "b.json": {"messages": rows}}.items():
        assert [m.role for m in read_file(write(tmp_path, name, json.dumps(data))).messages] == [
            "user",
            "assistant",
        ]


def test_a_locomo_conversation_keeps_turn_ids_and_dates(tmp_path: Path) -> None:
    if not LOCOMO.exists():
        pytest.skip(f"no LoCoMo data at {LOCOMO}")
    document = read_file(LOCOMO)
    messages = document.messages
    assert document.kind == "locomo"
    assert len(messages) == 419
    assert messages[0].id == "D1:1"
    assert messages[0].occurred_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [s.id for s in document.sessions][:3] == ["session_1", "session_2", "session_3"]
    assert document.speakers == ("Caroline", "Melanie")
    assert "[shares an image: a photo of a dog" in messages[4].content
    ids = {m.id for m in messages}
    assert len(document.questions) == readers.MAX_QUESTIONS
    assert all(set(q.evidence) <= ids for q in document.questions)
    times = [m.occurred_at for m in messages]
    assert times == sorted(times)


def test_a_broken_locomo_conversation_is_refused(tmp_path: Path) -> None:
    data = {"conversation": {"speaker_a": "A", "session_1": [{"text": "hi"}], "session_1_date_time": "noon"}}
    with pytest.raises(InvalidInput, match="not a LoCoMo conversation"):
        read_file(write(tmp_path, "c.json", json.dumps(data)))
