"""The guide's pages and the small server that gives them: whole in both languages, and given to Neo4j Browser only."""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
import struct
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from graphmem.cli.browser import guide
from graphmem.cli.browser.opening import address
from graphmem.cli.browser.site import Site, ensure_token, served
from graphmem.store.catalog import pasteable
from graphmem.store.local import ServerInfo

BASE = "http://localhost:7475/token/"
ORIGIN = "http://127.0.0.1:7474"
OWNERS = (guide.Owner("shop:ann", "shop", "ann", 0.2), guide.Owner('a:"<遥>"; \\ x', "a", '"<遥>"; \\ x'))

# what Neo4j Browser takes out of a page before it shows it
CLEANED = (
    re.compile(r"""(\s+(on[^\s=]+)[^\s=]*\s*=\s*("[^"]*"|'[^']*'|[\w\-.:]+\s*))""", re.I),
    re.compile(r"<script\b", re.I),
    re.compile(r"""href=["'].*javascript:""", re.I),
)


class Page(HTMLParser):
    """Attributes of a page's elements, and the titles of its slides."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.given: dict[str, list[str]] = {}
        self.titles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.given.setdefault(name, []).append(value or "")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "h3" and data.strip():
            self.titles.append(data.strip())


def page(language: guide.Language) -> str:
    return guide.page(language, BASE, OWNERS)


@pytest.mark.parametrize("language", guide.LANGUAGES)
def test_a_page_has_every_query_as_it_stands(language: guide.Language) -> None:
    queries = [text.partition("\n")[2] for text in Page(page(language)).given["data-populate"]]
    assert queries == [pasteable(f"browser/{name}") for name in guide.names()]
    assert all(query.startswith("CYPHER 25\n") and "// does" not in query for query in queries)


def test_both_languages_say_the_same_things() -> None:
    english, japanese = (Page(page(language)) for language in guide.LANGUAGES)
    assert len(english.titles) == len(set(english.titles)) == len(japanese.titles)
    assert all(re.search(r"[ぁ-んァ-ヶ一-龠]", title) for title in japanese.titles)
    for name in ("value-for", "value-key"):
        assert english.given[name] == japanese.given[name] == ["name", "text", "source"]
    ours = [text for text in english.given["data-exec"] if not text.startswith("guide ")]
    assert ours == [text for text in japanese.given["data-exec"] if not text.startswith("guide ")]
    assert f"guide {BASE}ja.html" in english.given["data-exec"]
    assert f"guide {BASE}en.html" in japanese.given["data-exec"]


@pytest.mark.parametrize("language", guide.LANGUAGES)
def test_neo4j_browser_takes_nothing_out_of_a_page(language: guide.Language) -> None:
    assert not [pattern.pattern for pattern in CLEANED if pattern.search(page(language))]


def test_a_click_sets_every_parameter_for_an_owner() -> None:
    params = [text for text in Page(page("en")).given["data-exec"] if text.startswith("params ")]
    assert params[0] == 'params {owner_key: "shop:ann", name: "", text: "", source: "", archive_below: 0.2}'
    assert json.dumps(OWNERS[1].key, ensure_ascii=False) in params[1]


def test_nobody_and_too_many_are_told() -> None:
    assert "graphmem demo" in guide.page("en", BASE, ())
    assert "graphmem demo" in guide.page("ja", BASE, ())
    assert "Only the latest" in guide.page("en", BASE, OWNERS, more=True)
    assert "Only the latest" not in page("en")


def test_a_query_to_paste_sets_what_it_needs_and_no_more() -> None:
    text = guide.paste("fading", "shop:ann")
    assert text.startswith(':param owner_key => "shop:ann";\n:param archive_below => 0.1;\nCYPHER 25\n')
    assert guide.paste("owners", "shop:ann").startswith("CYPHER 25\n")


def test_the_style_has_a_caption_for_what_is_drawn() -> None:
    captions = dict(re.findall(r'(\S+) \{[^}]*caption: "(.*?)"', guide.style()))
    assert captions["node.Fact"] == "{text}"
    assert captions["node.Entity"] == "{name}"
    assert captions["node.Episode"] == "{content}"
    assert captions["node.Note"] == "{title}"
    assert captions["relationship.SUPERSEDES"] == "{reason}"


def test_the_address_asks_for_no_password_and_holds_none(tmp_path: Path) -> None:
    info = ServerInfo(
        bolt_uri="bolt://127.0.0.1:7687",
        http_uri=ORIGIN,
        browser_url=f"{ORIGIN}/browser/",
        username="neo4j",
        password="secret-word",
        password_file=tmp_path / "neo4j.password",
        pid=1,
        home=tmp_path / "neo4j",
    )
    found = address(info, f"{BASE}ja.html")
    assert found == f"{ORIGIN}/browser/?dbms=bolt://neo4j@127.0.0.1:7687&cmd=guide&arg={BASE}ja.html"
    assert "secret-word" not in found


def test_the_token_is_kept_and_is_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "browser.token"
    token = ensure_token(path)
    assert len(token) >= 20
    assert ensure_token(path) == token
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with served(lambda base: {"en.html": lambda: f"<p>{base} 遥</p>"}, frozenset({ORIGIN}), "t0ken") as site:
        yield site


def asked(site: Site, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(site.base).port, timeout=30)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()
    finally:
        connection.close()


def test_neo4j_browser_may_read_a_page(site: Site) -> None:
    path = urlsplit(site.base).path
    status, headers, _ = asked(site, "OPTIONS", f"{path}en.html", Origin=ORIGIN)
    assert (status, headers["Access-Control-Allow-Headers"]) == (204, "*")
    assert headers["Access-Control-Allow-Origin"] == ORIGIN
    status, headers, text = asked(site, "GET", f"{path}en.html?x=1", Origin=ORIGIN)
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, ORIGIN)
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert text == f"<p>{site.base} 遥</p>"


def test_a_page_of_another_site_may_not(site: Site) -> None:
    path = urlsplit(site.base).path
    for origin in ("http://example.org", "null", "http://127.0.0.1:8080"):
        for method in ("OPTIONS", "GET"):
            _, headers, _ = asked(site, method, f"{path}en.html", Origin=origin)
            assert "Access-Control-Allow-Origin" not in headers
    status, _, text = asked(site, "GET", f"{path}en.html", Host="evil.example.org")
    assert (status, text) == (403, "")


@pytest.mark.parametrize("path", ["/", "/en.html", "/t0ke/en.html", "/t0ken/", "/t0ken/x.html", "/t0ken/../en.html"])
def test_nothing_is_given_without_the_token(site: Site, path: str) -> None:
    status, _, text = asked(site, "GET", path, Origin=ORIGIN)
    assert (status, text) == (404, "")


def test_what_goes_wrong_leaves_the_terminal_alone(capfd: pytest.CaptureFixture[str]) -> None:
    made = threading.Event()

    def gone() -> str:
        made.set()
        return "x" * 10_000_000  # more than a connection takes before somebody reads

    def away() -> str:
        raise OSError("t0ken")

    others = set(threading.enumerate())  # other servers of this process have their connections
    with served(lambda _: {"en.html": gone, "ja.html": away}, frozenset({ORIGIN}), "t0ken") as site:
        assert asked(site, "GET", "/t0ken/ja.html")[0] == 503
        with socket.create_connection(("127.0.0.1", urlsplit(site.base).port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # breaks off
            connection.sendall(b"GET /t0ken/en.html HTTP/1.0\r\nHost: localhost\r\n\r\n")
            made.wait()
        assert asked(site, "GET", "/")[0] == 404
        for thread in set(threading.enumerate()) - others:
            if "process_request" in thread.name:
                thread.join(20)
    assert capfd.readouterr() == ("", "")


def test_the_pages_are_gone_with_the_command() -> None:
    with served(lambda _: {}, frozenset({ORIGIN}), "t0ken") as site:
        assert asked(site, "GET", "/")[0] == 404
    with pytest.raises(ConnectionRefusedError):
        asked(site, "GET", "/")
