"""A note's content without its secrets, for what does not come as a request: files."""

from __future__ import annotations

from typing import Any

from ..models.redaction import Redacted
from ..safety.redact import Secrets
from .content import Content

_TEXTS = ("title", "description", "category")
_LISTS = ("keywords", "tags", "aliases")


def clean_content(secrets: Secrets, content: Content, place: str) -> tuple[Content, tuple[Redacted, ...]]:
    """The same content with markers for its secrets, and what was taken out of the file, which is called `place`.

    Errors: InvalidInput (a secret in the path, or one refused).
    """
    if content.path is not None:
        secrets.check(content.path, "path")
    body, found = secrets.text(content.body, place)
    given: dict[str, Any] = {"body": body}
    for name in _TEXTS:
        if (text := getattr(content, name)) is not None:
            given[name] = secrets.text(text, name)[0]
    for name in _LISTS:
        if (words := getattr(content, name)) is not None:
            given[name] = tuple(secrets.text(word, name)[0] for word in words)
    wants = tuple((secrets.text(target, "links")[0], kind) for target, kind in content.wants)
    file: list[tuple[str, Any]] = []
    for key, value in content.file:
        clean, taken = secrets.text(value, place) if isinstance(value, str) else (value, ())
        file.append((key, clean))
        found += taken
    return content.changed(**given, wants=wants, file=tuple(file)), found
