"""Whatever a file holds, reading it gives messages that may be stored, or an error that says why."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.ingest.file_ids import file_id, file_parts
from graphmem.ingest.readers import SUFFIXES, file_date, parse_file, with_times
from graphmem.models.episode import Message

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = st.text(alphabet=st.sampled_from("aé猫🐈 \n\r\t#-*_`<>&[]!|:0.。「」\u2028\x00\x1b\ufeff"), max_size=80)
HTML = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<![", "<!--", "-->", "<time datetime='x'>", "&#xD800;", "<h1>", "<li>", "猫", "<a href='"]
    )
).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "messages", "conversation", "speaker_a", "session_1", "id", "name", "occurred_at"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
).map(json.dumps)
CONTENT = st.binary(max_size=60) | WORDS.map(str.encode) | HTML.map(str.encode) | JSON.map(str.encode)


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=CONTENT)
@example(content=b"<![")
@example(content=b"%PDF-1.4\n")
@example(content=b"[1e999, NaN]")
def test_reading_ends_well(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)
    document, problem = None, ""
    try:
        document = parse_file(path, now=NOW)
    except InvalidInput as error:
        problem = error.message
    if document is None:
        assert path.name in problem
        return
    date, _ = file_date(document, path, NOW)
    messages = with_times(document, date).messages
    parts = list(file_parts(document, file_id(path), None))
    assert len({part.key for part in parts}) == len(parts) == len(messages) > 0
    for part, message in zip(parts, messages, strict=True):
        assert message.occurred_at is not None
        Message.model_validate(part.at(message.occurred_at).message.model_dump())
