"""The time that a question speaks of."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from graphmem.providers.offline.period import period_of

TOKYO = timezone(timedelta(hours=9))
NOW = datetime(2025, 6, 11, 8, tzinfo=TOKYO)  # a Wednesday


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("What did I do yesterday?", "2025-06-10T00:00+09:00", "2025-06-11T00:00+09:00"),
        ("Where was I last week?", "2025-06-02T00:00+09:00", "2025-06-09T00:00+09:00"),
        ("Where was I last weekend?", "2025-06-07T00:00+09:00", "2025-06-09T00:00+09:00"),
        ("Who did I meet in the last two weeks?", "2025-05-28T00:00+09:00", "2025-06-11T08:00+09:00"),
        ("What did I say on Monday?", "2025-06-09T00:00+09:00", "2025-06-10T00:00+09:00"),
        ("Where did we go last summer?", "2024-06-01T00:00+00:00", "2024-09-01T00:00+00:00"),
        ("What happened in 2023?", "2023-01-01T00:00+00:00", "2024-01-01T00:00+00:00"),
        ("昨日何をした？", "2025-06-10T00:00+09:00", "2025-06-11T00:00+09:00"),
        ("先週どこに行った？", "2025-06-02T00:00+09:00", "2025-06-09T00:00+09:00"),
        ("先月買ったものは？", "2025-05-01T00:00+00:00", "2025-06-01T00:00+00:00"),
        ("去年の夏の旅行は？", "2024-06-01T00:00+00:00", "2024-09-01T00:00+00:00"),
        ("3日前に誰と会った？", "2025-06-08T00:00+09:00", "2025-06-09T00:00+09:00"),
    ],
)
def test_words_become_a_stretch_of_time(query: str, start: str, end: str) -> None:
    assert period_of(query, NOW) == (datetime.fromisoformat(start), datetime.fromisoformat(end))


def test_since_and_until_are_open_on_one_side() -> None:
    since = period_of("What changed since March?", NOW)
    assert since == (datetime.fromisoformat("2025-03-01T00:00+00:00"), NOW)
    until = period_of("3月まで何をしていた？", NOW)
    assert until is not None
    assert until[0].year == 1
    assert until[1] == datetime.fromisoformat("2025-04-01T00:00+00:00")


@pytest.mark.parametrize(
    "query",
    [
        "What do I like?",
        "May I eat nuts?",
        "How long did I live there, for two years?",
        "好きな食べ物は？",
        "2月31日",
        "",
    ],
)
def test_a_query_without_a_time_has_none(query: str) -> None:
    assert period_of(query, NOW) is None
