"""What of a run was said by whom: the part of its messages that may become memory, and what is searched with."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from agent_framework import Message as Said

from ...models.base import MAX_ID, MAX_MESSAGES, MAX_NAME, MAX_QUERY, MAX_TEXT, check_id, check_text
from ...models.episode import Message, Role
from ...models.ids import hash_key

_PART = 8
"""Characters that the number of a part may take of an id."""


def new_words(messages: Sequence[Said]) -> list[Said]:
    """The user's messages that are new in this run.

    What stands before an answer of the assistant is a transcript that the caller sends again, and what another
    provider has put in carries its mark: neither is the user speaking now.
    """
    last = max((i for i, m in enumerate(messages) if m.role in ("assistant", "tool")), default=-1)
    return [m for m in messages[last + 1 :] if m.role == "user" and is_own(m)]


def is_own(message: Said) -> bool:
    """Whether a message was said in this run, not put into it by a provider."""
    return "_attribution" not in message.additional_properties


def query_of(messages: Sequence[Said]) -> str | None:
    """What is searched with: the user's new words, of a long text the end."""
    text = plain("\n".join(m.text for m in new_words(messages) if m.text))[-MAX_QUERY:].strip()
    return text if is_text(text) else None


def give_ids(messages: Iterable[Said]) -> None:
    """Give an id to each message that has none, so that it is one message wherever it is kept."""
    for message in messages:
        if not message.message_id:
            message.message_id = str(uuid.uuid4())


def remembered(said: Said, role: Role, at: datetime | None = None) -> Iterator[Message]:
    """A message as it is remembered: its text only; one over the limit as several messages."""
    text = plain(said.text)
    for part, start in enumerate(range(0, len(text), MAX_TEXT)):
        piece = text[start : start + MAX_TEXT]
        if is_text(piece):
            name = name_of(said)
            yield Message(id=id_of(said, part), role=role, name=name, content=piece, occurred_at=at)


def batches(messages: Sequence[Message]) -> Iterator[tuple[Message, ...]]:
    """The messages in calls of the size that one may have."""
    for start in range(0, len(messages), MAX_MESSAGES):
        yield tuple(messages[start : start + MAX_MESSAGES])


def plain(text: str) -> str:
    """The text without what no store takes: NUL and halves of characters."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def is_text(text: str) -> bool:
    """Whether there is anything in it to be kept."""
    try:
        check_text(text)
    except ValueError:
        return False
    return True


def id_of(said: Said, part: int = 0) -> str | None:
    """The id of a message, or of a part of it: the framework's, or a hash of one that no record can have."""
    if not said.message_id:
        return None
    try:
        name = check_id(said.message_id) if len(said.message_id) <= MAX_ID - _PART else None
    except ValueError:
        name = None
    name = name or hash_key("message", plain(said.message_id))
    return f"{name}#{part + 1}" if part else name


def name_of(said: Said) -> str | None:
    """Who speaks, where the framework says it."""
    name = plain(said.author_name or "").strip()[:MAX_NAME]
    return name if is_text(name) else None
