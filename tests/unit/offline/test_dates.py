"""Time expressions against fixed references, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.providers.offline.dates import DateSpan, resolve_dates

TOKYO = timezone(timedelta(hours=9))
WEDNESDAY = datetime(2025, 6, 18, 1, 30, tzinfo=TOKYO)
"""Still Tuesday in UTC: days must be the speaker's."""


def show(span: DateSpan, zone: timezone = TOKYO) -> str:
    value = span.value
    if value.precision in ("year", "month"):
        return f"{span.kind} {value.at:%Y}" if value.precision == "year" else f"{span.kind} {value.at:%Y-%m}"
    local = value.at.astimezone(zone)
    return f"{span.kind} {local:%Y-%m-%d}" if value.precision == "day" else f"{span.kind} {local:%Y-%m-%dT%H:%M}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "point 2025-06-18"),
        ("yesterday", "point 2025-06-17"),
        ("the day after tomorrow", "point 2025-06-20"),
        ("3 days ago", "point 2025-06-15"),
        ("two weeks ago", "point 2025-06-04"),
        ("five months ago", "point 2025-01"),
        ("three years ago", "point 2022"),
        ("last month", "point 2025-05"),
        ("next year", "point 2026"),
        ("last Tuesday", "point 2025-06-17"),
        ("next Friday", "point 2025-06-20"),
        ("on 3 May 2024", "point 2024-05-03"),
        ("May 3rd, 2024 at 3pm", "point 2024-05-03T15:00"),
        ("2024-02-29", "point 2024-02-29"),
        ("in 2019", "point 2019"),
        ("in March 2024", "point 2024-03"),
        ("since 2019", "since 2019"),
        ("from 1 September 2026", "since 2026-09-01"),
        ("until March 2026", "until 2026-03"),
        ("Since noon on 10 April", "since 2025-04-10T12:00"),
        ("last summer", "point 2024-06"),
    ],
)
def test_english(text: str, expected: str) -> None:
    [span] = resolve_dates(text, WEDNESDAY, "en")
    assert (span.start, span.end) == (0, len(text))
    assert show(span) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今日", "point 2025-06-18"),
        ("一昨日", "point 2025-06-16"),
        ("おととい", "point 2025-06-16"),
        ("明後日", "point 2025-06-20"),
        ("今朝", "point 2025-06-18"),
        ("先週の火曜日に", "point 2025-06-10"),
        ("先月", "point 2025-05"),
        ("一昨年", "point 2023"),
        ("去年の5月に", "point 2024-05"),
        ("来年の四月から", "since 2026-04"),
        ("三日前", "point 2025-06-15"),
        ("二週間前", "point 2025-06-04"),
        ("三か月前", "point 2025-03"),
        ("十二年後", "point 2037"),
        ("半年前", "point 2024-12"),
        ("令和6年3月に", "point 2024-03"),
        ("平成元年", "point 1989"),
        ("昭和五十八年", "point 1983"),
        ("2019年から", "since 2019"),
        ("２０２６年４月１日から", "since 2026-04-01"),
        ("3月5日まで", "until 2025-03-05"),
        ("去年の8月いっぱいで", "until 2024-08"),
        ("昨日の午後3時に", "point 2025-06-17T15:00"),
        ("明日の10時半", "point 2025-06-19T10:30"),
    ],
)
def test_japanese(text: str, expected: str) -> None:
    [span] = resolve_dates(text, WEDNESDAY, "ja")
    assert (span.start, span.end) == (0, len(text))
    assert show(span) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I may march on Jan, who has 8080 sheep.", "en"),
        ("30 February 2024", "en"),
        ("every Friday and on Mondays", "en"),
        ("She is 5 years old.", "en"),
        ("毎週火曜日にゴミを出す", "ja"),
        ("日曜大工が趣味です", "ja"),
        ("三か月に一度", "ja"),
        ("2月30日", "ja"),
    ],
)
def test_what_only_looks_like_a_date(text: str, language: str) -> None:
    assert resolve_dates(text, WEDNESDAY, language) == []


@pytest.mark.parametrize(("text", "language"), [("from 2015 to 2018", "en"), ("2015年から2018年まで", "ja")])
def test_range(text: str, language: str) -> None:
    assert [show(s) for s in resolve_dates(text, WEDNESDAY, language)] == ["since 2015", "until 2018"]


@pytest.mark.parametrize(("text", "language"), [("this week", "en"), ("今週", "ja")])
def test_this_week_is_bounded(text: str, language: str) -> None:
    [span] = resolve_dates(text, WEDNESDAY, language)
    assert span.until is not None
    assert show(span) == "during 2025-06-16"
    assert span.until.at.astimezone(TOKYO) == datetime(2025, 6, 23, tzinfo=TOKYO)


def test_a_year_from_29_february_ends_on_28_february() -> None:
    [span] = resolve_dates("for one year", datetime(2024, 2, 29, 9, tzinfo=UTC), "en")
    assert span.length == (1, "year")
    assert span.until is not None
    assert span.until.at == datetime(2025, 2, 28, tzinfo=UTC)


def test_preference_decides_a_bare_month() -> None:
    [past] = resolve_dates("in August", WEDNESDAY, "en")
    [future] = resolve_dates("in August", WEDNESDAY, "en", prefer="future")
    assert (show(past), show(future)) == ("point 2024-08", "point 2025-08")


def test_reference_must_be_aware() -> None:
    with pytest.raises(ValueError, match="aware"):
        resolve_dates("today", datetime(2025, 6, 18), "en")
