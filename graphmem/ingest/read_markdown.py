"""Markdown to sections: a heading with what stands under it, and the date that the file or heading names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter, ValidationError

from graphmem.models.times import ValidTimeIn

_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DATE_FIELD = re.compile(r"(?:date|created|created_at|日付|作成日)\s*[:=]\s*(.+)", re.IGNORECASE)
_HEADING_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})-(\d{1,2})|/(\d{1,2})/(\d{1,2})|年(\d{1,2})月(\d{1,2})日)")
_TIME: TypeAdapter[ValidTimeIn] = TypeAdapter(ValidTimeIn)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text; `date` is the heading's own, else the one above, else the file's."""

    text: str
    date: datetime | None


def sections(text: str) -> Iterator[Section]:
    """The sections of a Markdown text in order; front matter gives the date and is not text."""
    matter, body = _front_matter(text)
    fallback = _matter_date(matter)
    dates: dict[int, datetime | None] = {}
    for level, heading, content in _split(body.split("\n")):
        if level:
            dates = {deeper: date for deeper, date in dates.items() if deeper < level}
            dates[level] = _heading_date(heading)
        date = next((dates[key] for key in sorted(dates, reverse=True) if dates[key]), fallback)
        if content.strip():
            yield Section(f"{heading}\n\n{content.strip()}".strip(), date)


def _front_matter(text: str) -> tuple[list[str], str]:
    lines = text.split("\n")
    mark = lines[0].rstrip()
    if mark not in ("---", "+++"):
        return [], text
    ends = (n for n, line in enumerate(lines[1:], 1) if line.rstrip() == mark)
    end = next(ends, 0)
    return lines[1:end], "\n".join(lines[end + 1 :]) if end else text


def _matter_date(lines: list[str]) -> datetime | None:
    for line in lines:
        if match := _DATE_FIELD.fullmatch(line.strip()):
            return _time(match[1].strip().strip("\"'"))
    return None


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
