"""What a document's links and head make of the names in its text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.ingest.draft import Draft
from graphmem.ingest.job import EpisodeRow
from graphmem.ingest.predicates import read_predicate
from graphmem.ingest.read_markdown import plain
from graphmem.ingest.reading import Reading, is_short_form
from graphmem.models.ids import new_id
from graphmem.ports import EntityMention


def drafts(markdown: str, subject: str, object_: str, quote: str, **head: object) -> list[tuple[str, str, str]]:
    """Subject, predicate and object of what follows from one fact whose words are these."""
    text = plain(markdown)
    episode = EpisodeRow("e", "user", None, text.text, "a.md", datetime(2025, 1, 1, tzinfo=UTC))
    start = text.text.index(quote)
    draft = Draft((episode,), EntityMention(subject), read_predicate("likes"), EntityMention(object_), quote, "offline")
    reading = replace(Reading(links=text.links), **head)  # type: ignore[arg-type]
    found = reading.read([replace(draft, quote=quote, start=start, end=start + len(quote))], episode)
    return [(d.subject.name, d.predicate.sense, d.object.name) for d in found]  # type: ignore[union-attr]


def test_a_link_gives_its_words_the_name_of_its_target() -> None:
    assert drafts("[[Freya Lundahl|Freya]] likes tea.", "Freya", "tea", "Freya likes tea.") == [
        ("Freya Lundahl", "likes", "tea"),
        ("Freya Lundahl", "alias", "Freya"),
    ]
    assert drafts("[[山田太郎|山田]]さんは紅茶が好きです。", "山田さん", "紅茶", "山田さんは紅茶が好きです。") == [
        ("山田太郎", "likes", "紅茶"),
        ("山田太郎", "alias", "山田"),
    ]


def test_words_that_only_stand_for_the_target_here_are_no_name_of_it_elsewhere() -> None:
    assert drafts("Ken likes [[Oslo|the town]].", "Ken", "the town", "Ken likes the town.") == [
        ("Ken", "likes", "Oslo")
    ]


def test_of_two_targets_the_one_in_the_same_sentence_is_meant() -> None:
    text = "[[Freya Lundahl|Freya]] came. [[Freya Berg|Freya]] likes tea. Freya likes jam."
    assert drafts(text, "Freya", "tea", "Freya likes tea.")[0] == ("Freya Berg", "likes", "tea")
    assert drafts(text, "Freya", "jam", "Freya likes jam.") == [("Freya", "likes", "jam")]


def test_title_and_aliases_are_names_of_one_entity() -> None:
    found = drafts(
        "Tiles.", "Ken", "tea", "Tiles.", title="Freya Lundahl", aliases=("Frey", "freya lundahl", "フレイヤ")
    )
    assert found[1:] == [("Freya Lundahl", "alias", "Frey"), ("Freya Lundahl", "alias", "フレイヤ")]


@pytest.mark.parametrize(
    ("name", "full", "short"),
    [
        ("Freya", "Freya Lundahl", True),
        ("Lundahl", "Freya Lundahl", True),
        ("IBM", "International Business Machines", True),
        ("山田", "山田太郎", True),
        ("the town", "Oslo", False),
        ("tiles", "Tiles of Porto", False),
        ("Osl", "Oslo", False),
        ("山", "山田太郎", False),
        ("Freya Lundahl", "Freya Lundahl", False),
        ("Ken", "Freya Lundahl", False),
    ],
)
def test_which_names_are_short_forms(name: str, full: str, short: bool) -> None:
    assert is_short_form(name, full) is short


def test_a_reading_survives_the_queue() -> None:
    at = datetime(2024, 5, 17, 9, tzinfo=timezone(timedelta(hours=9)))
    reading = Reading("山田", ("や",), plain("[[Ken Mori|Ken]] came").links, at, "day")
    again = Reading.load(reading.dump())
    assert again == reading
    assert again.date is not None
    assert again.date.utcoffset() == timedelta(hours=9)
    assert reading.digest("x") != replace(reading, precision="month").digest("x")


def test_ids_rise() -> None:
    ids = [new_id() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    assert all(len(i) == 36 and i[14] == "7" and i[19] in "89ab" for i in ids)
