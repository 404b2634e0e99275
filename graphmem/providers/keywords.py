"""Keywords of a text without any model: names and frequent words in English, compound nouns in Japanese."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from typing import Any

MOST = 8
"""Keywords of one text."""
_LONGEST_TEXT = 20_000
"""Characters that are read; what a long text is about shows in its beginning."""
_CHUNK = 4_000
"""Characters given to the tokenizer at once, well under its 49,149 bytes."""
_JAPANESE = re.compile(r"[぀-ヿ㐀-鿿豈-﫿々ヶ]")
_NOISE = re.compile(r"```.*?```|`[^`]*`|https?://\S+|\S+@\S+\.\S+|!?\[\[|\]\]|[#>*_|]+", re.DOTALL)
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-'’.&][^\W_]+)*[+#]*")
_NAME = re.compile(r"[A-ZÀ-Þ][\w&+#-]*(?:[ ](?:of|de|van|von|the)?[ ]?[A-ZÀ-Þ0-9][\w&+#-]*)+")
STOP_WORDS = frozenset(
    (  # noqa: SIM905  one text is easier to read than two hundred quoted words
        "a about above after again against ago all almost alone along already also although always am among "
        "an and another any anyone anything are aren't around as ask at away back be became because become "
        "been before being below best better between both but by call came can can't cannot come could "
        "couldn't day days did didn't different do does doesn't doing don't done down during each either else "
        "enough even ever every everyone everything far few find first for from full further gave get gets "
        "getting give given go goes going good got great had half has have having he her here hers herself "
        "high him himself his how however i i'm i've if in into is isn't it it's its itself just keep kept "
        "know last late later least less let like likes little long look lot made make makes making many may "
        "maybe me mean might mine more most much must my myself need needs never new next no nobody none nor "
        "not note notes nothing now of off often old on once one only onto or other others our ours out over "
        "own part per perhaps please put quite rather really right said same saw say says see seem seen "
        "several shall she should since so some someone something soon still such take taken takes tell than "
        "that that's the their theirs them themselves then there there's these they they're thing things "
        "think this those though through thus time times to today together too took toward try two under "
        "until up upon us use used uses using very want wanted wants was wasn't way we we're week weeks well "
        "went were what when where whether which while who whole whom whose why will with within without "
        "won't work would year years yes yesterday yet you you're your yours yourself "
    ).split()
)
_STOP_JA = frozenset(
    (  # noqa: SIM905
        "こと もの ため よう とき 時 場合 それ これ あれ どれ ところ 方 人 私 僕 俺 今日 "
        "昨日 明日 今 後 前 中 的 さん 年 月 日 メモ ノート "
    ).split()
)


class Keywords:
    """Finds keywords; the Japanese dictionary is loaded by the first Japanese text. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokenizer: Any = None

    def __call__(self, title: str, text: str) -> tuple[str, ...]:
        """At most `MOST` keywords, best first; words of the title count three times."""
        weights: dict[str, float] = {}
        shown: dict[str, str] = {}
        for part, weight in ((title, 3.0), (text[:_LONGEST_TEXT], 1.0)):
            for word in self._words(_NOISE.sub("\n", unicodedata.normalize("NFKC", part))):
                key = word.casefold()
                shown.setdefault(key, word)
                weights[key] = weights.get(key, 0.0) + weight * (1.5 if " " in word or word[0].isupper() else 1.0)
        order = {key: place for place, key in enumerate(weights)}
        best = sorted(weights, key=lambda key: (-weights[key], order[key]))
        whole = [key for key in best if not _inside(key, best, weights)]
        return tuple(shown[key] for key in whole[:MOST])

    def _words(self, text: str) -> Iterator[str]:
        if _JAPANESE.search(text):
            yield from self._japanese(text)
        yield from _english(_JAPANESE.sub("\n", text))

    def _japanese(self, text: str) -> Iterator[str]:
        for start in range(0, len(text), _CHUNK):
            with self._lock:  # a tokenizer must not be shared by threads
                run: list[str] = []
                for token in self._loaded().tokenize(text[start : start + _CHUNK]):
                    part = token.part_of_speech()
                    if part[0] == "名詞" and part[1] != "数詞" and part[2] != "助数詞可能" and token.surface().strip():
                        run.append(token.surface())
                        continue
                    yield from _compound(run)
                    run = []
                yield from _compound(run)

    def _loaded(self) -> Any:
        if self._tokenizer is None:
            import sudachipy

            self._tokenizer = sudachipy.Dictionary(dict="small").tokenizer()
        return self._tokenizer


def _compound(run: list[str]) -> Iterator[str]:
    word = "".join(run)
    if _JAPANESE.search(word) and len(word) > 1 and word not in _STOP_JA and not all(w in _STOP_JA for w in run):
        yield word


def _english(text: str) -> Iterator[str]:
    for sentence in re.split(r"[.!?\n;:,()\"]+\s*", text):
        for match in _NAME.finditer(sentence):
            words = match[0].split()
            while words and words[0].casefold() in STOP_WORDS:
                words = words[1:]
            if len(words) > 1:
                yield " ".join(words)
        for position, match in enumerate(_WORD.finditer(sentence)):
            word = match[0].strip("'’.")
            if len(word) > 2 and word.casefold() not in STOP_WORDS:
                yield word if position or word.isupper() else word.lower()


def _inside(key: str, keys: list[str], weights: dict[str, float]) -> bool:
    """Whether a longer keyword says it too and it stands nowhere else."""
    return any(
        key != other and weights[other] * 1.01 >= weights[key] and f" {key} " in f" {other} "
        for other in keys
        if " " in other
    )
