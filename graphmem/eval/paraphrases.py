"""A made-up data set with a true answer: one sentence a fact, and questions in other words than the sentence's."""

from __future__ import annotations

import random
from datetime import timedelta

from .dataset import Dataset, Document, Query
from .words import ADJECTIVES, CITIES, COMPANIES, FAMILY, GIVEN, NOUNS, relations
from .workload import START

ASKED = {
    "lives_in": ("In which city is {s}'s home?", "{s}の家はどの街にありますか"),
    "works_at": ("Who employs {s}?", "{s}はどの会社に勤めていますか"),
    "likes": ("What is {s} fond of?", "{s}のお気に入りは何ですか"),
    "uses": ("What does {s} need daily?", "{s}が日々手にするものは何ですか"),
    "visited": ("Where did {s} travel together with others?", "{s}は仲間とどこへ旅行しましたか"),
    "studies": ("About whose past does {s} read?", "{s}が過去を調べているものは何ですか"),
}
"""For each relation a question in English and one in Japanese."""
_EACH = 20
"""Documents to one query."""


def made(documents: int, actors: int, seed: int = 1) -> Dataset:
    """`documents` sentences of `actors`, every third in Japanese; one answers each query."""
    chance = random.Random(seed)  # noqa: S311  no secret
    made_up, queries = [], []
    for number in range(documents):
        actor = f"actor{number % actors}"
        relation = relations()[number // actors % len(relations())]
        subject = _person(number // actors // len(relations()))
        japanese = number // actors % 3 == 0
        text = relation.sentence(subject, _object(relation.objects, chance), japanese=japanese)
        document = Document(f"d{number}", text, actor, occurred_at=START + timedelta(minutes=number))
        made_up.append(document)
        if chance.random() * _EACH < 1:
            asked = ASKED[relation.name][japanese].format(s=subject)
            queries.append(Query(asked, frozenset([document.id]), actor, "ja" if japanese else "en"))
    return Dataset("made up", tuple(made_up), tuple(queries))


def _person(number: int) -> str:
    """A name that no other number up to some 1,500 has."""
    return f"{GIVEN[number % len(GIVEN)]} {FAMILY[(number // len(GIVEN) + number) % len(FAMILY)]}"


def _object(kind: str, chance: random.Random) -> str:
    if kind == "city":
        return chance.choice(CITIES)
    if kind == "company":
        return f"{chance.choice(COMPANIES)} {chance.choice(NOUNS).capitalize()}"
    return f"{chance.choice(ADJECTIVES)} {chance.choice(NOUNS)}"
