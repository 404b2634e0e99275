"""Japanese morphemes to clauses: arguments with their particles, and predicates with what their endings say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from .dates import DateSpan
from .japanese_endings import POTENTIAL, EndingReader
from .japanese_morphs import Arg, Clause, Morph, Part

_NOUN = ("名詞", "接頭辞", "代名詞", "記号")


_NAME_SIGNS = frozenset("・ー-−‐–‑&/_.#+'’=@〜~:：")
_KATAKANA = re.compile(r"[ァ-ヶー]+")
_LOOKS = frozenset(
    {
        "ぼろぼろ",
        "ボロボロ",
        "ぴかぴか",
        "ピカピカ",
        "ふわふわ",
        "ふかふか",
        "中古",
        "新品",
        "お揃い",
        "真っ赤",
        "真っ白",
        "真っ黒",
        "真っ青",
    }
)
"""Words for how a thing looks that の joins to it."""
_OPEN, _CLOSE = frozenset('「『“"'), frozenset('」』”"')


def _in_law(parts: list[Part]) -> tuple[Part, ...]:
    """義理の兄 is one word for one relation."""
    for index, part in enumerate(parts[:-1]):
        if part.text == "義理":
            after = parts[index + 1]
            return (*parts[:index], replace(after, text=f"義理の{after.text}", start=part.start), *parts[index + 2 :])
    return tuple(parts)


def _spoken(inner: Sequence[Morph]) -> bool:
    """Whether words in quotation marks are a sentence that somebody said, not a name."""
    return inner[-1].pos in ("助動詞", "動詞", "形容詞") or inner[-1].detail == "終助詞" or len(inner) > 8


class Reader(EndingReader):
    """Walks the morphemes of one sentence once."""

    def read(self) -> list[Clause]:
        """All clauses in order; a last one without predicate keeps its arguments."""
        while self.at < len(self.morphs):
            self._step()
        if self.clause.args and not self.clauses:
            self.clauses.append(self.clause)
        return self.clauses

    def _step(self) -> None:
        morph = self.morphs[self.at]
        if span := self._date_at(morph):
            self._date(span)
        elif self._nounish(self.at):
            self._noun_phrase()
        elif length := self._adverbial(morph):
            self.clause.adverbs.append(morph.surface)
            self.at += length
        elif morph.pos in ("動詞", "形容詞", "形状詞"):
            self._predicate(morph)
        else:
            if morph.pos in ("副詞", "接続詞", "感動詞"):
                self.clause.adverbs.append(morph.surface)
            self.at += 1

    def _adverbial(self, morph: Morph) -> int:
        """How many words say in what way something is done: 流暢に話す; 0 where they are a predicate."""
        after = self.morphs[self.at + 1 : self.at + 3]
        if morph.pos == "形状詞" and len(after) == 2 and after[0].surface == "に" and after[1].pos == "動詞":
            return 2 if after[1].lemma not in ("なる", "する", "成る", "ある", "いる", "思う", "感じる") else 0
        return 0

    def _date(self, span: DateSpan) -> None:
        """A time expression dates the clause, or is its value before です and at the end."""
        first = self.at
        while self.at < len(self.morphs) and self.morphs[self.at].start < span.end:
            self.at += 1
        chained = self._surface(self.at) == "で" and self._surface(self.at + 1) == "、"
        if (self._copula(self.at) or chained) and self.clause.args:
            text = "".join(m.surface for m in self.morphs[first : self.at])
            self._noun_predicate((Part(text, span.start, span.end, number=True),))
            return
        self.clause.dates.append(span)
        if self.at < len(self.morphs) and self.morphs[self.at].surface in ("の", "は", "も", "に", "、"):
            self.at += 1

    def _nounish(self, index: int) -> bool:
        if index >= len(self.morphs):
            return False
        m = self.morphs[index]
        if self._date_at(m):
            return False
        if m.pos in _NOUN or (m.pos == "接尾辞" and m.detail == "名詞的"):
            return True
        if m.surface in _OPEN | _CLOSE or (m.pos == "補助記号" and m.surface in _NAME_SIGNS):
            return True
        return self._adnominal(index)

    def _adnominal(self, index: int) -> bool:
        """An adjective right before a noun belongs to the noun phrase: 赤い自転車, 好きな色."""
        m = self.morphs[index]
        if (m.pos == "形容詞" and m.form.startswith("連体形")) or (m.pos == "形容詞" and m.form.startswith("終止形")):
            return (
                index + 1 < len(self.morphs)
                and self.morphs[index + 1].pos in ("名詞", "接頭辞")
                and (
                    self.morphs[index + 1].surface in ("もの", "物")
                    or self.morphs[index + 1].surface not in self.words.lists_ja["formal_nouns"]
                )
            )
        if m.pos == "形状詞" and _KATAKANA.fullmatch(m.surface) and index + 1 < len(self.morphs):
            beside = self.morphs[index + 1]
            if beside.pos == "名詞" and beside.start == m.end:
                return True  # ベーシックプラン
        if m.pos == "形状詞" or m.surface in ("好き", "嫌い"):
            after = self.morphs[index + 1 : index + 3]
            return (
                len(after) == 2
                and (after[0].surface == "な" or (after[0].surface == "の" and m.surface in _LOOKS))
                and after[1].pos in ("名詞", "接頭辞")
                and after[1].surface not in ("の", "ん")
            )
        return False

    def _noun_phrase(self) -> None:
        parts = self._quoted() or self._parts()
        if not parts:
            self.at += 1
            return
        here = self.at
        if here < len(self.morphs):
            m = self.morphs[here]
            if m.pos == "動詞" and m.lemma in ("する", "できる", "なさる", "致す", "いたす") and self._verbal(parts):
                self._suru(parts)
                return
            if (
                m.surface == "に"
                and self._follows(here + 1, "なる")
                and parts[-1].text in self.words.lists_ja["becoming"]
            ):
                self.at += 1
                self._suru(parts)
                return
            if m.surface in ("という", "って", "っていう") or (
                m.surface == "と" and self._follows(here + 1, "いう", "申す", "言う", "呼ぶ")
            ):
                self._called(parts)
                return
        bound = self._surface(here) in ("から", "まで") and parts[-1].number and here + 1 < len(self.morphs)
        if self._copula(here) or self._and_another(here) or (bound and self._copula(here + 1)):
            self.at += bound
            self._noun_predicate(parts)
            return
        self._particles(parts)

    def _quoted(self) -> tuple[Part, ...]:
        """「よっち」 as one name, however the dictionary divides it; nothing where the quote is made of nouns."""
        first = self.at
        if self._surface(first) not in _OPEN:
            return ()
        close = next((i for i in range(first + 1, len(self.morphs)) if self.morphs[i].surface in _CLOSE), 0)
        inner = self.morphs[first + 1 : close]
        if not inner or all(m.pos in _NOUN or m.surface in ("の", "・") for m in inner):
            return ()
        self.at = close + 1
        return (
            Part("".join(m.surface for m in inner), inner[0].start, inner[-1].end, unknown=True, speech=_spoken(inner)),
        )

    def _parts(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        while True:
            if self._surface(self.at) in _LOOKS and self._surface(self.at + 1) == "の":
                self.at += 2  # how it looks is no part of its name
            first = self.at
            while self._nounish(self.at) and not (self._breaks(self.at) and self.at > first):
                self.at += 2 if self.morphs[self.at].pos == "形状詞" and self._surface(self.at + 1) == "な" else 1
            run = self.morphs[first : self.at]
            if not run:
                return _in_law(parts)
            parts.append(self._part(run))
            if parts[-1].text in ("最近", "今", "現在", "最新", "今回") and self._surface(self.at) == "の":
                parts.pop()  # 最近の好きな色
            if not (self._surface(self.at) == "の" and self._nounish(self.at + 1)):
                return _in_law(parts)
            self.at += 1

    def _breaks(self, index: int) -> bool:
        """Whether a new phrase begins without a particle: an adverbial noun such as 毎朝 or 今."""
        before, here = self.morphs[index - 1], self.morphs[index]
        return (
            before.third == "副詞可能"
            and here.third != "副詞可能"
            and before.surface
            in ("毎日", "毎朝", "毎晩", "毎週", "今", "普段", "最近", "以前", "昔", "現在", "週末", "いつも")
        ) or before.surface in ("ころ", "頃", "時代", "当時")

    def _part(self, run: Sequence[Morph]) -> Part:
        tail = run[-1].surface in self.words.lists_ja["honorifics"] and len(run) > 1
        body = [m for m in (run[:-1] if tail else run) if m.surface not in _OPEN | _CLOSE and m.surface != "="]
        proper = next((m.third for m in reversed(body) if m.third in ("人名", "地名")), "")
        text = "".join(m.surface for m in body)
        gap = [(" " if b.start > a.end else "") for a, b in pairwise(body)]
        if any(gap):
            text = body[0].surface + "".join(g + m.surface for g, m in zip(gap, body[1:], strict=True))
        start, end = (body[0].start, body[-1].end) if body else (run[0].start, run[-1].end)
        return Part(
            text,
            start,
            end,
            proper,
            tail,
            any(m.detail == "数詞" for m in body),
            all(m.third == "副詞可能" for m in body),
            any(m.unknown for m in body),
        )

    def _and_another(self, index: int) -> bool:
        """父は鹿児島の出身で、母は…: で ends one statement where a new topic follows."""
        if self._surface(index) != "で" or self._surface(index + 1) not in ("、", ",") or not self.clause.args:
            return False
        after = index + 2
        while self._nounish(after) or self._surface(after) == "の":
            after += 1
        return after > index + 2 and self._surface(after) == "は" and any(a.topic for a in self.clause.args)

    def _verbal(self, parts: tuple[Part, ...]) -> bool:
        return self.morphs[self.at - 1].third in ("サ変可能", "サ変形状詞可能", "一般") and not parts[-1].honorific

    def _particles(self, parts: tuple[Part, ...]) -> None:
        role, topic = "", False
        while self.at < len(self.morphs) and self._is_particle(self.morphs[self.at]):
            m = self.morphs[self.at]
            if m.surface in ("は", "も", "って"):
                topic = True
            elif (
                m.surface == "と"
                and role == ""
                and self._follows(self.at + 1, "する")
                and self._surface(self.at + 2) == "て"
            ):
                role, self.at = "として", self.at + 2
            elif (m.detail in ("格助詞", "副助詞", "並立助詞", "接続助詞") or m.pos == "助動詞") and not role:
                role = m.surface
            elif m.detail == "終助詞":
                break
            self.at += 1
        if not role and not topic:
            if self._surface(self.at) in ("、", ",", ",") and self._nounish(self.at + 1) and not parts[-1].temporal:
                role = "、"
            else:
                self.clause.adverbs.append(parts[-1].text)
                return
        self.clause.args.append(Arg(parts, role or "は", topic))

    @staticmethod
    def _is_particle(m: Morph) -> bool:
        """A particle, or the に that the dictionary takes for a form of だ behind ソフト or 自由."""
        return m.pos == "助詞" or (m.surface == "に" and m.pos == "助動詞")

    def _copula(self, index: int) -> bool:
        if index >= len(self.morphs):
            return True
        m = self.morphs[index]
        if m.surface in ("。", "!", "!", "...", "…") or (m.pos == "助詞" and m.detail == "終助詞"):
            return True
        if m.pos == "助動詞" and m.lemma in ("だ", "です", "らしい", "っぽい"):
            return m.surface not in ("な", "に") or (m.surface == "な" and self._surface(index + 1) in ("ん", "の"))
        denied = m.surface == "で" and self._surface(index + 1) in ("は", "も")
        return m.surface in ("で", "じゃ", "では") and self._follows(
            index + 1 + denied, "ある", "ない", "ございる", "ござる"
        )

    def _noun_predicate(self, parts: tuple[Part, ...]) -> None:
        self.clause.kind, self.clause.noun, self.clause.lemma = "noun", parts, parts[-1].text
        self.clause.start = parts[0].start
        self._endings()

    def _suru(self, parts: tuple[Part, ...]) -> None:
        if len(parts) > 1:
            self.clause.args.append(Arg(parts[:-1], "の"))
        self.clause.kind = "verb"
        self.clause.lemma = parts[-1].text + "する"
        self.clause.start = parts[-1].start
        if self.morphs[self.at].lemma == "できる":
            self.clause.endings.append("られる")
        self.at += 1
        self._endings()

    def _called(self, parts: tuple[Part, ...]) -> None:
        """Xという, Xと申します, Xと呼ばれる."""
        self.at += 1
        self.clause.args.append(Arg(parts, "speech" if parts[-1].speech else "という"))
        if self._surface(self.at) in ("いう", "言う") and self._nounish(self.at + 1):
            self.at += 1
        if self._nounish(self.at):
            self.at += 2 if self._surface(self.at) == "名前" and self._surface(self.at + 1) == "の" else 0
            return
        if self.at < len(self.morphs) and self.morphs[self.at].pos == "動詞":
            self._predicate(self.morphs[self.at])

    def _predicate(self, morph: Morph) -> None:
        self.clause.kind = "verb" if morph.pos == "動詞" else "adjective"
        self.clause.lemma = POTENTIAL.get(morph.lemma, morph.lemma)
        self.clause.start = morph.start
        if morph.lemma in POTENTIAL:
            self.clause.endings.append("られる")
        if morph.pos == "動詞" and morph.form.startswith("命令形"):
            self.clause.imperative = True
        if morph.form.startswith("意志推量形"):
            self.clause.endings.append("う")
        self.at += 1
        self._endings()
