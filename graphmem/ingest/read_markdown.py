"""Markdown read: its plain text, its sections, and the date that the file or a heading names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter, ValidationError

from graphmem.models.base import ZonedTime
from graphmem.models.times import Precision, ValidTimeIn

from .markdown_plain import Plain, render

_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DATE_FIELD = re.compile(r"(date|created|created_at|日付|作成日)\s*[:=]\s*(.+)", re.IGNORECASE)
_DATE_FIELDS = ("date", "created", "created_at", "日付", "作成日")
_COMMENT = re.compile(r"\s+#.*$")
_PARTS = re.compile(r"(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?)?[年月日]?")
_HEADING_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})-(\d{1,2})|/(\d{1,2})/(\d{1,2})|年(\d{1,2})月(\d{1,2})日)")
_TIME: TypeAdapter[ValidTimeIn] = TypeAdapter(ValidTimeIn)
_ZONED: TypeAdapter[datetime] = TypeAdapter(ZonedTime)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text; `date` is the heading's own, else the one above, else the file's."""

    text: str
    date: datetime | None


@dataclass(frozen=True, slots=True)
class Written:
    """When a file says that it was written: the start of the period, in the zone that it names, else UTC."""

    at: datetime
    precision: Precision


def plain(text: str) -> Plain:
    """What a reader of a Markdown file sees, with what its links mean; its front matter is not text."""
    return render(_front_matter(_unified(text))[1])


def written(text: str) -> Written | None:
    """The date in a file's front matter, as exactly as it was written; None where there is none that can be read."""
    found: dict[str, str] = {}
    for line in _front_matter(_unified(text))[0]:
        if match := _DATE_FIELD.fullmatch(line.rstrip()):
            found.setdefault(match[1].casefold(), match[2])
    values = (_read_date(_COMMENT.sub("", found[key]).strip().strip("\"'")) for key in _DATE_FIELDS if key in found)
    return next((value for value in values if value is not None), None)


def _unified(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _read_date(value: str) -> Written | None:
    try:
        if match := _PARTS.fullmatch(value):
            year, month, day = (int(part) if part else None for part in match.groups())
            precision: Precision = "day" if day else "month" if month else "year"
            return Written(datetime(year or 1, month or 1, day or 1, tzinfo=UTC), precision)
        return Written(_ZONED.validate_python(value), "instant")
    except (ValidationError, ValueError):
        return None


def sections(text: str) -> Iterator[Section]:
    """The sections of a Markdown text in order; front matter gives the date and is not text."""
    _, body = _front_matter(text)
    stated = written(text)
    fallback = stated.at if stated else None
    dates: dict[int, datetime | None] = {}
    for level, heading, content in _split(body.split("\n")):
        if level:
            dates = {deeper: date for deeper, date in dates.items() if deeper < level}
            dates[level] = _heading_date(heading)
        date = next((dates[key] for key in sorted(dates, reverse=True) if dates[key]), fallback)
        if readable := "\n\n".join(_readable(content)):
            yield Section(f"{render(heading).text}\n\n{readable}".strip(), date)


def _readable(content: str) -> Iterator[str]:
    """The text as its reader sees it; blocks of code as they stand, since a section may be about them."""
    fence, block = "", list[str]()
    for line in [*content.split("\n"), None]:
        after = fence if line is None else _fence_after(fence, line)
        opens, closes = bool(after and not fence), bool(fence and not after)
        if line is not None and closes:
            block.append(line)
        if line is None or opens or closes:
            code = bool(fence)
            text = "\n".join(block)
            if shown := (text if code else render(text).text).strip():
                yield shown
            block = []
        if line is not None and not closes:
            block.append(line)
        fence = after


def _front_matter(text: str) -> tuple[list[str], str]:
    lines = text.split("\n")
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return [], text
    ends = (n for n, line in enumerate(lines[1:], 1) if line.rstrip() == mark)
    end = next(ends, 0)
    return lines[1:end], "\n".join(lines[end + 1 :]) if end else text


def _heading_date(heading: str) -> datetime | None:
    match = _HEADING_DATE.search(heading)
    if match is None:
        return None
    year, month, day = (int(group) for group in match.groups() if group)
    return _time(f"{year:04}-{month:02}-{day:02}")


def _time(value: str) -> datetime | None:
    try:
        return _TIME.validate_python(value.replace("/", "-")).at.astimezone(UTC)
    except ValidationError:
        return None


def _split(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Level, heading and content of each section; level 0 is what stands before the first heading."""
    level, heading, content, fence = 0, "", list[str](), ""
    for line in lines:
        fence, was_fenced = _fence_after(fence, line), bool(fence)
        found = None if was_fenced or fence else _heading(line, content)
        if found is None:
            content.append(line)
            continue
        yield level, heading, "\n".join(content)
        (level, heading), content = found, []
    yield level, heading, "\n".join(content)


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after this line, or nothing."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1][0] == fence[0] and len(match[1]) >= len(fence)
    return "" if closes else fence


def _heading(line: str, content: list[str]) -> tuple[int, str] | None:
    """Level and text of the heading that this line makes; an underlined one takes its text off `content`."""
    if match := _HEADING.match(line):
        return len(match[1]), (match[2] or "").strip()
    match = _UNDERLINE.match(line)
    if match and content and content[-1].strip() and (len(content) == 1 or not content[-2].strip()):
        return (1 if "=" in match[1] else 2), content.pop().strip()
    return None
