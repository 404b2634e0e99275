"""Japanese time expressions."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta

from .dates import (
    Found,
    Kind,
    Prefer,
    Unit,
    midnight,
    month_start,
    nearest,
    run,
    shift,
    weekday,
    year_of_month,
)

_N = r"([0-9０-９〇一二三四五六七八九十百千]+)"
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_DAYS = "月火水木金土日"
_UNITS: dict[str, Unit] = {"日": "day", "週間": "week", "週": "week", "か月": "month", "月": "month", "年": "year"}
_WORDS = {
    "今日": 0, "本日": 0, "きょう": 0, "今朝": 0, "今晩": 0, "今夜": 0, "昨日": -1, "きのう": -1, "昨夜": -1,
    "昨晩": -1, "ゆうべ": -1, "一昨日": -2, "おととい": -2, "明日": 1, "あした": 1, "明後日": 2, "あさって": 2,
}  # fmt: skip
_YEARS = {"去年": -1, "昨年": -1, "一昨年": -2, "おととし": -2, "今年": 0, "本年": 0, "来年": 1, "再来年": 2}
_STEPS = {"先々": -2, "先": -1, "今": 0, "来": 1, "再来": 2}
_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_CLOCK = re.compile(rf"の?、?(午前|午後|朝|夜|夕方)?{_N}時(?:{_N}分|(半))?|の?(正午)")
_SINCE = re.compile(r"の?(?:初め|はじめ|末|半ば)?(?:から|以降|以来|より)(?!も)")
_UNTIL = re.compile(
    r"の?(?:初め|はじめ|末|半ば)?(?:まで(?:に(?!な))?|にかけて|いっぱいで|で(?=[^すし、。]*(?:辞め|やめ|退|終|閉)))"
)
_TRAIL = re.compile(r"に(?!なっ|なり|なる)|頃に?|ごろに?|、")


def number(text: str) -> int:
    """An integer in ASCII, full-width or kanji numerals; ValueError for anything else."""
    text = unicodedata.normalize("NFKC", text)
    if text.isdecimal():
        return int(text)
    if not any(c in "十百千" for c in text):
        return int("".join(str(_DIGITS[c]) if c in _DIGITS else c for c in text))
    total, digit = 0, 0
    for char in text:
        if char in "十百千":
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0
        else:
            digit = _DIGITS[char] if char in _DIGITS else int(char)
    return total + digit


def find(text: str, reference: datetime, prefer: Prefer) -> list[Found]:
    """Dates of a Japanese sentence with what their particles say."""
    return [_with_tail(text, _with_clock(text, item)) for item in run(text, reference, prefer, _RULES)]


def _with_clock(text: str, item: Found) -> Found:
    if item.precision != "day" or item.until or not (match := _CLOCK.match(text, item.end)):
        return item
    half, hour, minute, thirty, noon = match.groups()
    hours = 12 if noon else number(hour)
    if half in ("午後", "夜", "夕方") and hours < 12:
        hours += 12
    minutes = 30 if thirty else number(minute) if minute else 0
    if hours > 23 or minutes > 59:
        return item
    return replace(item, end=match.end(), day=item.day.replace(hour=hours, minute=minutes), precision="instant")


def _with_tail(text: str, item: Found) -> Found:
    if item.length:
        return item
    bounds: tuple[tuple[re.Pattern[str], Kind], ...] = ((_SINCE, "since"), (_UNTIL, "until"))
    for pattern, kind in bounds:
        if match := pattern.match(text, item.end):
            return replace(item, end=match.end(), kind=kind)
    if match := _TRAIL.match(text, item.end):
        return replace(item, end=match.end())
    return item


def _calendar(m: re.Match[str], ref: datetime, year: int, month: str | None, day: str | None) -> Found:
    if day and month:
        moment = midnight(ref.replace(year=year, month=number(month), day=number(day)))
        return Found(m.start(), m.end(), moment, "day")
    if month:
        return Found(m.start(), m.end(), month_start(year, number(month)), "month")
    return Found(m.start(), m.end(), month_start(year), "year")


def _era(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    year = _ERAS[m[1]] + (1 if m[2] == "元" else number(m[2]))
    return replace(_calendar(m, ref, year, m[4], m[5]), relative=True)


def _western(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return _calendar(m, ref, number(m[1]), m[2], m[3])


def _slashed(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return _calendar(m, ref, number(m[1]), m[2], m[3])


def _relative_year(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    step = _YEARS[m[1]]
    found = replace(_calendar(m, ref, ref.year + step, m[2], m[3]), relative=True)
    if step == 0 and not m[2]:
        return replace(found, kind="during", until=month_start(ref.year + 1))
    return found


def _season(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    month = {"春": 3, "夏": 6, "秋": 9, "冬": 12}[m[2]]
    return Found(m.start(), m.end(), month_start(ref.year + _YEARS[m[1]], month), "month", relative=True)


def _month_day(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    month, day = number(m[1]), number(m[2])
    year = year_of_month(ref, month, prefer, day)
    moment = midnight(ref.replace(year=year, month=month, day=day))
    return Found(m.start(), m.end(), moment, "day", relative=prefer == "future")


def _bare_month(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    month = number(m[1])
    return Found(
        m.start(), m.end(), month_start(year_of_month(ref, month, prefer), month), "month", relative=prefer == "future"
    )


def _counted(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    unit = _UNITS[re.sub("[ヶカヵケ箇]月", "か月", m[2])]
    sign = -1 if m[3].startswith("前") else 1
    return _moved(m, ref, sign * number(m[1]), unit)


def _half(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return _moved(m, ref, -6 if m[1] == "前" else 6, "month")


def _moved(m: re.Match[str], ref: datetime, amount: int, unit: Unit) -> Found:
    moment = shift(midnight(ref), amount, unit)
    if unit == "year":
        return Found(m.start(), m.end(), month_start(moment.year), "year", relative=True)
    if unit == "month":
        return Found(m.start(), m.end(), month_start(moment.year, moment.month), "month", relative=True)
    return Found(m.start(), m.end(), moment, "day", relative=True)


def _duration(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    amount, unit = number(m[1]), _UNITS[re.sub("[ヶカヵケ箇]月", "か月", m[2])]
    today = midnight(ref)
    return Found(m.start(), m.end(), today, "day", "during", shift(today, amount, unit), (amount, unit), True)


def _word(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    return Found(m.start(), m.end(), shift(midnight(ref), _WORDS[m[0]], "day"), "day", relative=True)


def _week(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    step = _STEPS[m[1]]
    if m[2] or m[3]:
        target = _DAYS.index(m[2]) if m[2] else 5
        return Found(m.start(), m.end(), weekday(ref, target, step), "day", relative=True)
    monday = weekday(ref, 0, step)
    kind: Kind = "during" if step == 0 else "point"
    until = monday + timedelta(days=7) if step == 0 else None
    return Found(m.start(), m.end(), monday, "day", kind, until, None, True)


def _month(m: re.Match[str], ref: datetime, _: Prefer) -> Found:
    step = _STEPS[m[1]]
    first = shift(month_start(ref.year, ref.month), step, "month")
    if m[2]:
        day = midnight(ref.replace(year=first.year, month=first.month, day=number(m[2])))
        return Found(m.start(), m.end(), day, "day", relative=True)
    kind: Kind = "during" if step == 0 else "point"
    until = shift(first, 1, "month") if step == 0 else None
    return Found(m.start(), m.end(), first, "month", kind, until, None, True)


def _week_day(m: re.Match[str], ref: datetime, prefer: Prefer) -> Found:
    word = m[1] or ""
    wanted: Prefer = "future" if word.startswith(("今度", "次")) else "past" if word else prefer
    return Found(m.start(), m.end(), nearest(ref, _DAYS.index(m[2]), wanted), "day", relative=True)


_AFTER_MONTH = "に|で|いっぱい|から|まで|頃|ごろ|、|の(?:初め|末|半ば)"
_COUNT_UNIT = r"(日|週間|[かヶカヵケ箇]月|年)"
_RULES = (
    (re.compile(rf"(明治|大正|昭和|平成|令和)((元)|{_N[1:-1]})年(?:の?{_N}月(?:の?{_N}日)?)?"), _era),
    (re.compile(rf"([0-9０-９〇一二三四五六七八九]{{4}})年(?!前|後|間)(?:の?{_N}月(?:の?{_N}日)?)?"), _western),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?!\d)"), _slashed),
    (re.compile(r"(一昨年|おととし|去年|昨年|今年|再来年|来年)の?(春|夏|秋|冬)"), _season),
    (re.compile(rf"(一昨年|おととし|去年|昨年|今年|本年|再来年|来年)(?:の?、?{_N}月(?:の?{_N}日)?)?"), _relative_year),
    (re.compile(rf"{_N}月の?{_N}日"), _month_day),
    (re.compile(rf"{_N}{_COUNT_UNIT}(前|後)"), _counted),
    (re.compile(r"半年(前|後)"), _half),
    (re.compile("|".join(sorted(_WORDS, key=len, reverse=True))), _word),
    (re.compile(r"(先々|再来|先|今|来)週(?:の?([月火水木金土日])曜日?|の?(末))?"), _week),
    (re.compile(rf"(先々|再来|先|今|来)月(?!曜)(?:の?{_N}日)?"), _month),
    (re.compile(rf"{_N}(年|週|日|[かヶカヵケ箇]月)間(?!隔)"), _duration),
    (re.compile(rf"{_N}(年|週間|[かヶカヵケ箇]月)(?=だけ|の予定|の契約|契約|、|貸|借|住|続|勤|働)"), _duration),
    (re.compile(r"(今度の|次の|この前の|前の)([月火水木金土日])曜日?"), _week_day),
    (re.compile(r"(?<![毎週隔のは])(?=[月火水木金土日]曜日?に)()([月火水木金土日])曜日?"), _week_day),
    (re.compile(rf"(?<![かヶカヵケ箇0-9０-９]){_N}月(?={_AFTER_MONTH})"), _bare_month),
)  # fmt: skip
