"""Files to messages: text, Markdown, HTML, PDF, JSONL and JSON chats, LoCoMo conversations.

`parse_file` looks at the name's ending, then at the content, and answers with a `Document`: sessions of messages with
the times that the file states. `read_file` gives every message a time.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from graphmem.errors import InvalidInput, TooLarge
from graphmem.models.episode import Message

from . import read_chat, read_locomo, read_markdown, read_text
from .read_dates import changed_at, dated, named_date

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Largest file that is read."""
MAX_QUESTIONS = 5
"""Questions taken from a LoCoMo conversation."""

Kind = Literal["text", "markdown", "html", "pdf", "chat", "locomo"]

_TEXT = (".txt", ".text", ".log", ".rst")
_MARKDOWN = (".md", ".markdown", ".mdown")
_HTML = (".html", ".htm", ".xhtml")
_LINES = (".jsonl", ".ndjson")
SUFFIXES = frozenset({*_TEXT, *_MARKDOWN, *_HTML, *_LINES, ".json", ".pdf"})
"""Endings of files that are known to be readable."""
_IS_HTML = re.compile(r"\s*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)


class NotAChat(InvalidInput):
    """JSON of another kind."""


@dataclass(frozen=True, slots=True)
class Session:
    """Messages that belong together, in order; `id` is None where the file knows no sessions."""

    id: str | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question that comes with the file, its answer and the ids of the messages that hold it."""

    text: str
    answer: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """What a file holds."""

    kind: Kind
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...] = ()
    date: datetime | None = None
    """When the file says that it was written, for messages that say nothing themselves."""
    counted: frozenset[str] = frozenset()
    """Ids that only say the place in the file."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, in order."""
        return tuple(m for s in self.sessions for m in s.messages)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names of those who speak, in order of their first message."""
        return tuple(dict.fromkeys(m.name for m in self.messages if m.name))


def read_file(path: Path, *, now: datetime | None = None) -> Document:
    """The messages of a file, each with a time; those that share one are a second apart, in their order.

    Messages without a time of their own get that of the file: the one it states, else the one in its name, else when
    it was last changed (or `now`, where given).
    Errors: InvalidInput (no such file, not text, a bad line: its number is named), TooLarge.
    """
    document = parse_file(path, now=now)
    date, _ = file_date(document, path, now or datetime.now(UTC), changed=now is None)
    return with_times(document, date)


def parse_file(path: Path, *, now: datetime | None = None) -> Document:
    """The messages of a file with the times that it states. Errors: as `read_file`."""
    try:
        document = _parse(path, _read(path), now or datetime.now(UTC))
    except RecursionError as error:
        raise InvalidInput(f"{path.name} is nested too deeply", field="file") from error
    if not document.messages:
        raise InvalidInput(f"{path.name} holds no text to remember", field="file")
    return document


DateFrom = Literal["stated", "given", "name", "changed"]
"""Where the time of a file comes from: its text, the caller, its name, its last change."""


def file_date(
    document: Document, path: Path, now: datetime, *, given: datetime | None = None, changed: bool = True
) -> tuple[datetime, DateFrom]:
    """The time of messages that have none of their own, and where it comes from. Errors: InvalidInput."""
    if document.date is not None or all(m.occurred_at for m in document.messages):
        return document.date or now, "stated"
    if given is not None:
        return given, "given"
    named = named_date(path.name)
    if named is not None and named <= now:
        return named, "name"
    last = timedelta(seconds=len(document.messages))  # so that none of them lies in the future
    return (changed_at(_stat(path).st_mtime, now) if changed else now) - last, "changed"


def with_times(document: Document, date: datetime) -> Document:
    """Every message with a time; `date` is for those without."""
    stamped = iter(dated(document.messages, date))
    sessions = (replace(s, messages=tuple(next(stamped) for _ in s.messages)) for s in document.sessions)
    return replace(document, sessions=tuple(sessions))


def _read(path: Path) -> bytes:
    info = _stat(path)
    if stat.S_ISDIR(info.st_mode):
        raise InvalidInput(f"{path} is a folder: name one file", field="file")
    if not stat.S_ISREG(info.st_mode):
        raise InvalidInput(f"{path} is not a regular file", field="file")
    if info.st_size > MAX_FILE_BYTES:
        raise TooLarge(f"{path.name} has {info.st_size} bytes, the limit is {MAX_FILE_BYTES}: split it", field="file")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", field="file") from error


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"there is no file {path}", field="file") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", field="file") from error


def _decode(path: Path, data: bytes) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return _clean(path, data.decode(encoding))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidInput(f"{path.name}, line {line}: not UTF-8 text; save the file as UTF-8", field="file") from error


def _clean(path: Path, text: str) -> str:
    if "\x00" in text:
        raise InvalidInput(f"{path.name} is not a text file: export it as .txt, .md or .jsonl", field="file")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse(path: Path, data: bytes, now: datetime) -> Document:
    suffix = path.suffix.lower()
    if suffix == ".pdf" or data.startswith(b"%PDF-"):
        return _pdf(path, data)
    if suffix in _HTML:
        return _page(path, data, now)
    text = _decode(path, data)
    if suffix in _LINES:
        return _chat(read_chat.numbered_lines(path.name, text))
    if suffix == ".json":
        return _json(path, text)
    if suffix in _MARKDOWN:
        return _sections(path, "markdown", text)
    if suffix not in _TEXT and _IS_HTML.match(text):
        return _page(path, data, now)
    if text.startswith("{\\rtf"):
        raise InvalidInput(f"{path.name} is not plain text: export it as .txt, .md or .jsonl", field="file")
    return _passages(path, "text", ((part, None) for part in read_text.paragraphs(text)))


def _passages(path: Path, kind: Kind, parts: Iterable[tuple[str, datetime | None]]) -> Document:
    """A document whose passages are known by their place, until they get an id of their own."""
    name = "".join(c if c.isprintable() else "�" for c in path.name[:200]).strip()
    messages = tuple(Message(id=f"{name}#{n}", content=p, occurred_at=date) for n, (p, date) in enumerate(parts, 1))
    return Document(kind, (Session(None, messages),), counted=frozenset(m.id for m in messages if m.id))


def _sections(path: Path, kind: Kind, text: str, date: datetime | None = None) -> Document:
    found = read_markdown.sections(text)
    return _passages(path, kind, ((part, s.date or date) for s in found for part in read_text.split(s.text)))


def _page(path: Path, data: bytes, now: datetime) -> Document:
    from . import read_html

    page = read_html.read_page(path.name, _clean(path, read_html.decode(path.name, data)), now)
    return _sections(path, "html", page.markdown, page.date)


def _pdf(path: Path, data: bytes) -> Document:
    from .read_pdf import read_pdf

    pdf = read_pdf(path.name, data)
    return replace(_passages(path, "pdf", ((part, None) for part in pdf.passages)), date=pdf.date)


# --- chat -------------------------------------------------------------------------------------------------


def _json(path: Path, text: str) -> Document:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"{path.name}{line}: not JSON ({read_chat.reason(error)})", field="file") from error
    if read_locomo.is_conversation(data):
        return _locomo(path, data)
    rows = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(rows, list) or not _may_be_chat(rows):
        raise NotAChat(f"{path.name} is neither a list of chat messages nor one LoCoMo conversation", field="file")
    return _chat((f"{path.name}, message {n}", row) for n, row in enumerate(rows, 1))


def _may_be_chat(rows: list[Any]) -> bool:
    if any(read_locomo.is_conversation(row) for row in rows):
        return False
    return not rows or any(isinstance(row, dict) and "content" in row for row in rows)


def _chat(rows: Iterable[tuple[str, Any]]) -> Document:
    sessions, counted = read_chat.read_lines(rows)
    return Document("chat", tuple(Session(key, tuple(messages)) for key, messages in sessions), counted=counted)


# --- LoCoMo -----------------------------------------------------------------------------------------------


def _locomo(path: Path, data: dict[str, Any]) -> Document:
    try:
        sessions = tuple(
            Session(
                session_id,
                tuple(Message(id=turn.id, name=turn.speaker, content=turn.text, occurred_at=date) for turn in turns),
            )
            for session_id, date, turns in read_locomo.sessions(data)
        )
    except (KeyError, TypeError, ValueError) as error:
        detail = read_chat.first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise InvalidInput(f"{path.name}: not a LoCoMo conversation: {detail}", field="file") from error
    questions = (Question(*q) for q in read_locomo.questions(data, MAX_QUESTIONS))
    return Document("locomo", sessions, tuple(questions))
