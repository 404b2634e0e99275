"""HTML pages: what a reader reads, in the encoding that the page declares, with the date that it states."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput, TooLarge
from graphmem.ingest.readers import Document, file_date, parse_file

NOW = datetime(2026, 3, 1, tzinfo=UTC)
JST = timezone(timedelta(hours=9))
BODY = """<nav><a href="/">ホーム</a></nav><header><p>サイトの見出し</p></header>
<article><header><h1>京都への引っ越し</h1></header>
<p>先月、<a href="/k">京都</a>に*引っ越した*。新しい部屋は鴨川の近く。</p>
<h2>仕事 2025年7月3日</h2><p>島津製作所で働いている。<br>週二回は在宅。</p>
<ul><li>自転車で通勤</li></ul><table><tr><th>項目</th><th>値</th></tr><tr><td>家賃</td><td>八万円</td></tr></table>
<div hidden>隠した文</div><script>var 秘密 = 1;</script></article>
<aside>関連記事</aside><footer>利用規約</footer>"""
PUBLISHED = '<meta property="article:published_time" content="2025-06-18T09:00:00+09:00">'


def page(head: str = "", body: str = BODY, encoding: str = "utf-8") -> bytes:
    head = f"<head>{head}<title>旅の記録</title><style>p {{}}</style></head>"
    text = f"<!DOCTYPE html><html>{head}<body>{body}</body></html>"
    return text.encode(encoding)


def read(folder: Path, data: bytes, name: str = "page.html") -> Document:
    path = folder / name
    path.write_bytes(data)
    return parse_file(path, now=NOW)


def test_only_the_text_of_the_article_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, page(PUBLISHED))
    move, job = (m.content for m in document.messages)
    assert document.kind == "html"
    assert move == "京都への引っ越し\n\n先月、京都に*引っ越した*。新しい部屋は鴨川の近く。"
    assert job.startswith("仕事 2025年7月3日\n\n島津製作所で働いている。\n週二回は在宅。")
    assert "自転車で通勤" in job
    assert "家賃" in job
    assert "八万円" in job
    for unread in ("ホーム", "サイトの見出し", "隠した文", "秘密", "関連記事", "利用規約", "旅の記録"):
        assert unread not in move + job


def test_the_published_time_keeps_its_zone_and_a_heading_its_own_day(tmp_path: Path) -> None:
    move, job = read(tmp_path, page(PUBLISHED)).messages
    assert move.occurred_at == datetime(2025, 6, 18, 9, tzinfo=JST)
    assert move.occurred_at.utcoffset() == timedelta(hours=9)
    assert job.occurred_at == datetime(2025, 7, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('<time datetime="2025-06-18">18 June</time>', datetime(2025, 6, 18, tzinfo=UTC)),
        ("<p>See <time>2024-01-02</time> and <time>2025-06-18</time>.</p>", None),
        (
            '<time datetime="2024-01-02"></time><time pubdate datetime="2025-06-18"></time>',
            datetime(2025, 6, 18, tzinfo=UTC),
        ),
        ('<time datetime="2031-01-02"></time>', None),
        ('<time datetime="tomorrow"></time>', None),
        ('<footer><time datetime="2025-06-18"></time></footer>', None),
    ],
)
def test_a_shown_time_counts_only_where_it_is_sure(tmp_path: Path, body: str, found: datetime | None) -> None:
    assert read(tmp_path, page(body=f"<p>I live in Osaka.</p>{body}")).messages[0].occurred_at == found


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"])
def test_the_declared_encoding_is_honoured(tmp_path: Path, encoding: str) -> None:
    data = page(f'<meta charset="{encoding}">', encoding=encoding)
    assert read(tmp_path, data).messages[0].content.startswith("京都への引っ越し\n\n先月")


def test_a_page_says_one_encoding_and_is_saved_in_another(tmp_path: Path) -> None:
    assert "京都" in read(tmp_path, page('<meta charset="shift_jis">')).messages[0].content
    assert "京都" in read(tmp_path, page(encoding="utf-16")).messages[0].content
    with pytest.raises(InvalidInput, match=r"page\.html, line 1: not utf-8 text"):
        read(tmp_path, page(encoding="euc-jp"))
    with pytest.raises(InvalidInput, match="unknown encoding"):
        read(tmp_path, page('<meta charset="klingon">'))


def test_a_page_without_structure_keeps_its_title_and_all_its_text(tmp_path: Path) -> None:
    (message,) = read(tmp_path, page(body="<p>I live in Osaka.<p>a_b * c # d")).messages
    assert message.content == "旅の記録\n\nI live in Osaka.\n\na_b * c # d"


def test_broken_and_empty_pages_say_why(tmp_path: Path) -> None:
    for data, problem in {
        b"": "holds no text",
        page(body="<nav>x</nav>"): "holds no text",
        page(body="<div>" * 5_000 + "x"): "nested too deeply",
        page(body="a\x00b"): "not a text file",
    }.items():
        with pytest.raises(InvalidInput, match=problem):
            read(tmp_path, data)


def test_a_page_that_would_take_much_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="300001 tags"):
        read(tmp_path, b"<p>" * 300_001)


def test_a_page_without_the_ending_is_known_by_its_beginning(tmp_path: Path) -> None:
    assert read(tmp_path, b"\n<!doctype HTML><p>I live in Osaka.", "saved").kind == "html"
    document = read(tmp_path, page(), "2025-06-18 trip.html")
    assert file_date(document, tmp_path / "2025-06-18 trip.html", NOW) == (datetime(2025, 6, 18, tzinfo=UTC), "name")


@pytest.mark.parametrize("encoding", ["zlib_codec", "rot13", "unicode_escape", "punycode", "undefined"])
def test_an_encoding_of_no_page_is_read_as_utf_8_or_refused(tmp_path: Path, encoding: str) -> None:
    said = "<p>京都に住んでいる。 \\ud800</p>".encode()
    document = read(tmp_path, f'<meta charset="{encoding}">'.encode() + said)
    assert document.messages[0].content == "京都に住んでいる。 \\ud800"
    with pytest.raises(InvalidInput, match="save the page as UTF-8"):
        read(tmp_path, f'<meta charset="{encoding}">'.encode() + said + b"\\ud800 \xff-\\")
