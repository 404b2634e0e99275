"""Make `model.npz` anew: `python -m graphmem.providers.asked.build`.

Run it after a change of the questions or of the encoder. A ridge regression a language: one score a class, 1 for its
own questions and -1 for all others, each class with the same weight. A question about somebody with a name stands for
all names; the same is asked in the first person, in the past, and, in Japanese, without saying of whom.
"""

from __future__ import annotations

import asyncio
import re

import numpy as np
from numpy.typing import NDArray

from graphmem.ports import Vectors
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.providers.ridge import fit, write

from . import LANGUAGES, NONE, digest, questions
from .names import SOMEBODY

_SUBJECTS = 3
"""Things that a question about things stands with."""
_FIRST_PERSON = (
    (re.compile(r"\bdoes \{s\}"), "do I"),
    (re.compile(r"\bis \{s\}(?!')"), "am I"),
    (re.compile(r"\bhas \{s\}(?!')"), "have I"),
    (re.compile(r"\{s\}'s"), "my"),
    (
        re.compile(
            r"\b(for|of|with|to|about|reach|call|phone|ring|insures|covers|treats|examines|employs|pays|hired|manages|"
            r"supervises|leads|above|write|contact) \{s\}"
        ),
        r"\1 me",
    ),
    (re.compile(r"\{s\}"), "I"),
)
_FRAMES = {
    "en": (
        "{s}'s {n}",
        "{n} of {s}",
        "{s} {n}",
        "{n} {s}",
        "What is {s}'s {n}?",
        "Tell me {s}'s {n}.",
        "Do you know {s}'s {n}?",
        "What was {s}'s {n} again?",
    ),
    "ja": (
        "{s}の{n}",
        "{s} {n}",
        "{s}の{n}は？",
        "{s}の{n}を教えて",
        "{s}の{n}は何ですか？",
        "{s}の{n}を知っていますか？",
        "{s}の{n}って何だっけ？",
    ),
}
_ASKING_FRAMES = {"en": ("{w} is {s}'s {n}?",), "ja": ("{s}の{n}は{w}ですか？", "{s}の{n}は{w}？")}
_SELF_JA = "私"
_TOPIC_JA = re.compile(r"\{s\}[はのがにを ]")


def compute_model() -> dict[str, NDArray[np.generic]]:
    """Weights of shape (features, classes) by language, the names of the classes, and what they were made with."""
    encoder, names = LocalEmbedder(), list(questions())
    made: dict[str, NDArray[np.generic]] = {language: _weights(language, names, encoder) for language in LANGUAGES}
    about = {"classes": np.array(names), "questions": np.array(digest()), "embedder": np.array(str(encoder.identity))}
    return made | about


def examples(language: str, name: str) -> list[str]:
    """The questions of a class as the model sees them."""
    entry = questions()[name]
    phrases = [_closed(text, language) for text in entry[language]]
    frames = _FRAMES[language] + (_ASKING_FRAMES[language] if entry[f"is_{language}"] not in ("", "What", "何") else ())
    for noun in entry[f"nouns_{language}"]:
        phrases += [f.replace("{n}", noun).replace("{w}", entry[f"is_{language}"]) for f in frames]
    things = entry.get(f"subjects_{language}")
    found: list[str] = []
    for place, phrase in enumerate(phrases):
        if "{s}" in phrase and things:
            found += [phrase.replace("{s}", things[(place + step) % len(things)]) for step in range(_SUBJECTS)]
        else:
            found += _english(phrase, name) if language == "en" else _japanese(phrase)
    if language == "ja" and name != NONE:
        found += [_past_ja(text) for text in found[::2]]
    return list(dict.fromkeys(found))


def _weights(language: str, names: list[str], encoder: LocalEmbedder) -> NDArray[np.float16]:
    asked = [(text, label) for label, name in enumerate(names) for text in examples(language, name)]
    labels = np.array([label for _, label in asked])
    seen = asyncio.run(_vectors([text for text, _ in asked], encoder)).astype(np.float64)
    seen = np.hstack([seen, np.ones((len(seen), 1))])
    return fit(seen, labels, len(names))


async def _vectors(texts: list[str], encoder: LocalEmbedder) -> Vectors:
    return np.stack([await encoder.embed_query(text) for text in texts])


def _closed(text: str, language: str) -> str:
    if language == "en":
        return text if text.endswith((".", "?")) else text + "?"
    return text + "？" if text.endswith(("は", "の", "どこ", "誰")) else text


def _english(phrase: str, name: str) -> list[str]:
    """In the third and the first person, of what is and of what was; what is no relation only as it stands."""
    found = []
    for text in (phrase,) if name == NONE else (phrase, _past_en(phrase)):
        own = text
        for pattern, form in _FIRST_PERSON:
            own = pattern.sub(form, own)
        found += [text.replace("{s}", SOMEBODY["en"]), own]
    return found


def _japanese(phrase: str) -> list[str]:
    """Of somebody with a name, of oneself, and without saying of whom."""
    silent = _TOPIC_JA.sub("", phrase)
    found = [phrase.replace("{s}", SOMEBODY["ja"]), phrase.replace("{s}", _SELF_JA)]
    return found + ([] if "{s}" in silent else [silent])


def _past_en(text: str) -> str:
    return re.sub(r"\bdoes \{s\}", "did {s}", re.sub(r"\bis \{s\}(?!')", "was {s}", text))


def _past_ja(text: str) -> str:
    return re.sub("ですか", "でしたか", re.sub("([いで])ますか", r"\1ましたか", text))


def main() -> None:
    """Write the archive beside this file."""
    write(compute_model(), __file__)


if __name__ == "__main__":
    main()
