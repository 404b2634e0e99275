"""Which relation a sentence tells of whose words no rule knows: by its likeness to how such relations are told.

`phrases.toml` has the ways of telling each relation, in English and Japanese. A sentence is looked at twice: with its
value, whose looks say much ("Dr Lang", みなと銀行), and with a word in the value's place, so that the way of telling
counts by itself. A linear model over both vectors gives each relation a score; what leads by too little says nothing.
`build.py` makes the model (`model.npz`) from the phrases.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Vectors
from graphmem.providers.phrases import digest_of, expanded

from .shapes import Look, fits

Language = Literal["en", "ja"]

LANGUAGES: tuple[Language, ...] = ("en", "ja")
NONE, ENDS = "none", "ends"
"""Classes that are no relation: something without one value, and the end of something."""
SOMEBODY = {"en": "Alex", "ja": "健"}
SOMETHING = {"en": "Vexford", "ja": "ベクス"}
_CLOSE = 5
_STOPS = {"en": ".", "ja": "。"}


class Encoder(Protocol):
    """What makes vectors of texts, in the thread that calls it."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence seems to tell of somebody and a value."""

    relation: str
    """A relation, or `none` or `ends`."""
    lead: float
    """By how much its score is above the next one."""
    close: tuple[tuple[str, float], ...]
    """The best classes but `none`, and how far each is behind the best of all."""


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence with its subject replaced by `SOMEBODY`, and the value in it."""

    language: Language
    text: str
    value: str
    look: Look = field(default=Look(None, named=True))

    @property
    def masked(self) -> str:
        """The sentence with a word in the value's place."""
        return self.text.replace(self.value, SOMETHING[self.language])


@dataclass(frozen=True, slots=True)
class _Model:
    relations: tuple[str, ...]
    weights: dict[str, NDArray[np.float32]]


def read(questions: Sequence[Question], encoder: Encoder) -> list[Reading]:
    """One reading a question. Cost: two vectors each, 1.5 ms."""
    if not questions:
        return []
    vectors = features(questions, encoder)
    model = _model()
    kinds = np.array([name in (NONE, ENDS) for name in model.relations])
    found = []
    for question, vector in zip(questions, vectors, strict=True):
        fitting = np.array([fits(name, question.value, question.look) for name in model.relations]) | kinds
        scores = np.where(fitting, vector @ model.weights[question.language], -np.inf)
        first, second = np.argsort(scores)[::-1][:2]
        lead = float(scores[first] - scores[second])
        close = [
            (model.relations[at], round(float(scores[first] - scores[at]), 3))
            for at in np.argsort(scores)[::-1][:_CLOSE]
            if model.relations[at] != NONE and np.isfinite(scores[at])
        ]
        found.append(Reading(model.relations[first], lead, tuple(close)))
    return found


def features(questions: Sequence[Question], encoder: Encoder) -> NDArray[np.float32]:
    """What the model sees of each question: both vectors, and a one for the constant."""
    texts = list(dict.fromkeys([q.text for q in questions] + [q.masked for q in questions]))
    known = dict(zip(texts, encoder.encode(texts), strict=True))
    one = np.ones(1, dtype=np.float32)
    return np.stack([np.concatenate([known[q.text], known[q.masked], one]) for q in questions])


@lru_cache(maxsize=1)
def phrases() -> dict[str, dict[str, list[str]]]:
    """By class: the ways of telling it (`en`, `ja`) and what it may have for a value (`values_en`, `values_ja`)."""
    known = tomllib.loads((files(__name__) / "phrases.toml").read_text(encoding="utf-8"))
    return {
        name: {key: [text for one in entry[key] for text in expanded(one)] for key in entry}
        for name, entry in known.items()
    }


def digest() -> str:
    """What tells one state of the phrases from another; the model keeps that of the phrases it was made from."""
    return digest_of(__name__, "phrases.toml")


def question(language: Language, phrase: str, value: str) -> Question:
    """A phrase with `{s}` and `{v}` as a question about that value."""
    text = phrase.replace("{s}", SOMEBODY[language]).replace("{v}", value) + _STOPS[language]
    return Question(language, text, value)


@lru_cache(maxsize=1)
def _model() -> _Model:
    with (files(__name__) / "model.npz").open("rb") as file, np.load(file, allow_pickle=False) as archive:
        relations = tuple(str(name) for name in archive["relations"])
        return _Model(relations, {language: archive[language].astype(np.float32) for language in LANGUAGES})
