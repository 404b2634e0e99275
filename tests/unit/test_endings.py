"""Known values by the words that name them, and what a way of ending can end."""

from __future__ import annotations

import pytest

from graphmem.ingest.endings import Known, alike, can_end, keys_of, mentions, named_by, shape


def known(*names: str) -> list[Known]:
    return [Known("uses", name, keys_of(name), one=False) for name in names]


@pytest.mark.parametrize(
    ("words", "names", "found"),
    [
        ("the Civic", ["Honda Civic"], ["Honda Civic"]),
        ("squash", ["squash with Ben"], ["squash with Ben"]),
        ("FitBox membership", ["FitBox"], ["FitBox"]),
        ("payments", ["payments team"], ["payments team"]),
        ("フィット", ["古いフィット"], ["古いフィット"]),
        ("the team", ["payments team"], []),
        ("cello shop", ["cello"], []),
        ("Wells", ["Wells Chemist", "Wells Bank"], []),
        ("Wells Bank", ["Wells Chemist", "Wells Bank"], ["Wells Bank"]),
        ("Annabel", ["Anna"], []),
    ],
)
def test_a_value_is_named_whole_or_by_the_only_name_that_has_the_words(
    words: str, names: list[str], found: list[str]
) -> None:
    assert [one.name for one in named_by(words, known(*names))] == found


@pytest.mark.parametrize(
    ("way", "sense", "ends"),
    [
        ("habit", "drinks", True),
        ("habit", "has_pet", False),
        ("habit", "lives_in", False),
        ("habit", "allergic_to", False),
        ("thing", "car", True),
        ("thing", "drinks", False),
        ("pet", "has_pet", True),
        ("pet", "works_at", False),
        ("person", "girlfriend", True),
        ("person", "sister", False),
        ("liking", "likes", True),
        ("liking", "works_at", False),
        ("", "born_in", False),
    ],
)
def test_what_a_way_of_ending_can_end(way: str, sense: str, ends: bool) -> None:
    assert can_end(way, sense) is ends


def test_a_sentence_mentions_a_value_by_a_word_of_its_own() -> None:
    (civic, team, fit) = known("Honda Civic", "payments team", "古いフィット")
    assert mentions("Finally swapped the Civic for a Leaf.", civic)
    assert not mentions("Our team won.", team)
    assert mentions("フィットからリーフに乗り換えた。", fit)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("$12 a day", "980 euros", True),
        ("4 June", "18 June", True),
        ("7 pm", "18:30", True),
        ("third floor", "fifth floor", True),
        ("二階", "六階", True),
        ("Postgres 14", "Postgres 16", True),
        ("room 8", "7 pm", False),
        ("3 kg", "3 km", False),
    ],
)
def test_values_compare_by_their_shape(one: str, other: str, same: bool) -> None:
    assert shape(one)
    assert (shape(one) == shape(other)) is same


def test_what_is_no_measure_has_no_shape() -> None:
    assert not shape("Leeds")
    assert not shape("42")


def test_names_of_one_kind_are_alike() -> None:
    assert alike("Dr Moreno", "Dr Patel")
    assert alike("若葉小学校", "聖和小学校")
    assert not alike("Acme Corp", "Lund College")
