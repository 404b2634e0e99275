"""Ids of parts: made of the file and the words, not of the place; safe for any name of a file."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from graphmem.ingest.file_ids import file_id, file_parts, path_of
from graphmem.ingest.readers import parse_file
from graphmem.models.base import Id

ID: TypeAdapter[str] = TypeAdapter(Id)


def ids(folder: Path, text: str, name: str = "a.txt") -> list[str]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    parts = list(file_parts(parse_file(path, now=datetime(2026, 1, 1, tzinfo=UTC)), file_id(path), None))
    for part in parts:
        ID.validate_python(part.message.id)
    return [part.message.id or "" for part in parts]


def test_a_paragraph_put_before_others_changes_no_id_of_theirs(tmp_path: Path) -> None:
    before = ids(tmp_path, "一つ目。\n\n二つ目。\n\n一つ目。\n")
    after = ids(tmp_path, "新しい。\n\n一つ目。\n\n二つ目。\n\n一つ目。\n")
    assert len(set(before)) == 3
    assert after[1:] == before
    assert ids(tmp_path, "一つ目。\r\n\r\n二つ目。\n\n一つ目。") == before


def test_a_document_s_date_is_part_of_what_it_says(tmp_path: Path) -> None:
    text = "---\ndate: {}\n---\nI moved today.\n"
    first, second = (ids(tmp_path, text.format(day), "a.md") for day in ("2025-06-18", "2025-06-19"))
    assert first != second


def test_a_chat_s_own_ids_count_within_their_file(tmp_path: Path) -> None:
    rows = [{"id": "m1", "role": "user", "content": "a"}, {"role": "user", "content": "b"}] * 2
    text = "\n".join(json.dumps(row) for row in rows)
    found = ids(tmp_path, text, "chat.jsonl")
    assert found[0] == f"{tmp_path.as_posix()}/chat.jsonl#m1"
    assert found[2] == f"{found[0]}-2"
    assert len(set(found)) == 4
    assert found != ids(tmp_path, text, "other.jsonl")
    assert len(ids(tmp_path, json.dumps({"id": "x" * 256, "role": "user", "content": "a"}), "long.jsonl")) == 1


@pytest.mark.parametrize("name", ["100%.txt", "line\nend.txt", "\x1b[31m.txt", "　.txt", os.fsdecode(b"\xff\xfe.txt")])
def test_any_name_of_a_file_makes_an_id_that_leads_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    (part,) = ids(tmp_path, "I live in Osaka.", name)
    assert part.startswith(f"{file_id(path)}#")
    assert path_of(ID.validate_python(file_id(path))) == path.resolve()


def test_long_and_secret_names_are_shortened(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["folder of notes"] * 20)
    names = {file_id(deep / "a.txt"), file_id(deep / "b.txt"), file_id(deep / "more" / "a.txt")}
    assert len(names) == 3
    assert all(len(name) <= 180 and path_of(name) is None for name in names)
    secret = file_id(tmp_path / ("AKIA" + "IOSFODNN7EXAMPLE") / "a.txt")
    assert "AKIA" not in secret
    assert path_of(secret) is None


def test_digests_do_not_tell_a_secret(tmp_path: Path) -> None:
    first = ids(tmp_path, "My password is hunter2secret!")
    assert ids(tmp_path, "My password is another8one?") == first
