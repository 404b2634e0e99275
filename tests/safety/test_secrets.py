"""Which texts are secrets: a labelled list in two languages, and what must hold whatever the text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.safety.secrets import find_secrets, marker, redact

DATA = Path(__file__).parents[1] / "data" / "secrets"


def labelled(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


POSITIVES, NEGATIVES = labelled("positives.jsonl"), labelled("negatives.jsonl")


def test_the_list_is_large_enough_and_in_both_languages() -> None:
    assert len(POSITIVES) >= 40
    assert len(NEGATIVES) >= 60
    for rows in (POSITIVES, NEGATIVES):
        assert {row["language"] for row in rows} == {"en", "ja"}


def test_secrets_are_found_and_nothing_else_of_the_text_is_lost() -> None:
    missed = []
    for row in POSITIVES:
        clean, counts = redact(row["text"])
        if any(secret in clean for secret in row["secrets"]):
            missed.append(row["text"])
            continue
        expected = row["text"]
        for start, end, kind in reversed(find_secrets(row["text"])):
            assert row["text"][start:end] in row["secrets"], row["text"]
            expected = expected[:start] + marker(kind) + expected[end:]
        assert clean == expected
        assert counts[row["kind"]] >= 1, (row["text"], counts)
    total = sum(len(row["secrets"]) for row in POSITIVES)
    assert len(missed) <= 1, missed  # one names its secret in another sentence
    print(f"{total - len(missed)} of {total} secrets found")


@pytest.mark.parametrize("row", NEGATIVES, ids=lambda row: row["text"][:30])
def test_what_only_looks_like_a_secret_stays_as_it_is(row: dict[str, Any]) -> None:
    assert redact(row["text"]) == (row["text"], {})


@pytest.mark.parametrize("row", POSITIVES, ids=lambda row: row["kind"])
def test_redacting_again_changes_nothing(row: dict[str, Any]) -> None:
    once, _ = redact(row["text"])
    assert redact(once) == (once, {})


@given(before=st.text(max_size=40), after=st.text(max_size=40))
def test_a_key_is_found_between_any_words(before: str, after: str) -> None:
    key = "AKIAZZFAKEFAKEFAKE12"
    assert key not in redact(f"{before} {key} {after}")[0]


@given(st.text(max_size=300))
def test_spans_are_in_order_apart_and_within_the_text(text: str) -> None:
    position = 0
    for start, end, _ in find_secrets(text):
        assert position <= start < end <= len(text)
        position = end


def test_a_text_of_the_greatest_length_stays_within_it() -> None:
    text = ("password: a1b2c3d\n" * 3_000)[:50_000]
    clean, counts = redact(text)
    assert "a1b2c3d" not in clean
    assert len(clean) <= 50_000
    assert counts["password"] > 2_000


HOSTILE = [
    *(
        "a",
        "password: ",
        "password is ",
        "パスワードは",
        "パスワード「",
        "://a:",
        "://a:b@",
        "sk-",
        "eyJ",
        "eyJaaaaaaaa.",
    ),
    *("xoxb-", "api_key=", "secret_", "token ", "PIN ", "1", "4111 ", "1-", "AKIA", "AccountKey=", "-u a:", "「"),
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----\n",
    "AAAA\n",
    "seed phrase: abandon ",
    "a is my password ",
    "a\u200b",
    "aws secret /",
    "4111 1111 1111 ",
    "password from A1b2c3 to B1b2c3 ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        start = time.process_time()
        find_secrets(text)
        return time.process_time() - start

    tenth = min(seconds(30_000) for _ in range(3))
    assert min(seconds(300_000) for _ in range(2)) < 40 * tenth + 0.3  # ten times as much when linear, else a hundred


def test_an_ordinary_turn_costs_well_under_a_millisecond() -> None:
    turns = [
        "I moved to Osaka last month and I really like the ramen place near the station.",
        "弟の健太は札幌に住んでいて、毎週日曜日に父の店を手伝っています。",
    ] * 100
    start = time.process_time()
    for turn in turns:
        find_secrets(turn)
    each = (time.process_time() - start) / len(turns)
    assert each < 0.001  # measured: 0.04 ms
