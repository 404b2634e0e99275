"""Which relations a question asks for: by its likeness to how people ask for them.

`questions.toml` has the ways of asking, in English and Japanese. A linear model over the vector of the question, with
one name in the place of all names, gives each of them a score; `build.py` makes it (`model.npz`). It holds for the
vectors of the embedder that it was made with; for any other, the nouns of the relations count where the question holds
one.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import AskedRelation, Identity, PlainQuestion, Vectors
from graphmem.providers.phrases import digest_of, expanded

from .names import JAPANESE, plain

LANGUAGES = ("en", "ja")
NONE = "none"
"""The class of what asks for no relation."""
_FROM, _FULL = 0.1, 0.8
"""By how much the best class is above `none` when it begins to count, and when it counts in full; between them in
proportion. Of 303 questions of other sets 0.96 have the right class above the lower and 0.86 above the upper."""
_UNLIKE, _LIKE = -0.55, -0.35
"""Scores of the best class between which it is like any way of asking at all: a code or a greeting is like none."""
_BEHIND = 0.5
"""So far behind the best a class no longer counts."""
_FURTHER = 0.5
"""What the second and later relations of a class count of the first."""
_BY_NOUN = 0.7
"""What a noun counts by itself."""
_ASKS = re.compile(
    r"(?:\b(?:alex|the|my|our|his|her|your|what|who|where|which|when|how|is|was|are|of|by|tell|me|please)\b|['’]s\b"
    r"|健|私|の|は|って|を|何|誰|どこ|いつ|いくつ|いくら|どれ|ですか|でしたか|だった|教えて|ください|\W)*$"
)
"""What is left of a question beside a name and the noun that it asks for."""


@dataclass(frozen=True, slots=True)
class _Model:
    embedder: str
    classes: tuple[str, ...]
    weights: dict[str, NDArray[np.float32]]


class Questions:
    """Reads which relations a question asks for. Cost: a product of matrices; the model (100 KB) is read once."""

    def plain(self, query: str) -> PlainQuestion:
        """The question as it is to be embedded, and whom it is about."""
        return plain(query, vocabulary(), nouns())

    def asked(self, question: PlainQuestion, vector: Vectors | None, embedder: Identity) -> tuple[AskedRelation, ...]:
        """The relations that it asks for, each with how sure that is, 0 to 1; none for most questions.

        `vector` is that of the plain text, as a query.
        """
        if question.about == "others" and question.relative is None:
            return ()
        model = _model()
        if vector is None or str(embedder) != model.embedder:
            classes = _by_nouns(question.text)
        else:
            language = "ja" if JAPANESE.search(question.text) else "en"
            classes = _by_likeness(np.append(vector, np.float32(1)) @ model.weights[language], model.classes)
        found: dict[str, float] = {}
        for name, sure in classes.items():
            for place, sense in enumerate(questions()[name]["senses"]):
                weight = sure * (_FURTHER if place else 1.0)
                found[sense] = max(found.get(sense, 0.0), round(weight, 3))
        return tuple(AskedRelation(sense, weight) for sense, weight in found.items())


def _by_likeness(scores: NDArray[np.float32], classes: tuple[str, ...]) -> dict[str, float]:
    known = dict(zip(classes, scores.tolist(), strict=True))
    none = known.pop(NONE)
    best = max(known.values())
    sure = _ramp(best - none, _FROM, _FULL) * _ramp(best, _UNLIKE, _LIKE)
    if sure == 0:
        return {}
    near = {name: 1 - (best - score) / _BEHIND for name, score in known.items()}
    return {name: sure * share for name, share in near.items() if share > 0}


def _ramp(value: float, low: float, high: float) -> float:
    return max(0.0, min(1.0, (value - low) / (high - low)))


def _by_nouns(text: str) -> dict[str, float]:
    """Where the question holds a noun and nothing else than what asks for it: a noun alone may stand for anything."""
    held = [noun for noun in nouns() if noun.casefold() in text.casefold()]
    longest = max(held, key=len, default=None)
    if longest is None or not _ASKS.match(text.casefold().replace(longest.casefold(), " ", 1)):
        return {}
    return {nouns()[longest]: _BY_NOUN}


@lru_cache(maxsize=1)
def questions() -> dict[str, dict[str, Any]]:
    """The ways of asking by class, as `questions.toml` has them, with alternatives written out."""
    known = tomllib.loads((files(__name__) / "questions.toml").read_text(encoding="utf-8"))
    for entry in known.values():
        for language in LANGUAGES:
            entry[language] = [text for one in entry[language] for text in expanded(one)]
    return known


@lru_cache(maxsize=1)
def nouns() -> dict[str, str]:
    """The class of each noun that names the value of a relation."""
    return {
        noun: name
        for name, entry in questions().items()
        if name != NONE
        for language in LANGUAGES
        for noun in entry[f"nouns_{language}"]
    }


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """The English words of the questions, folded: what is written with a capital and is none of them may be a name."""
    texts = [text for entry in questions().values() for text in (*entry["en"], *entry["nouns_en"])]
    return frozenset(word.strip("?.,").removesuffix("'s").casefold() for text in texts for word in text.split())


def digest() -> str:
    """What tells one state of the questions from another; the model keeps that of those it was made from."""
    return digest_of(__name__, "questions.toml")


@lru_cache(maxsize=1)
def _model() -> _Model:
    with (files(__name__) / "model.npz").open("rb") as file, np.load(file, allow_pickle=False) as archive:
        classes = tuple(str(name) for name in archive["classes"])
        weights = {language: archive[language].astype(np.float32) for language in LANGUAGES}
        return _Model(str(archive["embedder"]), classes, weights)
