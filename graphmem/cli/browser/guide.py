"""The guide's pages, and its queries as text to paste.

Neo4j Browser shows a page of `<slide>`s in its side bar. An element with `data-exec` runs a command when it is clicked;
one with `data-populate` puts a query into the editor, and the icon before it runs the query.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Literal, get_args

from graphmem.store.catalog import catalog, pasteable

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
FOLDER = "browser/"
"""Where the queries are in the catalog."""
STYLE = "graphmem.grass"
DEFAULTS: dict[str, Any] = {"name": "", "text": "", "source": "", "archive_below": 0.1}
"""Parameters beside the owner, as they are before the reader asks for something else."""

_MARGIN = "padding: 4px 18px"


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody whose memory is here."""

    key: str
    store: str
    actor: str
    archive_below: float = DEFAULTS["archive_below"]


def names() -> dict[str, str]:
    """Name and purpose of every query, in the guide's order."""
    return {
        asked["name"]: catalog()[FOLDER + asked["name"]].does
        for slide in _content()["slide"]
        for asked in slide["query"]
    }


def paste(name: str, owner: str) -> str:
    """A query of the guide with the commands that set its parameters, to paste into Neo4j Browser.

    Errors: KeyError when the guide has no such query.
    """
    wanted = catalog()[FOLDER + name].parameters
    values = {"owner_key": owner, **DEFAULTS}
    lines = [f":param {key} => {json.dumps(values[key], ensure_ascii=False)};" for key in values if key in wanted]
    return "\n".join([*lines, pasteable(FOLDER + name)])


def style() -> str:
    """The style, in Neo4j Browser's own language (GraSS)."""
    return (files(__package__) / STYLE).read_text(encoding="utf-8")


def page(language: Language, base: str, owners: Sequence[Owner], *, more: bool = False) -> str:
    """The guide as Neo4j Browser reads it; `base` is the address of its folder, `more` tells of owners left out."""
    words = {key: text[language] for key, text in _content()["words"].items()}
    other: Language = "ja" if language == "en" else "en"
    slides = "\n".join(
        f'<slide><div style="{_MARGIN}">\n{"".join(_slide(slide, language, base, owners, words, more))}</div></slide>'
        for slide in _content()["slide"]
    )
    switch = f"<p>{_command(f'guide {base}{other}.html', words['other'])}</p>"
    return (
        f"<title>graphmem: {words['title']}</title>\n{slides.replace('</div></slide>', f'{switch}</div></slide>', 1)}\n"
    )


def _slide(
    slide: dict[str, Any], language: Language, base: str, owners: Sequence[Owner], words: dict[str, str], more: bool
) -> Iterator[str]:
    yield f"<h3>{escape(slide['title'][language])}</h3>\n<p>{escape(slide['text'][language])}</p>\n"
    if "style" in slide:
        yield f"<p>{_command(f'style {base}{STYLE}', slide['style'][language])}</p>\n"
    if "owners" in slide:
        yield f"<h4>{escape(slide['owners'][language])}</h4>\n"
        yield from _owners(owners, words, more)
    if asked := slide.get("ask"):
        yield _field(asked, slide["label"][language], words["set"])
    for query in slide["query"]:
        text = f"// {query[language]}\n{pasteable(FOLDER + query['name'])}"
        yield f'<p><a data-populate="{escape(text)}">{escape(query[language])}</a></p>\n'
    yield f'<p style="opacity: 0.7">{escape(words["how"])}</p>\n'


def _owners(owners: Sequence[Owner], words: dict[str, str], more: bool) -> Iterator[str]:
    for owner in owners:
        given = {"owner_key": owner.key, **DEFAULTS, "archive_below": owner.archive_below}
        values = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in given.items())
        yield f"<p>{_command(f'params {{{values}}}', f'{owner.actor} · {owner.store}')}</p>\n"
    if not owners:
        yield f"<p>{escape(words['nobody'])}</p>\n"
    if more:
        yield f"<p>{escape(words['more'])}</p>\n"


def _command(command: str, label: str) -> str:
    return f'<a data-exec="{escape(command)}">{escape(label)}</a>'


def _field(parameter: str, label: str, how: str) -> str:
    """An input whose text goes into the command below it."""
    value = f'"<span value-key="{parameter}"></span>"'
    return (
        f'<p>{escape(label)} <input value-for="{parameter}" style="color: #000; padding: 2px 6px"> {escape(how)}</p>\n'
        f'<pre class="runnable" style="text-indent: 15px">:param {parameter} =&gt; {value}</pre>\n'
    )


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "guide.toml").read_text(encoding="utf-8"))
