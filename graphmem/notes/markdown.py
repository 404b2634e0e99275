"""A Markdown file as a note and a note as a Markdown file, by Obsidian's conventions; unchanged ones byte for byte."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError

from ..errors import InvalidInput, TooLarge
from ..models.base import MAX_NAME, MAX_TEXT
from ..models.note import LinkKind, NotePath
from ..models.times import ValidTime, ValidTimeIn
from . import front_matter
from .content import Content
from .front_matter import FrontMatter, Value
from .wikilinks import without_code

KINDS: tuple[str, ...] = get_args(LinkKind)
_PATH_KEY = "graphmem_path"
_KEYS = {
    "title": ("title",),
    "aliases": ("aliases", "alias"),
    "tags": ("tags", "tag"),
    "keywords": ("keywords", "keyword"),
    "description": ("description", "summary"),
    "date": ("date", "created", "created_at", "日付", "作成日"),
    "category": ("category",),
    "importance": ("importance",),
    "pinned": ("pinned",),
}
"""Keys that mean something, the one that is written first."""
_BOM = "\ufeff"
_PLAIN_TAG = r"[^\s#.,;:!?'\"()\[\]{}<>|`、。！？「」]"
_TAG = re.compile(rf"(?<![\w/&#])#({_PLAIN_TAG}*[^\W\d_]{_PLAIN_TAG}*)")
_WIKI = re.compile(r"\[\[([^\[\]|#]+)")
_TIME: TypeAdapter[ValidTimeIn] = TypeAdapter(ValidTimeIn)
_PLACE: TypeAdapter[str] = TypeAdapter(NotePath)


def read_note(data: bytes, path: str) -> Content:
    """The note in a file; `path` is its place in the folder, with `/`. Errors: InvalidInput, TooLarge."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"is not UTF-8 at byte {error.start}", field=path) from error
    if "\x00" in text:
        raise InvalidInput("holds a NUL character", field=path)
    head, body = front_matter.split(text.removeprefix(_BOM))
    if len(body) > MAX_TEXT:
        raise TooLarge(f"is longer than {MAX_TEXT} characters; divide it", field=path)
    place = head.values.get(_PATH_KEY)
    content = _content(head, body, place if isinstance(place, str) else path)
    return content.changed(file=(("head", head.head), ("bom", text.startswith(_BOM)), ("name", path)))


def _content(head: FrontMatter, body: str, path: str) -> Content:
    try:
        path = _PLACE.validate_python(path)
    except ValidationError as error:
        raise InvalidInput("has a name that cannot be a path of a note", field=path) from error
    values = head.values
    title, description = _text(values, "title"), _text(values, "description")
    return Content(
        body=body,
        title=title[:MAX_NAME] if title else None,
        description=description[:2_000] if description else None,
        keywords=_list(values, "keywords") or None,
        tags=tuple(dict.fromkeys([*_tags(values), *inline_tags(body)])),
        aliases=_list(values, "aliases"),
        path=path,
        category=(_text(values, "category") or "note")[:MAX_NAME],
        importance=_importance(_text(values, "importance")),
        pinned=_text(values, "pinned") == "true",
        valid_at=_date(values),
        wants=tuple(_wants(values)),
    )


def write_note(content: Content, name: str) -> bytes:
    """The file of a note that is called `name` in its folder; as it was read, where nothing has changed since."""
    file: dict[str, Any] = dict(content.file)
    head = FrontMatter(str(file.get("head") or ""))
    was = _content(head, content.body, content.path or name) if file.get("head") is not None else None
    values = dict(_differences(content, was, name))
    newline = "\r\n" if "\r\n" in content.body else "\n"
    written = head.changed(values, newline).head
    if not written and front_matter.split(content.body)[0].head:
        written = f"---{newline}---{newline}"  # so that the body's own first lines are not taken for a head
    text = written + content.body
    return ((_BOM if file.get("bom") else "") + text).encode("utf-8")


