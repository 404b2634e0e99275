"""Whether messages support a sentence about them: its names, numbers, words and what it denies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .folding import fold
from .grounding import names_occur, words_occur
from .keywords import STOP_WORDS
from .numerals import numbers, spoken_numbers
from .polarity import denied, has_negation

_CLAUSE = re.compile(
    r"[,;:.!?\n、。！？]|\b(?:but|although|though|whereas|while)\b|(?:けれども|けれど|けど|だが|ですが)"
)
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_WIDE_RUN = re.compile(r"[\u30a1-\u30ff]{2,}|[\u3400-\u9fff々]+")
_FIRST = re.compile(r"^[\W\d_]*([A-Z][\w'’-]*)")
_AUXILIARY = frozenset(
    (  # noqa: SIM905
        "not never without cannot longer user users speaker said says does did has had was were will would can could"
    ).split()
)


def supported(sentence: str, sources: Sequence[str], names: Sequence[str] = ()) -> bool:
    """Whether the sources together say what the sentence says; `names` are those by which speakers are known.

    Every number and every name must stand in them, half of the other words, and the sentence must not affirm what
    they deny or deny what they affirm.
    """
    text = "\n".join(sources)
    known = fold("\n".join([text, *names]))
    if not spoken_in(sentence, text, names) or not names_occur(_without_opening(sentence), known):
        return False
    return words_occur(sentence.casefold(), known) and _kana_occur(sentence, known) and _same_sense(sentence, sources)


def spoken_in(sentence: str, text: str, names: Sequence[str] = ()) -> bool:
    """Whether every number of the sentence is one of the text."""
    return numbers(sentence) <= spoken_numbers(text) | spoken_numbers(" ".join(names)) | numbers(text)


def _without_opening(sentence: str) -> str:
    """The sentence without an opening word that is no name, and without the words for whoever speaks."""
    first = _FIRST.match(sentence)
    if first and first[1].casefold() in STOP_WORDS | {"user", "users", "speaker"}:
        sentence = sentence[first.end() :]
    return re.sub(r"\b(?:I|User|Speaker)\b(?:['’]\w+)?|ユーザーさん|ユーザー|ユーザ", " ", sentence)


def _kana_occur(sentence: str, known: str) -> bool:
    """Whether most runs of kanji stand in the sources: half of the single signs would let other words through."""
    runs = re.findall(r"[\u3400-\u9fff々]{2,}", re.sub("話し手|話者|本人", "", sentence))
    return not runs or sum(fold(run) in known for run in runs) * 3 >= len(runs) * 2


def _same_sense(sentence: str, sources: Sequence[str]) -> bool:
    """Whether what the sentence shares with the sources is affirmed or denied in them as in it."""
    wanted = _words(sentence)
    clauses = [clause for source in sources for clause in _CLAUSE.split(source) if clause and clause.strip()]
    negated: set[str] = set()
    plain: set[str] = set()
    for clause in clauses:
        (negated if has_negation(clause) else plain).update(wanted & _words(clause))
    if has_negation(sentence):
        return bool(negated) and not (plain - negated and len(plain - negated) > len(negated))
    doubtful = [word for word in _targets(sentence) if not _words(word) & plain]
    if any(denied(source, word) for source in sources for word in doubtful):
        return False
    return not negated - plain


def _words(text: str) -> set[str]:
    plain = {
        word[: max(3, min(4, len(word) - 1))] if not word.isdigit() else word
        for word in _WORD.findall(text.casefold())
        if word.isascii() and word not in STOP_WORDS and word not in _AUXILIARY
    }
    return plain | {fold(run) for run in _WIDE_RUN.findall(text)}


def _targets(sentence: str) -> list[str]:
    words = [word for word in re.findall(r"[A-Za-z][\w'’-]{2,}", sentence) if word.casefold() not in STOP_WORDS]
    return [*words, *_WIDE_RUN.findall(sentence)]
