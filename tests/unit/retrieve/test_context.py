"""The context block: its lines, its budget, disputes side by side, and its JSON form."""

from __future__ import annotations

import json
from typing import Any, get_args
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.models.recall import ContextFormat, RecallItem
from graphmem.retrieve.context import CLOSE, OPEN, Block, render
from graphmem.retrieve.tokens import count_tokens

HEAD = "## Relevant memories\nUse these memories only when they help answer the user."
FORMS: tuple[ContextFormat, ...] = get_args(ContextFormat)


def item(text: str, **more: Any) -> RecallItem:
    known = {"kind": "fact", "id": uuid4().hex, "text": text, "score": 0.5, "scores": {}, **more}
    return RecallItem.model_validate(known)


def source(name: str) -> dict[str, Any]:
    return {"episode_id": "e", "source_id": name, "occurred_at": "2026-01-05T00:00:00Z"}


def memories(block: Block) -> list[dict[str, Any]]:
    """The items of a block in JSON."""
    assert block.text.startswith(OPEN)
    assert block.text.endswith(CLOSE)
    whole = json.loads(block.text.removeprefix(OPEN).removesuffix(CLOSE))
    assert list(whole) == ["heading", "use", "memories"]
    found: list[dict[str, Any]] = whole["memories"]
    assert [each["n"] for each in found] == list(range(1, len(found) + 1))
    return found


HOTEL = {"category": "preference", "importance": 0.85, "retention": 0.91, "valid_at": "2025-11-20T00:00:00Z"}
LABELS = "[preference; importance=0.85; retention=0.91; since 2025-11-20]"


def test_lines_have_category_importance_retention_validity_and_source() -> None:
    given_ = [
        item(
            "大阪旅行では駅近ホテルを最優先する",
            **{**HOTEL, "valid_at": "2025-11-20T00:00:00Z"},
            sources=[source("m1")],
        ),
        item("Ana lived in Oslo", valid_at="2020-01-01T00:00:00Z", invalid_at="2024-05-01T00:00:00Z"),
        item("Ana: see you", kind="episode", valid_at="2026-02-03T09:00:00Z", retention=1.0, sources=[source("m3")]),
        item("A plain note", kind="note", category="note"),
    ]
    assert render(given_, 1_000).text.splitlines() == [
        OPEN,
        *HEAD.splitlines(),
        f"1. {LABELS} 大阪旅行では駅近ホテルを最優先する (source: m1)",
        "2. [fact; 2020-01-01..2024-05-01] Ana lived in Oslo",
        "3. [episode; said 2026-02-03] Ana: see you (source: m3)",
        "4. [note] A plain note",
        CLOSE,
    ]
    assert memories(render(given_, 1_000, "json")) == [
        {
            "n": 1,
            "memory": "大阪旅行では駅近ホテルを最優先する",
            "kind": "fact",
            "category": "preference",
            "importance": 0.85,
            "retention": 0.91,
            "valid_from": "2025-11-20",
            "source": "m1",
        },
        {
            "n": 2,
            "memory": "Ana lived in Oslo",
            "kind": "fact",
            "valid_from": "2020-01-01",
            "valid_until": "2024-05-01",
        },
        {"n": 3, "memory": "Ana: see you", "kind": "episode", "said": "2026-02-03", "source": "m3"},
        {"n": 4, "memory": "A plain note", "kind": "note", "category": "note"},
    ]


