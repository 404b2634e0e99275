"""HTML pages to Markdown: what a reader of the page reads, its title, and the date that it states."""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from graphmem.errors import InvalidInput, TooLarge

from .read_dates import read_date

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_NEVER_READ = (
    *("script", "style", "noscript", "template", "nav", "footer", "aside", "form", "button", "select", "svg"),
    *("iframe", "object", "dialog", "head", "canvas", "audio", "video"),
)
_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_META_DATES = (
    *("article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dc.date.issued"),
    *("dcterms.created", "dcterms.date", "dcterms.issued", "pubdate", "publish-date", "publication_date"),
)
"""In order of weight."""
_READ_AS = {"shift_jis": "cp932", "iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
"""Encodings that browsers read as a larger one (WHATWG Encoding)."""
_DECLARED = re.compile(rb"""<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
MAX_TAGS = 300_000
"""Tags of the largest page that is read: each takes about a kilobyte of memory."""
_HEAD = 4096
"""Bytes in which a page says its encoding."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says."""

    markdown: str
    date: datetime | None


def decode(name: str, data: bytes) -> str:
    """The page as text, read as its byte-order mark or its declaration says, else as UTF-8. Errors: InvalidInput."""
    encoding, line = _encoding(name, data), 1
    for candidate in dict.fromkeys((encoding, "utf-8")):  # pages say one thing and are saved as UTF-8
        try:
            text = data.decode(candidate)
            text.encode()  # an encoding of no page can give halves of characters
            return text
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
        except (UnicodeError, LookupError):  # Python knows more encodings than there are for text
            continue
    raise InvalidInput(f"{name}, line {line}: not {encoding} text; save the page as UTF-8", field="file")


def _encoding(name: str, data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return encoding
    match = _DECLARED.search(data[:_HEAD])
    if match is None:
        return "utf-8"
    declared = match[1].decode("ascii", "replace")
    try:
        found = codecs.lookup(declared).name
    except LookupError:
        raise InvalidInput(f"{name} names an unknown encoding; save the page as UTF-8", field="file") from None
    # a declaration that could be read as ASCII is not UTF-16, whatever it says
    return "utf-8" if found.startswith(("utf-16", "utf-32")) else _READ_AS.get(found, found)


def read_page(name: str, text: str, now: datetime) -> Page:
    """The main part of a page as Markdown, and the date that it states; a date after `now` is none.

    Errors: InvalidInput, TooLarge; RecursionError where elements are nested by the thousand.
    """
    if (tags := text.count("<")) > MAX_TAGS:
        raise TooLarge(f"{name} has {tags} tags, the limit is {MAX_TAGS}: split it", field="file")
    soup = _parsed(name, text)
    title, dates = _title(soup), list(_meta_dates(soup))
    main = _main(soup)
    _take_out(main)
    dates += _shown_dates(main)
    date = next((d for d in dates if d <= now + timedelta(days=1)), None)
    return Page(_markdown(main, title), date)


def _parsed(name: str, text: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning
    from bs4.exceptions import ParserRejectedMarkup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        try:
            return BeautifulSoup(text, "html.parser")
        except ParserRejectedMarkup as error:
            raise InvalidInput(f"{name} is not HTML that can be read", field="file") from error


def _title(soup: BeautifulSoup) -> str:
    return " ".join(soup.title.get_text().split()) if soup.title else ""


def _meta_dates(soup: BeautifulSoup) -> Iterator[datetime]:
    """Dates of the page's metadata, the most telling first."""
    said: dict[str, str] = {}
    for tag in soup.find_all("meta"):
        key = tag.get("property") or tag.get("name") or tag.get("itemprop")
        if key and tag.get("content"):
            said.setdefault(str(key).lower(), str(tag["content"]))
    for key in _META_DATES:
        if key in said and (date := read_date(said[key])):
            yield date


def _shown_dates(main: Tag) -> list[datetime]:
    """The date of the text's `<time>`: the one marked as published, else the only one; of several, none is sure."""
    found = {}
    for tag in main.find_all("time"):
        date = read_date(str(tag.get("datetime") or tag.get_text()))
        if date is not None:
            if tag.has_attr("pubdate") or tag.get("itemprop") == "datePublished":
                return [date]
            found[date] = tag
    return list(found) if len(found) == 1 else []


def _main(soup: BeautifulSoup) -> Tag:
    """The part that is the page's own text, where the page says so."""
    articles = soup.find_all("article")
    main = soup.find("main") or soup.find(None, {"role": "main"}) or (articles[0] if len(articles) == 1 else None)
    return main or soup.body or soup


def _take_out(main: Tag) -> None:
    """Remove what is no text of the page: code, navigation, what is hidden."""
    for tag in main.find_all(_NEVER_READ):
        tag.decompose()
    for tag in main.find_all(
        lambda t: t.get("role") in _ROLES or t.has_attr("hidden") or t.get("aria-hidden") == "true"
    ):
        if not tag.decomposed:
            tag.decompose()
    for tag in main.find_all("header", recursive=False):  # the site's; an article's own header has its heading
        if tag.find("h1") is None:
            tag.decompose()


def _markdown(main: Tag, title: str) -> str:
    from markdownify import MarkdownConverter

    body = str(MarkdownConverter(heading_style="ATX", strip=["a", "img"], bullets="-").convert_soup(main)).strip()
    return f"# {title}\n\n{body}" if title and main.find("h1") is None and body else body