def _differences(content: Content, was: Content | None, name: str) -> list[tuple[str, Value | None]]:
    """Keys to write: those whose value is another one than the head already says."""
    inline = set(inline_tags(content.body))
    held = was or Content(body=content.body, path=name, tags=tuple(inline))
    wanted: list[tuple[str, Any, Any, Value | None]] = [
        ("title", content.title, held.title, content.title),
        ("description", content.description, held.description, content.description),
        ("keywords", content.keywords, held.keywords, content.keywords or None),
        ("tags", set(content.tags), set(held.tags), tuple(t for t in content.tags if t not in inline) or None),
        ("aliases", content.aliases, held.aliases, content.aliases or None),
        ("category", content.category, held.category, content.category),
        ("importance", content.importance, held.importance, f"{content.importance:g}"),
        ("pinned", content.pinned, held.pinned, "true" if content.pinned else None),
        ("date", content.valid_at, held.valid_at, _written_date(content.valid_at)),
        (_PATH_KEY, content.path, held.path if was else None, content.path if content.path != name else None),
    ]
    found = [(_key(field, held), value) for field, new, old, value in wanted if new != old]
    for kind in KINDS:
        new = tuple(f"[[{text}]]" for text, k in content.wants if k == kind)
        if new != tuple(f"[[{text}]]" for text, k in held.wants if k == kind):
            found.append((kind, new or None))
    return found


def _key(field: str, held: Content) -> str:
    """The key under which the head already has the field, else the usual one."""
    names = _KEYS.get(field, (field,))
    head = FrontMatter(str(dict(held.file).get("head") or ""))
    return next((name for name in names if name in head.values), names[0])


def _first(values: dict[str, Value], field: str) -> Value | None:
    return next((values[name] for name in _KEYS[field] if values.get(name)), None)


def _text(values: dict[str, Value], field: str) -> str | None:
    value = _first(values, field)
    return value if isinstance(value, str) and value.strip() else None


def _list(values: dict[str, Value], field: str, apart: str = r"\s*[,、]\s*") -> tuple[str, ...]:
    value = _first(values, field)
    items: Sequence[str] = re.split(apart, value) if isinstance(value, str) else value or ()
    kept = dict.fromkeys(item.strip()[:MAX_NAME] for item in items if item.strip())
    return tuple(kept)[:50]


def _tags(values: dict[str, Value]) -> tuple[str, ...]:
    return tuple(tag for item in _list(values, "tags", r"[\s,、]+") if (tag := item.lstrip("#")))


def inline_tags(body: str) -> tuple[str, ...]:
    """The `#tags` of a body, outside code, without their sign."""
    return tuple(dict.fromkeys(unicodedata.normalize("NFC", m[1]) for m in _TAG.finditer(without_code(body))))[:50]


def _importance(text: str | None) -> float:
    try:
        value = float(text or 0.5)
    except ValueError:
        return 0.5
    return value if 0.0 <= value <= 1.0 else 0.5


def _date(values: dict[str, Value]) -> ValidTime | None:
    text = _text(values, "date")
    if text is None:
        return None
    try:
        return _TIME.validate_python(text.strip().replace("/", "-"))
    except ValidationError:
        return None


def _written_date(time: ValidTime | None) -> str | None:
    if time is None:
        return None
    length = {"year": 4, "month": 7, "day": 10}.get(time.precision)
    at: datetime = time.at.astimezone(UTC)
    return at.isoformat().replace("+00:00", "Z")[:length]


def _wants(values: dict[str, Value]) -> list[tuple[str, LinkKind]]:
    """Links that stand in the head, under the name of their kind."""
    found = []
    for kind in KINDS:
        value = values.get(kind, ())
        for item in (value,) if isinstance(value, str) else value:
            found += [(match[1].strip(), cast("LinkKind", kind)) for match in _WIKI.finditer(item)]
    return found[:100]