@pytest.mark.parametrize("form", FORMS)
def test_what_does_not_fit_whole_gives_way_to_what_does(form: ContextFormat) -> None:
    first, long, second, huge = item("one"), item("word " * 300), item("two"), item("x" * 50_000)
    assert render([first, long, huge, second], 150, form).items == (first.id, second.id)
    assert render([huge, long, first], 150, form).items == (first.id,)
    assert render([first, long, second], 1_000, form).items == (first.id, long.id, second.id)
    for nothing in (render([long], 150, form), render([], 1_000, form), render([first], 10, form)):
        assert nothing == Block("", 0, ())


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, max_examples=60)
@given(
    texts=st.lists(st.text(min_size=1, max_size=80).filter(str.strip), min_size=1, max_size=12),
    budget=st.integers(1, 400),
    sides=st.lists(st.sets(st.sampled_from("abc"), max_size=2), min_size=12, max_size=12),
)
def test_the_budget_is_kept_and_counted(
    form: ContextFormat, texts: list[str], budget: int, sides: list[set[str]]
) -> None:
    items = [
        item(text, disputed=bool(open_), contradictions=sorted(open_), sources=[source("m")])
        for text, open_ in zip(texts, sides, strict=False)
    ]
    block = render(items, budget, form)
    assert block.tokens == count_tokens(block.text) <= budget
    assert set(block.items) <= {each.id for each in items}
    assert len(set(block.items)) == len(block.items)
    if not any(sides[: len(items)]):
        order = {each.id: place for place, each in enumerate(items)}
        assert sorted(block.items, key=order.__getitem__) == list(block.items)


def test_sides_of_a_dispute_stand_beside_each_other() -> None:
    osaka = item("Ana lives in Osaka", disputed=True, contradictions=["c1"])
    tea = item("Ana likes tea")
    kyoto = item("Ana lives in Kyoto", disputed=True, contradictions=["c1", "c2"])
    alone = item("Ana was born in May", disputed=True, contradictions=["c3"])
    given_ = [osaka, tea, alone, kyoto]
    block = render(given_, 1_000)
    assert block.items == (osaka.id, kyoto.id, tea.id, alone.id)
    assert block.text.splitlines()[3:-1] == [
        "1. [fact; disputed with 2] Ana lives in Osaka",
        "2. [fact; disputed with 1] Ana lives in Kyoto",
        "3. [fact] Ana likes tea",
        "4. [fact; disputed] Ana was born in May",
    ]
    sides = [(each.get("disputed"), each.get("disputed_with")) for each in memories(render(given_, 1_000, "json"))]
    assert sides == [(True, [2]), (True, [1]), (None, None), (True, None)]
    # where the other side does not fit, a side is disputed all the same
    long = kyoto.model_copy(update={"text": "Ana lives in Kyoto. " * 100})
    assert "1. [fact; disputed] Ana lives in Osaka" in render([osaka, long, tea], 150).text


REFERENCE = [
    (
        "1. [profile; importance=0.70; retention=0.97; since 2026-01-01] Haruka lives in Osaka (source: m1)\n"
        f"2. {LABELS} Haruka prefers a hotel beside the station when she travels (source: trip-planning)\n"
        "3. [episode; importance=0.50; said 2026-02-03] Haruka: I moved to Osaka last month, and the new flat is much "
        "brighter than the old one. (source: m4)",
        (130, 130, 147),
    ),
    (
        f"1. {LABELS} 大阪旅行では駅から近いホテルを最優先する (source: m1)\n"
        "2. [profile; importance=0.70; retention=0.88; since 2026-01-01] "
        "春香さんは先月から大阪のあおぞら工業で働いている (source: m2)\n"
        "3. [episode; importance=0.50; said 2026-02-03] "
        "春香: 肉を食べないので、野菜だけの店を探してほしいです。 (source: m3)",
        (147, 180, 169),
    ),
    (
        '{"n": 1, "memory": "Haruka lives in Osaka", "kind": "fact", "category": "profile", "importance": 0.7, '
        '"retention": 0.97, "valid_from": "2026-01-01", "source": "m1"},\n'
        '{"n": 2, "memory": "Haruka prefers a hotel beside the station when she travels", "kind": "fact", "category": '
        '"preference", "importance": 0.85, "retention": 0.91, "valid_from": "2025-11-20", "source": "trip-planning"}',
        (136, 138, 150),
    ),
    (
        "She had promised to bring the letters back before the end of the month, but the train was cancelled twice and "
        "nobody at the station could tell her why.",
        (31, 31, 31),
    ),
]
"""Texts, and how many tokens o200k_base, cl100k_base and Tekken make of them."""


def test_the_estimate_is_near_what_tokenizers_count() -> None:
    for text, counts in REFERENCE:
        for count in counts:
            assert 0.85 <= count_tokens(text) / count <= 1.15, (text, count)
