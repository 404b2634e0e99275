"""Markdown as the sentences that a reader sees, and what their wiki links mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_WIKI = re.compile(r"(!?)\[\[([^\[\]|#^\n]*)([#^][^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_HIDDEN = re.compile(r"%%.*?%%", re.DOTALL)
_HIDDEN_LINES = re.compile(r"^%%[ \t]*$.*?(?:^%%[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_SUFFIX = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
_ATTACHMENT = re.compile(r"\.(?!md$|markdown$)[A-Za-z0-9]{2,5}$", re.IGNORECASE)
_LOCAL_NOTE = re.compile(r"^(?![A-Za-z][A-Za-z0-9+.-]*:|//|#)([^#?]+\.(?:md|markdown))(?:#.*)?$", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]:?")
_TAG = r"#(?=[^\s#]*[^\W\d_])[^\s#.,;:!?'\"()\[\]{}<>|`、。！？「」]+"
_TAGS_LAST = re.compile(rf"(?:(?:^|(?<=\s)){_TAG}\s*)+$")
_TAG_WITHIN = re.compile(rf"(?:^|(?<=\s))(?={_TAG})#")
_CALLOUT = re.compile(r"\[![\w-]+\][+-]?[ \t]*")
_TASK = re.compile(r"\[[ xX/-]\]\s+")
_NO_TEXT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t]{2,}")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")
_SENTENCE_END = re.compile(r"[.!?。！？…:：][\"')\]」』”’]*$")
_OPEN_ENDED = re.compile(
    r"(?:[,、はがをにでとのもへや]|\b(?:a|an|and|are|as|at|but|by|for|from|her|his|in|is|my|of|on|or|our|than|that|the"
    r"|their|to|was|were|with|your))$",
    re.IGNORECASE,
)
"""Ends of a line that goes on in the next one: commas, particles and words that need another one."""
_SIZE = re.compile(r"\d+(?:x\d+)?")
_WRAPPED = 50
"""Width from which a line is taken to go on in the next one; a shorter one stands for itself."""


@dataclass(frozen=True, slots=True)
class Link:
    """Words of the plain text, `text[start:end]`, that mean the thing or person called `target`."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class Plain:
    """What a reader sees: paragraphs apart by blank lines, items and rows by line ends."""

    text: str
    links: tuple[Link, ...] = ()


def render(body: str) -> Plain:
    """The sentences of a Markdown text without front matter; code blocks, comments, images and tags are left out."""
    page = _Page()
    page.blocks(_parser().parse(_HIDDEN_LINES.sub("", body)))
    return page.plain()


def link_name(target: str) -> str:
    """The name that the target of a link has: its last part, without the file's suffix."""
    name = _SUFFIX.sub("", target.strip().rstrip("\\").rstrip().rsplit("/", 1)[-1]).strip()
    return " ".join(name.split())


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # here: what only recalls need not load it

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wiki", _wiki)
    parser.inline.ruler.before("link", "hidden", _hidden)
    return parser


