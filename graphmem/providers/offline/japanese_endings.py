"""Japanese predicates: what the words behind a verb, adjective or noun say of time, negation and certainty."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .dates import DateSpan
from .japanese_morphs import Arg, Clause, Morph, Part
from .lexicon import Lexicon

_SPEECH = frozenset({"思う", "言う", "聞く", "考える", "話す", "いう", "伝える"})
_PARTICLES = frozenset({"接続助詞", "終助詞", "準体助詞", "格助詞", "係助詞", "副助詞"})


POTENTIAL = {"飲める": "飲む", "使える": "使う", "乗れる": "乗る", "吸える": "吸う", "読める": "読む", "書ける": "書く",
             "作れる": "作る", "食べれる": "食べる", "住める": "住む", "持てる": "持つ", "飼える": "飼う",
             "吹ける": "吹く", "叩ける": "叩く", "踊れる": "踊る"}  # fmt: skip
"""Verbs of being able to, and what one is able to do."""


class EndingReader(ABC):
    """The state of a walk over one sentence, and how the end of a predicate is read."""

    def __init__(self, morphs: Sequence[Morph], dates: Sequence[DateSpan], words: Lexicon) -> None:
        self.morphs = list(morphs)
        self.dates = dates
        self.words = words
        self.at = 0
        self.last_form = ""
        self.clause = Clause()
        self.clauses: list[Clause] = []

    @abstractmethod
    def _nounish(self, index: int) -> bool: ...

    def _date_at(self, morph: Morph) -> DateSpan | None:
        return next((d for d in self.dates if d.start <= morph.start < d.end), None)

    def _surface(self, index: int) -> str:
        return self.morphs[index].surface if index < len(self.morphs) else ""

    def _follows(self, index: int, *lemmas: str) -> bool:
        return index < len(self.morphs) and self.morphs[index].lemma in lemmas

    def _endings(self) -> None:
        """Everything that belongs to the predicate: auxiliaries, ている, formal nouns, conjunctive particles."""
        clause = self.clause
        clause.end = self.morphs[self.at - 1].end
        self.last_form = self.morphs[self.at - 1].form
        while self.at < len(self.morphs):
            m = self.morphs[self.at]
            if m.pos == "助詞" and m.detail in _PARTICLES:
                if not self._particle_ending(m):
                    return
                continue
            if not self._takes(m):
                break
            clause.end = m.end
            self.at += 1
        clause.modifies = (
            self._nounish(self.at)
            and clause.joiner == ""
            and self.last_form.startswith(("連体形", "終止形"))
            and clause.kind != "noun"
        )
        self._close()

    def _takes(self, m: Morph) -> bool:
        """Note one word of the ending; False when it does not belong to the predicate."""
        if m.pos == "助動詞" or (m.pos in ("動詞", "形容詞") and m.detail == "非自立可能" and self._attached()):
            self._note(m.lemma)
            if m.form.startswith("仮定形"):
                self._note("仮定")
            self.clause.imperative = self.clause.imperative or m.form.startswith("命令形")
            self.last_form = m.form
        elif m.pos == "形状詞" and m.detail == "助動詞語幹":
            self._note(m.surface)
        elif m.pos == "名詞" and m.detail == "助動詞語幹":
            self._note("伝聞")  # 〜だそうだ, which tells what was heard; 降りそうだ is a guess
        elif (m.pos == "接尾辞" and m.detail in ("動詞的", "形容詞的", "形状詞的")) or self._decides(m):
            self._note(m.lemma)
        elif m.surface in self.words.lists_ja["formal_nouns"] and self.clause.kind != "noun":
            self._note(m.surface)
        else:
            return False
        return True

    def _decides(self, m: Morph) -> bool:
        """〜ことに決めた."""
        return m.lemma in ("決める", "決まる") and self._surface(self.at - 1) == "に" and self.clause.has("こと")

    def _note(self, word: str) -> None:
        """Keep a word of the ending; what follows と言う is about the saying, not about the fact."""
        if not self.clause.has(*_SPEECH):
            self.clause.endings.append(word)

    def _attached(self) -> bool:
        """て + いる, and other helping verbs right behind a verb."""
        before = self.morphs[self.at - 1]
        joined = before.surface in ("て", "で", "ちゃ", "じゃ", "に", "は", "も", "が")
        return joined or before.pos in ("動詞", "助動詞", "形容詞", "形状詞")

    def _particle_ending(self, m: Morph) -> bool:
        """Handle a particle behind a predicate; False when the clause is closed."""
        after = self.morphs[self.at + 1] if self.at + 1 < len(self.morphs) else None
        if self._inside(m, after):
            self.at += 1
            return True
        if self._behind_formal_noun(m):
            if after is not None and after.lemma in ("ある", "ない", "なる", "する", "できる", "決める", "入れる"):
                self.at += 1
                return True
            self._nominal(m)
            return False
        if m.detail == "準体助詞" or m.surface in ("の", "ん"):
            self._note("の")
            self.at += 1
            return True
        if m.detail == "終助詞" or (m.surface in ("か", "かな", "って", "と") and m.detail != "接続助詞"):
            self._note(m.surface)
            self.at += 1
            if m.surface in ("と", "って") and after is not None and after.lemma in _SPEECH:
                self._note(after.lemma)
                self.at += 1
            return True
        self.clause.joiner = m.surface
        self.at += 1
        self._close()
        return False

    def _inside(self, m: Morph, after: Morph | None) -> bool:
        """The て of ている, and the は of ではない."""
        if after is None:
            return False
        beyond = self.morphs[self.at + 2].lemma if self.at + 2 < len(self.morphs) else ""
        if m.surface == "で" and after.surface in ("は", "も") and beyond in ("ない", "ある"):
            return True
        helping = after.detail == "非自立可能" and after.pos in ("動詞", "形容詞")
        if m.surface in ("て", "で", "ては", "ちゃ") and helping:
            return True
        return m.surface in ("は", "も", "では", "じゃ") and after.lemma in ("ない", "ある", "いる")

    def _behind_formal_noun(self, m: Morph) -> bool:
        formal = self.clause.endings[-1:] and self.clause.endings[-1] in ("の", "こと", "つもり", "予定", "ん")
        return bool(formal) and m.surface in ("が", "は", "も", "を", "に") and m.detail != "接続助詞"

    def _nominal(self, particle: Morph) -> None:
        """泳ぐのが好き: the clause becomes an argument of the next one."""
        clause = self.clause
        inner = [a for a in clause.args if not a.topic and a.role != "が"]
        start = inner[0].parts[0].start if inner else clause.start
        text = "".join(m.surface for m in self.morphs if start <= m.start < clause.end and not self._date_at(m))
        text = text.removesuffix("の") + ("こと" if text.endswith("の") else "")
        topics = [a for a in clause.args if a not in inner]
        nominal = Arg((Part(text, start, clause.end),), particle.surface, particle.surface in ("は", "も"), clause)
        clause.joiner = "nominal"
        self.clauses.append(clause)
        self.clause = Clause(args=[*topics, nominal], dates=clause.dates, adverbs=clause.adverbs)
        self.at += 1

    def _close(self) -> None:
        self.clauses.append(self.clause)
        self.clause = Clause()
