"""Hostile and huge text: spans stay exact, names stay short, nothing is slow or lost."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.ports import Extracted

from .conftest import Extract


def check(content: str, extracted: Extracted) -> None:
    assert extracted.warnings == ()
    for c in extracted.candidates:
        assert content[c.start : c.end] == c.quote
        for name in (c.subject.name, c.object.name):
            assert 0 < len(name) <= 200
            assert all(unicodedata.category(x) != "Cc" for x in name + c.text)


async def test_escape_codes_and_markup_do_not_reach_names(extract: Extract) -> None:
    content = "\x1b[32mPASS\x1b[0m The nightly job of Elke Sommerfeld finished at 02:10."
    extracted = await extract(content)
    check(content, extracted)
    assert [c.object.name for c in extracted.candidates] == ["02:10"]
    content = '<div onclick="go(1)"><script>go(1)</script><b>塩谷さん</b>はライ麦パンが好き</div>'
    extracted = await extract(content)
    check(content, extracted)
    assert [(c.subject.name, c.object.name) for c in extracted.candidates] == [("塩谷", "ライ麦パン")]


async def test_long_tokens_are_no_names(extract: Extract) -> None:
    blob = "QUJD" * 5_000
    content = f"Rosalind sent the floor plan as {blob}. Gudrun paints boats."
    extracted = await extract(content)
    check(content, extracted)
    assert "Gudrun" in {c.subject.name for c in extracted.candidates}
    content = f"The key is called {'a' * 9_000} and it is rusty."
    extracted = await extract(content)
    check(content, extracted)
    assert {r.reason for r in extracted.rejected} == {"name_too_long"}


async def test_decomposed_letters_are_composed_in_names(extract: Extract) -> None:
    content = unicodedata.normalize("NFD", "ガブリエラは京都に住んでいる。")
    extracted = await extract(content)
    check(content, extracted)
    assert [c.subject.name for c in extracted.candidates] == ["ガブリエラ"]


@pytest.mark.parametrize(
    ("unit", "last"),
    [
        ("The meeting notes say nothing new. ", "Yara Costigan's locker label is teal."),
        ("今日の議事録には新しいことは何もありません。", "柳さんは長野に住んでいる。"),
    ],
)
async def test_fifty_thousand_characters_take_seconds(extract: Extract, unit: str, last: str) -> None:
    content = unit * ((49_900 - len(last)) // len(unit)) + last
    began = time.process_time()
    extracted = await extract(content)
    assert time.process_time() - began < 10
    check(content, extracted)
    assert extracted.candidates[-1].quote == last


async def test_no_sentence_end_in_a_long_text(extract: Extract) -> None:
    for content in ("word and " * 5_000, "あいう" * 15_000, "," * 40_000, "a" * 50_000, "<" * 50_000, "「" * 45_000):
        began = time.process_time()
        check(content, await extract(content))
        assert time.process_time() - began < 5


async def test_code_and_front_matter_state_nothing(extract: Extract) -> None:
    content = "---\ntitle: Anna lives in Rome\n---\n```\nx = likes(tea)\n```\nI live in Osaka.\r\n"
    extracted = await extract(content)
    check(content, extracted)
    assert [(c.predicate, c.object.name) for c in extracted.candidates] == [("lives_in", "Osaka")]


_WORDS = """I we she 私は 彼女 my sister Anna's 妹の アンナ が を に は の で と から moved likes 住んで いる です たい
ない no longer called to in at and , . ; ? 。 、 ( ) 「 」 " '
2024年 yesterday 5 C++ a@b.co http://x.y/z <b> \x1b[1m ー ！
not because if だった ました という 名前 より 方が 好き é 👨‍👩‍👧 % / & married years old 歳 year"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\u3000"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(_PIECES, min_size=1, max_size=25), glue=st.sampled_from(["", " "]))
async def test_word_salad(extract: Extract, pieces: list[str], glue: str) -> None:
    content = glue.join(pieces)
    check(content, await extract(content))
