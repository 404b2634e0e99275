"""A user's words as a full-text query. User text is never passed on: only quoted or plain words of our own making."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ..models.ids import name_key, scope_token
from ..models.text import search_form

_CHUNK = re.compile(r"\S+")
_CJK = re.compile(r"[぀-ヿ㐀-鿿豈-﫿々〆ヶ]+")
_LATIN = re.compile(
    r"[^\W_぀-ヿ㐀-鿿豈-﫿々〆ヶ]+(?:[^\w\s぀-ヿ㐀-鿿]+[^\W_぀-ヿ㐀-鿿豈-﫿]+)*[+#]*", re.UNICODE
)
_HIRAGANA = re.compile(r"[぀-ゟー]+")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_MOST_TERMS = 60
_STOP = frozenset(
    (  # noqa: SIM905  one text is easier to read than ninety quoted words
        "a an and are as at be but by did do does for from had has have he her him his how i if in into is it "
        "its me my no not of on or our she so that the their them they this to us was we were what when where "
        "which who whom whose why will with would you your "
    ).split()
)
"""Words that the index's analyser drops or that say nothing; only their absence elsewhere makes them count."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """The keyword side of a query."""

    fulltext: str | None
    """Lucene query that requires one of the owners' tokens; None when no word is left."""
    terms: tuple[str, ...]
    """The words and, of Japanese, the bigrams; folded as the index folds them."""
    patterns: tuple[str, ...]
    """Regular expressions for words that the index cannot hold (one ideograph, stop words), over a scope only."""


def read_keywords(query: str, owners: Sequence[str]) -> Keywords:
    """Words of a query, in any script, as the full-text arm takes them."""
    text = search_form(query)
    terms, short = _terms(text)
    scope = " ".join(f"tokens:{scope_token('o', owner)}" for owner in owners)
    if not terms:
        return Keywords(None, (), tuple(_pattern(word) for word in short[:5]))
    words = " ".join(terms[:_MOST_TERMS])
    fulltext = f"+({scope})^0 +(search:({words}) context:({words})^0.5)"
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
        folded = word.casefold()
        parts = _WORD.findall(folded)
        if len(parts) > 1:
            terms[_quoted(folded)] = None
        for part in parts:
            if part in _STOP:
                short.setdefault(part)
            else:
                terms.setdefault(_quoted(part))
    for run in _CJK.findall(text):
        if len(run) == 1:
            short.setdefault(run)
        else:
            terms.setdefault(run)
    if terms:  # a stop word beside real words says nothing
        short = {word: None for word in short if word not in _STOP}
    return list(terms), list(short)


def _coverage_terms(terms: Sequence[str]) -> tuple[str, ...]:
    """What coverage counts: words, and bigrams of Japanese that hold more than hiragana."""
    counted: dict[str, None] = {}
    for term in terms[:_MOST_TERMS]:
        if term.startswith('"'):
            counted.setdefault(term.strip('"'))
            continue
        pairs = [term[i : i + 2] for i in range(len(term) - 1)]
        for pair in [p for p in pairs if not _HIRAGANA.fullmatch(p)] or pairs:
            counted.setdefault(pair)
    return tuple(counted)


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", " ").replace('"', " ") + '"'


def _pattern(word: str) -> str:
    """A Java regular expression that finds the word, whole where words have borders."""
    border = "" if _CJK.fullmatch(word) else r"\b"
    return rf"(?is).*{border}\Q{word}\E{border}.*"


def entity_keys(query: str) -> list[str]:
    """Name keys that the query may hold: runs of up to five words, and stretches of Japanese text."""
    text = search_form(query)
    keys: dict[str, None] = {}
    words = [w.strip(".,!?;:\"'()[]{}。、「」？！") for w in _CHUNK.findall(text)]
    words = [re.sub(r"['’]s$", "", w) for w in words if w][:60]
    for size in range(1, 6):
        for start in range(len(words) - size + 1):
            key = name_key(" ".join(words[start : start + size]))
            if key and key not in _STOP:
                keys.setdefault(key)
    for run in re.findall(r"[^\s。、「」？！?!,.]+", text):
        for piece in _japanese_pieces(run):
            keys.setdefault(name_key(piece))
    return list(keys)[:400]


def _japanese_pieces(run: str) -> list[str]:
    """Stretches of one script kind, and their neighbours joined: names are mostly kanji, katakana or Latin."""
    if not _CJK.search(run):
        return []
    kinds = [
        (m.group(), _kind(m.group()[0]))
        for m in re.finditer(r"[぀-ゟ]+|[゠-ヿー]+|[㐀-鿿豈-﫿々〆ヶ]+|[^\W぀-ヿ㐀-鿿]+", run)
    ]
    pieces = [text for text, _ in kinds]
    for index, (text, kind) in enumerate(kinds[:-1]):
        if kind != "hiragana" and kinds[index + 1][1] != "hiragana":
            pieces.append(text + kinds[index + 1][0])
    return [p for p in pieces if p]


def _kind(char: str) -> str:
    return "hiragana" if "HIRAGANA" in unicodedata.name(char, "") else "other"
