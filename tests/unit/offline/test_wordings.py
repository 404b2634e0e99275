"""Sentences whose verb no rule knows: which relation they tell of, and what they leave open."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.offline import wordings
from graphmem.providers.offline.wordings import NONE, SOMEBODY, Language, Question
from graphmem.providers.offline.wordings.asking import SURE
from graphmem.providers.offline.wordings.shapes import Look, fits


@pytest.fixture(scope="module")
def encoder() -> LocalEmbedder:
    return LocalEmbedder()


def ask(language: Language, text: str, value: str) -> Question:
    return Question(language, text.replace("{s}", SOMEBODY[language]), value)


def test_the_model_was_made_from_the_phrases_that_are_shipped() -> None:
    with (files(wordings.__name__) / "model.npz").open("rb") as file, np.load(file, allow_pickle=False) as model:
        assert str(model["phrases"]) == wordings.digest()
        assert [str(name) for name in model["relations"]] == list(wordings.phrases())


@pytest.mark.parametrize(
    ("language", "text", "value", "relation"),
    [
        ("en", "{s} picks up the receiver on 555-0142.", "555-0142", "phone"),
        ("en", "{s} keeps her savings account over at Lakeside Bank.", "Lakeside Bank", "bank"),
        ("en", "{s} has taken up residence in Salzburg.", "Salzburg", "lives_in"),
        ("en", "The ticket is on offer for 18 euros.", "18 euros", "price"),
        ("ja", "{s}は富山に居を定めている。", "富山", "lives_in"),
        ("ja", "{s}は東洋銀行に預金口座を設けている。", "東洋銀行", "bank"),
        ("ja", "{s}の診療は大久保先生が受け持っている。", "大久保先生", "doctor"),
    ],
)
def test_a_relation_is_known_in_words_that_it_was_not_made_with(
    encoder: LocalEmbedder, language: Language, text: str, value: str, relation: str
) -> None:
    (found,) = wordings.read([ask(language, text, value)], encoder)
    assert found.relation == relation
    assert found.lead > SURE


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "{s} sat next to Paula Grant at the concert.", "Paula Grant"),
        ("en", "{s} flew over to Lisbon for a weekend.", "Lisbon"),
        ("ja", "{s}は週末にリスボンへ飛んだ。", "リスボン"),
        ("ja", "{s}は望遠鏡を組み立てた。", "望遠鏡"),
    ],
)
def test_what_takes_no_place_is_no_relation(encoder: LocalEmbedder, language: Language, text: str, value: str) -> None:
    (found,) = wordings.read([ask(language, text, value)], encoder)
    assert found.relation == NONE or found.lead < SURE


def test_nothing_is_asked_of_nothing(encoder: LocalEmbedder) -> None:
    assert wordings.read([], encoder) == []


@pytest.mark.parametrize(
    ("relation", "value", "look", "may"),
    [
        ("price", "45 euros", Look(None, named=True), True),
        ("bank", "45 euros", Look(None, named=True), False),
        ("price", "Northbank", Look(None, named=True), False),
        ("bank", "Northbank", Look(person=True, named=True), True),
        ("bank", "the till", Look(person=True, named=False), False),
        ("lives_in", "last year", Look(person=True, named=False, dated=True), False),
        ("price", "3000円", Look(person=True, named=True), False),
        ("manager", "Anna", Look(person=True, named=True, acts=False), False),
        ("manager", "Anna", Look(person=True, named=True, acts=True), True),
        ("lives_in", "Anna", Look(person=True, named=True, acts=True), False),
        ("start_time", "18時", Look(None, named=False), True),
    ],
)
def test_a_value_fits_what_it_looks_like(relation: str, value: str, look: Look, may: bool) -> None:
    assert fits(relation, value, look) is may
