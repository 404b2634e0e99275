"""Markdown files as notes: what is read, and that nothing is lost on the way back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput, TooLarge
from graphmem.models.times import ValidTime
from graphmem.notes.content import Content, topic_key
from graphmem.notes.markdown import inline_tags, read_note, write_note
from graphmem.notes.wikilinks import link_key, link_targets, place_names

YEAR = ValidTime(at=datetime(2024, 1, 1, tzinfo=UTC), precision="year")
FILES = {
    "bom-crlf": b"\xef\xbb\xbf---\r\ndate: 2024-05-17\r\ntags: [trip]\r\n---\r\nTorvald bought a loom.\r\n",
    "empty": b"",
    "no-head": "[[京都|古都]]に行く。".encode(),
    "comment-and-nested": b"---\n# mine\na:\n  b: 1\ntags:\n- x\n-   y\n\ncssclass: wide\n---\n\nbody\n\n\n",
    "mixed-ends": b"---\ntitle: T\r\n---\nline\r\nline\rline\n",
    "unclosed": b"---\ntitle: T\nbody",
    "rule-in-body": b"text\n---\nmore\n---\n",
    "quotes": b"---\ntitle: \"a: 'b' \\\"c\\\"\"\naliases: ['it''s', plain, \"x, y\"]\n---\n",
    "block-text": b"---\nsummary: |\n  two\n  lines\n---\nbody",
}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_an_unchanged_file_comes_back_byte_for_byte(data: bytes) -> None:
    assert write_note(read_note(data, "a/b.md"), "a/b.md") == data


@given(st.text(st.sampled_from("-a:#[]\"'|>\r\n \t京"), max_size=60), st.booleans())
def test_any_head_comes_back_byte_for_byte(head: str, bom: bool) -> None:
    data = (("\ufeff" if bom else "") + f"---\n{head}\n---\nbody").encode()
    assert write_note(read_note(data, "n.md"), "n.md") == data


def test_what_the_head_says() -> None:
    note = read_note(
        '---\ntitle: "京都: 旅行"\naliases: [Kyoto, "K, trip"]\ntags: "#旅行 寺"\n日付: 2024/05\n'
        'supports: ["[[計画]]"]\nrefines: [[案]]\n'
        "description: 二泊三日\nkeywords:\n  - 祇園\n---\n祇園に泊まった。#京都/祇園 #123 `#code`\n".encode(),
        "日記/京都.md",
    )
    assert note.title == "京都: 旅行"
    assert note.aliases == ("Kyoto", "K, trip")
    assert note.tags == ("旅行", "寺", "京都/祇園")
    assert note.valid_at == ValidTime(at=datetime(2024, 5, 1, tzinfo=UTC), precision="month")
    assert note.wants == (("計画", "supports"), ("案", "refines"))
    assert (note.description, note.keywords) == ("二泊三日", ("祇園",))


def test_what_changed_is_written_and_the_rest_stays() -> None:
    data = b"---\n# mine\naliases: [Frey]\ntags: [old]\nother:\n  deep: [1]\n---\nbody #inline\n"
    note = read_note(data, "n.md")
    changed = note.changed(tags=("new", "inline"), aliases=(), importance=0.9, title="On: Freya")
    text = write_note(changed, "n.md").decode()
    assert text == (
        '---\n# mine\ntags:\n  - new\nother:\n  deep: [1]\ntitle: "On: Freya"\nimportance: 0.9\n---\nbody #inline\n'
    )
    again = read_note(text.encode(), "n.md")
    assert (again.tags, again.title, again.importance, again.aliases) == (("new", "inline"), "On: Freya", 0.9, ())


@pytest.mark.parametrize(
    "content",
    [
        Content(body="plain", path="/prefs/style", valid_at=YEAR),
        Content(body="---\nnot a head\n---\n", title="[x]: #y", path="a.md", tags=("t",), keywords=("k: v", "- l")),
        Content(body="---\na: b\n---\nno head of ours", path="a.md"),
        Content(body="本文", title="yes", aliases=("別名",), path="a.md", pinned=True, wants=(("B", "refines"),)),
    ],
)  # fmt: skip
def test_a_note_that_was_never_a_file_comes_back(content: Content) -> None:
    again = read_note(write_note(content, "a.md"), "a.md")
    fields = ("body", "title", "description", "keywords", "tags", "aliases", "path", "pinned", "valid_at", "wants")
    assert {f: getattr(again, f) for f in fields} == {f: getattr(content, f) for f in fields}


def test_what_is_no_text_is_refused() -> None:
    for data in (b"\xff\xfea", b"a\x00b"):
        with pytest.raises(InvalidInput):
            read_note(data, "n.md")
    with pytest.raises(TooLarge):
        read_note(b"x" * 50_001, "n.md")
    with pytest.raises(InvalidInput):
        read_note(b"---\ngraphmem_path: ../../etc/passwd\n---\n", "n.md")


def test_links_in_a_text() -> None:
    text = (
        "[[A]] [[a|shown]] [[Folder/B#Head]] ![[C^block]] [[#here]] [text](../D%20d.md) [web](https://x.y/z.md)\n"
        "`[[code]]`\n```\n[[fence]]\n```\n[[株式会社　青空]] [[]] [[unclosed\n"
    )
    assert link_targets(text) == ("A", "Folder/B", "C", "../D d.md", "株式会社　青空")
    assert link_key("../D d.md") == "d d"
    assert link_key("株式会社　青空.MD") == "株式会社 青空"
    assert place_names("/a/b/C.md") == ("c", "b/c", "a/b/c")


def test_hash_tags() -> None:
    assert inline_tags("# Head\n#one, (#two) x#no #3 #三 https://a/#b &#35; #a/b-c_d.") == (
        "one",
        "two",
        "三",
        "a/b-c_d",
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The office wifi password is blue.", "The office wifi password is red.", True),
        ("オフィスのWi-Fiパスワードは青です。", "オフィスのWi-Fiパスワードは赤です。", True),
        ("The meeting is long.", "The meeting is short.", False),
        ("I was in Kyoto.", "I was in Osaka.", False),
        ("今日は晴れ。", "今日は雨。", False),
    ],
)
def test_the_topic_that_opening_words_name(one: str, other: str, same: bool) -> None:
    keys = topic_key(Content(body=one)), topic_key(Content(body=other))
    assert (keys[0] is not None and keys[0] == keys[1]) is same
