"""Ids of files and their parts: the same words of the same file are the same episode, wherever they stand in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from ..models.base import MAX_ID
from ..models.episode import Message
from ..models.ids import hash_key
from ..safety.secrets import find_secrets, holds_marker, redact
from .accept import content_hash
from .readers import Document

_LONGEST_FILE = 180
"""Characters of a file's id; what is longer is cut at its beginning."""
_ESCAPED = re.compile(r"[%\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\s|\s$")
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


@dataclass(frozen=True, slots=True)
class FilePart:
    """A message of a file under the id that it has in the graph."""

    session_id: str | None
    message: Message
    content_hash: str
    """Of what is stored: the words without their secrets."""

    @property
    def key(self) -> tuple[str | None, str | None]:
        """What tells it from the other parts of its file."""
        return self.session_id, self.message.id

    def at(self, time: datetime | None) -> FilePart:
        """The part with its time."""
        return replace(self, message=self.message.model_copy(update={"occurred_at": time}))


def file_id(path: Path) -> str:
    """The id of a file: its absolute path, so that it is one file from wherever it is named.

    Characters that no id may hold are escaped as in a URL; a path that is too long or holds a secret is shortened to
    its end or its hash.
    """
    whole = path.resolve().as_posix()
    name = _ESCAPED.sub(_escape, whole)
    if find_secrets(f"{name}#") or holds_marker(name):
        return f"file-{_letters(hash_key(whole))}"
    if len(name) > _LONGEST_FILE:
        return f"…{_letters(hash_key(whole))}…{name[-(_LONGEST_FILE - 20) :].lstrip()}"
    return name


def path_of(source: str) -> Path | None:
    """The path that an id stands for; None where it is not the id of a file, or was shortened."""
    path = Path(unquote(source, errors="surrogateescape"))
    return path if path.is_absolute() else None


def file_parts(document: Document, file: str, session_id: str | None) -> Iterator[FilePart]:
    """The messages with ids made of the file and what they say; `session_id` is for those that name no session.

    A message's own id counts within its file. Of equal messages each has its number.
    """
    seen: Counter[tuple[str | None, str]] = Counter()
    for session in document.sessions:
        place = _session(document, file, session.id) or session_id
        for message in session.messages:
            own = message.id if message.id not in document.counted else None
            content = content_hash(redact(message.content)[0])
            mark = own or _digest(document, message, content)
            seen[place, mark] += 1
            if (number := seen[place, mark]) > 1:
                mark = f"{mark}-{number}"
            if len(mark) > MAX_ID - _LONGEST_FILE - 1:
                mark = _letters(hash_key(mark))
            yield FilePart(place, message.model_copy(update={"id": f"{file}#{mark}"}), content)


def _session(document: Document, file: str, session: str | None) -> str | None:
    """LoCoMo numbers the sessions of each file; elsewhere the name of a session is its own."""
    if session is None or document.kind != "locomo":
        return session
    return f"{file.rpartition('/')[2].removesuffix('.json')[:150]}/{session}"


def _digest(document: Document, message: Message, content: str) -> str:
    """Who says what, and in a document on which day: a chat's line keeps its id when it gets a time."""
    time = message.occurred_at if document.kind != "chat" else None
    said = (message.role, message.name, content, time.isoformat() if time else None)
    return _letters(hash_key(*said))


def _letters(digest: str) -> str:
    """64 bits as letters: digits alone could pass for the number of a card."""
    return digest[:16].translate(_LETTERS)


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogateescape"))
