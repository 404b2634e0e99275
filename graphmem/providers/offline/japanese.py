"""Japanese sentences to drafts, through SudachiPy and rules on particles."""

from __future__ import annotations

import re
import threading
from typing import Any

from .dates import resolve_dates
from .draft import Context, Draft, Name
from .japanese_morphs import morphs_of
from .japanese_parse import Reader
from .japanese_phrases import whole
from .japanese_rules import Scene, statements
from .lexicon import lexicon
from .sentences import Sentence

_QUESTION = re.compile(
    r"[??]|(?:です|ます|でしょう|だろう|ました|ません|た|る|い|の|ん)か[。!]*$|(?:かな|かしら|っけ)[ぁあー]*[。!]*$"
    r"|(?:何|なん|誰|どこ|いつ|どう|なぜ|どんな|どれ|どの|いくら|いくつ)[^、。]{0,20}(?:です|ます)か"
)
_REQUEST = re.compile(
    r"(?:ください|下さい|お願いします|お願い|頂けますか|いただけますか|てほしい(?:です)?|して欲しい(?:です)?|なさい|ましょう(?:か)?"
    r"|教えて|見せて|作って|書いて|調べて|すること|てくれ(?:る|ない|ませんか|ますか)?|てね|[てで]|といて|たらいい(?:です)?)[。!よねー〜]*$"
)
_FICTION = re.compile(
    r"^(?:この|その|あの)?(?:昔話|童話|神話|伝説|映画|小説|物語|ドラマ|アニメ|漫画|マンガ|ゲーム|夢|芝居|作品)(?:の中)?(?:では?|に(?=出)|の[^、。はが]{1,8}[はが])"
    r"|^主人公|^登場人物|^仮に|(?:だ|る|た)と(?:します|しましょう|する|仮定)[^、。]{0,6}[。]?$"
)
_WISHFUL = re.compile(
    r"たが(?:っ|る|り)|て(?:も)?(?:いい|良い|よい)(?:かな?|かも|よ|です|な|ね)*[。!]*$|(?:ば|たら)(?:いい|よかった|良かった|なあ?)"
)
_TASK = re.compile(r"^[^::。]{0,20}(?:要約|翻訳|訳|添削|校正|説明|変換|修正|書き直)[^::。]{0,8}[::]")
_NEEDED = re.compile(
    r"(?:なければ(?:ならない|なりません|いけない|いけません)?|なくては(?:ならない|なりません|いけない|いけません)?"
    r"|なくちゃ(?:いけない|ならない)?|なきゃ(?:いけない|ならない|だめ)?|ないと(?:いけない|いけません|だめ|まずい)?"
    r"|ねばならない|ねば|必要があ(?:る|ります))(?:です|んです|のです)?[ねよな]*[。!]*$"
)
_CORRECTS = re.compile(
    r"^(?:あ、?|えっと、?|すみません、?|ごめん(?:なさい)?、?|いや、?|いえ、?)*(?:実は|訂正(?:します|です)?|正しくは|間違えました|間違えた"
    r"|間違いでした|間違いで|言い間違えました|さっきのは(?:間違い|勘違い|嘘)(?:で|でした)?|先ほどのは(?:間違い|勘違い)(?:で|でした)?"
    r"|(?:勘違い|思い違い)(?:で|でした)|じゃなくて|ではなく)[、,。:]?\s*"
)
_MISTAKE = re.compile(r"間違え(?:ました|てた|ていました|た)|勘違い|言い間違|訂正|間違いでした")
_REPAIR = re.compile(r"[、,。…]\s*(?:いや|いえ|じゃなくて|ではなくて?|もとい|違った|違う|間違えた|訂正)[、,]?\s*")
_INSTEAD = re.compile(r"(?P<old>[^、。はがをに]{1,20})(?:では|じゃ)な(?:くて?|く)[、]?(?=[^、。])")
_ALIAS = re.compile(
    r"[((](?:(?:あだ名|愛称|通称|別名|旧姓|ニックネーム|本名)(?:は|:|:)?\s*(?P<nick>[^()()]{1,40})"
    r"|(?P<latin>[A-Z][A-Za-z' .-]{1,60})"
    r"|(?P<kana>[ぁ-んァ-ヶー ・]{2,30}))[))]"
)
_ASIDE = re.compile(r"[((][^()()]{0,80}[))]")
_FUTURE = re.compile(
    r"予定|つもり|(?<![てで]い)ます[。が、]|来[月年週]|明日|明後日|たい|しよう|今度|(?<![てで]い)る[。]?$"
)


