"""A user's words as a full-text query. User text is never passed on: only quoted or plain words of our own making."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..models.ids import scope_token
from ..models.text import search_form
from .stopwords import STOP

_CJK = re.compile(r"[぀-ヿ㐀-鿿豈-﫿々〆ヶ]+")
_LATIN = re.compile(r"[^\W_぀-ヿ㐀-鿿豈-﫿々〆ヶ]+(?:[^\w\s぀-ヿ㐀-鿿]+[^\W_぀-ヿ㐀-鿿豈-﫿]+)*[+#]*", re.UNICODE)
_HIRAGANA = re.compile(r"[぀-ゟー]+")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_POSSESSIVE = re.compile(r"['’]s?$")
_MOST_TERMS = 60
_SHORTEST_STEM = 3
_KANJI = re.compile(r"[㐀-鿿豈-﫿々]")
_ASKING = re.compile(r"[何誰]|いつ|どこ|どの|どれ|どう|どんな|なぜ|いくつ|いくら")
_PARTICLES = frozenset("はがをにのでとも")
_SINGLE_KANJI, _ONLY_HIRAGANA = 0.5, 0.2
"""A single kanji is half a word and stands in other words too; what is written in hiragana is mostly grammar."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """The keyword side of a query."""

    fulltext: str | None
    """Lucene query that requires one of the owners' tokens; None when no word is left."""
    terms: dict[str, float]
    """Beginnings of words and, of Japanese, pairs and single kanji, folded as the index folds them; with weights."""
    patterns: tuple[str, ...]
    """Regular expressions for words that the index cannot hold (one ideograph, stop words), over a scope only."""


def read_keywords(query: str, owners: Sequence[str]) -> Keywords:
    """Words of a query, in any script, as the full-text arm takes them."""
    text = search_form(query)
    terms, short = _terms(text)
    scope = " ".join(f"tokens:{scope_token('o', owner)}" for owner in owners)
    if not terms:
        return Keywords(None, {}, tuple(_pattern(word) for word in short[:5]))
    words = " ".join(terms[:_MOST_TERMS])
    fulltext = f"+({scope})^0 +(search:({words})^0.1 context:({words}))"
    return Keywords(
        fulltext,
        _coverage_terms(terms),
        tuple(_pattern(word) for word in short[:3]) if len(terms) < 2 else (),
    )


def _terms(text: str) -> tuple[list[str], list[str]]:
    """Index terms, and words too short for the index."""
    terms: dict[str, None] = {}
    short: dict[str, None] = {}
    for word in _LATIN.findall(text):
        folded = _POSSESSIVE.sub("", word.casefold())
        parts = _WORD.findall(folded)
        if len(parts) > 1:
            terms[_quoted(folded)] = None
        for part in parts:
            if part in STOP:
                short.setdefault(part)
            else:
                terms.setdefault(_quoted(part))
    for run in _CJK.findall(text):
        if len(run) == 1:
            short.setdefault(run)
        else:
            terms.setdefault(run)
    if terms:  # a stop word beside real words says nothing
        short = {word: None for word in short if word not in STOP}
    return list(terms), list(short)


def _coverage_terms(terms: Sequence[str]) -> dict[str, float]:
    """What coverage counts, with its weight: beginnings of words, and pairs and single characters of Japanese."""
    counted: dict[str, float] = {}
    for term in terms[:_MOST_TERMS]:
        if term.startswith('"'):
            counted.setdefault(_beginning(term.strip('"')), 1.0)
        else:
            for piece, weight in _japanese_terms(term):
                counted.setdefault(piece, weight)
    return counted


def _japanese_terms(run: str) -> Iterator[tuple[str, float]]:
    """Pairs that are of one word, as far as scripts tell, and single kanji: words that ask and particles say nothing.

    A pair that begins with hiragana straddles two words (が好), one that ends with a particle is a word of one kanji.
    """
    for part in _ASKING.split(run):
        for i, character in enumerate(part):
            pair = part[i : i + 2]
            if _KANJI.match(character):
                yield character, _SINGLE_KANJI
            if len(pair) == 1:
                continue
            if _HIRAGANA.fullmatch(pair):
                yield pair, _ONLY_HIRAGANA
            elif not _HIRAGANA.match(pair) and pair[1] not in _PARTICLES:
                yield pair, 1.0


def _beginning(word: str) -> str:
    """What the forms of an English word begin with (paint of painted), so that any of them is held by a text."""
    stem = _stem(word)
    shared = next((i for i, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b), len(stem))
    beginning = word[:shared]
    if stem.endswith("i") and len(beginning) > _SHORTEST_STEM:  # citi of cities
        beginning = beginning.rstrip("i")
    return beginning if len(beginning) >= _SHORTEST_STEM else word


@lru_cache(maxsize=10_000)
def _stem(word: str) -> str:
    import snowballstemmer

    return str(snowballstemmer.stemmer("english").stemWord(word)) if word.isascii() and word.isalpha() else word


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", " ").replace('"', " ") + '"'


def _pattern(word: str) -> str:
    """A Java regular expression that finds the word, whole where words have borders."""
    border = "" if _CJK.fullmatch(word) else r"\b"
    return rf"(?is).*{border}\Q{word}\E{border}.*"
