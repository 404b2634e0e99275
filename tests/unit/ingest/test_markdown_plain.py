"""Markdown as a reader sees it: which words stand, what links mean, and when the file was written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.ingest.read_markdown import plain, written


def links(text: str) -> list[tuple[str, str]]:
    read = plain(text)
    return [(read.text[link.start : link.end], link.target) for link in read.links]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("---\ntitle: Log\n---\n# A *walk*\n\nWe went **north**.\n", "A walk\n\nWe went north."),
        ("\ufeff---\r\ndate: 2024\r\n---\r\nTorvald bought a loom.\r\n", "Torvald bought a loom."),
        ("+++\ndate = 2024\n+++\nText", "Text"),
        ("```py\nI live in Rome\n```\n\n    I live in Bonn\n\nRun `make all` first.", "Run make all first."),
        ("Seen. <!-- I live\nin Rome --> Done.", "Seen. Done."),
        ("<!--\nI live in Rome\n-->\n\n<div>A <b>word</b> &amp; more</div>", "A word & more"),
        ("Seen. %%secret plan%% Done.\n\n%%\nI live in Rome\n%%\n\nEnd.", "Seen. Done.\n\nEnd."),
        ("I ~~live in Rome~~ moved.", "I moved."),
        ("![A cat](cat.png) A cat ![[cat.png|200]]", "A cat"),
        ("- [ ] call Ken\n- [x] pay\n  - rent\n\n1. one", "- call Ken\n- pay\n- rent\n- one"),
        ("> I live in Rome\n\nsays Ken", "“I live in Rome”\n\nsays Ken"),
        ("> [!note] Address\n> I live in Rome", "Address\nI live in Rome"),
        ("| Name | City |\n|--|--|\n| Ken | Rome |\n| | Bonn |", "Name: Ken, City: Rome\nCity: Bonn"),
        ("Met Ken #people #work\nAbout #work today", "Met Ken\nAbout work today"),
        ("Claim[^1].\n\n[^1]: Said Ken.", "Claim.\n\nSaid Ken."),
        ("I moved\nto Rome, and\nI like it", "I moved to Rome, and I like it"),
        ("I like tea\nKen likes coffee", "I like tea\nKen likes coffee"),
        ("私は京都に\n住んでいます。\n紅茶が好きです", "私は京都に住んでいます。\n紅茶が好きです"),
        ("one\\*two\\_ [site](https://x.org) <https://y.org>", "one*two_ site https://y.org"),
        ("", ""),
    ],
)
def test_only_what_a_reader_sees_stands_in_the_text(markdown: str, text: str) -> None:
    assert plain(markdown).text == text


def test_wiki_links_show_their_words_and_mean_their_target() -> None:
    text = "[[Freya Lundahl|Freya]] and [[people/Ken Mori.md]] saw [[Freya Lundahl#Address]], [[Oslo#^b1|the town]]."
    assert plain(text).text == "Freya and Ken Mori saw Freya Lundahl, the town."
    assert links(text) == [
        ("Freya", "Freya Lundahl"),
        ("Ken Mori", "Ken Mori"),
        ("Freya Lundahl", "Freya Lundahl"),
        ("the town", "Oslo"),
    ]


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("![[Ken Mori]]", [("Ken Mori", "Ken Mori")]),
        ("See [[#Address]].", []),
        ("[Frey](people/Freya%20Lundahl.md#top)", [("Frey", "Freya Lundahl")]),
        ("[x](https://a.org/b.md)", []),
        ("`[[Ken]]`\n\n```\n[[Ken]]\n```", []),
        ("[[山田太郎|山田]]さんと会った", [("山田", "山田太郎")]),
        ("| a |\n|--|\n| x [[Ken Mori\\|Ken]] |", [("Ken", "Ken Mori")]),
        ("- **[[Ken Mori|Ken]]** came", [("Ken", "Ken Mori")]),
        ("> [!note] [[Ken Mori|Ken]] came", [("Ken", "Ken Mori")]),
        ("[[]] [[ | ]] [[a\nb]] [[", []),
    ],
)
def test_each_link_stands_where_its_words_are(markdown: str, found: list[tuple[str, str]]) -> None:
    assert links(markdown) == found


@pytest.mark.parametrize(
    ("value", "at", "precision"),
    [
        ("2024-05-17", datetime(2024, 5, 17, tzinfo=UTC), "day"),
        ("2024/5/7", datetime(2024, 5, 7, tzinfo=UTC), "day"),
        ("2024年5月17日", datetime(2024, 5, 17, tzinfo=UTC), "day"),
        ("'2024-05'  # about", datetime(2024, 5, 1, tzinfo=UTC), "month"),
        ("2024", datetime(2024, 1, 1, tzinfo=UTC), "year"),
        ("2024-05-17T01:00:00+09:00", datetime(2024, 5, 16, 16, tzinfo=UTC), "instant"),
    ],
)
@pytest.mark.parametrize("key", ["date", "created", "日付"])
def test_the_date_of_the_front_matter_keeps_its_precision(key: str, value: str, at: datetime, precision: str) -> None:
    date = written(f"---\r\ntags: [a]\r\n{key}: {value}\r\n---\r\nText")
    assert date is not None
    assert (date.at, date.precision) == (at, precision)


def test_a_time_keeps_its_zone_and_the_date_comes_before_the_creation() -> None:
    date = written("---\ncreated: 2020\ndate: 2024-05-17T01:00:00+09:00\n---\n")
    assert date is not None
    assert date.at.utcoffset() == timedelta(hours=9)
    assert written("---\ndate: 2024-02-30\n---\n") is None
    assert written("date: 2024-02-03") is None
