"""Make `model.npz` anew: `python -m graphmem.providers.offline.wordings.build`.

Run it after a change of the phrases or of the encoder. A ridge regression a language: one score a class, 1 for its own
phrases and -1 for all others, each class with the same weight. Phrases that tell of no relation stand with values of
all kinds, so that their way of telling speaks against a relation whatever the value looks like.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.ridge import fit, write

from . import ENDS, LANGUAGES, NONE, Language, Question, digest, features, phrases, question

_VALUES, _OTHERS = 2, 8
"""Values that a phrase stands with, and for what is no relation the further ones."""


def compute_model() -> dict[str, NDArray[np.float16]]:
    """Weights of shape (features, classes) by language, and the names of the classes."""
    encoder = LocalEmbedder()
    names = list(phrases())
    made = {language: _weights(language, names, encoder) for language in LANGUAGES}
    return {**made, "relations": np.array(names), "phrases": np.array(digest())}  # type: ignore[dict-item]  # text beside numbers


def _weights(language: Language, names: list[str], encoder: LocalEmbedder) -> NDArray[np.float16]:
    asked, labels = _examples(language, names)
    seen = features(asked, encoder).astype(np.float64)
    return fit(seen, labels, len(names))


def _examples(language: Language, names: list[str]) -> tuple[list[Question], NDArray[np.intp]]:
    chance = random.Random(1)  # noqa: S311  a choice of examples, not a secret
    known = phrases()
    every = [value for name in names if name not in (NONE, ENDS) for value in known[name][f"values_{language}"]]
    asked, labels = [], []
    for label, name in enumerate(names):
        own = known[name][f"values_{language}"]
        for number, phrase in enumerate(known[name][language]):
            values = [own[(number + step) % len(own)] for step in range(_VALUES)]
            values += chance.sample(every, _OTHERS) if name == NONE else []
            asked += [question(language, phrase, value) for value in values]
            labels += [label] * len(values)
    return asked, np.array(labels)


def main() -> None:
    """Write the archive beside this file."""
    write(compute_model(), __file__)


if __name__ == "__main__":
    main()
