"""A note's content without its secrets, for what does not come as a request: files."""

from __future__ import annotations

from typing import Any

from ..safety.redact import Secrets
from .content import Content

_TEXTS = ("body", "title", "description", "category")
_LISTS = ("keywords", "tags", "aliases")


def clean_content(secrets: Secrets, content: Content) -> Content:
    """The same content with markers for its secrets. Errors: InvalidInput (a secret in the path, or one refused)."""
    if content.path is not None:
        secrets.check(content.path, "path")
    given: dict[str, Any] = {}
    for name in _TEXTS:
        if (text := getattr(content, name)) is not None:
            given[name] = secrets.text(text, name)[0]
    for name in _LISTS:
        if (words := getattr(content, name)) is not None:
            given[name] = tuple(secrets.text(word, name)[0] for word in words)
    wants = tuple((secrets.text(target, "links")[0], kind) for target, kind in content.wants)
    file = tuple((key, secrets.text(v, key)[0] if isinstance(v, str) else v) for key, v in content.file)
    return content.changed(**given, wants=wants, file=file)