class Japanese:
    """The Japanese tokenizer; one a thread, for SudachiPy's tokenizer must not be shared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._dictionary: Any = None
        self._local = threading.local()

    def _tokenizer(self) -> Any:
        if not hasattr(self._local, "tokenizer"):
            with self._lock:
                if self._dictionary is None:
                    import sudachipy

                    self._dictionary = sudachipy.Dictionary(dict="small")
            self._local.tokenizer = self._dictionary.tokenizer()
        return self._local.tokenizer

    def read(self, sentence: Sentence, content: str, context: Context) -> list[Draft]:
        """The drafts of one sentence; the context learns its people and topic."""
        if _MISTAKE.search(sentence.text):
            context.correction = True
        clean, corrects, aliases = prepare(sentence)
        text = clean.text
        if (found := whole(Scene(clean, content, context, lexicon(), [], [], []))) is not None:
            return found
        if not text.strip() or any(p.search(text) for p in (_QUESTION, _REQUEST, _FICTION, _TASK, _WISHFUL)):
            return []
        if needed := _NEEDED.search(text):
            clean = clean.without(needed.start(), len(text))
            text = clean.text
        prefer = "future" if needed or _FUTURE.search(text) else "past"
        dates = resolve_dates(text, context.reference, "ja", prefer=prefer)  # type: ignore[arg-type]
        morphs = morphs_of(self._tokenizer().tokenize(text))
        clauses = Reader(morphs, dates, lexicon()).read()
        named = [(a, clean_alias(n)) for a, n in aliases]
        scene = Scene(clean, content, context, lexicon(), clauses, named, dates, needed=needed is not None)
        drafts = statements(scene)
        if corrects or context.correction:
            drafts = [
                d.but(correction=d.event == "assert" and d.predicate not in ("plans_to", "wants_to")) for d in drafts
            ]
        return drafts


def prepare(sentence: Sentence) -> tuple[Sentence, bool, list[tuple[int, str]]]:
    """The sentence without what was taken back and without brackets; whether it corrects; (position, alias) pairs."""
    corrects = False
    if match := _CORRECTS.match(sentence.text):
        corrects = match.end() > 0
        sentence = sentence.without(0, match.end())
    if (match := _REPAIR.search(sentence.text)) and match.start() > 0:
        start = _taken_back(sentence.text, match.start())
        sentence, corrects = sentence.without(start, match.end()), True
    if (match := _INSTEAD.search(sentence.text)) and re.search(r"(?:です|だ|ます|る|た)[。!]?$", sentence.text):
        sentence = sentence.without(match.start("old"), match.end())
    aliases: list[tuple[int, str]] = []
    while match := _ALIAS.search(sentence.text):
        aliases.append((match.start(), next(g for g in match.groups() if g)))
        sentence = sentence.without(*match.span())
    while match := _ASIDE.search(sentence.text):
        sentence = sentence.without(*match.span())
    return sentence, corrects, aliases


def clean_alias(text: str) -> str:
    """The alias without blanks at its ends."""
    return text.strip()


def _taken_back(text: str, stop: int) -> int:
    """Where the words begin that the repair replaces: behind the last particle before it."""
    for index in range(stop - 1, -1, -1):
        if text[index] in "はがをにへで、,。":
            return index + 1
    return 0


__all__ = ["Japanese", "Name"]
