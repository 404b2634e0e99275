"""The memories and questions that the bench works with: made up, the same in every run, in two languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.models.episode import RememberRequest

ACTOR = "bench"
START = datetime(2025, 1, 1, 9, tzinfo=UTC)

_PEOPLE = ("Aoi", "Ben", "Chloe", "Daichi", "Emma", "Fumi", "George", "Hana", "Ivan", "Jun", "Kei", "Lena")
_THINGS = ("tea", "jazz", "chess", "ramen", "opera", "tennis", "manga", "poetry", "curry", "sumo", "yoga")
_COLOURS = ("green", "old", "quiet", "quick", "spicy", "modern", "local", "grand", "plain", "winter")
_JAPANESE = {
    "tea": "お茶",
    "jazz": "ジャズ",
    "chess": "チェス",
    "ramen": "ラーメン",
    "opera": "オペラ",
    "tennis": "テニス",
}
_VERBS = (
    ("likes", "likes", "が好きです"),
    ("uses", "uses", "を使っています"),
    ("knows", "knows", "を知っています"),
)


def batches(facts: int, size: int) -> list[RememberRequest]:
    """`facts` messages with one given fact each, in requests of `size`."""
    rows = list(_rows(facts))
    return [_request(rows[start : start + size], start) for start in range(0, facts, size)]


def texts(count: int) -> list[str]:
    """The words of `count` messages, of those that `batches` remembers."""
    return [text for text, _ in _rows(count)]


def _request(rows: list[tuple[str, dict[str, Any]]], start: int) -> RememberRequest:
    messages, facts = [], []
    for number, (text, fact) in enumerate(rows, start):
        at = (START + timedelta(minutes=number)).isoformat()
        messages.append({"id": f"m{number}", "content": text, "occurred_at": at})
        facts.append(fact | {"message_id": f"m{number}"})
    body = {"scope": {"actor_id": ACTOR}, "messages": messages, "facts": facts, "extraction": "none"}
    return RememberRequest.model_validate(body)


def _rows(count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in range(count):
        person = f"{_PEOPLE[number % len(_PEOPLE)]} {number % 97}"
        colour, thing = _COLOURS[number % len(_COLOURS)], _THINGS[number % len(_THINGS)]
        predicate, english, japanese = _VERBS[number % len(_VERBS)]
        item = f"{colour} {thing} {number}"
        text = f"{person} {english} {item}."
        if number % 3 == 0 and thing in _JAPANESE:
            item = f"{_JAPANESE[thing]}{number}"
            text = f"{person}は{item}{japanese}。"
        yield text, {"subject": person, "predicate": predicate, "object": item, "text": text}


def questions(count: int) -> list[str]:
    """`count` different questions, every third in Japanese."""
    asked = []
    for number in range(count):
        person, thing = f"{_PEOPLE[number % len(_PEOPLE)]} {number % 97}", _THINGS[number % len(_THINGS)]
        japanese = number % 3 == 0
        asked.append(f"{person}は何が好きですか" if japanese else f"Which {thing} does {person} like?")
    return asked
