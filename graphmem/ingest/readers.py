"""Files to messages: plain text, Markdown, JSONL chat, JSON chat and LoCoMo conversations.

`read_file` looks at the name's ending, then at the content, and answers with a `Document`: sessions of
messages, each message with an id that stays the same when the file is read again, so that remembering a file
twice stores it once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from graphmem.errors import InvalidInput, TooLarge
from graphmem.models.base import Id
from graphmem.models.episode import Message

from . import read_locomo, read_markdown, read_text

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Largest file that is read."""
MAX_QUESTIONS = 5
"""Questions taken from a LoCoMo conversation."""

Kind = Literal["text", "markdown", "chat", "locomo"]

_TEXT = ("", ".txt", ".text", ".log", ".rst")
_MARKDOWN = (".md", ".markdown", ".mdown")
_LINES = (".jsonl", ".ndjson")


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

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, in order."""
        return tuple(m for s in self.sessions for m in s.messages)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Names of those who speak, in order of their first message."""
        return tuple(dict.fromkeys(m.name for m in self.messages if m.name))


class _Line(Message):
    """One line of a chat file."""

    session_id: Id | None = None


def read_file(path: Path, *, now: datetime | None = None) -> Document:
    """The messages of a file.

    Messages without a date of their own get one: the file's date where it names one, else `now` (default: the
    present), each a second after the one before it, so that their order is kept.
    Errors: InvalidInput (no such file, not text, a bad line: its number is named), TooLarge.
    """
    text = _read(path)
    document = _parse(path, text)
    if not document.messages:
        raise InvalidInput(f"{path.name} holds no text to remember", field="file")
    return _dated(document, now or datetime.now(UTC))


def _read(path: Path) -> str:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise InvalidInput(f"{path} is a folder: name one file", field="file")
        if size > MAX_FILE_BYTES:
            raise TooLarge(f"{path.name} has {size} bytes, the limit is {MAX_FILE_BYTES}: split it", field="file")
        data = path.read_bytes()
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {path}", field="file") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", field="file") from error
    return _decode(path, data)


def _decode(path: Path, data: bytes) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidInput(f"{path.name}, line {line}: not UTF-8 text; save the file as UTF-8", field="file") from error
    if "\x00" in text:
        raise InvalidInput(f"{path.name} is not a text file: export it as .txt, .md or .jsonl", field="file")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse(path: Path, text: str) -> Document:
    suffix = path.suffix.lower()
    if suffix in _LINES:
        return _chat(_numbered_lines(path, text))
    if suffix == ".json":
        return _json(path, text)
    if suffix in _MARKDOWN:
        return _sections(path, text)
    if suffix in _TEXT or not text.lstrip().startswith(("%PDF", "{\\rtf", "<!DOCTYPE", "<html")):
        return Document("text", (Session(None, _messages(path, read_text.paragraphs(text))),))
    raise InvalidInput(f"{path.name} is not plain text: export it as .txt, .md or .jsonl", field="file")


def _messages(path: Path, parts: Iterable[str]) -> tuple[Message, ...]:
    return tuple(Message(id=_id(path, n), content=part) for n, part in enumerate(parts, 1))


def _id(path: Path, number: int) -> str:
    return f"{path.name[:200].strip()}#{number}"


def _sections(path: Path, text: str) -> Document:
    sections = [(part, s.date) for s in read_markdown.sections(text) for part in read_text.split(s.text)]
    messages = tuple(
        Message(id=_id(path, n), content=part, occurred_at=date) for n, (part, date) in enumerate(sections, 1)
    )
    return Document("markdown", (Session(None, messages),))


# --- chat -------------------------------------------------------------------------------------------------


def _numbered_lines(path: Path, text: str) -> Iterable[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{path.name}, line {number}"
        try:
            yield place, json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InvalidInput(f"{place}: not JSON ({_reason(error)})", field="file") from error


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"


def _json(path: Path, text: str) -> Document:
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"{path.name}{line}: not JSON ({_reason(error)})", field="file") from error
    if read_locomo.is_conversation(data):
        return _locomo(path, data)
    rows = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(rows, list) or any(read_locomo.is_conversation(row) for row in rows):
        raise InvalidInput(f"{path.name} is neither a list of chat messages nor one LoCoMo conversation", field="file")
    return _chat((f"{path.name}, message {n}", row) for n, row in enumerate(rows, 1))


def _chat(rows: Iterable[tuple[str, Any]]) -> Document:
    lines = [_line(number, place, row) for number, (place, row) in enumerate(rows, 1)]
    order = dict.fromkeys(line.session_id for line in lines)
    sessions = (Session(key, tuple(_message(line) for line in lines if line.session_id == key)) for key in order)
    return Document("chat", tuple(sessions))


def _line(number: int, place: str, row: Any) -> _Line:
    if not isinstance(row, dict):
        raise InvalidInput(f'{place}: must be an object like {{"role": "user", "content": "…"}}', field="file")
    try:
        line = _Line.model_validate(row)
    except ValidationError as error:
        raise InvalidInput(f"{place}: {_first_problem(error)}", field="file") from error
    return line if line.id is not None else line.model_copy(update={"id": f"line-{number}"})


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown field {name!r}; fields are {', '.join(_Line.model_fields)}"
    return f"{name}: {first['msg']}"


def _message(line: _Line) -> Message:
    return Message(**line.model_dump(exclude={"session_id"}))


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
        detail = _first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise InvalidInput(f"{path.name}: not a LoCoMo conversation: {detail}", field="file") from error
    questions = (Question(*q) for q in read_locomo.questions(data, MAX_QUESTIONS))
    return Document("locomo", sessions, tuple(questions))


# --- dates ------------------------------------------------------------------------------------------------


def _dated(document: Document, now: datetime) -> Document:
    """Every message with a date, rising by at least a second within each run of equal dates."""
    start = now - timedelta(seconds=len(document.messages))
    stamp = _stamper(start)
    return replace(
        document,
        sessions=tuple(replace(s, messages=_stamped(s.messages, stamp)) for s in document.sessions),
    )


def _stamped(messages: Sequence[Message], stamp: Callable[[datetime | None], datetime]) -> tuple[Message, ...]:
    return tuple(m.model_copy(update={"occurred_at": stamp(m.occurred_at)}) for m in messages)


def _stamper(start: datetime) -> Callable[[datetime | None], datetime]:
    said, last = start, start - timedelta(seconds=1)

    def stamp(given: datetime | None) -> datetime:
        nonlocal said, last
        if given is None or given == said:
            last += timedelta(seconds=1)
        else:
            said = last = given
        return last

    return stamp