def _wiki(state: StateInline, silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content = (match[4] or "").strip()
        token.info = link_name(match[2])
        token.markup = match[1]
        token.meta = {"target": match[2].strip(), "heading": (match[3] or "").lstrip("#^").strip()}
    state.pos = match.end()
    return True


def _hidden(state: StateInline, silent: bool) -> bool:
    match = _HIDDEN.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    state.pos = match.end()
    return True


class _Line:
    """One paragraph, heading, item or cell as it grows."""

    def __init__(self) -> None:
        self.text = ""
        self.links: list[Link] = []
        self._opened: list[tuple[int, str | None]] = []
        self._struck = 0

    def take(self, tokens: Sequence[Token]) -> _Line:
        for at, token in enumerate(tokens):
            if token.type in ("s_open", "s_close"):
                self._struck += token.nesting
            elif token.type == "softbreak":
                follows = next((t.content or t.info for t in tokens[at + 1 :] if t.content or t.info), "")
                self.text = self.text.rstrip() + self._break(follows)
            elif not self._struck:
                self._one(token)
        return self

    def _one(self, token: Token) -> None:
        match token.type:
            case "text":
                self._add(_words(token.content))
            case "code_inline":
                self._add(token.content)
            case "wiki":
                self._wiki(token)
            case "hardbreak":
                self.text = self.text.rstrip() + "\n"
            case "html_inline":
                self.text += "\n" if _BREAK.fullmatch(token.content) else ""
            case "link_open":
                note = _LOCAL_NOTE.match(unquote(str(token.attrGet("href") or "")))
                self._opened.append((len(self.text), link_name(note[1]) if note else None))
            case "link_close":
                start, target = self._opened.pop()
                self._mark(start, target)

    def _add(self, words: str) -> None:
        self.text += words.lstrip() if self.text.endswith((" ", "\n")) else words

    def _wiki(self, token: Token) -> None:
        target, heading = token.meta["target"], token.meta["heading"]
        if token.markup and _ATTACHMENT.search(target):
            return
        start = len(self.text)
        sized = token.markup and _SIZE.fullmatch(token.content)
        self.text += (None if sized else token.content) or token.info or heading
        self._mark(start, token.info)

    def _mark(self, start: int, target: str | None) -> None:
        if target and self.text[start:].strip():
            self.links.append(Link(start, len(self.text), target))

    def _break(self, follows: str) -> str:
        """What a line end inside a paragraph stands for: a blank, nothing, or the end of a statement."""
        line, begins = self.text.rsplit("\n", 1)[-1], follows[:1]
        width = len(line) + len(_WIDE.findall(line))
        goes_on = width >= _WRAPPED or begins.islower() or bool(_OPEN_ENDED.search(line))
        if _SENTENCE_END.search(line) or _CALLOUT.match(line) or not goes_on:
            return "\n"
        return "" if _WIDE.match(line[-1:]) and _WIDE.match(begins) else " "

    def without(self, pattern: re.Pattern[str]) -> _Line:
        """The line without marks at its beginning."""
        if match := pattern.match(self.text):
            self.text = self.text[match.end() :]
            self.links = [Link(k.start - match.end(), k.end - match.end(), k.target) for k in self.links]
        return self


class _Page:
    """The whole text as it grows, block by block."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._links: list[Link] = []
        self._lists = 0
        self._item = False
        self._quotes: list[bool] = []
        """For each open block quote, whether its words are another's: not those of a callout."""
        self._quote_begins = False
        self._heads: list[str] = []
        self._in_heads = self._in_cell = False
        self._cells: list[_Line] = []
        self._last: str | None = None

    def plain(self) -> Plain:
        return Plain("".join(self._parts), tuple(self._links))

    def blocks(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if (step := self.STEPS.get(token.type)) is not None:
                step(self, token)

    def _inline(self, token: Token) -> None:
        line = _Line().take(token.children or ())
        if self._in_cell:
            self._cells.append(line)
            return
        if self._quote_begins:
            self._quote_begins = False
            before = line.text
            self._quotes[-1] = line.without(_CALLOUT).text == before
        if self._lists:
            line.without(_TASK)
        self._put(line)

    def _put(self, line: _Line, lead: str = "") -> None:
        if not line.text.strip():
            return
        if self._item:
            lead, self._item = "- ", False
        quoted = bool(self._quotes) and self._quotes[-1]
        lead += "“" if quoted else ""
        kind = "list" if self._lists else "row" if self._cells else None
        gap = "" if not self._parts else "\n" if kind is not None and kind == self._last else "\n\n"
        self._last = kind
        text = line.text.rstrip()
        left = len(text) - len(text.lstrip())
        start = self._length + len(gap) + len(lead) - left
        self._links += [Link(start + k.start, start + k.end, k.target) for k in line.links if k.start >= left]
        self._add(gap + lead + text[left:] + ("”" if quoted else ""))

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _list(self, token: Token) -> None:
        self._lists += token.nesting

    def _list_item(self, token: Token) -> None:
        self._item = token.nesting > 0

    def _quote(self, token: Token) -> None:
        if token.nesting > 0:
            self._quotes.append(True)
            self._quote_begins = True
        else:
            self._quotes.pop()
            self._quote_begins = False

    def _html(self, token: Token) -> None:
        line = _Line()
        line.text = "\n".join(
            kept for row in unescape(_NO_TEXT.sub(" ", token.content)).splitlines() if (kept := " ".join(row.split()))
        )
        self._put(line)

    def _row(self, token: Token) -> None:
        """A row as a line of its own: what each column says, by the name of the column."""
        if token.nesting > 0:
            self._cells = []
            return
        row, self._item = _Line(), False
        for index, cell in enumerate(self._cells):
            if not (shown := cell.text.strip()):
                continue
            head = self._heads[index] if index < len(self._heads) else ""
            row.text += f"{', ' if row.text else ''}{head}{': ' if head else ''}"
            shift = len(row.text) - (len(cell.text) - len(cell.text.lstrip()))
            row.links += [Link(shift + k.start, shift + k.end, k.target) for k in cell.links]
            row.text += shown
        if self._in_heads:
            self._heads = [cell.text.strip() for cell in self._cells]
        else:
            self._put(row)
        self._cells = []

    def _head(self, token: Token) -> None:
        self._in_heads = token.nesting > 0

    def _cell(self, token: Token) -> None:
        self._in_cell = token.nesting > 0

    STEPS: ClassVar[dict[str, Callable[[_Page, Token], None]]] = {
        "inline": _inline,
        "html_block": _html,
        **dict.fromkeys(("bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close"), _list),
        **dict.fromkeys(("list_item_open", "list_item_close"), _list_item),
        **dict.fromkeys(("blockquote_open", "blockquote_close"), _quote),
        **dict.fromkeys(("thead_open", "thead_close"), _head),
        **dict.fromkeys(("tr_open", "tr_close"), _row),
        **dict.fromkeys(("th_open", "th_close", "td_open", "td_close"), _cell),
    }
    """What each kind of token does; those that are not here show nothing."""


def _words(text: str) -> str:
    """Words of a text token without footnote marks and tags; a tag inside a sentence is a word of it."""
    return _BLANKS.sub(" ", _TAG_WITHIN.sub("", _TAGS_LAST.sub("", _FOOTNOTE.sub("", text))))
