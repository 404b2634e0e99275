"""When a file's messages were written, with the zone that is stated and without inventing any."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphmem.ingest.read_dates import changed_at, named_date, read_date
from graphmem.ingest.readers import file_date, parse_file, read_file

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
JST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2025-06-18", datetime(2025, 6, 18, tzinfo=UTC)),
        ("2025/06/18", datetime(2025, 6, 18, tzinfo=UTC)),
        ("2025-06", datetime(2025, 6, 1, tzinfo=UTC)),
        ("2025-06-18T09:00:00+09:00", datetime(2025, 6, 18, 9, tzinfo=JST)),
        ("2025-06-18 09:00:00 +0900", datetime(2025, 6, 18, 9, tzinfo=JST)),
        ("2025-06-18 09:00 Z", datetime(2025, 6, 18, 9, tzinfo=UTC)),
        ("Wed, 18 Jun 2025 09:00:00 +0900", datetime(2025, 6, 18, 9, tzinfo=JST)),
        ("2025-02-30", None),
        ("1750230000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_of_metadata(text: str, found: datetime | None) -> None:
    read = read_date(text)
    assert read == found
    assert found is None or (read is not None and read.utcoffset() == found.utcoffset())


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2025-06-18.md", 18),
        ("trip 2025_06_18.txt", 18),
        ("2025年6月18日の日記.md", 18),
        ("2025-06-31.md", None),
        ("v2025-06-181.md", None),
        ("20250618.md", None),
        ("notes.md", None),
    ],
)
def test_dates_in_names(name: str, day: int | None) -> None:
    assert named_date(name) == (datetime(2025, 6, day, tzinfo=UTC) if day else None)


def test_a_change_is_never_in_the_future_and_an_unset_time_says_nothing() -> None:
    assert changed_at(1_700_000_000, NOW) == datetime.fromtimestamp(1_700_000_000, UTC)
    for unset in (0, 1, 315_532_800, 9e18, NOW.timestamp() + 10):
        assert changed_at(unset, NOW) == NOW


def test_turns_without_a_time_take_that_of_their_neighbours(tmp_path: Path) -> None:
    rows = [{"content": "a"}, {"content": "b", "occurred_at": "2023-05-08T13:56:00+09:00"}, {"content": "c"}]
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    first = datetime(2023, 5, 8, 13, 56, tzinfo=JST)
    assert [m.occurred_at for m in read_file(path).messages] == [first + timedelta(seconds=n) for n in range(3)]
    assert file_date(parse_file(path), path, NOW)[1] == "stated"


def test_what_states_nothing_is_dated_by_the_name_then_by_its_last_change(tmp_path: Path) -> None:
    path, daily = tmp_path / "chat.jsonl", tmp_path / "2025-06-18.txt"
    path.write_text('{"content": "a"}\n{"content": "b"}')
    daily.write_text("a\n\nb")
    os.utime(path, (1_600_000_000, 1_600_000_000))
    changed = datetime.fromtimestamp(1_600_000_000, UTC)
    times = [m.occurred_at for m in read_file(path).messages]
    assert times == [changed - timedelta(seconds=2), changed - timedelta(seconds=1)]
    assert [m.occurred_at for m in read_file(daily).messages] == [
        datetime(2025, 6, 18, tzinfo=UTC),
        datetime(2025, 6, 18, 0, 0, 1, tzinfo=UTC),
    ]
    given = datetime(2024, 1, 1, tzinfo=UTC)
    assert file_date(parse_file(daily), daily, NOW, given=given) == (given, "given")


def test_front_matter_keeps_its_zone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ndate: 2025-06-18T23:30:00+09:00\n---\n今日、京都に行った。\n", encoding="utf-8")
    (message,) = parse_file(path).messages
    assert message.occurred_at is not None
    assert (message.occurred_at.day, message.occurred_at.utcoffset()) == (18, timedelta(hours=9))
