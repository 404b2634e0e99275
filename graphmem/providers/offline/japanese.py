"""Japanese sentences to drafts, through SudachiPy and rules on particles."""

from __future__ import annotations

import re
import threading
from typing import Any

from .dates import resolve_dates
from .draft import Context, Draft, Name, Read
from .japanese_morphs import morphs_of
from .japanese_names import Scene
from .japanese_open import asks
from .japanese_parse import Reader
from .japanese_phrases import whole
from .japanese_prepare import Wrong, prepare
from .japanese_rules import statements
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
_MISTAKE = re.compile(r"間違え(?:ました|てた|ていました|た)|勘違い|言い間違|訂正|間違いでした")
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

    def read(self, sentence: Sentence, content: str, context: Context) -> Read:
        """The drafts of one sentence, and what is left open; the context learns its people and topic."""
        if _MISTAKE.search(sentence.text):
            context.correction = True
        prepared = prepare(sentence, content)
        clean, text = prepared.sentence, prepared.sentence.text
        if (found := whole(Scene(clean, content, context, lexicon(), [], [], []))) is not None:
            return Read(found, [], [])
        if not text.strip() or any(p.search(text) for p in (_QUESTION, _REQUEST, _FICTION, _TASK, _WISHFUL)):
            return Read([], [], [])
        if needed := _NEEDED.search(text):
            clean = clean.without(needed.start(), len(text))
            text = clean.text
        prefer = "future" if needed or _FUTURE.search(text) else "past"
        dates = resolve_dates(text, context.reference, "ja", prefer=prefer)  # type: ignore[arg-type]
        morphs = morphs_of(self._tokenizer().tokenize(text))
        clauses = Reader(morphs, dates, lexicon()).read()
        scene = Scene(clean, content, context, lexicon(), clauses, prepared.aliases, dates, needed=needed is not None)
        drafts = statements(scene)
        opened = asks(scene, drafts)
        if prepared.corrects or context.correction:
            drafts = [
                d.but(correction=d.event == "assert" and d.predicate not in ("plans_to", "wants_to")) for d in drafts
            ]
        if prepared.wrong:
            drafts = _taken_back(drafts, prepared.wrong)
        return Read(drafts, opened, scene.loose)


def _taken_back(drafts: list[Draft], wrong: Wrong) -> list[Draft]:
    """AではなくB: the new value corrects, and the same relation no longer has the old one."""
    found: list[Draft] = []
    for draft in drafts:
        right = draft.event == "assert" and draft.polarity and wrong.right.startswith(draft.target.text)
        found.append(draft.but(correction=True) if right else draft)
        if right:
            old = Name(wrong.text, draft.target.type)
            text = draft.text.replace(draft.target.text, old.text) if draft.text else None
            found.append(draft.but(target=old, event="retract", text=text, valid_at=None, invalid_at=None))
    return found


__all__ = ["Japanese", "Name"]
